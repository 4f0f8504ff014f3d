//! `verispec study …` and `verispec compare`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{HumanCommand, PolicyArgs, RealunifyArgs, share};
use crate::reduce::ReduceArgs;

/// `verispec study …`
#[derive(Debug, Subcommand)]
pub(crate) enum StudyCommand {
    /// Does the ranking survive another judge (protocol, decoding, repeat)?
    Stability(StabilityArgs),
    /// Has the same judge changed between two runs?
    Drift(DriftArgs),
    /// Do scores agree with people? Also draws samples for people to check.
    Human(HumanCommand),
    /// Does a judge favour models of its own family?
    Family(FamilyArgs),
    /// Which specifications tell anything? Writes a repair list.
    Items(ItemsArgs),
    /// Does a judge read the expected answers? Needs a run over `verispec suite flip`.
    Leak(LeakArgs),
    /// What would another way of scoring do to the ranking? All of them in one table.
    Policies(PoliciesArgs),
    /// DSG's published correlations with people, recomputed from its released files.
    Dsg(DsgArgs),
    /// RealUnify: direct, stepwise, oracle and mixed runs side by side, and what a model lacks.
    Realunify(RealunifyArgs),
}

/// Runs of a study.
#[derive(Debug, Clone, Args)]
pub(crate) struct LevelArgs {
    /// Runs or imports, each one level.
    #[arg(required = true, value_name = "RUN")]
    pub(crate) run: Vec<String>,
    /// Family of a judge or a model, for instance gpt-4.1=gpt [default: `family` in
    /// verispec.toml].
    #[arg(long, value_name = "NAME=FAMILY", value_parser = pair)]
    pub(crate) family: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) reduce: ReduceArgs,
}

/// Random draws.
#[derive(Debug, Clone, Args)]
pub(crate) struct DrawArgs {
    /// Draws of bootstraps and tests.
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub(crate) draws: u32,
    /// Seed of the draws; the same seed gives the same intervals on any machine.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,
    /// Coverage of intervals, 0-1.
    #[arg(long, default_value_t = 0.95, value_name = "SHARE", value_parser = share)]
    pub(crate) level: f64,
}

/// `--factor`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FactorArg {
    /// Who judges; protocols are compared as wholes.
    #[default]
    Judge,
    /// How an instance is put to the judge; judges are compared as wholes.
    Protocol,
    /// Parameters of one judge, for instance its temperature.
    Decoding,
    /// Repeats of one run against one another.
    Repeat,
    /// Whatever the runs differ in: templates, image policies, orders of items.
    Run,
}

/// `--intervals`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum IntervalsArg {
    /// Of tau between the models' true scores, the noise of the instances taken off.
    #[default]
    TrueScores,
    /// Percentiles of tau over draws of instances, too low where models are close.
    Percentile,
}

/// `verispec study stability`.
#[derive(Debug, Clone, Args)]
pub(crate) struct StabilityArgs {
    #[command(flatten)]
    pub(crate) levels: LevelArgs,
    /// What the levels differ in.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) factor: FactorArg,
    /// Scores by people: CSV with columns track, model, rating and any others; ratings of one
    /// model and track are averaged.
    #[arg(long, value_name = "FILE")]
    pub(crate) human: Option<PathBuf>,
    /// What intervals of tau are of.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) intervals: IntervalsArg,
    #[command(flatten)]
    pub(crate) draw: DrawArgs,
}

/// `verispec study drift`.
#[derive(Debug, Clone, Args)]
pub(crate) struct DriftArgs {
    /// Earlier run.
    pub(crate) before: String,
    /// Later run of the same judge over the same outputs.
    pub(crate) after: String,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) draw: DrawArgs,
}

/// `verispec study family`.
#[derive(Debug, Clone, Args)]
pub(crate) struct FamilyArgs {
    #[command(flatten)]
    pub(crate) levels: LevelArgs,
    #[command(flatten)]
    pub(crate) draw: DrawArgs,
}

/// `verispec study items`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ItemsArgs {
    #[command(flatten)]
    pub(crate) levels: LevelArgs,
    /// List every flagged specification.
    #[arg(long)]
    pub(crate) all: bool,
    /// Write the repair list: one JSON object a line.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Verdicts that `always-met` and `never-met` need.
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub(crate) least_verdicts: usize,
    /// Name specifications whose discrimination is below this (-1 to 1) and not so by chance.
    #[arg(
        long,
        default_value_t = 0.0,
        value_name = "R",
        allow_negative_numbers = true
    )]
    pub(crate) discrimination: f64,
    /// Name specifications on which more pairs of judges than this share disagree.
    #[arg(long, default_value_t = 0.3, value_name = "SHARE", value_parser = share)]
    pub(crate) disagreement: f64,
}

/// `verispec study leak`.
#[derive(Debug, Clone, Args)]
pub(crate) struct LeakArgs {
    /// Run with the keys as they are.
    pub(crate) plain: String,
    /// Run of the same judge over the same outputs with the keys of a half turned round.
    pub(crate) flipped: String,
    /// Repeat of the first run [default: its second repeat, if it has --repeats].
    #[arg(long, value_name = "RUN")]
    pub(crate) repeat: Option<String>,
    #[command(flatten)]
    pub(crate) draw: DrawArgs,
}

/// `verispec study policies`.
#[derive(Debug, Clone, Args)]
pub(crate) struct PoliciesArgs {
    /// Runs or imports, ranked together.
    #[arg(required = true, value_name = "RUN")]
    pub(crate) run: Vec<String>,
    /// Only the ranking of this track [default: the average and all tracks].
    #[arg(long)]
    pub(crate) track: Option<String>,
    /// Rank runs together that other judges judged, in other ways, or that were read otherwise.
    #[arg(long)]
    pub(crate) across_judges: bool,
    /// Also the ranking by each category of specifications alone.
    #[arg(long)]
    pub(crate) by_category: bool,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) reduce: ReduceArgs,
}

/// `verispec study dsg`.
#[derive(Debug, Clone, Args)]
pub(crate) struct DsgArgs {
    /// Folder with DSG's released files: dsg-1k-anns.csv, tifa160-likert-anns.csv,
    /// <judge>_dsg.csv, <judge>_vq2a.csv.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// TIFA's own study too: its human_annotations_with_scores.json.
    #[arg(long, value_name = "FILE")]
    pub(crate) tifa: Option<PathBuf>,
    /// List every fault of the data instead of their numbers.
    #[arg(long)]
    pub(crate) faults: bool,
    /// Draws of the bootstrap over prompts.
    #[arg(long, default_value_t = 2_000, value_name = "N", value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub(crate) draws: u32,
    /// Seed of the draws; the same seed gives the same intervals on any machine.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,
    /// Coverage of intervals, 0-1.
    #[arg(long, default_value_t = 0.95, value_name = "SHARE", value_parser = share)]
    pub(crate) level: f64,
}

/// `verispec compare`.
#[derive(Debug, Clone, Args)]
pub(crate) struct CompareArgs {
    /// First: RUN, or RUN:MODEL where the run holds several models.
    pub(crate) first: String,
    /// Second: RUN, RUN:MODEL, or :MODEL of the same run.
    pub(crate) second: String,
    /// Compare although the runs differ in more than the model (judge, protocol, suite).
    #[arg(long)]
    pub(crate) across_judges: bool,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) reduce: ReduceArgs,
    #[command(flatten)]
    pub(crate) draw: DrawArgs,
}

/// `NAME=FAMILY`.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, family)) if !name.is_empty() && !family.is_empty() => {
            Ok((name.to_owned(), family.to_owned()))
        }
        _ => Err("NAME=FAMILY is wanted, for instance gpt-4.1=gpt".to_owned()),
    }
}
