//! What can be wrong with files of this suite.

use std::path::PathBuf;

use verispec_graph::import::ImportError;
use verispec_graph::matching::{EmbedError, MatchError};
use verispec_graph::metrics::JoinError;

/// A folder or file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum XtcError {
    /// A file or folder cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file does not hold what it should.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A folder is not what it should be.
    #[error("{path}: {what}")]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// What is wrong, and what to do.
        what: String,
    },
    /// A line of an answers file cannot be used.
    #[error("{path}, line {line}: {what}")]
    Line {
        /// The file.
        path: PathBuf,
        /// Line from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Texts have no vectors.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// Two scenes cannot be matched.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// Files that do not belong together.
    #[error(transparent)]
    Join(#[from] JoinError),
}

impl XtcError {
    pub(super) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }

    pub(super) fn folder(path: impl Into<PathBuf>, what: impl Into<String>) -> Self {
        Self::Folder {
            path: path.into(),
            what: what.into(),
        }
    }
}
