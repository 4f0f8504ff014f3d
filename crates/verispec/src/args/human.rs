//! `verispec study human …`

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{DrawArgs, PolicyArgs};
use crate::reduce::ReduceArgs;

/// `verispec study human`: runs against people, or a sample for people.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct HumanCommand {
    /// Draw a sample first.
    #[command(subcommand)]
    pub(crate) command: Option<HumanSubcommand>,
    #[command(flatten)]
    pub(crate) study: HumanArgs,
}

/// `verispec study human sample`.
#[derive(Debug, Subcommand)]
pub(crate) enum HumanSubcommand {
    /// Draw verdicts for people to check, with the probabilities that corrected scores need.
    Sample(SampleArgs),
}

/// `verispec study human RUN --human FILE`.
#[derive(Debug, Clone, Args)]
pub(crate) struct HumanArgs {
    /// Runs or imports over the same outputs; several are compared with one another, for instance
    /// several sets of specifications.
    #[arg(value_name = "RUN")]
    pub(crate) run: Vec<String>,
    /// What people said, JSONL or CSV: ratings (track, id, model, annotator, rating), or the
    /// sample with an answer for each row (human = Yes or No).
    #[arg(long, value_name = "FILE")]
    pub(crate) human: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) reduce: ReduceArgs,
    #[command(flatten)]
    pub(crate) draw: DrawArgs,
}

/// `--strata`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StratumArg {
    /// Model under test.
    Model,
    /// Track.
    Track,
    /// Dimension.
    Dimension,
    /// Category of the specification.
    Category,
    /// What the judge said.
    Verdict,
    /// Expected answer.
    Expected,
}

/// `verispec study human sample`.
#[derive(Debug, Clone, Args)]
pub(crate) struct SampleArgs {
    /// Run or import.
    pub(crate) run: String,
    /// Verdicts to draw.
    #[arg(long, default_value_t = 300, value_name = "N")]
    pub(crate) n: usize,
    /// Spread the sample evenly over these.
    #[arg(
        long,
        value_delimiter = ',',
        value_enum,
        default_value = "track,verdict",
        value_name = "STRATUM,…"
    )]
    pub(crate) strata: Vec<StratumArg>,
    /// Seed of the draw.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,
    /// File to write: .jsonl or .csv.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) reduce: ReduceArgs,
}
