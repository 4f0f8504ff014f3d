//! A square of correlations.

use super::super::svg::{Svg, shorten};
use crate::number::DASH;
use crate::statistics::Stability;

const CELL: (f64, f64) = (74.0, 40.0);
const LEFT: f64 = 190.0;
const TOP: f64 = 34.0;

/// Draws the correlations of all pairs.
pub(crate) fn heat(stability: &Stability) -> String {
    let n = stability.judges.len();
    #[expect(clippy::cast_precision_loss, reason = "a handful of judges")]
    let at = |row: usize, column: usize| (LEFT + CELL.0 * column as f64, TOP + CELL.1 * row as f64);
    let (width, height) = at(n, n);
    let mut svg = Svg::new(width + 4.0, height + 4.0, "chart heat", &stability.method);
    for (row, judge) in stability.judges.iter().enumerate() {
        let (_, y) = at(row, 0);
        let name = format!("{}  {}", row + 1, shorten(judge, 24));
        svg.label("name end", (LEFT - 12.0, y + CELL.1 / 2.0 + 4.0), &name, 28);
        let (x, _) = at(0, row);
        svg.text(
            "tick mid",
            (x + CELL.0 / 2.0, TOP - 10.0),
            &(row + 1).to_string(),
        );
        let values = stability.tau.get(row);
        for column in 0..n {
            let value = values.and_then(|v| v.get(column)).copied().flatten();
            cell(&mut svg, at(row, column), (row == column, value));
        }
    }
    svg.done()
}

fn cell(svg: &mut Svg, (x, y): (f64, f64), (own, value): (bool, Option<f64>)) {
    let size = (CELL.0 - 3.0, CELL.1 - 3.0);
    let (class, share) = match value {
        _ if own => ("own", 1.0),
        None => ("none", 1.0),
        Some(v) if v < 0.0 => ("against", v.abs().min(1.0)),
        Some(v) => ("with", v.min(1.0)),
    };
    svg.shade(&format!("cell {class}"), (x, y), size, share);
    let text = match value {
        _ if own => "·".to_owned(),
        None => DASH.to_owned(),
        Some(v) => format!("{v:.3}"),
    };
    let tone = if !own && share > 0.62 && value.is_some() {
        "value mid light"
    } else {
        "value mid"
    };
    svg.text(tone, (x + size.0 / 2.0, y + size.1 / 2.0 + 4.5), &text);
}
