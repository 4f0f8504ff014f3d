//! Arguments of tables: what is scored, by which policy.

use clap::Args;

use super::{
    DependencyArg, DrawArgs, MissingArg, Preset, ReaderArg, ReduceArgs, ScoringArg, SumArg,
    UnjudgedArg, WeightArg,
};

/// Choices behind a number.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PolicyArgs {
    /// Rule [default: uniform].
    #[arg(long, value_enum)]
    pub(crate) scoring: Option<ScoringArg>,
    /// Outputs that the model failed to make [default: zero].
    #[arg(long, value_enum)]
    pub(crate) missing: Option<MissingArg>,
    /// Specifications that the judge failed on [default: exclude].
    #[arg(long, value_enum)]
    pub(crate) unjudged: Option<UnjudgedArg>,
    /// Sums of doubles in board scoring: plain as Python 3.11, compensated as 3.12
    /// [default: compensated].
    #[arg(long, value_enum)]
    pub(crate) sum: Option<SumArg>,
    /// When an unmet specification takes with it those that name it in `depends_on`
    /// [default: ignore].
    #[arg(long, value_enum)]
    pub(crate) dependencies: Option<DependencyArg>,
    /// What a specification weighs in its instance [default: equal].
    #[arg(long, value_enum)]
    pub(crate) weights: Option<WeightArg>,
    /// An output that does not meet a critical specification scores 0.
    #[arg(long)]
    pub(crate) critical: bool,
    /// How imported answers are read [default: default].
    #[arg(long, value_enum)]
    pub(crate) reader: Option<ReaderArg>,
    /// Expand to a documented set of choices.
    #[arg(long, value_enum)]
    pub(crate) preset: Option<Preset>,
}

/// What a table is made from, whether it scores or ranks.
#[derive(Debug, Clone, Args)]
pub(crate) struct TableArgs {
    /// Runs or imports, by name or folder.
    #[arg(required = true)]
    pub(crate) run: Vec<String>,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) reduce: ReduceArgs,
    /// Put runs of different versions of the specifications into one table; the context names all.
    #[arg(long)]
    pub(crate) across_versions: bool,
    /// Only this track, with its dimensions [default: the average and all tracks].
    #[arg(long)]
    pub(crate) track: Option<String>,
    /// Published rows beside (uses board scoring).
    #[arg(long)]
    pub(crate) with_published: bool,
    /// Print CSV: one row per number of the table.
    #[arg(long)]
    pub(crate) csv: bool,
}

/// `verispec score`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ScoreArgs {
    #[command(flatten)]
    pub(crate) table: TableArgs,
    /// Also pooled (met over judged, all specifications alike) and all-met (outputs with
    /// everything met).
    #[arg(long)]
    pub(crate) extras: bool,
    /// Print CSV: one row per specification.
    #[arg(long, conflicts_with = "csv")]
    pub(crate) verdicts: bool,
    /// Also the score on each category of specifications.
    #[arg(long)]
    pub(crate) by_category: bool,
}

/// `verispec rank`.
#[derive(Debug, Clone, Args)]
pub(crate) struct RankArgs {
    #[command(flatten)]
    pub(crate) table: TableArgs,
    /// Rank runs together that other judges judged, in other ways, or that were read otherwise.
    #[arg(long)]
    pub(crate) across_judges: bool,
    /// Rank by Bradley-Terry abilities: on each instance that two models both have a score on, the
    /// higher one wins.
    #[arg(long, conflicts_with_all = ["with_published", "csv"])]
    pub(crate) bradley_terry: bool,
    #[command(flatten)]
    pub(crate) draw: DrawArgs,
}
