//! `verispec batch …`

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::JudgeArgs;

/// `verispec batch …`
#[derive(Debug, Subcommand)]
pub(crate) enum BatchCommand {
    /// Write what a run still wants as batch files; nothing is sent.
    Export(Box<BatchExportArgs>),
    /// Take result files into a run.
    Import {
        /// Run, by name or folder.
        run: String,
        /// Result files, in any order.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

/// `verispec batch export`.
#[derive(Debug, Clone, Args)]
pub(crate) struct BatchExportArgs {
    #[command(flatten)]
    pub(crate) judge: JudgeArgs,
    /// Folder to write the files into.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Most requests in a file.
    #[arg(long, default_value_t = 50_000, value_name = "N")]
    pub(crate) max_requests: usize,
    /// Most bytes of a file.
    #[arg(long, default_value_t = 200_000_000, value_name = "BYTES")]
    pub(crate) max_bytes: u64,
    /// Also what is in earlier files of which nothing has come back.
    #[arg(long)]
    pub(crate) again: bool,
}
