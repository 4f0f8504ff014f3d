//! Scores of all models by dimension: a row a dimension, a mark a model.

use super::super::svg::{Svg, num};
use super::axis::Axis;
use crate::number::fixed2;

const WIDTH: f64 = 350.0;
const LEFT: f64 = 138.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 24.0;
const ROW: f64 = 26.0;

/// A model's number in a row.
#[derive(Debug, Clone)]
pub(crate) struct Dot<'a> {
    pub model: usize,
    pub name: &'a str,
    pub value: f64,
    /// An interval, where there is one.
    pub span: Option<(f64, f64)>,
}

/// A row of marks.
#[derive(Debug, Clone)]
pub(crate) struct DotRow<'a> {
    pub name: &'a str,
    /// The whole track, above its dimensions.
    pub total: bool,
    pub dots: Vec<Dot<'a>>,
}

/// Draws the rows.
pub(crate) fn dots(title: &str, rows: &[DotRow<'_>]) -> String {
    let all = rows.iter().flat_map(|r| &r.dots);
    let values = all.flat_map(|d| {
        let (low, high) = d.span.unwrap_or((d.value, d.value));
        [d.value, low, high]
    });
    let axis = Axis::over(values, true, (LEFT, WIDTH - RIGHT));
    #[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
    let height = TOP + ROW * rows.len() as f64 + 6.0;
    let mut svg = Svg::new(
        WIDTH,
        height,
        "chart dots",
        &format!("{title}: scores by dimension"),
    );
    for tick in axis.ticks() {
        let x = axis.at(tick);
        svg.line("grid", (x, TOP - 6.0), (x, height - 4.0));
        svg.text("tick mid", (x, TOP - 11.0), &num(tick));
    }
    let mut y = TOP + ROW / 2.0 - 3.0;
    for row in rows {
        let class = if row.total {
            "name end total"
        } else {
            "name end"
        };
        svg.label(class, (LEFT - 12.0, y + 4.0), row.name, 18);
        svg.line("rail", (LEFT, y), (WIDTH - RIGHT, y));
        for dot in &row.dots {
            svg.begin("m", dot.model);
            if let Some((low, high)) = dot.span {
                let class = format!("span {}", super::super::svg::colour(dot.model));
                svg.line(&class, (axis.at(low), y), (axis.at(high), y));
            }
            let title = format!("{}, {}: {}", dot.name, row.name, fixed2(dot.value));
            svg.mark(dot.model, (axis.at(dot.value), y), &title);
            svg.end();
        }
        y += ROW;
    }
    svg.done()
}
