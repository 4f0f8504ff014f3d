//! Ranking, alone or beside rows published elsewhere. Places come from
//! [`rank_by`](verispec_model::score::rank_by); this lays them out.

use serde::Serialize;
use verispec_model::score::{
    Counters, ModelScore, Policy, Score, ScoreTable, Scoring, TrackScore, rank_by,
};

use crate::error::ReportError;
use crate::gaps::{model_gaps, track_gaps};
use crate::view::{dimension_names, known_track};

/// What is ranked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RankBy {
    /// The average over all tracks of the suite.
    Average,
    /// One track's score.
    Track(String),
}

/// A row from elsewhere, for instance of a published table.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ExternalRow {
    /// Name as it was published.
    pub name: String,
    /// Group of models it belongs to, for instance `UMM`; may be empty.
    pub group: String,
    /// One value for each column of the table (tracks, or the track's dimensions, in the table's
    /// order), percent.
    pub values: Vec<Option<f64>>,
    /// The value that is ranked, as stated, percent.
    pub score: Option<f64>,
    /// A remark, for instance that the stated average is not the mean of its columns.
    pub note: Option<String>,
}

/// Where a row comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum RowSource {
    /// Judged or imported here.
    Own,
    /// Published elsewhere.
    Published {
        /// Group of models; may be empty.
        group: String,
    },
}

/// A ranked row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankRow {
    /// Best place, from 1.
    pub first: usize,
    /// Worst place; differs from `first` when bounds overlap or scores tie.
    pub last: usize,
    /// Model.
    pub model: String,
    /// Where the row comes from.
    pub source: RowSource,
    /// Score that was ranked, with bounds.
    pub score: Score,
    /// Share of judgeable specifications with a verdict, 0-1; unknown for published rows.
    pub coverage: Option<f64>,
    /// One value for each column, percent.
    pub values: Vec<Option<f64>>,
    /// A remark.
    pub note: Option<String>,
}

/// A row without a place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Unranked {
    /// Model.
    pub model: String,
    /// Where the row comes from.
    pub source: RowSource,
    /// Its score, if there is one, percent.
    pub score: Option<f64>,
    /// One value for each column, percent.
    pub values: Vec<Option<f64>>,
    /// Why it has no place.
    pub reasons: Vec<String>,
}

/// A ranking.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankTable {
    /// Suite.
    pub suite: String,
    /// What was ranked: `average` or a track.
    pub by: String,
    /// The choices behind every own number.
    pub policy: Policy,
    /// Names of the values.
    pub columns: Vec<String>,
    /// Best first.
    pub rows: Vec<RankRow>,
    /// Models without a place, with the reasons.
    pub unranked: Vec<Unranked>,
}

impl RankTable {
    /// Ranks a table's models, together with rows from elsewhere if there are any.
    ///
    /// # Errors
    /// The track is unknown; published rows stand beside a scoring that is not `board`; an
    /// external row has another number of values than the table has columns.
    pub fn build(
        table: &ScoreTable,
        by: &RankBy,
        external: &[ExternalRow],
    ) -> Result<Self, ReportError> {
        let columns = match by {
            RankBy::Average => table.all_tracks.clone(),
            RankBy::Track(track) => {
                known_track(table, track)?;
                dimension_names(table, track)
            }
        };
        check_external(table, &columns, external)?;
        let mut candidates: Vec<Candidate> = table
            .models
            .iter()
            .map(|m| own(m, table, by, &columns))
            .collect();
        candidates.extend(external.iter().map(published));
        let (rows, unranked) = place(candidates);
        Ok(Self {
            suite: table.suite.clone(),
            by: match by {
                RankBy::Average => "average".to_owned(),
                RankBy::Track(track) => track.clone(),
            },
            policy: table.policy,
            columns,
            rows,
            unranked,
        })
    }

    /// Whether there are published rows.
    #[must_use]
    pub fn has_published(&self) -> bool {
        let published = |s: &RowSource| matches!(s, RowSource::Published { .. });
        self.rows.iter().any(|r| published(&r.source))
            || self.unranked.iter().any(|r| published(&r.source))
    }
}

fn check_external(
    table: &ScoreTable,
    columns: &[String],
    external: &[ExternalRow],
) -> Result<(), ReportError> {
    if !external.is_empty() && table.policy.scoring != Scoring::Board {
        return Err(ReportError::PublishedNeedsBoard {
            scoring: "uniform".to_owned(),
        });
    }
    match external.iter().find(|r| r.values.len() != columns.len()) {
        None => Ok(()),
        Some(row) => Err(ReportError::Columns {
            row: row.name.clone(),
            got: row.values.len(),
            want: columns.len(),
            columns: columns.join(", "),
        }),
    }
}

/// A row before it has a place.
struct Candidate {
    model: String,
    source: RowSource,
    score: Option<Score>,
    coverage: Option<f64>,
    values: Vec<Option<f64>>,
    note: Option<String>,
    /// Why it gets no place; empty for those that do.
    gaps: Vec<String>,
}

fn own(model: &ModelScore, table: &ScoreTable, by: &RankBy, columns: &[String]) -> Candidate {
    let value = |s: Option<&Score>| s.map(|s| s.value);
    let track = match by {
        RankBy::Average => None,
        RankBy::Track(name) => model.track(name),
    };
    let dimension = |t: &TrackScore, name: &String| {
        let found = t.dimensions.iter().find(|d| d.name == *name);
        value(found.and_then(|d| d.score.as_ref()))
    };
    let (score, gaps, coverage, values) = match by {
        RankBy::Average => (
            model.average.clone(),
            model_gaps(model, &table.all_tracks),
            model.counters.coverage(),
            columns
                .iter()
                .map(|c| value(model.track(c).and_then(|t| t.score.as_ref())))
                .collect(),
        ),
        RankBy::Track(name) => (
            track.and_then(|t| t.score.clone()),
            track.map_or_else(|| vec![format!("not entered: {name}")], track_gaps),
            track.and_then(|t| t.counters.coverage()),
            columns
                .iter()
                .map(|c| track.and_then(|t| dimension(t, c)))
                .collect(),
        ),
    };
    Candidate {
        model: model.model.clone(),
        source: RowSource::Own,
        score,
        coverage,
        values,
        note: None,
        gaps,
    }
}

fn published(row: &ExternalRow) -> Candidate {
    let gaps = match row.score {
        Some(_) => vec![],
        None => vec!["published without this score".to_owned()],
    };
    Candidate {
        model: row.name.clone(),
        source: RowSource::Published {
            group: row.group.clone(),
        },
        score: row.score.map(|value| Score {
            value,
            exact: None,
            low: value,
            high: value,
        }),
        coverage: None,
        values: row.values.clone(),
        note: row.note.clone(),
        gaps,
    }
}

/// Gives places. Rows are told apart by position, so that an own and a published model of the
/// same name do not meet.
fn place(candidates: Vec<Candidate>) -> (Vec<RankRow>, Vec<Unranked>) {
    let ranked: Vec<ModelScore> = candidates
        .iter()
        .enumerate()
        .filter(|(_, c)| c.gaps.is_empty())
        .map(|(i, c)| ModelScore {
            model: format!("{}\0{i}", c.model),
            tracks: vec![],
            average: c.score.clone(),
            counters: Counters::default(),
        })
        .collect();
    let mut candidates: Vec<Option<Candidate>> = candidates.into_iter().map(Some).collect();
    let rows = rank_by(&ranked, |m| m.average.as_ref())
        .into_iter()
        .filter_map(|entry| {
            let (_, position) = entry.model.rsplit_once('\0')?;
            let c = candidates
                .get_mut(position.parse::<usize>().ok()?)?
                .take()?;
            Some(RankRow {
                first: entry.first,
                last: entry.last,
                model: c.model,
                source: c.source,
                score: entry.score,
                coverage: c.coverage,
                values: c.values,
                note: c.note,
            })
        })
        .collect();
    let unranked = candidates.into_iter().flatten().map(|c| Unranked {
        model: c.model,
        source: c.source,
        score: c.score.map(|s| s.value),
        values: c.values,
        reasons: c.gaps,
    });
    (rows, unranked.collect())
}
