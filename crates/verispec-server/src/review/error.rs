//! What can go wrong with files.

use std::path::PathBuf;

/// A file that cannot be used, with what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReviewError {
    /// Reading or writing failed.
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A line of a file is wrong.
    #[error("{}, line {line}: {fault}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong and what to do.
        fault: String,
    },
    /// An item that was made in memory is wrong.
    #[error("item {id:?}: {fault}")]
    Item {
        /// The item.
        id: String,
        /// What is wrong.
        fault: String,
    },
    /// There is nothing to review.
    #[error("there is nothing to review")]
    Empty,
    /// Another process has the events open.
    #[error(
        "{} is in use by another verispec: only one may write it; end that one first",
        path.display()
    )]
    Locked {
        /// The events.
        path: PathBuf,
    },
    /// One person's events lie in two files.
    #[error(
        "{}: {name:?} has events in another file too; give each person one file, or another name",
        path.display()
    )]
    TwoFiles {
        /// The second file.
        path: PathBuf,
        /// The person.
        name: String,
    },
    /// The page cannot be served or rendered.
    #[error("{0}")]
    Page(String),
}

impl ReviewError {
    /// An I/O error with its file.
    pub(crate) fn io(
        what: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { what, path, source }
    }
}
