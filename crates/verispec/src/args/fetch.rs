//! What may be typed after `verispec fetch`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// `verispec fetch …`
#[derive(Debug, Subcommand)]
pub(crate) enum FetchCommand {
    /// Task images or released outputs of SpecV-Bench, put beside the checkout's own files.
    Specv {
        /// Images of tasks (about 1.6 GB) or outputs of models (about 16 GB).
        #[arg(long, value_enum)]
        what: SpecvFiles,
        /// Only these tracks.
        #[arg(long, value_delimiter = ',', value_name = "TRACK,…")]
        tracks: Vec<String>,
        /// Only outputs of these models.
        #[arg(long, value_delimiter = ',', value_name = "MODEL,…")]
        models: Vec<String>,
        /// Checkout of the benchmark.
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
        /// Data set; the default is the one that SpecV's README names (its script has another).
        #[arg(long, value_name = "OWNER/NAME", default_value = "vortex778/SpecV")]
        repo_id: String,
        #[command(flatten)]
        how: FetchArgs,
    },
    /// Files of any repository, for instance RealUnify's data or bundles of XTC-Bench.
    Repo {
        /// Repository.
        #[arg(value_name = "OWNER/NAME")]
        id: String,
        /// Only paths that fit: `*` any characters but `/`, `**` any characters, `?` one;
        /// `folder/` everything below.
        #[arg(long, value_name = "GLOB")]
        include: Vec<String>,
        /// Folder to put them into.
        #[arg(long, value_name = "DIR")]
        into: PathBuf,
        /// Kind of the repository.
        #[arg(long, value_enum, default_value = "dataset")]
        kind: RepoKindArg,
        #[command(flatten)]
        how: FetchArgs,
    },
}

/// How to fetch. The hub is that of HF_ENDPOINT; HF_TOKEN is sent to it, if set.
#[derive(Debug, Clone, Args)]
pub(crate) struct FetchArgs {
    /// Branch, tag or commit.
    #[arg(long, default_value = "main", value_name = "REV")]
    pub(crate) revision: String,
    /// Files under way at the same time.
    #[arg(long, short = 'j', default_value_t = 8, value_name = "N")]
    pub(crate) concurrency: usize,
    /// Further attempts at a file after a failed one.
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub(crate) max_retries: u32,
    /// Replace files that have other content [default: keep and name them].
    #[arg(long)]
    pub(crate) replace: bool,
    /// Only say how many files and bytes it would be.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// `--what`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SpecvFiles {
    /// eval_data/<track>/: images only.
    Images,
    /// model_outputs/<track>/<model>/.
    Outputs,
}

/// `--kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RepoKindArg {
    /// Data.
    Dataset,
    /// Weights.
    Model,
}
