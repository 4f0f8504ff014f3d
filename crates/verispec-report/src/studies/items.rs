//! `study items`

use std::collections::BTreeMap;

use verispec_studies::items::{Flag, Item};

use super::{heading, number};
use crate::style::{Style, Tone};
use crate::tables::grid::{Field, Grid, Kind};
use crate::text::clean_line;

/// Flagged specifications that are listed.
const LISTED: usize = 30;

/// How many specifications have which flag, then those with a flag.
#[must_use]
pub fn render_items(items: &[Item], all: bool, style: Style) -> String {
    let mut counts: BTreeMap<Flag, usize> = BTreeMap::new();
    for flag in items.iter().flat_map(|i| &i.flags) {
        *counts.entry(*flag).or_default() += 1;
    }
    let mut grid = Grid::new();
    grid.column("flag", Kind::Label)
        .column("specifications", Kind::Number)
        .column("share", Kind::Number);
    for (flag, n) in counts {
        grid.row([
            Field::from(flag.as_str()),
            Field::from(n.to_string()),
            Field::from(format!("{:.1} %", 100.0 * n as f64 / items.len() as f64)),
        ]);
    }
    let flagged: Vec<&Item> = items.iter().filter(|i| !i.flags.is_empty()).collect();
    let shown = if all {
        flagged.len()
    } else {
        LISTED.min(flagged.len())
    };
    let mut out = grid.render(style);
    out += &heading("Specifications that deserve a look", style);
    out += &list(&flagged[..shown], style);
    let more = flagged.len() - shown;
    if more > 0 {
        out += &format!("and {more} more: --all lists them, --out FILE writes a repair list\n");
    }
    let footer = format!(
        "{} specifications; discrimination: correlation over models with the score on all other \
         instances; disputed: share of pairs of judges that contradict each other",
        items.len()
    );
    out + &format!("\n{}\n", style.paint(&footer, Tone::Faint))
}

fn list(items: &[&Item], style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("instance", Kind::Label)
        .column("spec", Kind::Number)
        .column("met", Kind::Number)
        .column("discr.", Kind::Number)
        .column("disputed", Kind::Number)
        .column("flags", Kind::Label)
        .column("question", Kind::Text);
    for item in items {
        let flags: Vec<&str> = item.flags.iter().map(|f| f.as_str()).collect();
        grid.row([
            Field::from(clean_line(&format!("{}/{}", item.track, item.instance))),
            Field::from(item.spec.to_string()),
            Field::from(format!("{}/{}", item.met, item.verdicts)),
            number(item.discrimination.value, 2),
            number(item.disagreement, 2),
            Field::from(flags.join(" ")),
            Field::from(clean_line(&item.question)),
        ]);
    }
    grid.render(style)
}
