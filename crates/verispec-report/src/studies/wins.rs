//! `rank --bradley-terry`

use verispec_studies::wins::WinRanking;

use super::{estimate, heading, remarks};
use crate::context::Context;
use crate::style::{Style, Tone};
use crate::tables::grid::{Field, Grid, Kind};
use crate::text::clean_line;

/// Rankings by wins, and what they were made with.
#[must_use]
pub fn render_wins(rankings: &[WinRanking], context: &Context, style: Style) -> String {
    let mut out = String::new();
    let mut lines = vec![];
    for ranking in rankings {
        let n = ranking.instances;
        out += &heading(&format!("{}: wins on {n} instances", ranking.track), style);
        out += &table(ranking, style);
        if let Some(why) = &ranking.undefined {
            lines.push(format!(
                "{}: no Bradley-Terry abilities ({why}); in the order of the wins",
                ranking.track
            ));
        }
    }
    out += &remarks(&lines, style);
    let footer = "ability: log-odds to beat a model of mean ability; beats: mean probability to \
                  beat another model; a tie is half a win; intervals over instances";
    out += &format!("\n{}\n", style.paint(footer, Tone::Faint));
    out + &context.footer(None, style)
}

fn table(ranking: &WinRanking, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("place", Kind::Number)
        .column("model", Kind::Label)
        .column("won", Kind::Number)
        .column("tied", Kind::Number)
        .column("lost", Kind::Number)
        .column("ability", Kind::Number)
        .column("beats", Kind::Number);
    for (place, row) in (1..).zip(&ranking.models) {
        grid.row([
            Field::from(place.to_string()),
            Field::from(clean_line(&row.model)),
            Field::from(row.wins.to_string()),
            Field::from(row.ties.to_string()),
            Field::from(row.losses.to_string()),
            estimate(&row.ability, 2),
            estimate(&row.beats, 3),
        ]);
    }
    grid.render(style)
}
