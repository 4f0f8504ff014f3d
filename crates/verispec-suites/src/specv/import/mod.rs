//! Verdicts that another tool has made: SpecV's result trees, and tables of verdicts.
//!
//! ```text
//! eval/<track>/results/<model>/<dimension>/<id>.json ─┐
//!                                                     ├─> Imported ─> Results ─> scores, export
//! verdicts as JSONL or CSV, matched with a suite ─────┘      │
//!                                                            └─> verdicts.ndjson in a run folder
//! ```
//!
//! Everything that a file holds is kept: fields, their order, the raw answer, empty folders. A file
//! that cannot be read is a failure of that file alone.

mod alike;
mod error;
mod expected;
mod items;
mod read;
mod results;
mod rows;
mod store;
mod tree;
mod verdicts;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use verispec_model::{DataFailure, InstanceState, OutputFailure, Warning};

pub use error::ImportError;
pub use results::{ImportReader, ResultOptions, to_results};
pub use store::{IMPORT_FILE, read_imported, write_imported};
pub use tree::{import_tree, list_tree};
pub use verdicts::{ImportedVerdicts, UnmatchedRow, VerdictOptions, import_verdicts};

/// Where imported verdicts come from; decides what an absent instance means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImportKind {
    /// SpecV's result files. The release writes one for every output it finds, so an absent file
    /// is an absent output.
    SpecvResults,
    /// A table of verdicts. An absent row is a verdict that nobody has made yet.
    Verdicts,
    /// Another tool's grades of whole outputs, one an instance; otherwise as a table of verdicts.
    Grades,
}

impl ImportKind {
    /// Whether an absent instance is one that nobody has judged yet.
    const fn is_table(self) -> bool {
        matches!(self, Self::Verdicts | Self::Grades)
    }
}

/// Why an instance has no verdicts, in a table that this program wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failed {
    /// The model under test failed.
    Output(OutputFailure),
    /// Nobody can judge it.
    Data(DataFailure),
}

impl Failed {
    /// The state of an instance of `k` specifications.
    #[must_use]
    pub fn state(&self, k: usize) -> InstanceState {
        match self {
            Self::Output(why) => InstanceState::OutputFailed(*why, k),
            Self::Data(why) => InstanceState::Unjudgeable(why.clone(), k),
        }
    }
}

/// One imported file, or a folder that holds none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Model, by its folder's name.
    pub model: String,
    /// Track.
    pub track: String,
    /// Dimension; `None` for a model's folder without dimensions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimension: Option<String>,
    /// Instance; `None` for a dimension's folder without files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// Why the file cannot be used, with its name and place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// The state of an instance without verdicts, where a table of our own gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<Failed>,
    /// The file's items as JSON text in one line: an array of objects.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "items::raw")]
    pub items: Option<String>,
    /// The file itself, where its items are still to be read ([`list_tree`]).
    #[serde(skip)]
    pub file: Option<PathBuf>,
}

/// All imported verdicts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// What was imported.
    pub kind: ImportKind,
    /// Suite name.
    pub suite: String,
    /// Path that was imported, as the user gave it.
    pub source: String,
    /// Tracks that the source has a place for, in board order.
    pub tracks: Vec<String>,
    /// Files, sorted by model, track, dimension and file name.
    pub entries: Vec<Entry>,
    /// Remarks of the import.
    pub warnings: Vec<Warning>,
}

impl Imported {
    /// Models, sorted by name.
    #[must_use]
    pub fn models(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.entries.iter().map(|e| e.model.as_str()).collect();
        names.dedup();
        names
    }

    /// Number of files that hold verdicts, as far as they were read.
    #[must_use]
    pub fn files(&self) -> usize {
        self.entries.iter().filter(|e| e.items.is_some()).count()
    }

    /// Whether there is no file at all, usable or not.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.iter().all(|e| e.instance.is_none())
    }

    /// Files that cannot be used, each with why.
    pub fn broken(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().filter_map(|e| e.broken.as_deref())
    }
}
