//! Why nothing can be loaded. What is wrong with single rows is a warning instead.

use std::path::PathBuf;

/// Files of DSG or TIFA that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DsgError {
    /// The folder lacks a file that everything rests on.
    #[error(
        "{}: no {file} here; give the folder with DSG's released files (dsg-1k-anns.csv, \
         tifa160-likert-anns.csv, <judge>_dsg.csv ...)",
        root.display()
    )]
    NoFile {
        /// The folder.
        root: PathBuf,
        /// The file.
        file: &'static str,
    },
    /// The folder has questions but nobody's answers.
    #[error("{}: no answers of any judge here; expected files named <judge>_dsg.csv", root.display())]
    NoAnswers {
        /// The folder.
        root: PathBuf,
    },
    /// A table lacks columns.
    #[error("{}: no column {missing:?}; it has {}", path.display(), found.join(", "))]
    Column {
        /// The file.
        path: PathBuf,
        /// The column.
        missing: &'static str,
        /// Columns that are there.
        found: Vec<String>,
    },
    /// A table that is no CSV, or that cannot be read.
    #[error("{}: {source}", path.display())]
    Csv {
        /// The file.
        path: PathBuf,
        /// The reader's own words; they name the line.
        source: csv::Error,
    },
    /// A file that cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// File or folder.
        path: PathBuf,
        /// The system's own words.
        source: std::io::Error,
    },
    /// TIFA's file of ratings is not the JSON it should be.
    #[error("{}: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The reader's own words; they name line and column.
        source: serde_json::Error,
    },
    /// A judge of whom there are no answers.
    #[error("no answers of judge {wanted:?}; there are those of {}", judges.join(", "))]
    UnknownJudge {
        /// Name that was asked for.
        wanted: String,
        /// Judges that are there, sorted.
        judges: Vec<String>,
    },
}
