//! Runs by batch files: what a run still wants is written in the provider's batch format, what
//! comes back is taken into the run's ledger.
//!
//! One wave after the other: derived requests (asking again, a larger limit) are wanted only
//! once the replies before them are there, so they are in the next export.

mod book;
mod cut;
mod export;
mod import;

pub use cut::{BatchFile, Cutter, FileSink, Limits, Sink};
pub use export::{Export, Exported, export};
pub use import::{FileReport, Imported, import};

use std::path::PathBuf;

use crate::ledger::LedgerError;

/// Folder inside a run that remembers what was exported.
pub const BATCH_DIR: &str = "batch";

/// Why a batch could not be written or taken in.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The ledger.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A file.
    #[error("{}: {source}", path.display())]
    Io {
        /// File or folder.
        path: PathBuf,
        /// Cause.
        source: std::io::Error,
    },
    /// A file that an export would overwrite.
    #[error("{}: is there already; choose another --out folder", path.display())]
    Exists {
        /// File.
        path: PathBuf,
    },
    /// The dialect cannot say a request.
    #[error("{0}")]
    Encode(String),
}

impl BatchError {
    fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        let path = path.to_owned();
        Self::Io { path, source }
    }
}
