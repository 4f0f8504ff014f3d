//! The one look of all terminal tables: a thin rule below the header, no borders, text left and
//! numbers right.
//!
//! A table that is wider than the terminal gives way step by step: texts wrap, then headers, then
//! labels; what still does not fit becomes one block a row. Tables never break a number.

use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, ContentLineStyle,
    LineStyle, Table, TableStyle, Width,
};

use unicode_width::UnicodeWidthStr;

use crate::style::{Style, Tone};

const LOOK: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none())
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .content_lines(ContentLineStyle::none());

/// Narrowest a wrapping column gets.
const MIN_TEXT: u16 = 12;
/// Longest word of a text that is kept whole.
const MAX_WORD: u16 = 24;

/// A column's kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Aligned left, wraps when space is short.
    Text,
    /// Aligned left, wraps only where the table would not fit otherwise.
    Label,
    /// Aligned right, never wraps.
    Number,
}

/// A cell: text and tone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Field {
    text: String,
    tone: Tone,
}

impl Field {
    /// A text in a tone.
    pub(crate) fn new(text: impl Into<String>, tone: Tone) -> Self {
        Self {
            text: text.into(),
            tone,
        }
    }
}

impl From<String> for Field {
    fn from(text: String) -> Self {
        Self::new(text, Tone::Plain)
    }
}

impl From<&str> for Field {
    fn from(text: &str) -> Self {
        Self::new(text, Tone::Plain)
    }
}

/// A table in the making.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    columns: Vec<(String, Kind)>,
    rows: Vec<Vec<Field>>,
    header: bool,
}

impl Grid {
    /// A table with a header.
    pub(crate) fn new() -> Self {
        Self {
            header: true,
            ..Self::default()
        }
    }

    /// A table without a header.
    pub(crate) fn bare() -> Self {
        Self::default()
    }

    /// Adds a column.
    pub(crate) fn column(&mut self, title: impl Into<String>, kind: Kind) -> &mut Self {
        self.columns.push((title.into(), kind));
        self
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, fields: impl IntoIterator<Item = Field>) -> &mut Self {
        self.rows.push(fields.into_iter().collect());
        self
    }

    /// Whether the table fits the terminal with no label broken.
    pub(crate) fn fits(&self, style: Style) -> bool {
        let width = style.width.map(usize::from);
        width.is_none_or(|width| least(&self.narrowest(&self.widths(), Give::Headers)) <= width)
    }

    /// The table as text, each line ended.
    pub(crate) fn render(&self, style: Style) -> String {
        let Some(width) = style.width else {
            return finished(&self.build(style));
        };
        let widths = self.widths();
        let mut give = Give::Texts;
        let mut narrowest = self.narrowest(&widths, give);
        for next in [Give::Headers, Give::Labels] {
            if least(&narrowest) <= usize::from(width) {
                break;
            }
            give = next;
            narrowest = self.narrowest(&widths, give);
        }
        if least(&narrowest) > usize::from(width) && self.header && self.columns.len() > 1 {
            return self.blocks(style);
        }
        let mut table = self.build(style);
        self.arrange(&mut table, width, give, &narrowest);
        finished(&table)
    }

    /// One block a row, for a terminal that is too narrow for any table: the first label (with
    /// what stands before it) as a title, below it every other field behind its name. Empty fields
    /// are left out; in a title they stand for the field above.
    fn blocks(&self, style: Style) -> String {
        let label = self
            .columns
            .iter()
            .position(|(_, kind)| *kind == Kind::Label);
        let titles = label.map_or(1, |i| i + 1);
        let mut out = String::new();
        let mut above: Vec<&str> = vec![""; titles];
        for row in &self.rows {
            let (first, rest) = row.split_at(titles.min(row.len()));
            for (field, above) in first.iter().zip(&mut above) {
                if !field.text.is_empty() {
                    *above = &field.text;
                }
            }
            let title = above.join(" ");
            if !title.trim().is_empty() {
                let tone = first.last().map(|f| f.tone).filter(|t| *t != Tone::Plain);
                out += &style.paint(title.trim(), tone.unwrap_or(Tone::Strong));
                out.push('\n');
            }
            let mut grid = Self::bare();
            grid.column("", Kind::Label).column("", Kind::Text);
            for ((name, _), field) in self.columns[titles.min(row.len())..].iter().zip(rest) {
                if !field.text.is_empty() {
                    let name = Field::new(format!("  {}", name.replace('\n', " ")), Tone::Faint);
                    grid.row([name, field.clone()]);
                }
            }
            if !grid.rows.is_empty() {
                out += &grid.render(style);
            }
        }
        out
    }

    fn build(&self, style: Style) -> Table {
        let mut table = self.framed(style);
        for (i, column) in table.column_iter_mut().enumerate() {
            let last = i + 1 == self.columns.len();
            column.set_padding((0, u16::from(!last)));
        }
        table
    }

    fn framed(&self, style: Style) -> Table {
        let mut table = Table::new();
        table.load_style(LOOK).force_no_tty();
        if style.color {
            table.enforce_styling();
            table.style_text_only();
        }
        if self.header {
            table.set_header(
                self.columns
                    .iter()
                    .map(|(title, kind)| cell(&Field::new(title, Tone::Strong), *kind)),
            );
        }
        for row in &self.rows {
            table.add_row(
                row.iter()
                    .zip(&self.columns)
                    .map(|(field, (_, kind))| cell(field, *kind)),
            );
        }
        table
    }

    fn arrange(&self, table: &mut Table, width: u16, give: Give, least: &[u16]) {
        table
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width);
        let last = self.columns.len().saturating_sub(1);
        for (i, column) in table.column_iter_mut().enumerate() {
            let wraps = self.columns[i].1 == Kind::Text || give >= Give::Headers;
            column.set_constraint(if wraps {
                ColumnConstraint::LowerBoundary(Width::Fixed(least[i] + u16::from(i != last)))
            } else {
                ColumnConstraint::ContentWidth
            });
        }
    }

    /// Widths of each column.
    fn widths(&self) -> Vec<Widths> {
        let column = |(i, (title, _)): (usize, &(String, Kind))| {
            let texts = self.rows.iter().filter_map(|row| row.get(i));
            let texts = texts.map(|field| field.text.as_str());
            let title = if self.header { title } else { "" };
            let body = texts.clone().map(|t| widest(t, &['\n'])).max();
            let word = texts.map(|t| widest(t, &[' ', '\n'])).max().unwrap_or(0);
            let (body, words) = (body.unwrap_or(0), widest(title, &[' ', '\n']));
            Widths {
                whole: body.max(widest(title, &['\n'])).max(1),
                words: body.max(words).max(1),
                word: word.max(words).max(1),
            }
        };
        self.columns.iter().enumerate().map(column).collect()
    }

    /// The narrowest that each column may get.
    fn narrowest(&self, widths: &[Widths], give: Give) -> Vec<u16> {
        let kinds = self.columns.iter().map(|(_, kind)| *kind);
        kinds
            .zip(widths)
            .map(|(kind, w)| match (kind, give) {
                (Kind::Text, _) => w.whole.min(w.word.clamp(MIN_TEXT, MAX_WORD)),
                (Kind::Label, Give::Labels) => w.whole.min(MIN_TEXT),
                (_, Give::Texts) => w.whole,
                (Kind::Label | Kind::Number, _) => w.words,
            })
            .collect()
    }
}

/// Widths of a column.
struct Widths {
    /// As it is.
    whole: u16,
    /// With a line for each word of its header.
    words: u16,
    /// Of its longest word.
    word: u16,
}

fn widest(text: &str, breaks: &[char]) -> u16 {
    let parts = text.split(breaks).map(UnicodeWidthStr::width);
    u16::try_from(parts.max().unwrap_or(0)).unwrap_or(u16::MAX)
}

/// Columns of the terminal that a table of such columns takes.
fn least(narrowest: &[u16]) -> usize {
    let columns: usize = narrowest.iter().map(|w| usize::from(*w)).sum();
    columns + narrowest.len().saturating_sub(1) * 2
}

/// What wraps where a table does not fit as it is; each step includes those before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Give {
    Texts,
    Headers,
    Labels,
}

fn finished(table: &Table) -> String {
    let mut out = table.trim_fmt();
    out.push('\n');
    out
}

fn cell(field: &Field, kind: Kind) -> Cell {
    let cell = Cell::new(&field.text).set_alignment(match kind {
        Kind::Text | Kind::Label => CellAlignment::Left,
        Kind::Number => CellAlignment::Right,
    });
    match field.tone {
        // Nothing to colour, so no escape codes either.
        _ if field.text.is_empty() => cell,
        Tone::Plain => cell,
        Tone::Strong => cell.add_attribute(Attribute::Bold),
        Tone::Faint => cell.add_attribute(Attribute::Dim),
        Tone::Good => cell.fg(Color::DarkGreen),
        Tone::Bad => cell.fg(Color::DarkRed),
        Tone::Odd => cell.fg(Color::DarkYellow),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Grid {
        let mut grid = Grid::new();
        grid.column("place", Kind::Number)
            .column("model", Kind::Label)
            .column("largest change", Kind::Number)
            .column("tau with people", Kind::Number)
            .column("what was said", Kind::Text);
        grid.row(
            [
                "1–3",
                "a model of some name",
                "-12.34 [-20.01, -3.20]",
                "0.805",
                "",
            ]
            .map(Field::from),
        );
        grid.row(
            [
                "2",
                "beta",
                "+1.00",
                "–",
                "one two three four five six seven",
            ]
            .map(Field::from),
        );
        grid
    }

    fn drawn(width: u16) -> String {
        table().render(Style {
            color: false,
            width: Some(width),
        })
    }

    /// Whatever the width, no line is wider and no number is broken or lost.
    #[test]
    fn every_width_is_readable() {
        for width in 44..=140 {
            let text = drawn(width);
            for line in text.lines() {
                let wide = unicode_width::UnicodeWidthStr::width(line);
                assert!(wide <= usize::from(width), "{width}: {line:?}\n{text}");
            }
            for number in ["1–3", "-12.34 [-20.01, -3.20]", "+1.00", "0.805"] {
                assert!(text.contains(number), "{width}: {number}\n{text}");
            }
            for word in ["beta", "some", "seven"] {
                assert!(text.contains(word), "{width}: {word}\n{text}");
            }
        }
    }

    #[test]
    fn headers_give_way_before_labels_and_blocks_come_last() {
        let whole = drawn(140);
        let first = whole.lines().next().unwrap();
        assert!(
            first.contains("largest change") && first.contains("tau with people"),
            "{whole}"
        );
        let headers = drawn(76);
        let first = headers.lines().next().unwrap();
        assert!(!first.contains("tau with people"), "{headers}");
        assert!(headers.contains("a model of some name"), "{headers}");
        let blocks = drawn(44);
        let expected = "1–3 a model of some name\n  largest change   -12.34 [-20.01, -3.20]\n";
        assert!(blocks.starts_with(expected), "{blocks}");
        assert!(blocks.contains("2 beta\n"), "{blocks}");
        // An empty field has no line.
        assert_eq!(blocks.matches("what was said").count(), 1);
    }

    #[test]
    fn words_stay_whole_and_an_empty_title_is_the_one_above() {
        let mut grid = Grid::new();
        grid.column("model", Kind::Text)
            .column("track", Kind::Label)
            .column("order", Kind::Text);
        grid.row(["beta", "t2i", "gemini-2.5-flash-image > beta"].map(Field::from));
        grid.row(["", "edit", "beta"].map(Field::from));
        let drawn = |width| {
            grid.render(Style {
                color: false,
                width: Some(width),
            })
        };
        for width in 20..60 {
            let text = drawn(width);
            assert!(
                text.contains("gemini-2.5-flash-image") || width < 35,
                "{text}"
            );
        }
        assert!(drawn(40).contains('─'), "{}", drawn(40));
        let blocks = drawn(32);
        assert!(blocks.starts_with("beta t2i\n"), "{blocks}");
        assert!(blocks.contains("\nbeta edit\n"), "{blocks}");
    }
}
