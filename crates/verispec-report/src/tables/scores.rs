//! Score tables in the terminal.

use verispec_model::score::{Counters, ScoreTable, Scoring};

use super::grid::{Field, Grid, Kind};
use crate::context::Context;
use crate::error::ReportError;
use crate::gaps::{model_gaps, track_gaps};
use crate::number::{DASH, bounds, count, coverage, fixed2, percent};
use crate::style::{Style, Tone};
use crate::text::clean_line;
use crate::view::{Layout, Row, Slot};

/// What a score table shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScoreOptions {
    /// Dimensions of this track instead of all tracks.
    pub track: Option<String>,
    /// Also the columns `pooled` (met over judged, all specifications of a track alike) and
    /// `all met` (instances with everything met).
    pub extras: bool,
}

/// Scores, counters and what they were made with.
///
/// Models are rows and tracks columns while that fits; else one line a number.
///
/// # Errors
/// The suite has no such track.
pub fn render_scores(
    table: &ScoreTable,
    context: &Context,
    options: &ScoreOptions,
    style: Style,
) -> Result<String, ReportError> {
    let layout = match &options.track {
        None => Layout::tracks(table),
        Some(track) => Layout::dimensions(table, track)?,
    };
    let mut out = numbers(&layout, options.extras, style);
    out += &notes(table, &layout, options.track.as_deref(), style);
    out.push('\n');
    let holistic = table.policy.scoring == Scoring::Holistic;
    out += &counters(&layout, holistic, style);
    out.push('\n');
    out += &context.footer(Some(table.policy), style);
    Ok(out)
}

fn numbers(layout: &Layout, extras: bool, style: Style) -> String {
    let wide = wide(layout);
    if wide.fits(style) && !extras {
        wide.render(style)
    } else {
        long(layout, extras).render(style)
    }
}

fn wide(layout: &Layout) -> Grid {
    let mut grid = Grid::new();
    grid.column("model", Kind::Label);
    for name in &layout.columns {
        grid.column(name, Kind::Number);
    }
    grid.column("coverage", Kind::Number);
    for row in &layout.rows {
        let mut fields = vec![clean_line(row.model).into()];
        fields.extend(row.slots.iter().map(|slot| {
            let mut text = value(slot);
            if let Some(interval) = slot.score.and_then(bounds) {
                text = format!("{text}\n{interval}");
            }
            Field::new(text, tone(slot))
        }));
        fields.push(coverage_field(row.counters));
        grid.row(fields);
    }
    grid
}

fn long(layout: &Layout, extras: bool) -> Grid {
    let mut grid = Grid::new();
    grid.column("model", Kind::Text)
        .column(layout.kind, Kind::Label)
        .column("score", Kind::Number)
        .column("bounds", Kind::Number);
    if extras {
        grid.column("pooled", Kind::Number)
            .column("all met", Kind::Number);
    }
    grid.column("coverage", Kind::Number);
    for row in &layout.rows {
        for (i, (name, slot)) in layout.columns.iter().zip(&row.slots).enumerate() {
            let model = if i == 0 {
                clean_line(row.model)
            } else {
                String::new()
            };
            grid.row(long_row(model, name, slot, extras));
        }
    }
    grid
}

fn long_row(model: String, name: &str, slot: &Slot, extras: bool) -> Vec<Field> {
    let interval = slot.score.and_then(bounds).unwrap_or_default();
    let mut fields: Vec<Field> = vec![
        model.into(),
        clean_line(name).into(),
        Field::new(value(slot), tone(slot)),
        Field::new(interval, Tone::Faint),
    ];
    if extras {
        fields.push(percent(slot.pooled).into());
        fields.push(percent(slot.all_met).into());
    }
    fields.push(slot.counters.map_or_else(|| DASH.into(), coverage_field));
    fields
}

fn value(slot: &Slot) -> String {
    match slot.score {
        None => DASH.to_owned(),
        Some(score) if slot.provisional => format!("*{}", fixed2(score.value)),
        Some(score) => fixed2(score.value),
    }
}

const fn tone(slot: &Slot) -> Tone {
    match slot.score {
        None => Tone::Faint,
        Some(_) if slot.provisional => Tone::Odd,
        Some(_) => Tone::Plain,
    }
}

fn coverage_field(counters: &Counters) -> Field {
    let share = counters.coverage();
    let tone = match share {
        Some(s) if s < 1.0 => Tone::Odd,
        _ => Tone::Plain,
    };
    Field::new(coverage(share), tone)
}

/// Below the numbers: what dashes and stars mean, model by model.
fn notes(table: &ScoreTable, layout: &Layout, track: Option<&str>, style: Style) -> String {
    let slots = || layout.rows.iter().flat_map(|r| &r.slots);
    let mut legend = vec![];
    if slots().any(|s| s.score.is_some() && s.provisional) {
        legend.push("* not rankable yet");
    }
    if slots().any(|s| s.score.is_none()) {
        legend.push("– no score");
    }
    if slots().any(|s| s.score.is_some_and(|s| bounds(s).is_some())) {
        legend.push("[low, high] if everything undecided were unmet, met");
    }
    let mut out = String::new();
    if !legend.is_empty() {
        out += &style.paint(&legend.join(" · "), Tone::Faint);
        out.push('\n');
    }
    for model in &table.models {
        let gaps = match track {
            None => model_gaps(model, &table.all_tracks),
            Some(name) => model
                .track(name)
                .map_or_else(|| vec![format!("not entered: {name}")], track_gaps),
        };
        if !gaps.is_empty() {
            let gaps = clean_line(&gaps.join("; "));
            let line = format!("  {}: {gaps}", clean_line(&model.model));
            out += &style.paint(&line, Tone::Odd);
            out.push('\n');
        }
    }
    out
}

/// What became of every expected specification.
fn counters(layout: &Layout, holistic: bool, style: Style) -> String {
    let mut grid = Grid::new();
    let (title, judged): (_, &[&str]) = if holistic {
        ("holistic grades", &["graded"])
    } else {
        ("specifications", &["met", "unmet"])
    };
    grid.column(title, Kind::Label)
        .column("expected", Kind::Number);
    for name in judged {
        grid.column(*name, Kind::Number);
    }
    for name in ["unjudged", "unjudgeable", "output\nfailed", "pending"] {
        grid.column(name, Kind::Number);
    }
    for row in &layout.rows {
        grid.row(counter_row(row, holistic));
    }
    let mut out = grid.render(style);
    for row in &layout.rows {
        if let Some(line) = reasons(row.counters) {
            let line = format!("  {}: {line}", clean_line(row.model));
            out += &style.paint(&line, Tone::Faint);
            out.push('\n');
        }
    }
    out
}

fn counter_row(row: &Row, holistic: bool) -> Vec<Field> {
    let c = row.counters;
    let field = |n: usize, tone| Field::new(count(n), if n == 0 { Tone::Faint } else { tone });
    let judged = if holistic {
        vec![field(c.graded, Tone::Plain)]
    } else {
        vec![field(c.met, Tone::Plain), field(c.unmet(), Tone::Plain)]
    };
    let mut fields = vec![clean_line(row.model).into(), count(c.expected).into()];
    fields.extend(judged);
    fields.extend([
        field(c.unjudged, Tone::Odd),
        field(c.unjudgeable, Tone::Odd),
        field(c.output_failed, Tone::Bad),
        field(c.pending, Tone::Odd),
    ]);
    fields
}

/// Reasons behind the counters, for instance `unjudged: refused 2 · outputs: missing 1`.
pub(super) fn reasons(c: &Counters) -> Option<String> {
    let list = |map: &std::collections::BTreeMap<String, usize>| {
        map.iter()
            .map(|(why, n)| format!("{why} {}", count(*n)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut parts = vec![];
    if !c.unjudged_by.is_empty() {
        parts.push(format!("unjudged: {}", list(&c.unjudged_by)));
    }
    if !c.failed_instances.is_empty() {
        parts.push(format!("outputs: {}", list(&c.failed_instances)));
    }
    if c.not_asked > 0 {
        parts.push(format!("not asked: {}", count(c.not_asked)));
    }
    (!parts.is_empty()).then(|| parts.join(" · "))
}
