//! Scores laid out as rows and columns, for terminal and page alike.

use verispec_model::score::{Counters, DimensionScore, ModelScore, Score, ScoreTable, TrackScore};

use crate::error::ReportError;

/// One number's place in a table.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Slot<'a> {
    /// The number, if there is one.
    pub score: Option<&'a Score>,
    /// What it rests on; `None` when the model did not enter.
    pub counters: Option<&'a Counters>,
    /// Pooled share, percent; tracks only.
    pub pooled: Option<f64>,
    /// Share of instances with everything met, percent; tracks only.
    pub all_met: Option<f64>,
    /// There is a number, but it is not rankable: something is pending, missing or left out.
    pub provisional: bool,
}

/// A model's row.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    pub model: &'a str,
    pub slots: Vec<Slot<'a>>,
    pub counters: &'a Counters,
}

/// Models by columns. The last column is the mean of the others.
#[derive(Debug)]
pub(crate) struct Layout<'a> {
    /// What the columns are, `track` or `dimension`.
    pub kind: &'static str,
    pub columns: Vec<String>,
    pub rows: Vec<Row<'a>>,
}

impl<'a> Layout<'a> {
    /// One column a track, and the average.
    pub(crate) fn tracks(table: &'a ScoreTable) -> Self {
        let mut columns = table.all_tracks.clone();
        columns.push("average".to_owned());
        let rows = table.models.iter().map(|model| {
            let mut slots: Vec<Slot> = table
                .all_tracks
                .iter()
                .map(|t| model.track(t).map(track_slot).unwrap_or_default())
                .collect();
            slots.push(average_slot(model));
            Row {
                model: &model.model,
                slots,
                counters: &model.counters,
            }
        });
        Self {
            kind: "track",
            columns,
            rows: rows.collect(),
        }
    }

    /// One column a dimension of one track, and the track's score. Models that did not enter the
    /// track have no row.
    ///
    /// # Errors
    /// The suite has no such track.
    pub(crate) fn dimensions(table: &'a ScoreTable, track: &str) -> Result<Self, ReportError> {
        known_track(table, track)?;
        let entered: Vec<(&ModelScore, &TrackScore)> = table
            .models
            .iter()
            .filter_map(|m| m.track(track).map(|t| (m, t)))
            .collect();
        let names = dimension_names(table, track);
        let rows = entered.iter().map(|(model, t)| {
            let find = |name: &String| t.dimensions.iter().find(|d| d.name == *name);
            let mut slots: Vec<Slot> = names
                .iter()
                .map(|n| find(n).map(dimension_slot).unwrap_or_default())
                .collect();
            slots.push(track_slot(t));
            Row {
                model: &model.model,
                slots,
                counters: &t.counters,
            }
        });
        let rows = rows.collect();
        let mut columns = names;
        columns.push(track.to_owned());
        Ok(Self {
            kind: "dimension",
            columns,
            rows,
        })
    }
}

/// Dimensions of a track in the order in which the first model that has them lists them.
pub(crate) fn dimension_names(table: &ScoreTable, track: &str) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    for t in table.models.iter().filter_map(|m| m.track(track)) {
        for d in &t.dimensions {
            if !names.contains(&d.name) {
                names.push(d.name.clone());
            }
        }
    }
    names
}

/// Refuses a track that the suite does not have.
pub(crate) fn known_track(table: &ScoreTable, track: &str) -> Result<(), ReportError> {
    if table.all_tracks.iter().any(|t| t == track) {
        return Ok(());
    }
    Err(ReportError::UnknownTrack {
        track: track.to_owned(),
        suite: table.suite.clone(),
        known: table.all_tracks.join(", "),
    })
}

fn track_slot(t: &TrackScore) -> Slot<'_> {
    Slot {
        score: t.score.as_ref(),
        counters: Some(&t.counters),
        pooled: t.pooled,
        all_met: t.all_met,
        provisional: !t.rankable,
    }
}

fn dimension_slot(d: &DimensionScore) -> Slot<'_> {
    Slot {
        score: d.score.as_ref(),
        counters: Some(&d.counters),
        provisional: d.counters.pending > 0,
        ..Slot::default()
    }
}

fn average_slot(model: &ModelScore) -> Slot<'_> {
    Slot {
        score: model.average.as_ref(),
        counters: Some(&model.counters),
        provisional: model.tracks.iter().any(|t| !t.rankable),
        ..Slot::default()
    }
}
