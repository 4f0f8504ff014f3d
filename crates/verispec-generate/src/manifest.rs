//! What a generation run is made of: `generation.json` of its folder.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use verispec_model::Filters;

use crate::chain::Wants;
use crate::plan::SuiteKind;
use crate::system::{SeedRule, System};

/// Description of a generation run, inside its folder. It is no `manifest.json`: there is nothing to
/// score in such a run.
pub const GENERATION_FILE: &str = "generation.json";

/// Version of the file's format.
pub const GENERATION_FORMAT: u32 = 1;

/// Everything that decides what is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Format version, [`GENERATION_FORMAT`].
    pub format: u32,
    /// Version of verispec that began the run.
    pub verispec: String,
    /// Run id, the name of its folder.
    pub run: String,
    /// Start, RFC 3339 UTC.
    pub created: String,
    /// Suite.
    pub suite: SuiteKind,
    /// Folder or file of its data.
    pub data: PathBuf,
    /// Content version of the suite, where it has one.
    pub suite_revision: Option<String>,
    /// Name of the system under test.
    pub model: String,
    /// Who is asked.
    pub system: System,
    /// What was left out on purpose.
    pub filters: Filters,
    /// How often each task is done.
    pub replicates: u32,
    /// Which seeds are sent.
    pub seed: SeedRule,
    /// What is asked for where the suite does not say.
    pub wants: Wants,
    /// Folder of true middle steps.
    pub oracle: Option<PathBuf>,
}

impl Generation {
    /// The same without what differs between two executions of one run.
    #[must_use]
    pub fn neutral(&self) -> Self {
        Self {
            verispec: String::new(),
            run: String::new(),
            created: String::new(),
            ..self.clone()
        }
    }

    /// The first part in which another description differs, in words; `None` if none does.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        Some(match () {
            () if self.suite != other.suite || self.data != other.data => "another suite",
            () if self.suite_revision != other.suite_revision => "other prompts or specifications",
            () if self.model != other.model => "another name of the system",
            () if self.system != other.system => "other models or parameters",
            () if self.filters != other.filters => "other filters",
            () if self.replicates != other.replicates => "another number of replicates",
            () if self.seed != other.seed => "another seed",
            () if self.wants != other.wants => "another kind of output",
            () if self.oracle != other.oracle => "other true middle steps",
            () => return None,
        })
    }
}
