//! What a suite holds, in the terminal.

use super::grid::{Field, Grid, Kind};
use super::warnings::render_warnings;
use crate::inspect::{Inspection, SuiteCounts};
use crate::number::{count, percent};
use crate::style::{Style, Tone};
use crate::text::clean_line;

/// Tracks, dimensions, counts and baselines of a suite, then its warnings.
///
/// `all` lists every warning instead of the first few of each kind.
#[must_use]
pub fn render_inspect(inspection: &Inspection, all: bool, style: Style) -> String {
    let i = inspection;
    let mut out = style.paint(&clean_line(&i.suite), Tone::Strong);
    out += &style.paint(
        &format!(" @ {} · {}", clean_line(&i.revision), clean_line(&i.root)),
        Tone::Faint,
    );
    out += "\n\n";
    out += &grid(inspection).render(style);
    out += &style.paint(
        "always Yes, always No: score of a judge that ignores the output, percent",
        Tone::Faint,
    );
    out.push('\n');
    if !i.warnings.is_empty() {
        out.push('\n');
        out += &render_warnings(&i.warnings, all, style);
    }
    out
}

fn grid(inspection: &Inspection) -> Grid {
    let mut grid = Grid::new();
    grid.column("track / dimension", Kind::Label);
    for name in [
        "instances",
        "specs",
        "mean K",
        "K",
        "expect No",
        "images",
        "always Yes",
        "always No",
    ] {
        grid.column(name, Kind::Number);
    }
    for track in &inspection.tracks {
        grid.row(row(&track.track, &track.counts, Tone::Strong));
        for d in &track.dimensions {
            grid.row(row(&format!("  {}", d.dimension), &d.counts, Tone::Plain));
        }
    }
    grid.row(row("total", &inspection.total, Tone::Strong));
    grid
}

fn row(name: &str, c: &SuiteCounts, tone: Tone) -> Vec<Field> {
    let indent = if name.starts_with("  ") { "  " } else { "" };
    let range = if c.min == c.max {
        count(c.min)
    } else {
        format!("{}–{}", count(c.min), count(c.max))
    };
    [
        format!("{indent}{}", clean_line(name)),
        count(c.instances),
        count(c.specifications),
        percent(c.mean),
        range,
        count(c.expected_no),
        count(c.images),
        percent(c.always_yes),
        percent(c.always_no),
    ]
    .into_iter()
    .map(|text| Field::new(text, tone))
    .collect()
}
