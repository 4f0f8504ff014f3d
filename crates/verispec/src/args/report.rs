//! `verispec report`, `verispec bundle`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::PolicyArgs;
use crate::reduce::ReduceArgs;

/// What a report is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// The page.
    Html,
    /// Tables in Markdown, on stdout.
    Md,
    /// Tables in LaTeX, on stdout.
    Latex,
    /// One row a number, on stdout.
    Csv,
    /// Files scores, instances and verdicts for DuckDB, Spark, pandas (builds with Parquet).
    Parquet,
}

/// `verispec report`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReportArgs {
    /// Runs or imports: several judges, several models, or both, side by side.
    #[arg(required = true)]
    pub(crate) run: Vec<String>,
    /// Folder to write to; with --single-file also a file FILE.html [default: report in the run's
    /// folder, for several runs in this folder].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write one file below 20 MB that can be sent as it is; images become thumbnails.
    #[arg(long, alias = "inline")]
    pub(crate) single_file: bool,
    /// Copy thumbnails of all images beside the page, so that its folder can be moved elsewhere.
    #[arg(long, conflicts_with = "single_file")]
    pub(crate) copy_images: bool,
    /// Write tables instead of the page.
    #[arg(long, value_enum, default_value = "html", hide_default_value = true)]
    pub(crate) format: ReportFormat,
    /// Print the paragraph on judge and protocol for a paper, with BibTeX.
    #[arg(long, conflicts_with_all = ["format", "single_file", "copy_images", "out"])]
    pub(crate) methods: bool,
    /// Tables of this track alone, with its dimensions [default: tracks and average].
    #[arg(long)]
    pub(crate) track: Option<String>,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) reduce: ReduceArgs,
}

/// `verispec bundle`.
#[derive(Debug, Clone, Args)]
pub(crate) struct BundleArgs {
    /// Run or import.
    pub(crate) run: String,
    /// Archive to write [default: RUN.zip in this folder].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}
