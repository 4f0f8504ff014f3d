//! `study drift`

use verispec_studies::drift::{Drift, SelfNoise};

use super::{estimate, heading, number, p_value, remarks};
use crate::number::DASH;
use crate::style::{Style, Tone};
use crate::tables::grid::{Field, Grid, Kind};
use crate::text::clean_line;

/// Scores that moved, verdicts that flipped, items that moved most; the judge's own noise beside
/// the flips where a run has repeats.
#[must_use]
pub fn render_drift(drift: &Drift, noise: Option<&SelfNoise>, style: Style) -> String {
    let mut out = models(drift, style);
    out += &heading("Verdicts that changed", style);
    out += &flips(drift, noise, style);
    if !drift.items.is_empty() {
        out += &heading("Instances with the most changes", style);
        out += &items(drift, style);
    }
    let mut lines = vec![];
    if noise.is_none() {
        lines.push(
            "no run has repeats, so the judge's own noise is not known: judge with --repeats 2 \
             to tell drift from noise"
                .to_owned(),
        );
    }
    if drift.unpaired > 0 {
        lines.push(format!(
            "{} specifications stand in one run only and are left out",
            drift.unpaired
        ));
    }
    out += &remarks(&lines, style);
    let footer = "second minus first; sign-flip tests on instances, Holm over all rows; rates \
                  with 95 % intervals over instances";
    out + &format!("\n{}\n", style.paint(footer, Tone::Faint))
}

fn models(drift: &Drift, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("track", Kind::Label)
        .column("model", Kind::Label)
        .column("difference", Kind::Number)
        .column("p", Kind::Number)
        .column("p (Holm)", Kind::Number)
        .column("n", Kind::Number);
    for row in &drift.models {
        let moved = row.p_holm.is_some_and(|p| p < 0.05);
        let tone = if moved { Tone::Odd } else { Tone::Plain };
        grid.row([
            Field::from(clean_line(&row.track)),
            Field::new(clean_line(&row.model), tone),
            estimate(&row.difference, 2),
            p_value(row.p),
            p_value(row.p_holm),
            Field::from(row.n.to_string()),
        ]);
    }
    grid.render(style)
}

fn flips(drift: &Drift, noise: Option<&SelfNoise>, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("category", Kind::Label)
        .column("verdicts", Kind::Number)
        .column("yes to no", Kind::Number)
        .column("no to yes", Kind::Number)
        .column("changed", Kind::Number);
    for row in &drift.flips {
        let name = row.category.as_deref().map(clean_line);
        let name = match name.as_deref() {
            None => "all",
            Some("") => DASH,
            Some(name) => name,
        };
        grid.row([
            Field::from(name),
            Field::from(row.paired.to_string()),
            Field::from(row.yes_to_no.to_string()),
            Field::from(row.no_to_yes.to_string()),
            estimate(&row.rate, 4),
        ]);
    }
    if let Some(noise) = noise {
        let blank = || Field::from("");
        grid.row([
            Field::new("own noise (repeats)", Tone::Faint),
            Field::from(noise.pairs.to_string()),
            blank(),
            blank(),
            estimate(&noise.rate, 4),
        ]);
    }
    grid.render(style)
}

fn items(drift: &Drift, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("instance", Kind::Label)
        .column("changed", Kind::Number)
        .column("verdicts", Kind::Number);
    for item in &drift.items {
        grid.row([
            Field::from(clean_line(&format!("{}/{}", item.track, item.id))),
            number(Some(item.flips as f64), 0),
            number(Some(item.paired as f64), 0),
        ]);
    }
    grid.render(style)
}
