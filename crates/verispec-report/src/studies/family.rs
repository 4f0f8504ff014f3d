//! `study family`

use verispec_studies::family::Preference;

use super::{estimate, remarks};
use crate::style::{Style, Tone};
use crate::tables::grid::{Field, Grid, Kind};
use crate::text::clean_line;

/// Each judge's preference for models of its own family.
#[must_use]
pub fn render_family(preferences: &[Preference], style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("judge", Kind::Label)
        .column("family", Kind::Label)
        .column("own − others", Kind::Number)
        .column("own models", Kind::Text)
        .column("others", Kind::Number);
    for row in preferences {
        grid.row([
            Field::from(clean_line(&row.judge)),
            Field::from(clean_line(&row.family)),
            estimate(&row.preference, 2),
            Field::from(clean_line(&row.own.join(", "))),
            Field::from(row.others.to_string()),
        ]);
    }
    let lacking = preferences
        .iter()
        .filter(|p| p.preference.value.is_none())
        .map(|p| {
            format!(
                "{}: no track holds models of family {} and others",
                p.judge, p.family
            )
        })
        .collect::<Vec<String>>();
    let footer = "mean residual of own models minus others, points, after each model's mean over \
                  judges and each judge's mean over models; 95 % intervals over instances";
    grid.render(style)
        + &remarks(&lacking, style)
        + &format!("\n{}\n", style.paint(footer, Tone::Faint))
}
