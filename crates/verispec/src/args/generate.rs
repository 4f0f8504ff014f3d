//! `verispec generate`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use verispec_generate::{SuiteKind, Wants};
use verispec_model::Shard;

use super::{CallArgs, JudgeSpec, PartArgs, ReachArgs};

/// Suites that outputs can be made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GenerateSuite {
    /// SpecV-Bench: six tracks.
    Specv,
    /// RealUnify: ueg_direct, ueg_step, geu_direct, geu_step.
    Realunify,
    /// DSG's prompts (dsg-1k-anns.csv).
    Dsg,
    /// XTC-Bench: images (step 8) and answers (step 17), from a run or bundle folder.
    Xtc,
    /// A suite of your own; see docs/custom-suites.md.
    Custom,
}

impl GenerateSuite {
    pub(crate) const fn kind(self) -> SuiteKind {
        match self {
            Self::Specv => SuiteKind::Specv,
            Self::Realunify => SuiteKind::Realunify,
            Self::Dsg => SuiteKind::Dsg,
            Self::Xtc => SuiteKind::Xtc,
            Self::Custom => SuiteKind::Custom,
        }
    }
}

/// `--want`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WantArg {
    /// A text.
    Text,
    /// One image.
    Image,
    /// Texts and images.
    Mixed,
    /// Whatever the model makes.
    Any,
}

impl WantArg {
    pub(crate) const fn wants(self) -> Wants {
        match self {
            Self::Text => Wants::Text,
            Self::Image => Wants::Image,
            Self::Mixed => Wants::Mixed,
            Self::Any => Wants::Any,
        }
    }
}

/// `--seed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SeedArg {
    /// No request carries one.
    None,
    /// The first replicate's.
    Number(u64),
}

impl std::str::FromStr for SeedArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Self::None),
            _ => text
                .parse()
                .map(Self::Number)
                .map_err(|_| "a number, or none".to_owned()),
        }
    }
}

/// `verispec generate`.
#[derive(Debug, Clone, Args)]
pub(crate) struct GenerateArgs {
    /// Suite.
    #[arg(value_enum)]
    pub(crate) suite: GenerateSuite,
    /// Checkout or folder of the benchmark, or the file of a custom suite.
    #[arg(long, value_name = "DIR|FILE")]
    pub(crate) data: Option<PathBuf>,
    /// The system under test: a model of verispec.toml with `generate`, or PROVIDER:MODEL
    /// (openai-images:gpt-image-1, gemini:gemini-2.5-flash-image, openai:gpt-4.1).
    #[arg(long, value_name = "NAME")]
    pub(crate) model: String,
    /// Folder to write the outputs into, in the suite's own layout.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) part: PartArgs,
    #[command(flatten)]
    pub(crate) reach: ReachArgs,
    /// Seed of the first replicate, the next ones add 1; `none` sends none even where the suite
    /// has a rule (XTC-Bench: 42 and the image's id).
    #[arg(long, value_name = "N|none")]
    pub(crate) seed: Option<SeedArg>,
    /// Outputs of each instance; several get a folder replicate-<k> each.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) replicates: u32,
    /// What a custom suite's prompts want; a multiple choice always wants a text [default: any].
    #[arg(long, value_enum)]
    pub(crate) want: Option<WantArg>,
    /// Put true middle steps in the place of what stepwise chains make first: intermediate=DIR.
    #[arg(long, value_name = "intermediate=DIR")]
    pub(crate) oracle: Option<String>,
    /// Name of the run; the same name resumes [default: made from suite, model and what is asked,
    /// so the same command resumes].
    #[arg(long, value_name = "NAME")]
    pub(crate) run: Option<String>,
    /// Most requests in flight; fewer are sent while the provider asks to slow down.
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) concurrency: Option<usize>,
    /// Seconds that one attempt may take.
    #[arg(long, default_value_t = 600, value_name = "SECONDS")]
    pub(crate) timeout: u64,
    /// Make only share I of N (1/8 … 8/8); all shares may write into one folder.
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    #[command(flatten)]
    pub(crate) calls: CallArgs,
    /// Ask again where the model failed (refused, empty, no-image, undecodable), or where a
    /// provider called the request itself wrong (error).
    #[arg(long, value_delimiter = ',', value_name = "REASON,…")]
    pub(crate) retry: Vec<String>,
    /// Stop before the run has cost more than this, all its executions together; exit 5.
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
    /// Prices that win over the built-in list [default: prices.toml in this folder, if there is
    /// one].
    #[arg(long, value_name = "FILE")]
    pub(crate) prices: Option<PathBuf>,
    /// Say what would be asked and cost, and make no call.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

impl GenerateArgs {
    /// The options that say how a model is reached, as for a judge.
    pub(crate) fn spec(&self) -> JudgeSpec {
        JudgeSpec {
            judge: None,
            reach: self.reach.clone(),
            // Seeds are set request by request.
            seed: None,
            structured: None,
        }
    }
}
