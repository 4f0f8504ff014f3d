//! `verispec published …`

use clap::{Subcommand, ValueEnum};

/// `verispec published …`
#[derive(Debug, Subcommand)]
pub(crate) enum PublishedCommand {
    /// What does not add up in published tables, computed from their numbers alone.
    Audit,
    /// The published tables that are built in, with their sources.
    Show {
        /// Only this paper's.
        #[arg(value_enum)]
        paper: Option<Paper>,
    },
}

/// Papers whose numbers are built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Paper {
    /// Boards, stability of rankings, ablation of the specification pipeline.
    Specv,
    /// Main table, specialists, reliability of its judge.
    Realunify,
    /// XTC-Bench: generation, understanding, consistency.
    Xtc,
    /// Correlation of judges with people.
    Dsg,
}
