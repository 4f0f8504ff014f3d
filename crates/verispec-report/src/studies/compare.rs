//! `compare`

use verispec_studies::compare::{Comparison, TrackComparison};

use super::{estimate, number, p_value, remarks};
use crate::style::{Style, Tone};
use crate::tables::grid::{Field, Grid, Kind};
use crate::text::clean_line;

/// Dropped instances that are named.
const NAMED: usize = 5;

/// Scores on common instances, their difference, its interval and test.
#[must_use]
pub fn render_compare(
    comparison: &Comparison,
    (first, second): (&str, &str),
    warnings: &[String],
    style: Style,
) -> String {
    let mut grid = Grid::new();
    grid.column("track", Kind::Label)
        .column(clean_line(first), Kind::Number)
        .column(clean_line(second), Kind::Number)
        .column("difference", Kind::Number)
        .column("p", Kind::Number)
        .column("p (Holm)", Kind::Number)
        .column("n", Kind::Number)
        .column("dropped", Kind::Number);
    for track in &comparison.tracks {
        grid.row([
            Field::from(clean_line(&track.track)),
            number(track.first, 2),
            number(track.second, 2),
            estimate(&track.difference, 2),
            p_value(track.test.map(|t| t.p)),
            p_value(track.p_holm),
            Field::from(track.n.to_string()),
            Field::from(track.dropped.len().to_string()),
        ]);
    }
    if let Some(average) = &comparison.average {
        let blank = || Field::from("");
        let name = Field::new("average", Tone::Strong);
        let difference = estimate(average, 2);
        let n: usize = comparison.tracks.iter().map(|t| t.n).sum();
        grid.row([
            name,
            blank(),
            blank(),
            difference,
            blank(),
            blank(),
            Field::from(n.to_string()),
            blank(),
        ]);
    }
    let mut lines = warnings.to_vec();
    lines.extend(comparison.tracks.iter().filter_map(dropped));
    let lines = remarks(&lines, style);
    let footer = "second minus first on instances that both have; 95 % intervals by bootstrap \
                  within dimensions; sign-flip test on instances, those of one image together; \
                  conditional on one generation for each instance";
    grid.render(style) + &lines + &format!("\n{}\n", style.paint(footer, Tone::Faint))
}

fn dropped(track: &TrackComparison) -> Option<String> {
    let name = |d: &verispec_studies::compare::Dropped| format!("{} ({})", d.id, d.missing);
    let named: Vec<String> = track.dropped.iter().take(NAMED).map(name).collect();
    let more = track.dropped.len().saturating_sub(NAMED);
    let mut parts = vec![];
    if !named.is_empty() {
        let rest = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        parts.push(format!("no score on {}{rest}", named.join(", ")));
    }
    if !track.dropped_dimensions.is_empty() {
        let names = track.dropped_dimensions.join(", ");
        parts.push(format!("nothing in common in {names}"));
    }
    (!parts.is_empty()).then(|| format!("{}: {}", track.track, parts.join("; ")))
}
