//! Scores against K, the number of specifications of a task.

use verispec_model::score::ComplexityCurve;

use super::super::svg::{Svg, colour, num};
use super::axis::Axis;
use super::{Models, position};
use crate::number::{count, fixed2};

const WIDTH: f64 = 350.0;
const HEIGHT: f64 = 230.0;
const LEFT: f64 = 40.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 40.0;

/// Draws the curves of one track.
pub(crate) fn curves(track: &str, curves: &[&ComplexityCurve], models: Models<'_>) -> String {
    let points = || curves.iter().flat_map(|c| &c.points);
    let x = Axis::over(points().map(|p| p.mean_k), false, (LEFT, WIDTH - RIGHT));
    let y = Axis::over(points().map(|p| p.score), true, (HEIGHT - BOTTOM, TOP));
    let label = format!("{track}: score against the number of specifications");
    let mut svg = Svg::new(WIDTH, HEIGHT, "chart curves", &label);
    for tick in y.ticks() {
        svg.line("grid", (LEFT, y.at(tick)), (WIDTH - RIGHT, y.at(tick)));
        svg.text("tick end", (LEFT - 8.0, y.at(tick) + 4.0), &num(tick));
    }
    for tick in x.ticks() {
        let at = x.at(tick);
        svg.line(
            "grid short",
            (at, HEIGHT - BOTTOM),
            (at, HEIGHT - BOTTOM + 4.0),
        );
        svg.text("tick mid", (at, HEIGHT - BOTTOM + 17.0), &num(tick));
    }
    let middle = f64::midpoint(LEFT, WIDTH - RIGHT);
    svg.text(
        "axis mid",
        (middle, HEIGHT - 6.0),
        "K, specifications a task",
    );
    for curve in curves {
        let model = position(models, &curve.model);
        svg.begin("m", model);
        let places: Vec<(f64, f64)> = curve
            .points
            .iter()
            .map(|p| (x.at(p.mean_k), y.at(p.score)))
            .collect();
        svg.polyline(&format!("curve {}", colour(model)), &places);
        for (point, at) in curve.points.iter().zip(&places) {
            let range = match point.from == point.to {
                true => point.from.to_string(),
                false => format!("{}–{}", point.from, point.to),
            };
            let title = format!(
                "{}, K {range}: {} over {} tasks",
                curve.model,
                fixed2(point.score),
                count(point.instances)
            );
            svg.mark(model, *at, &title);
        }
        svg.end();
    }
    svg.done()
}
