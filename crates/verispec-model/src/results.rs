//! What is known about each model's outputs: the input of every score.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::hash::Hash;
use crate::reading::{ReadStage, Reading, YesNo};
use crate::suite::{SpecId, Specification};
use crate::vote::{Measure, SoftVerdict, Vote};

/// Why the model under test has no usable output. The model's fault: scores 0 by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum OutputFailure {
    /// No file for this instance.
    Missing,
    /// A file is there but empty, truncated or not what its layout says.
    Unreadable,
    /// The model declined or gave an empty answer.
    Empty,
    /// The model answered, but named no option of a multiple choice, or several.
    Undecidable,
}

impl fmt::Display for OutputFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "missing",
            Self::Unreadable => "unreadable",
            Self::Empty => "empty",
            Self::Undecidable => "undecidable",
        })
    }
}

/// Why an instance cannot be judged for anybody. Never a model's zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DataFailure {
    /// A reference image is not on disk or cannot be read.
    Reference(String),
    /// The task itself is broken.
    Task(String),
    /// The result file that another tool left for one model is broken: nothing is known about
    /// that model's instance, other models' stay what they are.
    ResultFile(String),
}

/// One specification with what the judge made of it. A tree of results holds hundreds of thousands,
/// most of them without provenance.
#[derive(Debug, Clone, PartialEq)]
pub struct SpecResult {
    /// The specification that was judged.
    pub spec: Arc<Specification>,
    /// What the judge's reply says; `None` while no settled reply exists.
    pub reading: Option<Reading>,
    /// Where the reading comes from.
    pub provenance: Provenance,
}

/// Where a reading comes from. Reads as [`Origin::default`] until something is set, and takes room
/// from then on.
#[derive(Debug, Clone, Default)]
pub struct Provenance(Option<Box<Origin>>);

/// What is known of where a reading comes from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Origin {
    /// Stage of the reader that produced the reading.
    pub stage: Option<ReadStage>,
    /// How many specifications shared the call that decided this one.
    pub asked_with: Option<u32>,
    /// Request that decided it.
    pub request: Option<Hash>,
    /// What the judge wrote about this item, where it gave a reason.
    pub note: Option<String>,
    /// The answer as it stood in the reply or in an imported file, for faithful export.
    pub raw_answer: Option<serde_json::Value>,
    /// How likely a yes was, where the judge's server gives log-probabilities.
    pub soft: Option<SoftVerdict>,
    /// Member of the panel that gave it; `None` outside panels and for a common verdict.
    pub judge: Option<Arc<str>>,
    /// Repetition that gave it, from 0.
    pub repeat: u32,
    /// Opinions that a common verdict was made from; empty for a single one.
    pub votes: Vec<Vote>,
}

impl Origin {
    /// Of a specification that had this call to itself.
    #[must_use]
    pub fn alone(request: Hash) -> Self {
        Self {
            asked_with: Some(1),
            request: Some(request),
            ..Self::default()
        }
    }
}

/// What a reading of unknown provenance reads as.
static UNKNOWN: Origin = Origin {
    stage: None,
    asked_with: None,
    request: None,
    note: None,
    raw_answer: None,
    soft: None,
    judge: None,
    repeat: 0,
    votes: vec![],
};

impl From<Origin> for Provenance {
    fn from(origin: Origin) -> Self {
        Self((origin != UNKNOWN).then(|| Box::new(origin)))
    }
}

impl Deref for Provenance {
    type Target = Origin;

    fn deref(&self) -> &Origin {
        self.0.as_deref().unwrap_or(&UNKNOWN)
    }
}

impl DerefMut for Provenance {
    fn deref_mut(&mut self) -> &mut Origin {
        self.0.get_or_insert_default()
    }
}

impl PartialEq for Provenance {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl SpecResult {
    /// A specification that nobody has judged yet.
    #[must_use]
    pub fn pending(spec: impl Into<Arc<Specification>>) -> Self {
        Self {
            spec: spec.into(),
            reading: None,
            provenance: Provenance::default(),
        }
    }

    /// Label of the specification.
    #[must_use]
    pub fn id(&self) -> SpecId {
        self.spec.id
    }

    /// The verdict, if there is one.
    #[must_use]
    pub fn verdict(&self) -> Option<YesNo> {
        self.reading.as_ref().and_then(Reading::verdict)
    }

    /// Verdict against expectation: `Some(true)` met, `Some(false)` unmet, `None` undecided.
    #[must_use]
    pub fn met(&self) -> Option<bool> {
        self.verdict().map(|v| v == self.spec.expected)
    }
}

/// State of one model's output for one instance.
#[derive(Debug, Clone, PartialEq)]
pub enum InstanceState {
    /// The output exists and its specifications are judged, unjudged or pending one by one. Several
    /// opinions whose mean is taken stand one after the other, told apart by `judge` and `repeat`.
    Generated(Vec<SpecResult>),
    /// The model under test failed; the number of specifications it loses by that.
    OutputFailed(OutputFailure, usize),
    /// The data failed; the number of specifications nobody can judge.
    Unjudgeable(DataFailure, usize),
}

impl InstanceState {
    /// Number of specifications of the instance.
    #[must_use]
    pub const fn spec_count(&self) -> usize {
        match self {
            Self::Generated(specs) => specs.len(),
            Self::OutputFailed(_, k) | Self::Unjudgeable(_, k) => *k,
        }
    }

    /// Number of different specifications, however many opinions there are on each.
    #[must_use]
    pub fn distinct_specs(&self) -> usize {
        let Self::Generated(specs) = self else {
            return self.spec_count();
        };
        let mut ids: Vec<SpecId> = specs.iter().map(SpecResult::id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.len()
    }
}

/// One model's result for one instance.
#[derive(Debug, Clone, PartialEq)]
pub struct InstanceResult {
    /// Instance id, unique inside the track.
    pub id: String,
    /// What is known.
    pub state: InstanceState,
}

/// One model's results in one dimension.
#[derive(Debug, Clone, PartialEq)]
pub struct DimensionResults {
    /// Dimension name.
    pub name: String,
    /// Instances that count, sorted by id.
    pub instances: Vec<InstanceResult>,
    /// Whether an imported tree had this dimension's folder; released scoring counts a present
    /// but empty folder as 0 and leaves an absent one out.
    pub folder_present: bool,
}

/// One model's results in one track that it entered.
#[derive(Debug, Clone, PartialEq)]
pub struct TrackResults {
    /// Track name.
    pub track: String,
    /// Dimensions in suite order.
    pub dimensions: Vec<DimensionResults>,
    /// Dimensions or instances were left out on purpose (`--limit`, filters): not rankable.
    pub partial: bool,
}

/// One model's results.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelResults {
    /// Model name; for SpecV the folder name.
    pub model: String,
    /// Tracks that the model entered, in suite order.
    pub tracks: Vec<TrackResults>,
}

/// Everything known about all models of a run or an import.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// Suite name.
    pub suite: String,
    /// All tracks of the suite in order, entered or not: an average needs them all.
    pub all_tracks: Vec<String>,
    /// Models sorted by name (code points).
    pub models: Vec<ModelResults>,
    /// What the readings say; unlike measures never share a table.
    pub measure: Measure,
    /// Remarks for the reader of any table made from this.
    pub warnings: Vec<crate::suite::Warning>,
}
