//! `verispec specs …`

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{CallArgs, PartArgs, PurseArgs, SuiteName};

/// `verispec specs …`
#[derive(Debug, Subcommand)]
pub(crate) enum SpecsCommand {
    /// Say what is wrong with specifications, without a model.
    Lint(SpecsLintArgs),
    /// Have several models write specifications; run it again to resume.
    Generate(Box<SpecsGenerateArgs>),
    /// Put candidates that say the same into groups.
    Merge(SpecsMergeArgs),
    /// Have models rate every group, and keep those that reach the bound.
    Filter(SpecsFilterArgs),
    /// Make a set anew over the data as it is now; only new and edited instances cost calls.
    Update(SpecsUpdateArgs),
    /// Write a set, or all sets of an ablation, as checklists; no call.
    Export(SpecsExportArgs),
}

/// `verispec specs lint`.
#[derive(Debug, Args)]
pub(crate) struct SpecsLintArgs {
    /// Suite.
    pub(crate) suite: SuiteName,
    /// Checkout of the benchmark, or the file of a custom suite.
    #[arg(long, value_name = "DIR|FILE")]
    pub(crate) data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) part: PartArgs,
    /// Only these rules, by code.
    #[arg(long, value_delimiter = ',', value_name = "CODE,…")]
    pub(crate) rule: Vec<String>,
    /// List every finding instead of the first few of each rule.
    #[arg(long)]
    pub(crate) all: bool,
}

/// How models are asked.
#[derive(Debug, Clone, Args)]
pub(crate) struct AskArgs {
    /// Most requests in flight to each model.
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) concurrency: Option<usize>,
    /// Seconds that one attempt may take.
    #[arg(long, default_value_t = 300, value_name = "SECONDS")]
    pub(crate) timeout: u64,
    /// Ask settled failures again: refused, truncated, unparsed, timeout, provider-error.
    #[arg(long, value_delimiter = ',', value_name = "REASON,…")]
    pub(crate) retry: Vec<String>,
    #[command(flatten)]
    pub(crate) calls: CallArgs,
    #[command(flatten)]
    pub(crate) purse: PurseArgs,
}

/// `verispec specs generate`.
#[derive(Debug, Args)]
pub(crate) struct SpecsGenerateArgs {
    /// Suite whose tasks get specifications.
    pub(crate) suite: SuiteName,
    /// Checkout of the benchmark, or the file of a custom suite.
    #[arg(long, value_name = "DIR|FILE")]
    pub(crate) data: Option<PathBuf>,
    /// Name of the set; the same name resumes.
    #[arg(long, value_name = "NAME")]
    pub(crate) set: String,
    /// Models that write, each a judge of verispec.toml or PROVIDER:MODEL.
    #[arg(long, value_delimiter = ',', required = true, value_name = "NAME,…")]
    pub(crate) generators: Vec<String>,
    /// Taxonomies by track, for tracks whose built-in one does not fit: a TOML file with
    /// [TRACK] categories = […], subcategories = […].
    #[arg(long, value_name = "FILE")]
    pub(crate) taxonomy: Option<PathBuf>,
    /// Seed of the order in which raters see items.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) part: PartArgs,
    #[command(flatten)]
    pub(crate) ask: AskArgs,
}

/// Who proposes pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProposeArg {
    /// Words in common; the same on every machine.
    Lexical,
    /// The local embedding model, if its weights are installed.
    Minilm,
}

/// `verispec specs merge`.
#[derive(Debug, Args)]
pub(crate) struct SpecsMergeArgs {
    /// Name of the set.
    pub(crate) set: String,
    /// Model that merges [default: none, merging by typed keys and vetoed proposals alone].
    #[arg(long, value_name = "NAME")]
    pub(crate) merger: Option<String>,
    /// Who proposes pairs.
    #[arg(long, value_enum, default_value = "lexical")]
    pub(crate) propose: ProposeArg,
    #[command(flatten)]
    pub(crate) ask: AskArgs,
}

/// How ratings are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VariantArg {
    /// Every rater rates every group.
    Full,
    /// Groups that every generator proposed are kept unrated.
    Disputed,
    /// Raters are asked in turn, and no more once the mean cannot reach the bound.
    EarlyStop,
}

/// `verispec specs filter`.
#[derive(Debug, Args)]
pub(crate) struct SpecsFilterArgs {
    /// Name of the set.
    pub(crate) set: String,
    /// Models that rate [default: those that wrote].
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    pub(crate) raters: Vec<String>,
    /// Least mean that is kept, inclusive, 0-10.
    #[arg(long, default_value_t = 8.0, value_name = "POINTS")]
    pub(crate) tau: f64,
    /// How ratings are asked for.
    #[arg(long, value_enum, default_value = "full")]
    pub(crate) variant: VariantArg,
    #[command(flatten)]
    pub(crate) ask: AskArgs,
}

/// `verispec specs update`.
#[derive(Debug, Args)]
pub(crate) struct SpecsUpdateArgs {
    /// Name of the set.
    pub(crate) set: String,
    /// The data, if it is elsewhere now.
    #[arg(long, value_name = "DIR|FILE")]
    pub(crate) data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) ask: AskArgs,
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormArg {
    /// eval_checklist/<track>/<dimension>/<id>.json, to lie over a checkout.
    Checklists,
    /// A suite of its own: suite.jsonl with prompts, input images beside it.
    Suite,
}

/// `verispec specs export`.
#[derive(Debug, Args)]
pub(crate) struct SpecsExportArgs {
    /// Name of the set.
    pub(crate) set: String,
    /// Folder to write into; with --which all, one folder a set.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// complete, without-filtering, only-NAME of a generator, or all.
    #[arg(long, default_value = "complete", value_name = "SET")]
    pub(crate) which: String,
    /// What is written.
    #[arg(long, value_enum, default_value = "checklists")]
    pub(crate) form: FormArg,
}
