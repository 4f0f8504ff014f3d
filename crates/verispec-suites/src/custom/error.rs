//! Why a suite cannot be used.

use std::io;
use std::path::{Path, PathBuf};

use super::load::FILE;
use crate::changes::ListError;
use crate::records::{Problem, list};

/// A suite that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CustomError {
    /// Nothing is there.
    #[error("{}: no suite here; give a .jsonl file or a folder that holds {FILE}", .0.display())]
    NoFile(PathBuf),
    /// No outputs where they were said to be.
    #[error(
        "{}: no outputs here: expected <model>/<track>/<id>.<ext>, <track>/<id>.<ext> or \
         <id>.<ext>; .png and the like are images, everything else is a text",
        .0.display()
    )]
    NoOutputs(PathBuf),
    /// The file is broken. All problems are listed, in file order.
    #[error("{}", list(.0))]
    Broken(Vec<Problem>),
}

/// Why no changed suite was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// The suite cannot be used.
    #[error(transparent)]
    Load(#[from] CustomError),
    /// The list cannot be applied.
    #[error(transparent)]
    List(#[from] ListError),
    /// The suite is written in a way that takes no patch.
    #[error("{}: {}", .0.display(), .1)]
    Suite(PathBuf, String),
    /// Something is where the changed suite would be.
    #[error("{} exists already: choose another --out", .0.display())]
    Exists(PathBuf),
    /// The file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl ChangeError {
    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }
}
