//! Why a suite cannot be used.

use std::path::PathBuf;

use super::load::FILE;
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
