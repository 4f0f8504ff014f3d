//! `verispec suite patch`.

use std::path::PathBuf;

use clap::Args;

use super::SuiteName;

/// `verispec suite patch`.
#[derive(Debug, Clone, Args)]
pub(crate) struct PatchArgs {
    /// Suite.
    pub(crate) suite: SuiteName,
    /// Checkout of the benchmark or the file of a custom suite, also one that an earlier patch
    /// wrote.
    #[arg(long, value_name = "DIR|FILE")]
    pub(crate) data: Option<PathBuf>,
    /// Changes, one JSON object a line, as `study items --out` writes them; a line to repair gets
    /// "to": {"question": …, "expected": …}.
    #[arg(long, value_name = "FILE")]
    pub(crate) list: PathBuf,
    /// Folder to write the changed suite into, all but the checklists linked; of a custom suite
    /// the file to write, beside the suite's own.
    #[arg(long, value_name = "DIR|FILE")]
    pub(crate) out: PathBuf,
}
