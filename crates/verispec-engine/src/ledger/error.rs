//! What can go wrong with a ledger, in words that say what to do.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// An error of a ledger or of the run directory it lies in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// No file of this name, or one in which nothing was created yet.
    #[error("{}: no ledger there", path.display())]
    Absent {
        /// File that was looked for.
        path: PathBuf,
    },
    /// Another program's database, or no database at all.
    #[error("{}: not a verispec ledger ({found})", path.display())]
    Foreign {
        /// File that was opened.
        path: PathBuf,
        /// What was found instead.
        found: String,
    },
    /// Written by a later format.
    #[error(
        "{}: written by a newer verispec (ledger format {found}, this one reads up to {known}); \
         use that version",
        path.display()
    )]
    Newer {
        /// File that was opened.
        path: PathBuf,
        /// Format of the file.
        found: i64,
        /// Newest format known here.
        known: i64,
    },
    /// Truncated or overwritten.
    #[error(
        "{}: the ledger is damaged ({detail}); keep the file: `sqlite3 FILE .recover` saves the \
         rows that are readable",
        path.display()
    )]
    Damaged {
        /// File that was read.
        path: PathBuf,
        /// What was wrong.
        detail: String,
    },
    /// No room for another row.
    #[error(
        "{}: no space left for the ledger ({detail}); what was recorded before is intact, free \
         some space and resume the run",
        path.display()
    )]
    Full {
        /// File that was written.
        path: PathBuf,
        /// What the system said.
        detail: String,
    },
    /// Another process works in this run directory.
    #[error("{}: in use by another process ({holder}); wait for it or choose another run", path.display())]
    Locked {
        /// Lock file.
        path: PathBuf,
        /// What the holder wrote about itself.
        holder: String,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// File or folder.
        path: PathBuf,
        /// Cause.
        source: std::io::Error,
    },
    /// Any other error of the database.
    #[error("{}: {source}", path.display())]
    Database {
        /// File.
        path: PathBuf,
        /// Cause.
        source: rusqlite::Error,
    },
    /// A row was handed to a writer that has ended.
    #[error("{}: the ledger's writer has ended", path.display())]
    Closed {
        /// File.
        path: PathBuf,
    },
}

impl LedgerError {
    /// Sorts a database error by what the user can do about it.
    pub(crate) fn sqlite(path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full {
                path,
                detail: source.to_string(),
            },
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged {
                path,
                detail: source.to_string(),
            },
            Some(ErrorCode::NotADatabase) => Self::Foreign {
                path,
                found: source.to_string(),
            },
            _ => Self::Database { path, source },
        }
    }

    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Self::Full {
                path,
                detail: source.to_string(),
            },
            _ => Self::Io { path, source },
        }
    }
}
