//! `study leak`

use verispec_studies::leak::{Followed, Leak, LeakRow};

use super::{estimate, heading, number, remarks};
use crate::style::{Style, Tone};
use crate::tables::grid::{Field, Grid, Kind};
use crate::text::clean_line;

/// How often verdicts follow a key that was turned round, with the control beside it.
#[must_use]
pub fn render_leak(leak: &Leak, style: Style) -> String {
    let mut out = heading("Verdicts that equal the turned key", style);
    out += &table(leak, |r| &r.turned, style);
    out += &heading("Control: keys that both runs have", style);
    out += &table(leak, |r| &r.kept, style);
    if leak.rows.iter().any(|r| r.changes.is_some()) {
        out += &heading("Verdicts that change, on the turned half", style);
        out += &changes(leak, style);
    }
    let mut lines = vec![];
    if let Some(line) = leak.rows.first().and_then(|all| verdict(&all.turned)) {
        lines.push(line);
    }
    if leak.unpaired > 0 {
        lines.push(format!(
            "{} specifications stand in one run only and are left out",
            leak.unpaired
        ));
    }
    out += &remarks(&lines, style);
    let footer = "leak: share with turned keys minus share without, 0 for a judge that looks at the \
                  output alone; intervals over instances";
    out + &format!("\n{}\n", style.paint(footer, Tone::Faint))
}

/// What the interval says in words.
fn verdict(turned: &Followed) -> Option<String> {
    let value = turned.difference.value?;
    let interval = turned.difference.interval?;
    let (low, high) = (interval.low, interval.high);
    Some(if low > 0.0 {
        format!(
            "the judge reads the key: turning it round moves {:.1} % of the verdicts to it \
             [{:.1}, {:.1}]",
            100.0 * value,
            100.0 * low,
            100.0 * high
        )
    } else {
        format!(
            "no leak shown: at most {:.1} % of the verdicts follow the key (upper end of the \
             interval)",
            100.0 * high.max(0.0)
        )
    })
}

fn table(leak: &Leak, of: fn(&LeakRow) -> &Followed, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("model", Kind::Label)
        .column("verdicts", Kind::Number)
        .column("as they are", Kind::Number)
        .column("turned", Kind::Number)
        .column("leak", Kind::Number);
    for row in &leak.rows {
        let half = of(row);
        grid.row([
            name(row),
            Field::from(half.verdicts.to_string()),
            number(half.before, 4),
            number(half.after, 4),
            estimate(&half.difference, 4),
        ]);
    }
    grid.render(style)
}

fn changes(leak: &Leak, style: Style) -> String {
    let mut grid = Grid::new();
    grid.column("model", Kind::Label)
        .column("verdicts", Kind::Number)
        .column("repeat", Kind::Number)
        .column("turned", Kind::Number)
        .column("turned − repeat", Kind::Number);
    for row in &leak.rows {
        let Some(c) = &row.changes else { continue };
        grid.row([
            name(row),
            Field::from(c.verdicts.to_string()),
            number(c.repeat, 4),
            number(c.flipped, 4),
            estimate(&c.difference, 4),
        ]);
    }
    grid.render(style)
}

fn name(row: &LeakRow) -> Field {
    match &row.model {
        Some(model) => Field::from(clean_line(model)),
        None => Field::new("all", Tone::Strong),
    }
}
