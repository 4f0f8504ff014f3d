//! What statistics a page or table may show. This crate computes none: they come in as plain data
//! from whoever computed them, with the name of the method, and what does not come is not shown.

use serde::{Deserialize, Serialize};

/// An interval of a number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end, in the unit of the number.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Nominal coverage, 0-1, for instance 0.95.
    pub level: f64,
    /// How it was made, for instance `bootstrap BCa, 10,000 draws within dimensions`.
    pub method: String,
}

/// Which number of a model is meant.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Place {
    /// The average over the suite's tracks.
    Average,
    /// A track's score.
    Track {
        /// Track.
        track: String,
    },
    /// A dimension's score.
    Dimension {
        /// Track.
        track: String,
        /// Dimension.
        dimension: String,
    },
}

/// The interval of one score, percent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoreInterval {
    /// Name of the judge, as in [`Judged::name`](crate::Judged::name).
    pub judge: String,
    /// Model.
    pub model: String,
    /// Which of its numbers.
    pub place: Place,
    /// The interval, percent.
    pub interval: Interval,
}

/// How well rankings by different judges agree.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Stability {
    /// What was correlated and how, for instance `Kendall tau-b of track means, 19 models`.
    pub method: String,
    /// What was varied: judges, templates, repeats.
    pub judges: Vec<String>,
    /// Correlation of each pair, -1 to 1, in the order of `judges`; `None` where it is undefined.
    pub tau: Vec<Vec<Option<f64>>>,
    /// Correlation with people, one for each judge, where labels exist; may be empty.
    pub human: Vec<Option<f64>>,
    /// Share of Yes among each judge's verdicts, 0-1; may be empty.
    pub yes_rate: Vec<Option<f64>>,
    /// Difference between the best and the worst model by each judge, percent; may be empty.
    pub spread: Vec<Option<f64>>,
    /// What a reader has to know, for instance that stability comes without validity.
    pub warnings: Vec<String>,
}

/// A test of whether missingness differs between models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MissingnessTest {
    /// Name of the judge, as in [`Judged::name`](crate::Judged::name).
    pub judge: String,
    /// Test, for instance `chi-squared, unjudged by model, clustered by instance`.
    pub method: String,
    /// p value, 0-1.
    pub p: f64,
}

/// All statistics of a report; empty by default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Intervals of scores.
    pub intervals: Vec<ScoreInterval>,
    /// Agreement of rankings.
    pub stability: Option<Stability>,
    /// Tests of missingness, at most one for each judge.
    pub missingness: Vec<MissingnessTest>,
}

impl Statistics {
    /// The interval of a score, where one was given.
    #[must_use]
    pub fn interval(&self, judge: &str, model: &str, place: &Place) -> Option<&Interval> {
        let found = |i: &&ScoreInterval| i.judge == judge && i.model == model && i.place == *place;
        self.intervals.iter().find(found).map(|i| &i.interval)
    }
}
