//! Several opinions on one specification: repeats of one judge, members of a panel, soft verdicts.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::hash::Hash;
use crate::reading::{ReadStage, Reading};
use crate::request::JudgeIdentity;
use crate::results::SpecResult;

/// What the readings of a set of results say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// A yes or no for each specification.
    #[default]
    Specifications,
    /// One grade for each instance, given without any specification.
    Holistic,
}

/// How likely the judge was to say yes, from the log-probabilities of its first token. Stands
/// beside the verdict and never replaces it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SoftVerdict {
    /// P(yes) / (P(yes) + P(no)), 0-1, each summed over the spellings of the word.
    pub p_yes: f64,
    /// P(yes) + P(no), 0-1: how much of the judge's probability `p_yes` speaks for.
    pub mass: f64,
}

/// One opinion that a reduced verdict was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Vote {
    /// Member of the panel; `None` when one judge was asked several times.
    pub judge: Option<Arc<str>>,
    /// Repetition, from 0.
    pub repeat: u32,
    /// What the reply says; `None` while it is pending.
    pub reading: Option<Reading>,
    /// Stage of the reader.
    pub stage: Option<ReadStage>,
    /// Request that the reply answers.
    pub request: Option<Hash>,
    /// What the judge wrote.
    pub note: Option<String>,
    /// How likely a yes was, where the judge's server tells.
    pub soft: Option<SoftVerdict>,
}

impl Vote {
    /// The opinion that a result holds.
    #[must_use]
    pub fn of(result: &SpecResult) -> Self {
        Self {
            judge: result.provenance.judge.clone(),
            repeat: result.provenance.repeat,
            reading: result.reading.clone(),
            stage: result.provenance.stage,
            request: result.provenance.request,
            note: result.provenance.note.clone(),
            soft: result.provenance.soft,
        }
    }
}

/// One complete opinion on an instance: all its specifications by one judge in one repetition.
#[derive(Debug, Clone, PartialEq)]
pub struct Ballot {
    /// Member of the panel, when there is one.
    pub judge: Option<Arc<str>>,
    /// Repetition, from 0.
    pub repeat: u32,
    /// Results, in the order of the specifications.
    pub specs: Vec<SpecResult>,
}

/// How the opinions of a panel's members become one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Reduce {
    /// What more than half of the valid verdicts say; a tie is a conflict.
    Majority,
    /// No common verdict: an instance scores the mean of its members' rates.
    Mean,
    /// What all valid verdicts say; else a conflict.
    Unanimous,
    /// What this member says, as if it had been asked alone.
    Member(String),
}

impl fmt::Display for Reduce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Majority => f.write_str("majority"),
            Self::Mean => f.write_str("mean"),
            Self::Unanimous => f.write_str("unanimous"),
            Self::Member(name) => write!(f, "member:{name}"),
        }
    }
}

impl FromStr for Reduce {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match (text, text.strip_prefix("member:")) {
            ("majority", _) => Ok(Self::Majority),
            ("mean", _) => Ok(Self::Mean),
            ("unanimous", _) => Ok(Self::Unanimous),
            (_, Some(name)) if !name.is_empty() => Ok(Self::Member(name.to_owned())),
            _ => Err(format!(
                "no reducer {text:?}; reducers: majority, mean, unanimous, member:NAME"
            )),
        }
    }
}

impl TryFrom<String> for Reduce {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Reduce> for String {
    fn from(reduce: Reduce) -> Self {
        reduce.to_string()
    }
}

/// How the repeats of one judge become one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepeatReduce {
    /// No common verdict: an instance scores the mean of its repeats' rates.
    #[default]
    Mean,
    /// What more than half of the valid verdicts say; a tie is a conflict.
    Majority,
}

impl fmt::Display for RepeatReduce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mean => "mean",
            Self::Majority => "majority",
        })
    }
}

/// A judge of a panel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PanelMember {
    /// Name inside the panel.
    pub name: String,
    /// Who it is.
    pub judge: JudgeIdentity,
}

/// Several judges that are all asked, and how their verdicts become one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    /// Members in the order in which they were named.
    pub members: Vec<PanelMember>,
    /// Reducer.
    pub reduce: Reduce,
    /// Valid verdicts that a specification needs; fewer leave it unjudged. `None` is more than
    /// half of the members.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_valid: Option<usize>,
}
