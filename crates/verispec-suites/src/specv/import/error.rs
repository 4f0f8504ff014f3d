//! Why nothing can be imported.

use std::path::PathBuf;

/// An import that fails as a whole.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The folder does not look like SpecV's results.
    #[error(
        "{}: no SpecV results here; give a checkout, its `eval` folder or one \
         `eval/<track>/results` folder",
        path.display()
    )]
    NotATree {
        /// The folder.
        path: PathBuf,
    },
    /// The folder of one model inside a results folder.
    #[error(
        "{}: looks like the results of one model; give the folder of all models, {}",
        path.display(), results.display()
    )]
    OneModel {
        /// The folder.
        path: PathBuf,
        /// The folder above it.
        results: PathBuf,
    },
    /// A results folder whose track cannot be told.
    #[error("{}: which track are these results of? name it with --track", path.display())]
    UnknownTrack {
        /// The folder.
        path: PathBuf,
    },
    /// No models: nothing could be scored.
    #[error("{source_name}: no models; expected folders `results/<model>/<dimension>/<id>.json`")]
    NoModels {
        /// What was imported.
        source_name: String,
    },
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// File or folder.
        path: PathBuf,
        /// The system's own words.
        source: std::io::Error,
    },
    /// A table of verdicts whose name does not tell how it is written.
    #[error("{}: expected a table in JSONL or CSV, named .jsonl, .ndjson or .csv", path.display())]
    Extension {
        /// The file.
        path: PathBuf,
    },
    /// A table of verdicts whose columns are not the expected ones.
    #[error("{}: {message}", path.display())]
    Columns {
        /// The file.
        path: PathBuf,
        /// What is missing, what was found.
        message: String,
    },
    /// A table with the verdicts of several judges, which are never pooled.
    #[error("{}: holds verdicts of {} judges ({}); choose one with --judge", path.display(), judges.len(), judges.join(", "))]
    SeveralJudges {
        /// The file.
        path: PathBuf,
        /// Their names, sorted.
        judges: Vec<String>,
    },
    /// The named judge gave none of the verdicts.
    #[error("{}: no verdict of judge {wanted:?}; it holds {}", path.display(), judges.join(", "))]
    UnknownJudge {
        /// The file.
        path: PathBuf,
        /// Name that was asked for.
        wanted: String,
        /// Names that occur, sorted.
        judges: Vec<String>,
    },
    /// A stored import that this version cannot read.
    #[error("{}:{line}: {message}", path.display())]
    Stored {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

impl ImportError {
    pub(super) fn io(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}
