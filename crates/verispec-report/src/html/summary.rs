//! The head of the page: scores, ranks, counters, warnings.

use serde::Serialize;
use verispec_model::Warning;
use verispec_model::score::{Counters, Score, ScoreTable};

use crate::gaps::model_gaps;
use crate::input::ReportInput;
use crate::number::{DASH, bounds, count, coverage, fixed2, percent};
use crate::rank::RankTable;
use crate::tables::{by_kind, place, reasons, source};
use crate::view::{Layout, Row, Slot};

/// A table of numbers: models by tracks or dimensions.
#[derive(Debug, Serialize)]
pub(crate) struct NumberTable {
    pub title: String,
    pub columns: Vec<String>,
    pub rows: Vec<NumberRow>,
}

/// A model's numbers.
#[derive(Debug, Serialize)]
pub(crate) struct NumberRow {
    pub model: String,
    pub cells: Vec<Cell>,
    pub coverage: String,
    pub full: bool,
    pub gaps: Vec<String>,
}

/// A number with its bounds. The geometry (0-100) draws a bar.
#[derive(Debug, Serialize)]
pub(crate) struct Cell {
    pub value: String,
    pub bounds: Option<String>,
    pub provisional: bool,
    pub bar: Option<Bar>,
}

/// A bar from 0 to 100: solid up to `low`, faint up to `low + span`, a mark at `at`.
#[derive(Debug, Serialize)]
pub(crate) struct Bar {
    pub low: String,
    pub span: String,
    pub at: String,
}

/// A model's counters.
#[derive(Debug, Serialize)]
pub(crate) struct CounterRow {
    pub model: String,
    pub counts: Vec<CountCell>,
    pub reasons: Option<String>,
}

/// A count and the state it belongs to, for its colour.
#[derive(Debug, Serialize)]
pub(crate) struct CountCell {
    pub text: String,
    pub state: &'static str,
    pub zero: bool,
}

/// A ranking.
#[derive(Debug, Serialize)]
pub(crate) struct RankView {
    pub by: String,
    pub published: bool,
    pub rows: Vec<RankLine>,
    pub unranked: Vec<UnrankedLine>,
}

/// A ranked row.
#[derive(Debug, Serialize)]
pub(crate) struct RankLine {
    pub place: String,
    pub model: String,
    pub source: String,
    pub own: bool,
    pub cell: Cell,
    pub coverage: String,
    pub note: Option<String>,
}

/// A row without a place.
#[derive(Debug, Serialize)]
pub(crate) struct UnrankedLine {
    pub model: String,
    pub source: String,
    pub score: String,
    pub reasons: String,
}

/// Warnings of one kind.
#[derive(Debug, Serialize)]
pub(crate) struct WarningGroup {
    pub kind: String,
    pub count: String,
    pub items: Vec<Warning>,
}

/// The table of tracks.
pub(crate) fn tracks(input: &ReportInput<'_>) -> NumberTable {
    let table = input.scores;
    let mut view = numbers("Scores".to_owned(), &Layout::tracks(table));
    for (row, model) in view.rows.iter_mut().zip(&table.models) {
        row.gaps = model_gaps(model, &table.all_tracks);
    }
    view
}

/// A table of dimensions for each track that somebody entered.
pub(crate) fn dimensions(table: &ScoreTable) -> Vec<NumberTable> {
    table
        .all_tracks
        .iter()
        .filter_map(|track| {
            let layout = Layout::dimensions(table, track).ok()?;
            (!layout.rows.is_empty()).then(|| numbers(track.clone(), &layout))
        })
        .collect()
}

fn numbers(title: String, layout: &Layout) -> NumberTable {
    NumberTable {
        title,
        columns: layout.columns.clone(),
        rows: layout.rows.iter().map(number_row).collect(),
    }
}

fn number_row(row: &Row) -> NumberRow {
    let share = row.counters.coverage();
    NumberRow {
        model: row.model.to_owned(),
        cells: row.slots.iter().map(slot_cell).collect(),
        coverage: coverage(share),
        full: share.is_none_or(|s| s >= 1.0),
        gaps: vec![],
    }
}

fn slot_cell(slot: &Slot) -> Cell {
    match slot.score {
        Some(score) => Cell {
            provisional: slot.provisional,
            ..cell(score)
        },
        None => Cell {
            value: DASH.to_owned(),
            bounds: None,
            provisional: false,
            bar: None,
        },
    }
}

/// A number with its bar.
pub(crate) fn cell(score: &Score) -> Cell {
    Cell {
        value: fixed2(score.value),
        bounds: bounds(score),
        provisional: false,
        bar: Some(Bar {
            low: fixed2(score.low),
            span: fixed2(score.high - score.low),
            at: fixed2(score.value),
        }),
    }
}

/// Names of the counters' columns.
pub(crate) fn counter_names(holistic: bool) -> Vec<&'static str> {
    let judged: &[&str] = if holistic {
        &["graded"]
    } else {
        &["met", "unmet"]
    };
    let rest = ["unjudged", "unjudgeable", "output failed", "pending"];
    [&["expected"], judged, &rest].concat()
}

/// Counters of a model under a name, in the order of [`counter_names`].
pub(crate) fn counter_row(name: &str, c: &Counters, holistic: bool) -> CounterRow {
    let judged = if holistic {
        vec![(c.graded, "")]
    } else {
        vec![(c.met, "met"), (c.unmet(), "unmet")]
    };
    let rest = [
        (c.unjudged, "unjudged"),
        (c.unjudgeable, "unjudgeable"),
        (c.output_failed, "failed"),
        (c.pending, "pending"),
    ];
    CounterRow {
        model: name.to_owned(),
        counts: [(c.expected, "")]
            .into_iter()
            .chain(judged)
            .chain(rest)
            .map(|(n, state)| CountCell {
                text: count(n),
                state,
                zero: n == 0,
            })
            .collect(),
        reasons: reasons(c),
    }
}

/// The ranking.
pub(crate) fn ranking(table: &RankTable) -> RankView {
    let rows = table.rows.iter().map(|row| RankLine {
        place: place(row.first, row.last),
        model: row.model.clone(),
        source: source(&row.source),
        own: row.source == crate::rank::RowSource::Own,
        cell: cell(&row.score),
        coverage: coverage(row.coverage),
        note: row.note.clone(),
    });
    let unranked = table.unranked.iter().map(|row| UnrankedLine {
        model: row.model.clone(),
        source: source(&row.source),
        score: percent(row.score),
        reasons: row.reasons.join("; "),
    });
    RankView {
        by: table.by.clone(),
        published: table.has_published(),
        rows: rows.collect(),
        unranked: unranked.collect(),
    }
}

/// Warnings by kind.
pub(crate) fn warnings(warnings: &[Warning]) -> Vec<WarningGroup> {
    by_kind(warnings)
        .into_iter()
        .map(|(kind, items)| WarningGroup {
            kind: kind.to_owned(),
            count: count(items.len()),
            items: items.into_iter().cloned().collect(),
        })
        .collect()
}
