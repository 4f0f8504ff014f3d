//! Two numbers of each model against each other, with names.

use verispec_model::score::Contrast;

use super::super::svg::{Svg, num, shorten};
use super::axis::Axis;
use super::{Models, position};
use crate::number::fixed2;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 48.0;
/// Width of a letter of a name and height of its line, about.
const LETTER: (f64, f64) = (7.2, 13.0);
/// Longest name that is written whole.
const LONGEST: usize = 24;

/// Draws the points.
pub(crate) fn scatter(contrast: &Contrast, models: Models<'_>) -> String {
    let points = &contrast.points;
    let x = Axis::over(points.iter().map(|p| p.1), true, (LEFT, WIDTH - RIGHT));
    let y = Axis::over(points.iter().map(|p| p.2), true, (HEIGHT - BOTTOM, TOP));
    let label = format!("{} against {}", contrast.y, contrast.x);
    let mut svg = Svg::new(WIDTH, HEIGHT, "chart scatter", &label);
    for tick in y.ticks() {
        svg.line("grid", (LEFT, y.at(tick)), (WIDTH - RIGHT, y.at(tick)));
        svg.text("tick end", (LEFT - 8.0, y.at(tick) + 4.0), &num(tick));
    }
    for tick in x.ticks() {
        svg.line("grid", (x.at(tick), TOP), (x.at(tick), HEIGHT - BOTTOM));
        svg.text("tick mid", (x.at(tick), HEIGHT - BOTTOM + 18.0), &num(tick));
    }
    let middle = f64::midpoint(LEFT, WIDTH - RIGHT);
    svg.text(
        "axis mid",
        (middle, HEIGHT - 8.0),
        &shorten(&contrast.x, 70),
    );
    let middle = f64::midpoint(TOP, HEIGHT - BOTTOM);
    svg.upright("axis mid", (16.0, middle), &shorten(&contrast.y, 56));
    let mut taken: Vec<Area> = points
        .iter()
        .map(|p| Area::around((x.at(p.1), y.at(p.2)), 6.0))
        .collect();
    for (model, a, b) in points {
        let at = (x.at(*a), y.at(*b));
        let index = position(models, model);
        svg.begin("m", index);
        let title = format!(
            "{model}: {} {}, {} {}",
            contrast.x,
            fixed2(*a),
            contrast.y,
            fixed2(*b)
        );
        svg.mark(index, at, &title);
        let name = shorten(model, LONGEST);
        if let Some((place, area)) = free(&name, at, &taken) {
            svg.text("name", place, &name);
            taken.push(area);
        }
        svg.end();
    }
    svg.done()
}

/// A rectangle: left, top, right, bottom.
#[derive(Debug, Clone, Copy)]
struct Area(f64, f64, f64, f64);

impl Area {
    fn around((x, y): (f64, f64), r: f64) -> Self {
        Self(x - r, y - r, x + r, y + r)
    }

    fn meets(&self, o: &Self) -> bool {
        self.0 < o.2 && o.0 < self.2 && self.1 < o.3 && o.1 < self.3
    }
}

/// Where a name can stand beside its mark without covering another; `None` where it cannot, then
/// only pointing at the mark tells it.
fn free(name: &str, (x, y): (f64, f64), taken: &[Area]) -> Option<((f64, f64), Area)> {
    #[expect(clippy::cast_precision_loss, reason = "a short name")]
    let width = name.chars().count() as f64 * LETTER.0;
    let near = 8.0;
    let places = [
        (x + near, y + 4.0),
        (x - near - width, y + 4.0),
        (x - width / 2.0, y - near - 1.0),
        (x - width / 2.0, y + near + LETTER.1 - 2.0),
        (x + near, y - near),
        (x + near, y + near + 8.0),
        (x - near - width, y - near),
        (x - near - width, y + near + 8.0),
    ];
    places.into_iter().find_map(|(left, base)| {
        let area = Area(left, base - LETTER.1 + 3.0, left + width, base + 3.0);
        let inside = left >= LEFT && left + width <= WIDTH - 2.0;
        let inside = inside && area.1 >= 0.0 && area.3 <= HEIGHT - BOTTOM;
        (inside && !taken.iter().any(|t| t.meets(&area))).then_some(((left, base), area))
    })
}
