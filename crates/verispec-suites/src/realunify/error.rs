//! Why files of RealUnify cannot be used.

use std::path::PathBuf;

use super::layout::Split;
use crate::records::{Problem, list};

/// Files that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RealUnifyError {
    /// The folder holds none of the files.
    #[error(
        "{}: no UEG_direct, UEG_step, GEU_direct or GEU_step (.json or .jsonl) here; give the \
         folder with RealUnify's files",
        root.display()
    )]
    NoFiles {
        /// The folder.
        root: PathBuf,
    },
    /// Records are broken. All problems are listed, in file order.
    #[error("{}", list(.0))]
    Broken(Vec<Problem>),
    /// No outputs of a split where they were said to be.
    #[error(
        "{}: no outputs of {split}: expected a file of records with the model's fields, or a \
         folder {stem}/<task>/<index>.png (or .txt)",
        path.display(), stem = split.stem()
    )]
    NoOutputs {
        /// File or folder.
        path: PathBuf,
        /// Split that was looked for.
        split: Split,
    },
    /// No model's outputs below a folder.
    #[error(
        "{}: no outputs here: expected UEG_direct, UEG_step, GEU_direct or GEU_step as a file \
         (.json, .jsonl) or a folder, in it or in <model>/ below it",
        .0.display()
    )]
    NoModels(PathBuf),
    /// Records from which nobody can tell the split.
    #[error(
        "{}: which of the four files is this scored from? no record has `prompt`, `new_prompt`, \
         `edit_prompt` or `evaluation_prompt`; name it: ueg_direct, ueg_step, geu_direct or geu_step",
        .0.display()
    )]
    UnknownSplit(PathBuf),
    /// A file that cannot be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's own words.
        source: std::io::Error,
    },
}
