//! A writer of SVG: attributes and texts are escaped when they are written, so that no name of a
//! model or dimension can become markup.

use std::fmt::Write as _;

/// Shapes of marks, beside colour: charts can be read without telling colours apart.
const SHAPES: usize = 4;
/// Colours there are.
const COLOURS: usize = 8;

/// An SVG picture in the making.
pub(crate) struct Svg {
    out: String,
}

impl Svg {
    /// A picture of a size in CSS pixels. `label` says what it shows.
    pub(crate) fn new(width: f64, height: f64, class: &str, label: &str) -> Self {
        let mut svg = Self { out: String::new() };
        let view = format!("0 0 {} {}", num(width), num(height));
        svg.tag(
            "svg",
            &[
                ("class", class),
                ("viewBox", &view),
                ("width", &num(width)),
                ("height", &num(height)),
                ("role", "img"),
                ("aria-label", label),
            ],
        );
        svg
    }

    /// Closes the picture.
    pub(crate) fn done(mut self) -> String {
        self.out.push_str("</svg>");
        self.out
    }

    /// Begins a group that stands for a model, for highlighting.
    pub(crate) fn begin(&mut self, class: &str, model: usize) {
        self.tag("g", &[("class", class), ("data-m", &model.to_string())]);
    }

    /// Ends a group.
    pub(crate) fn end(&mut self) {
        self.out.push_str("</g>");
    }

    pub(crate) fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let path = format!("M{} {}L{} {}", num(x1), num(y1), num(x2), num(y2));
        self.path(class, &path);
    }

    pub(crate) fn polyline(&mut self, class: &str, points: &[(f64, f64)]) {
        let mut path = String::new();
        for (i, (x, y)) in points.iter().enumerate() {
            let step = if i == 0 { 'M' } else { 'L' };
            // Writing to a string cannot fail.
            let _ = write!(path, "{step}{} {}", num(*x), num(*y));
        }
        self.path(class, &path);
    }

    /// A rounded rectangle, filled to a share of its colour.
    pub(crate) fn shade(&mut self, class: &str, at: (f64, f64), (w, h): (f64, f64), share: f64) {
        self.tag(
            "rect",
            &[
                ("class", class),
                ("x", &num(at.0)),
                ("y", &num(at.1)),
                ("width", &num(w)),
                ("height", &num(h)),
                ("rx", "3"),
                ("fill-opacity", &num(share)),
            ],
        );
        self.out.push_str("</rect>");
    }

    pub(crate) fn text(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        self.tag("text", &[("class", class), ("x", &num(x)), ("y", &num(y))]);
        escape(&mut self.out, text);
        self.out.push_str("</text>");
    }

    /// A text that stands on its side, read from below.
    pub(crate) fn upright(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        let turn = format!("rotate(-90 {} {})", num(x), num(y));
        self.tag(
            "text",
            &[
                ("class", class),
                ("x", &num(x)),
                ("y", &num(y)),
                ("transform", &turn),
            ],
        );
        escape(&mut self.out, text);
        self.out.push_str("</text>");
    }

    /// A text that is cut to so many characters, in full when it is pointed at.
    pub(crate) fn label(&mut self, class: &str, (x, y): (f64, f64), text: &str, most: usize) {
        self.tag("text", &[("class", class), ("x", &num(x)), ("y", &num(y))]);
        let short = shorten(text, most);
        escape(&mut self.out, &short);
        if short != text {
            self.title(text);
        }
        self.out.push_str("</text>");
    }

    /// A model's mark, with what it stands for when it is pointed at.
    pub(crate) fn mark(&mut self, model: usize, at: (f64, f64), title: &str) {
        let class = format!("mark c{}", model % COLOURS);
        self.tag("path", &[("class", &class), ("d", &shape(model, at))]);
        self.title(title);
        self.out.push_str("</path>");
    }

    fn title(&mut self, text: &str) {
        self.out.push_str("<title>");
        escape(&mut self.out, text);
        self.out.push_str("</title>");
    }

    fn path(&mut self, class: &str, path: &str) {
        self.tag("path", &[("class", class), ("d", path)]);
        self.out.push_str("</path>");
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.out.push('<');
        self.out.push_str(name);
        for (name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            escape(&mut self.out, value);
            self.out.push('"');
        }
        self.out.push('>');
    }
}

/// The key to a model's mark: a small picture of its own.
pub(crate) fn key(model: usize) -> String {
    let mut svg = Svg::new(14.0, 14.0, "swatch", "");
    svg.mark(model, (7.0, 7.0), "");
    svg.done()
}

/// Class of a model's colour.
pub(crate) fn colour(model: usize) -> String {
    format!("c{}", model % COLOURS)
}

/// Outline of a model's mark: circle, square, diamond, triangle.
fn shape(model: usize, (x, y): (f64, f64)) -> String {
    let r = 4.2;
    let p = |x: f64, y: f64| format!("{} {}", num(x), num(y));
    match (model / COLOURS + model) % SHAPES {
        0 => format!(
            "M{}a{r} {r} 0 1 0 {} 0a{r} {r} 0 1 0 {} 0Z",
            p(x - r, y),
            2.0 * r,
            -2.0 * r
        ),
        1 => {
            let s = 3.7;
            format!("M{}h{}v{}h{}Z", p(x - s, y - s), 2.0 * s, 2.0 * s, -2.0 * s)
        }
        2 => {
            let s = 5.1;
            let (right, down, left) = (p(x + s, y), p(x, y + s), p(x - s, y));
            format!("M{}L{right}L{down}L{left}Z", p(x, y - s))
        }
        _ => {
            let s = 4.8;
            let (right, left) = (p(x + s, y + s * 0.75), p(x - s, y + s * 0.75));
            format!("M{}L{right}L{left}Z", p(x, y - s))
        }
    }
}

/// A number with at most two decimals.
pub(crate) fn num(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// At most so many characters, the last one an ellipsis when something is cut.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#x27;"),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_become_markup() {
        let mut svg = Svg::new(10.0, 10.0, "a\"b", "<script>");
        svg.text("t", (1.0, 2.5), "</svg><img src=x>");
        svg.mark(3, (1.0, 1.0), "a & b");
        let out = svg.done();
        assert_eq!(out.matches("<script").count(), 0);
        assert_eq!(out.matches("</svg>").count(), 1);
        assert!(out.contains("a &amp; b"));
    }

    #[test]
    fn marks_of_32_models_differ() {
        let mark = |m| {
            let mut svg = Svg::new(1.0, 1.0, "", "");
            svg.mark(m, (0.0, 0.0), "");
            svg.done()
        };
        let all: std::collections::HashSet<String> = (0..32).map(mark).collect();
        assert_eq!(all.len(), 32);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(num(1.0), "1");
        assert_eq!(num(-0.001), "0");
        assert_eq!(num(2.345), "2.35");
        assert_eq!(shorten("composition", 6), "compo…");
    }
}
