//! What a run is made of: written once when it starts, read by everything after.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::request::JudgeIdentity;
use crate::shard::Shard;
use crate::vote::{Panel, RepeatReduce};

/// Version of the manifest file's format.
pub const MANIFEST_FORMAT: u32 = 1;

/// Where a run's readings come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum RunSource {
    /// Calls to a judge, kept in the run's ledger.
    Judge,
    /// A result tree of SpecV's own scripts.
    SpecvResults {
        /// Folder that was read.
        path: PathBuf,
    },
    /// Scored files of RealUnify's scripts.
    RealunifyScored {
        /// File or folder that was read.
        path: PathBuf,
    },
    /// A file of verdicts.
    Verdicts {
        /// File that was read.
        path: PathBuf,
    },
}

/// What was left out on purpose. Empty lists mean "all".
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filters {
    /// Tracks.
    pub tracks: Vec<String>,
    /// Dimensions.
    pub dims: Vec<String>,
    /// Instance ids.
    pub ids: Vec<String>,
    /// First N instances of each dimension, in id order.
    pub limit: Option<usize>,
    /// One share of all outputs; the others are judged elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

impl Filters {
    /// Whether anything below whole tracks is left out: such a result cannot be ranked.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        !self.dims.is_empty()
            || !self.ids.is_empty()
            || self.limit.is_some()
            || self.shard.is_some()
    }

    /// Whether this track is wanted.
    #[must_use]
    pub fn wants_track(&self, track: &str) -> bool {
        self.tracks.is_empty() || self.tracks.iter().any(|t| t == track)
    }

    /// Whether this dimension is wanted.
    #[must_use]
    pub fn wants_dimension(&self, dim: &str) -> bool {
        self.dims.is_empty() || self.dims.iter().any(|d| d == dim)
    }

    /// Whether a model's output for an instance belongs to the share, if there is one.
    #[must_use]
    pub fn wants_output(&self, suite: &str, track: &str, id: &str, model: &str) -> bool {
        self.shard.is_none_or(|s| s.holds(suite, track, id, model))
    }

    /// Whether this instance is wanted.
    #[must_use]
    pub fn wants_id(&self, id: &str) -> bool {
        self.ids.is_empty() || self.ids.iter().any(|i| i == id)
    }
}

/// A model under test, as a run sees it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelEntry {
    /// Root of its outputs.
    pub outputs: PathBuf,
    /// Tracks that it declares; empty means those with at least one output.
    pub tracks: Vec<String>,
}

/// `manifest.json` of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Format version, [`MANIFEST_FORMAT`].
    pub format: u32,
    /// Version of verispec that made the run.
    pub verispec: String,
    /// Run id, the name of its folder.
    pub run: String,
    /// Start, RFC 3339 UTC.
    pub created: String,
    /// Where readings come from.
    pub source: RunSource,
    /// Suite name.
    pub suite: String,
    /// Folder of the suite's data.
    pub data: Option<PathBuf>,
    /// Content version of the suite that was judged.
    pub suite_revision: Option<String>,
    /// Models by name.
    pub models: BTreeMap<String, ModelEntry>,
    /// Protocol with version, for judged runs.
    pub protocol: Option<String>,
    /// Judge identity, for judged runs.
    pub judge: Option<JudgeIdentity>,
    /// Reader, `default` or `published`.
    pub reader: String,
    /// Encoder that image bytes went through, where one was used.
    pub encoder: Option<String>,
    /// What was left out on purpose.
    pub filters: Filters,
    /// How missing ids are asked again, `list`, `single` or `off`.
    pub reask: String,
    /// How often each request is made, at least 1.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub repeats: u32,
    /// How repeats become one.
    #[serde(default, skip_serializing_if = "is_mean")]
    pub repeat_reduce: RepeatReduce,
    /// Judges of a run that asks several; `judge` is then empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panel: Option<Panel>,
}

const fn once() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
const fn is_once(n: &u32) -> bool {
    *n == 1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_mean(rule: &RepeatReduce) -> bool {
    *rule == RepeatReduce::Mean
}

impl Manifest {
    /// Whether results of this run can be ranked.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.filters.is_partial()
    }
}
