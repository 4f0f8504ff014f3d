//! The shape of scores, whatever rule made them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::count::Counters;
use super::ratio::Ratio;
use super::rules::Rules;

/// Which rule turns readings into numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// Every specification weighs 1/K in its instance (SpecV's paper).
    #[default]
    Uniform,
    /// The rule behind the suite's published tables.
    Board,
    /// 1 if every specification of an instance is met, 0 if one is not (RealUnify).
    Strict,
    /// Mean of the instances' grades on their scale; no specification is involved.
    Holistic,
}

/// What an output that the model under test failed to make is worth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingRule {
    /// Nothing: 0.
    #[default]
    Zero,
    /// Left out of the mean, as released scripts do.
    Exclude,
}

/// What a specification that the judge failed on is worth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnjudgedRule {
    /// Left out; coverage and bounds say how much that is.
    #[default]
    Exclude,
    /// Counted as not met, as released scripts do with their `N/A`.
    Na,
}

/// How sums of doubles are made in rules that round as released Python scripts do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SumRule {
    /// Left to right: Python 3.11 and older.
    Plain,
    /// Compensated (Neumaier): Python 3.12 and newer.
    #[default]
    Compensated,
}

/// Every choice that a number depends on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Policy {
    /// Rule.
    pub scoring: Scoring,
    /// Outputs that the model failed to make.
    pub missing: MissingRule,
    /// Specifications that the judge failed on.
    pub unjudged: UnjudgedRule,
    /// Sums of doubles, in `board` only.
    pub sum: SumRule,
    /// Count a present but empty dimension folder as 0, as released scoring does.
    pub empty_dimension_is_zero: bool,
    /// What specifications of one instance mean to each other.
    #[serde(skip_serializing_if = "Rules::is_plain")]
    pub rules: Rules,
}

impl Policy {
    /// Everything as SpecV's released scripts do it.
    #[must_use]
    pub const fn published(sum: SumRule) -> Self {
        Self {
            scoring: Scoring::Board,
            missing: MissingRule::Exclude,
            unjudged: UnjudgedRule::Na,
            sum,
            empty_dimension_is_zero: true,
            rules: Rules::PLAIN,
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scoring = match self.scoring {
            Scoring::Uniform => "uniform",
            Scoring::Board => "board",
            Scoring::Strict => "strict",
            Scoring::Holistic => "holistic",
        };
        let missing = match self.missing {
            MissingRule::Zero => "zero",
            MissingRule::Exclude => "exclude",
        };
        let unjudged = match self.unjudged {
            UnjudgedRule::Exclude => "exclude",
            UnjudgedRule::Na => "na",
        };
        write!(f, "scoring={scoring} missing={missing} unjudged={unjudged}")?;
        if self.scoring == Scoring::Board {
            let sum = match self.sum {
                SumRule::Plain => "plain",
                SumRule::Compensated => "compensated",
            };
            write!(f, " sum={sum}")?;
        }
        write!(f, "{}", self.rules)
    }
}

/// A number in percent with what it would be if every undecided specification were unmet or met.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// Percent, 0-100.
    pub value: f64,
    /// The exact fraction (0-1) behind `value`, under rules that do not round on the way.
    pub exact: Option<Ratio>,
    /// Percent if every undecided specification were unmet.
    pub low: f64,
    /// Percent if every undecided specification were met.
    pub high: f64,
}

/// A dimension's score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DimensionScore {
    /// Dimension.
    pub name: String,
    /// Mean of its instances; `None` when none is defined.
    pub score: Option<Score>,
    /// Counters.
    pub counters: Counters,
    /// Instance scores in id order, percent; `None` where undefined or left out.
    pub instances: Vec<(String, Option<f64>)>,
}

/// A track's score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrackScore {
    /// Track.
    pub track: String,
    /// Mean of its dimensions; `None` when none is defined.
    pub score: Option<Score>,
    /// Share of all judged specifications that are met, percent.
    pub pooled: Option<f64>,
    /// Share of decided instances whose specifications are all met, percent.
    pub all_met: Option<f64>,
    /// Dimensions in suite order.
    pub dimensions: Vec<DimensionScore>,
    /// Counters.
    pub counters: Counters,
    /// Every dimension has a number, nothing is pending and nothing was left out on purpose.
    pub rankable: bool,
}

/// A model's scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelScore {
    /// Model.
    pub model: String,
    /// Tracks that it entered, in suite order.
    pub tracks: Vec<TrackScore>,
    /// Unweighted mean of all the suite's tracks; `None` unless it entered all of them.
    pub average: Option<Score>,
    /// Counters over its tracks.
    pub counters: Counters,
}

impl ModelScore {
    /// Score of a track it entered.
    #[must_use]
    pub fn track(&self, name: &str) -> Option<&TrackScore> {
        self.tracks.iter().find(|t| t.track == name)
    }
}

/// All scores of one set of results under one policy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreTable {
    /// Suite.
    pub suite: String,
    /// The choices behind every number.
    pub policy: Policy,
    /// All tracks of the suite, in order.
    pub all_tracks: Vec<String>,
    /// Models sorted by name.
    pub models: Vec<ModelScore>,
}
