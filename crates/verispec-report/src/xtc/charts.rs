//! G against U, with curves of equal consistency.

use verispec_suites::xtc::Tables;

use crate::html::svg::{Svg, num, shorten};

const SIDE: f64 = 460.0;
const LEFT: f64 = 52.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 46.0;
/// Levels of the curves.
const LEVELS: [f64; 4] = [0.2, 0.4, 0.6, 0.8];
/// Points of a curve on each side of the diagonal.
const POINTS: i32 = 40;

/// Draws every model at its G and U (V3). A curve joins the points at which (1 − |G − U|)(G + U)/2
/// has one value: of models on it, those nearer to the diagonal say what they draw.
pub(super) fn g_against_u(tables: &Tables) -> String {
    let x = |v: f64| LEFT + v * (SIDE - LEFT - 20.0);
    let y = |v: f64| SIDE - BOTTOM - v * (SIDE - BOTTOM - TOP);
    let mut svg = Svg::new(
        SIDE,
        SIDE,
        "chart scatter",
        "U against G, with curves of equal consistency",
    );
    for tick in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] {
        svg.line("grid", (x(tick), y(0.0)), (x(tick), y(1.0)));
        svg.line("grid", (x(0.0), y(tick)), (x(1.0), y(tick)));
        svg.text("tick mid", (x(tick), y(0.0) + 17.0), &num(tick));
        svg.text("tick end", (x(0.0) - 7.0, y(tick) + 4.0), &num(tick));
    }
    svg.line("diagonal", (x(0.0), y(0.0)), (x(1.0), y(1.0)));
    for level in LEVELS {
        let points: Vec<(f64, f64)> = curve(level)
            .into_iter()
            .map(|(g, u)| (x(g), y(u)))
            .collect();
        svg.polyline("level", &points);
        svg.text("tick", (x(level) + 5.0, y(level) - 5.0), &num(level));
    }
    svg.text("axis mid", (x(0.5), SIDE - 8.0), "G: what it draws");
    svg.upright("axis mid", (15.0, y(0.5)), "U: what it says");
    for (at, model) in tables.models.iter().enumerate() {
        let Some(c) = model.headline() else { continue };
        let (g, u) = (c.generation, c.understanding);
        let title = format!(
            "{}: G {g:.3}, U {u:.3}, CCTA {:.3}, AW-CCTA {:.3}",
            model.model, c.ccta, c.aw_ccta
        );
        svg.begin("m", at);
        svg.mark(at, (x(g), y(u)), &title);
        // Near the right edge the name stands before the mark.
        let (class, side) = if g > 0.7 {
            ("name end", -8.0)
        } else {
            ("name", 8.0)
        };
        svg.text(class, (x(g) + side, y(u) - 6.0), &shorten(&model.model, 24));
        svg.end();
    }
    svg.done()
}

/// Points (g, u) with (1 − |g − u|)(g + u)/2 = level, from g − u most negative on: from one edge of
/// the square to the other.
fn curve(level: f64) -> Vec<(f64, f64)> {
    let step = |at: i32| {
        let d = f64::from(at) / f64::from(POINTS);
        let sum = 2.0 * level / (1.0 - d.abs());
        (f64::midpoint(sum, d), (sum - d) / 2.0)
    };
    let inside = |(g, u): &(f64, f64)| (0.0..=1.0).contains(g) && (0.0..=1.0).contains(u);
    // Where one side is 1, the other one solves x(x + 1)/2 = level.
    let edge = f64::midpoint(-1.0, (1.0 + 8.0 * level).sqrt());
    let between = (1 - POINTS..POINTS).map(step).filter(inside);
    std::iter::once((edge, 1.0))
        .chain(between)
        .chain([(1.0, edge)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_of_a_curve_has_its_level() {
        for level in LEVELS {
            let points = curve(level);
            assert!(points.len() > 10, "{level}");
            // No gap at the edges.
            assert_eq!(points[0].1, 1.0);
            assert_eq!(points[points.len() - 1].0, 1.0);
            for (g, u) in points {
                let value = (1.0 - (g - u).abs()) * f64::midpoint(g, u);
                assert!((value - level).abs() < 1e-12, "{g} {u}: {value}");
            }
        }
    }
}
