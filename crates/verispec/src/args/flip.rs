//! `verispec suite flip`.

use std::path::PathBuf;

use clap::Args;

use super::SuiteName;

/// `verispec suite flip`.
#[derive(Debug, Clone, Args)]
pub(crate) struct FlipArgs {
    /// Suite.
    pub(crate) suite: SuiteName,
    /// Checkout of the benchmark.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Folder to write the suite with flipped keys into; all but the checklists is linked.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Seed of the half that is flipped.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,
}
