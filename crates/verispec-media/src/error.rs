//! Errors with the file they are about.

use std::io;
use std::path::{Path, PathBuf};

use verispec_model::Hash;

use crate::format::Format;

/// What went wrong, and with which file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct MediaError {
    /// The file, as it was named by the caller.
    pub path: PathBuf,
    /// The fault.
    pub kind: MediaErrorKind,
}

impl MediaError {
    pub(crate) fn new(path: &Path, kind: MediaErrorKind) -> Self {
        Self {
            path: path.to_owned(),
            kind,
        }
    }

    /// Whether the file itself is at fault (absent, empty, truncated, not an image, too large), as
    /// against the machine or a file that changed under a run.
    ///
    /// For a model's output this is an output failure, for a reference a data failure; it is never
    /// worth another try.
    #[must_use]
    pub const fn is_fault_of_file(&self) -> bool {
        use MediaErrorKind as K;
        !matches!(
            self.kind,
            K::Io { .. } | K::Changed { .. } | K::UnknownProfile(_) | K::Store(_)
        )
    }
}

/// The faults of [`MediaError`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MediaErrorKind {
    /// No such file.
    #[error("no such file")]
    Missing,
    /// The operating system refused.
    #[error("cannot be read: {message}")]
    Io {
        /// Kind of the error.
        kind: io::ErrorKind,
        /// The system's own words.
        message: String,
    },
    /// Zero bytes.
    #[error("the file is empty (0 bytes): its writer was probably killed, make it again")]
    Empty,
    /// The end is missing.
    #[error("truncated {format}: {detail}; make the file again")]
    Truncated {
        /// Format by its first bytes.
        format: Format,
        /// Where it ends.
        detail: String,
    },
    /// A known kind of file that no profile can use.
    #[error("holds {0}; {hint}", hint = .0.hint())]
    Unsupported(Format),
    /// Bytes of no known kind.
    #[error("not an image of a known format (starts with {0}); expected PNG, JPEG, WebP, GIF, BMP")]
    Unknown(String),
    /// More pixels than the limit; found in the header, nothing was decoded.
    #[error("{width} x {height} pixels are over the limit of {limit}; make a smaller image")]
    TooManyPixels {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// [`Limits::max_pixels`](crate::Limits).
        limit: u64,
    },
    /// A file over the limit; it was not read.
    #[error("{bytes} bytes are over the limit of {limit}; make a smaller file")]
    TooManyBytes {
        /// Size of the file.
        bytes: u64,
        /// [`Limits::max_file_bytes`](crate::Limits).
        limit: u64,
    },
    /// A side that JPEG cannot hold.
    #[error("{width} x {height} is wider or higher than the 65500 pixels that JPEG can hold")]
    SideTooLong {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The header or the pixel data are broken.
    #[error("broken {format}: {detail}")]
    Decode {
        /// Format by its first bytes.
        format: Format,
        /// The decoder's words.
        detail: String,
    },
    /// Sound, but beyond the decoder of this build.
    #[error(
        "{0}: this build cannot read it; use one with feature `turbojpeg`, or convert the file"
    )]
    NotInThisBuild(&'static str),
    /// An encoder failed.
    #[error("cannot be encoded: {0}")]
    Encode(String),
    /// Every step of the quality and size ladder is over the cap.
    #[error("does not fit in {0} bytes at any quality and size of the ladder")]
    DoesNotFit(usize),
    /// The file is not the one that was planned.
    #[error("changed since the run was planned (was {planned}, is {found}); plan again")]
    Changed {
        /// Hash in the request.
        planned: Hash,
        /// Hash of the bytes read now.
        found: Hash,
    },
    /// No profile of this id.
    #[error(
        "unknown media profile {0:?}; known: original@1, specv-raw@1, specv-edit@1, specv-jpeg@1"
    )]
    UnknownProfile(String),
    /// A path found in data that may not be followed.
    #[error("refused as a path: {0}")]
    UnsafePath(String),
    /// The store of file hashes cannot be read or written.
    #[error("store of file hashes: {0}")]
    Store(String),
}

impl MediaErrorKind {
    pub(crate) fn io(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            kind => Self::Io {
                kind,
                message: error.to_string(),
            },
        }
    }
}
