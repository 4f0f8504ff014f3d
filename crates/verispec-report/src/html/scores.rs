//! Tables of scores: the leaderboard, dimensions, judges side by side, weakest dimensions.

use serde::Serialize;
use verispec_model::score::{Score, ScoreTable, TrackScore};

use super::charts::{Models, position};
use super::svg;
use crate::gaps::model_gaps;
use crate::input::Judged;
use crate::mark::{Mark, marks};
use crate::number::{DASH, bounds, coverage, fixed2, percent};
use crate::rank::RankTable;
use crate::statistics::{Interval, Place, Statistics};
use crate::tables::place;
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
    /// Position of the model, for its mark.
    pub at: usize,
    pub key: String,
    pub model: String,
    /// Place, or a dash.
    pub place: String,
    pub cells: Vec<Cell>,
    pub coverage: String,
    pub full: bool,
    /// Why there is no place.
    pub gaps: Vec<String>,
}

/// A number with what is known about its certainty. The geometry (0-100) draws a bar.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Cell {
    pub value: String,
    /// Interval, `[low, high]`.
    pub interval: Option<String>,
    /// Bounds by undecided specifications.
    pub bounds: Option<String>,
    pub provisional: bool,
    /// `best`, `second` or nothing.
    pub mark: &'static str,
    pub bar: Option<Bar>,
}

/// A bar from 0 to 100: solid up to `at`, a line from `low` to `low + span`.
#[derive(Debug, Serialize)]
pub(crate) struct Bar {
    pub at: String,
    pub low: String,
    pub span: String,
}

/// The leaderboard, best first. Tracks that no model entered are left out.
pub(crate) fn leaderboard(
    judged: &Judged<'_>,
    stats: &Statistics,
    models: Models<'_>,
) -> NumberTable {
    let table = judged.scores;
    let layout = Layout::tracks(table);
    let places = layout.columns.iter().map(|c| {
        if c == "average" {
            Place::Average
        } else {
            Place::Track { track: c.clone() }
        }
    });
    let places: Vec<Place> = places.collect();
    let look = |model: &str, at: usize| stats.interval(&judged.name, model, &places[at]);
    let mut view = numbers("Scores", &layout, models, &look);
    for (row, model) in view.rows.iter_mut().zip(&table.models) {
        row.gaps = model_gaps(model, &table.all_tracks);
    }
    order(&mut view, judged);
    let entered = |at: usize| {
        at + 1 == view.columns.len() || view.rows.iter().any(|r| r.cells[at].bar.is_some())
    };
    let keep: Vec<bool> = (0..view.columns.len()).map(entered).collect();
    // With one track alone there is no average to show.
    let average = table.all_tracks.len() > 1;
    let keep = |at: usize| keep[at] && (average || at + 1 < keep.len());
    retain(&mut view, &keep);
    view
}

fn retain(view: &mut NumberTable, keep: &dyn Fn(usize) -> bool) {
    let mut at = 0;
    view.columns.retain(|_| {
        at += 1;
        keep(at - 1)
    });
    for row in &mut view.rows {
        let mut at = 0;
        row.cells.retain(|_| {
            at += 1;
            keep(at - 1)
        });
    }
}

/// Ranked rows first, in their order; then the others as they are.
fn order(view: &mut NumberTable, judged: &Judged<'_>) {
    let Some(rank) = judged.ranks.first() else {
        return;
    };
    let of = |model: &str| rank.rows.iter().position(|r| r.model == model);
    for row in &mut view.rows {
        if let Some(at) = of(&row.model) {
            row.place = place(rank.rows[at].first, rank.rows[at].last);
        }
    }
    view.rows
        .sort_by_key(|row| of(&row.model).unwrap_or(usize::MAX));
}

/// A table of dimensions for each track that somebody entered.
pub(crate) fn dimensions(
    judged: &Judged<'_>,
    stats: &Statistics,
    models: Models<'_>,
) -> Vec<NumberTable> {
    let table = |track: &String| {
        let layout = Layout::dimensions(judged.scores, track).ok()?;
        let places: Vec<Place> = layout
            .columns
            .iter()
            .enumerate()
            .map(|(at, name)| match at + 1 == layout.columns.len() {
                true => Place::Track {
                    track: track.clone(),
                },
                false => Place::Dimension {
                    track: track.clone(),
                    dimension: name.clone(),
                },
            })
            .collect();
        let look = |model: &str, at: usize| stats.interval(&judged.name, model, &places[at]);
        (!layout.rows.is_empty()).then(|| numbers(track, &layout, models, &look))
    };
    judged.scores.all_tracks.iter().filter_map(table).collect()
}

type Look<'l, 's> = &'l dyn Fn(&str, usize) -> Option<&'s Interval>;

fn numbers(title: &str, layout: &Layout, models: Models<'_>, look: Look<'_, '_>) -> NumberTable {
    let mut rows: Vec<NumberRow> = layout
        .rows
        .iter()
        .map(|row| number_row(row, models, look))
        .collect();
    for column in 0..layout.columns.len() {
        let shown: Vec<Option<f64>> = layout
            .rows
            .iter()
            .map(|r| {
                Some(r.slots[column])
                    .filter(|s| !s.provisional)?
                    .score
                    .map(|s| s.value)
            })
            .collect();
        for (row, mark) in rows.iter_mut().zip(marks(&shown)) {
            row.cells[column].mark = match mark {
                Mark::Best => "best",
                Mark::Second => "second",
                Mark::None => "",
            };
        }
    }
    NumberTable {
        title: title.to_owned(),
        columns: layout.columns.clone(),
        rows,
    }
}

fn number_row(row: &Row, models: Models<'_>, look: Look<'_, '_>) -> NumberRow {
    let share = row.counters.coverage();
    let at = position(models, row.model);
    let cell = |(column, slot): (usize, &Slot)| slot_cell(slot, look(row.model, column));
    NumberRow {
        at,
        key: svg::key(at),
        model: row.model.to_owned(),
        place: DASH.to_owned(),
        cells: row.slots.iter().enumerate().map(cell).collect(),
        coverage: coverage(share),
        full: share.is_none_or(|s| s >= 1.0),
        gaps: vec![],
    }
}

fn slot_cell(slot: &Slot, interval: Option<&Interval>) -> Cell {
    let Some(score) = slot.score else {
        return Cell {
            value: DASH.to_owned(),
            ..Cell::default()
        };
    };
    let (low, high) = interval.map_or((score.low, score.high), |i| (i.low, i.high));
    Cell {
        value: fixed2(score.value),
        interval: interval.map(|i| format!("[{}, {}]", fixed2(i.low), fixed2(i.high))),
        bounds: bounds(score),
        provisional: slot.provisional,
        mark: "",
        bar: Some(bar(score, low, high)),
    }
}

fn bar(score: &Score, low: f64, high: f64) -> Bar {
    let (low, high) = (low.clamp(0.0, 100.0), high.clamp(0.0, 100.0));
    Bar {
        at: fixed2(score.value),
        low: fixed2(low),
        span: fixed2((high - low).max(0.0)),
    }
}

/// Models by judges: the number that is ranked, beside each other.
#[derive(Debug, Serialize)]
pub(crate) struct JudgeTable {
    pub title: String,
    pub judges: Vec<String>,
    pub rows: Vec<JudgeRow>,
}

/// A model's number by each judge.
#[derive(Debug, Serialize)]
pub(crate) struct JudgeRow {
    pub at: usize,
    pub key: String,
    pub model: String,
    /// Score and place by each judge.
    pub cells: Vec<(String, String)>,
}

/// Judges side by side, where there are several and they rank the same thing.
pub(crate) fn judges(all: &[Judged<'_>], models: Models<'_>) -> Option<JudgeTable> {
    let first = all.first()?.ranks.first()?;
    let ranks: Vec<_> = all.iter().map(|j| j.ranks.first()).collect();
    let same = |r: &Option<&RankTable>| r.is_none_or(|r| r.by == first.by);
    if all.len() < 2 || !ranks.iter().all(same) {
        return None;
    }
    let row = |(at, model): (usize, &&str)| {
        let cells: Vec<(String, String)> = ranks
            .iter()
            .map(|rank| {
                let found = rank.and_then(|r| r.rows.iter().find(|r| r.model == **model));
                found.map_or_else(
                    || (DASH.to_owned(), String::new()),
                    |r| (fixed2(r.score.value), place(r.first, r.last)),
                )
            })
            .collect();
        cells
            .iter()
            .any(|(_, place)| !place.is_empty())
            .then(|| JudgeRow {
                at,
                key: svg::key(at),
                model: (*model).to_owned(),
                cells,
            })
    };
    Some(JudgeTable {
        title: first.by.clone(),
        judges: all.iter().map(|j| j.name.clone()).collect(),
        rows: ordered(models, first).filter_map(row).collect(),
    })
}

/// Models with their positions, in the order of a ranking, then the others.
fn ordered<'a>(
    models: Models<'a>,
    rank: &RankTable,
) -> impl Iterator<Item = (usize, &'a &'a str)> + use<'a> {
    let place = |model: &str| rank.rows.iter().position(|r| r.model == model);
    let mut all: Vec<(usize, &&str)> = models.iter().enumerate().collect();
    all.sort_by_key(|(_, model)| place(model).unwrap_or(usize::MAX));
    all.into_iter()
}

/// Where each model is weakest.
#[derive(Debug, Serialize)]
pub(crate) struct Weakest {
    pub tracks: Vec<String>,
    pub rows: Vec<WeakRow>,
}

/// A model's weakest dimensions, one a track.
#[derive(Debug, Serialize)]
pub(crate) struct WeakRow {
    pub at: usize,
    pub key: String,
    pub model: String,
    pub cells: Vec<WeakCell>,
}

/// The weakest dimension of a track.
#[derive(Debug, Serialize)]
pub(crate) struct WeakCell {
    pub dimension: String,
    pub score: String,
    /// The weakest of all of the model's dimensions.
    pub lowest: bool,
}

/// The weakest dimension of each model and track, of dimensions with a number.
pub(crate) fn weakest(table: &ScoreTable, models: Models<'_>) -> Option<Weakest> {
    let several = |t: &&String| {
        let of =
            |m: &verispec_model::score::ModelScore| m.track(t).map_or(0, |t| t.dimensions.len());
        table.models.iter().any(|m| of(m) > 1)
    };
    let tracks: Vec<&String> = table.all_tracks.iter().filter(several).collect();
    let rows = table.models.iter().map(|model| {
        let found: Vec<Option<(String, f64)>> = tracks
            .iter()
            .map(|track| lowest(model.track(track)?))
            .collect();
        let values = found.iter().flatten().map(|(_, v)| *v);
        let least = values.fold(f64::INFINITY, f64::min);
        let cell = |f: &Option<(String, f64)>| WeakCell {
            dimension: f
                .as_ref()
                .map_or_else(|| DASH.to_owned(), |(n, _)| n.clone()),
            score: percent(f.as_ref().map(|(_, v)| *v)),
            lowest: f.as_ref().is_some_and(|(_, v)| *v <= least),
        };
        let at = position(models, &model.model);
        WeakRow {
            at,
            key: svg::key(at),
            model: model.model.clone(),
            cells: found.iter().map(cell).collect(),
        }
    });
    let rows: Vec<WeakRow> = rows.collect();
    (!tracks.is_empty()).then(|| Weakest {
        tracks: tracks.into_iter().cloned().collect(),
        rows,
    })
}

/// The lowest number of a track's dimensions and its dimension; with how many others share it.
fn lowest(track: &TrackScore) -> Option<(String, f64)> {
    let scored = || {
        let all = track.dimensions.iter();
        all.filter_map(|d| Some((d.name.as_str(), d.score.as_ref()?.value)))
    };
    let (name, value) = scored().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let name = match scored().filter(|(_, v)| *v <= value).count() {
        0 | 1 => name.to_owned(),
        n => format!("{name} and {} more", n - 1),
    };
    Some((name, value))
}
