//! What can go wrong when results are written.

use std::path::PathBuf;

/// Why a table or page was not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// Published rows beside numbers made by another rule would compare unlike things.
    #[error(
        "published rows are made by scoring `board`, these scores by `{scoring}`; \
         score with `--scoring board` or leave the published rows out"
    )]
    PublishedNeedsBoard {
        /// Rule of the table.
        scoring: String,
    },
    /// An external row does not fit the table.
    #[error("row `{row}` has {got} values, the table has {want} columns ({columns})")]
    Columns {
        /// Name of the row.
        row: String,
        /// Values it has.
        got: usize,
        /// Columns of the table.
        want: usize,
        /// Their names.
        columns: String,
    },
    /// The suite has no such track.
    #[error("no track `{track}` in suite `{suite}`; it has {known}")]
    UnknownTrack {
        /// What was asked for.
        track: String,
        /// Suite.
        suite: String,
        /// Tracks it has.
        known: String,
    },
    /// A file could not be written or an image could not be read.
    #[error("{action} {}: {source}", path.display())]
    Io {
        /// What was tried, for instance `cannot write`.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A page template failed: a fault of verispec, not of the data.
    #[error("page `{page}` could not be made: {source}; please report this")]
    Template {
        /// Page.
        page: String,
        /// What the template engine says.
        source: minijinja::Error,
    },
    /// Data of a page could not be written as JSON: a fault of verispec, not of the data.
    #[error("data of the page could not be made: {source}; please report this")]
    Data {
        /// What the serializer says.
        source: serde_json::Error,
    },
    /// Data of a page could not be compressed: a fault of verispec, not of the data.
    #[error("data `{name}` could not be packed: {source}; please report this")]
    Pack {
        /// Name of the piece.
        name: String,
        /// What the compressor says.
        source: std::io::Error,
    },
    /// A single page would be too large even without images and words.
    #[error(
        "a single page would have {size}, the limit is {limit}; write a folder instead, without \
         --single-file"
    )]
    TooLarge {
        /// Size it would have.
        size: String,
        /// Limit.
        limit: String,
    },
    /// A Parquet file could not be written.
    #[cfg(feature = "parquet")]
    #[error("cannot write {}: {source}", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// What the writer says.
        source: ::parquet::errors::ParquetError,
    },
    /// An Arrow table could not be made: a fault of verispec, not of the data.
    #[cfg(feature = "arrow")]
    #[error("a table could not be made: {0}; please report this")]
    Arrow(#[from] arrow_schema::ArrowError),
    /// A row could not be written as CSV.
    #[error("cannot write CSV: {0}")]
    Csv(#[from] ::csv::Error),
}
