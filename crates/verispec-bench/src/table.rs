//! Figures as a table for a terminal.

use crate::figure::{Figure, Report, short};

/// One line a figure, columns aligned.
pub(crate) fn text(report: &Report) -> String {
    let head = [
        "what", "figure", "unit", "range", "beside", "ratio", "target", "met", "load",
    ]
    .map(str::to_owned);
    let rows: Vec<[String; 9]> = [head]
        .into_iter()
        .chain(report.figures.iter().map(row))
        .collect();
    let mut out = String::new();
    for row in &rows {
        for (i, cell) in row.iter().enumerate() {
            let width = rows.iter().map(|r| r[i].chars().count()).max().unwrap_or(0);
            let pad = " ".repeat(width - cell.chars().count());
            // Numbers to the right.
            match i {
                1 | 5 | 8 => out += &format!("{pad}{cell}  "),
                _ => out += &format!("{cell}{pad}  "),
            }
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    for note in &report.notes {
        out += &format!("note: {note}\n");
    }
    out
}

/// A figure in one line, said as soon as it is known.
pub(crate) fn line(figure: &Figure) -> String {
    let cells = row(figure);
    let filled: Vec<&str> = cells[..8]
        .iter()
        .map(String::as_str)
        .filter(|c| !c.is_empty())
        .collect();
    filled.join("  ")
}

fn row(figure: &Figure) -> [String; 9] {
    let beside = figure.beside.as_ref();
    let target = figure.target.as_ref();
    let (low, high) = figure.range;
    let range = if figure.samples > 1 {
        format!("{} to {}", short(low), short(high))
    } else {
        String::new()
    };
    [
        format!("{}: {}, {}", figure.group, figure.row, figure.measure),
        short(figure.value),
        figure.unit.clone(),
        range,
        beside.map_or_else(String::new, |b| format!("{} {}", b.what, short(b.value))),
        figure
            .ratio()
            .map_or_else(String::new, |r| format!("{r:.2}")),
        target.map_or_else(String::new, |t| t.bound.clone()),
        target
            .map_or("", |t| if t.met { "yes" } else { "NO" })
            .to_owned(),
        format!("{:.1}", figure.load),
    ]
}
