//! Rank tables in the terminal.

use super::grid::{Field, Grid, Kind};
use crate::context::Context;
use crate::number::{DASH, bounds, coverage, fixed2, percent};
use crate::rank::{RankRow, RankTable, RowSource, Unranked};
use crate::style::{Style, Tone};
use crate::text::clean_line;

/// A ranking, the models without a place and why, and what it was made with.
///
/// The single values are left out when the terminal is too narrow for them.
#[must_use]
pub fn render_rank(table: &RankTable, context: &Context, style: Style) -> String {
    let (mut out, whole) = body(table, style);
    if !whole {
        let names = clean_line(&table.columns.join(", "));
        out += &left_out(&names, style);
    }
    out += &notes(table, style);
    out += &unranked(table, style);
    out.push('\n');
    out += &style.paint(&format!("{:<9} {}", "ranked by", table.by), Tone::Faint);
    out.push('\n');
    out += &context.footer(Some(table.policy), style);
    out
}

/// Several rankings of the same results, each under its title; models without a place are named by
/// reason, and what all were made with is said once.
#[must_use]
pub fn render_ranks(tables: &[RankTable], context: &Context, style: Style) -> String {
    if let [one] = tables {
        return render_rank(one, context, style);
    }
    let mut out = String::new();
    let mut empty: Vec<&RankTable> = vec![];
    let mut all_whole = true;
    for table in tables {
        if table.rows.is_empty() {
            empty.push(table);
            continue;
        }
        let title = format!("Ranked by {}", clean_line(&table.by));
        out += &style.paint(&title, Tone::Strong);
        out.push('\n');
        let (body, whole) = body(table, style);
        all_whole &= whole;
        out += &body;
        out += &notes(table, style);
        out += &by_reason(&table.unranked, style);
        out.push('\n');
    }
    if let ([first, rest @ ..], true) = (&empty[..], empty.len() == tables.len()) {
        // The first says of each model what it lacks in any track.
        out += &nobody(first, style);
        let rest: Vec<String> = rest.iter().map(|t| clean_line(&t.by)).collect();
        let line = format!("nor by {}", rest.join(", "));
        out += &(style.paint(&line, Tone::Faint) + "\n\n");
        empty.clear();
    }
    for table in empty {
        out += &nobody(table, style);
        out.push('\n');
    }
    if !all_whole {
        out += &left_out("single values; one ranking: --track TRACK", style);
        out.push('\n');
    }
    let policy = tables.first().map(|t| t.policy);
    out += &context.footer(policy, style);
    out
}

/// The ranking, and whether its single values found room.
fn body(table: &RankTable, style: Style) -> (String, bool) {
    let full = grid(table, true);
    if table.rows.is_empty() {
        ("no model can be ranked\n".to_owned(), true)
    } else if full.fits(style) {
        (full.render(style), true)
    } else {
        (grid(table, false).render(style), false)
    }
}

fn left_out(what: &str, style: Style) -> String {
    let line = format!("left out, the terminal is too narrow: {what}");
    style.paint(&line, Tone::Faint) + "\n"
}

/// A ranking without a place, and why.
fn nobody(table: &RankTable, style: Style) -> String {
    let title = format!("Nobody can be ranked by {}", clean_line(&table.by));
    style.paint(&title, Tone::Strong) + "\n" + &by_reason(&table.unranked, style)
}

/// Models without a place, those with the same reason together.
fn by_reason(rows: &[Unranked], style: Style) -> String {
    let mut reasons: Vec<(String, Vec<String>)> = vec![];
    for row in rows {
        let reason = clean_line(&row.reasons.join("; "));
        let name = unranked_name(row);
        match reasons.iter_mut().find(|(r, _)| *r == reason) {
            Some((_, names)) => names.push(name),
            None => reasons.push((reason, vec![name])),
        }
    }
    let line = |(reason, names): &(String, Vec<String>)| {
        let text = format!("not ranked: {} ({reason})", names.join(", "));
        style.paint(&text, Tone::Faint) + "\n"
    };
    reasons.iter().map(line).collect()
}

/// A place, or a range of places.
pub(crate) fn place(first: usize, last: usize) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first}–{last}")
    }
}

/// `this run`, or `published` with the group.
fn source(source: &RowSource) -> String {
    match source {
        RowSource::Own => "this run".to_owned(),
        RowSource::Published { group } if group.is_empty() => "published".to_owned(),
        RowSource::Published { group } => format!("published, {}", clean_line(group)),
    }
}

fn grid(table: &RankTable, with_values: bool) -> Grid {
    let published = table.has_published();
    let any_bounds = table.rows.iter().any(|r| bounds(&r.score).is_some());
    let mut grid = Grid::new();
    grid.column("rank", Kind::Number)
        .column("model", Kind::Label);
    if published {
        grid.column("source", Kind::Label);
    }
    grid.column(&table.by, Kind::Number);
    if any_bounds {
        grid.column("bounds", Kind::Number);
    }
    grid.column("coverage", Kind::Number);
    if with_values {
        for name in &table.columns {
            grid.column(name, Kind::Number);
        }
    }
    for row in &table.rows {
        grid.row(fields(row, published, any_bounds, with_values));
    }
    grid
}

fn fields(row: &RankRow, published: bool, any_bounds: bool, with_values: bool) -> Vec<Field> {
    let tone = match row.source {
        RowSource::Own if published => Tone::Strong,
        _ => Tone::Plain,
    };
    let mark = if row.note.is_some() { " ¹" } else { "" };
    let mut fields = vec![
        place(row.first, row.last).into(),
        Field::new(clean_line(&row.model) + mark, tone),
    ];
    if published {
        fields.push(Field::new(source(&row.source), tone));
    }
    fields.push(Field::new(fixed2(row.score.value), tone));
    if any_bounds {
        fields.push(bounds(&row.score).unwrap_or_default().into());
    }
    let share = coverage(row.coverage);
    fields.push(match row.coverage {
        Some(c) if c < 1.0 => Field::new(share, Tone::Odd),
        _ => share.into(),
    });
    if with_values {
        fields.extend(row.values.iter().map(|v| Field::from(percent(*v))));
    }
    fields
}

fn notes(table: &RankTable, style: Style) -> String {
    let mut out = String::new();
    if table.rows.iter().any(|r| r.first != r.last) {
        let line = "a range of places: bounds overlap or scores tie";
        out += &style.paint(line, Tone::Faint);
        out.push('\n');
    }
    for row in &table.rows {
        if let Some(note) = &row.note {
            let line = format!("¹ {}: {}", clean_line(&row.model), clean_line(note));
            out += &style.paint(&line, Tone::Faint);
            out.push('\n');
        }
    }
    out
}

fn unranked(table: &RankTable, style: Style) -> String {
    if table.unranked.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new();
    grid.column("not ranked", Kind::Label)
        .column("score", Kind::Number)
        .column("reason", Kind::Text);
    for row in &table.unranked {
        grid.row(unranked_fields(row));
    }
    format!("\n{}", grid.render(style))
}

fn unranked_name(row: &Unranked) -> String {
    match &row.source {
        RowSource::Own => clean_line(&row.model),
        RowSource::Published { .. } => format!("{} (published)", clean_line(&row.model)),
    }
}

fn unranked_fields(row: &Unranked) -> [Field; 3] {
    let name = unranked_name(row);
    let score = match row.score {
        Some(score) => format!("*{}", fixed2(score)),
        None => DASH.to_owned(),
    };
    [
        name.into(),
        Field::new(score, Tone::Odd),
        clean_line(&row.reasons.join("; ")).into(),
    ]
}
