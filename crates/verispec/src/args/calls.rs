//! Options of every command that calls somebody.

use std::path::PathBuf;

use clap::Args;

/// How often and how long a request is tried, and whose replies are taken instead.
#[derive(Debug, Clone, Args)]
pub(crate) struct CallArgs {
    /// Seconds that one request may take over all attempts and waits; then it is settled as
    /// `timeout`, or stays pending if the judge was not reached or asked to slow down [default: no
    /// limit].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) item_timeout: Option<u64>,
    /// Further attempts after a failed one.
    #[arg(long, default_value_t = 6, value_name = "N")]
    pub(crate) max_retries: u32,
    /// Longest wait before the first further attempt, in seconds; it doubles with each one, up to
    /// a minute. A provider that asks for a longer wait gets it.
    #[arg(long, default_value_t = 1.0, value_name = "SECONDS")]
    pub(crate) backoff: f64,
    /// Take answers from the ledgers of other runs as well.
    #[arg(long, value_name = "DIR")]
    pub(crate) reuse: Vec<PathBuf>,
}

/// What several models may cost together.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PurseArgs {
    /// Stop before all who are asked have cost more than this together, over all executions of the
    /// run or set; exit 5.
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
    /// Prices that win over the built-in list [default: prices.toml in this folder, if there is
    /// one].
    #[arg(long, value_name = "FILE")]
    pub(crate) prices: Option<PathBuf>,
    /// Say what would be asked first and what that would cost, and stop.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// How a model is reached and what it is told.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ReachArgs {
    /// Address of the model, for instance http://localhost:8000/v1; give it again for each
    /// further server of the same model, and requests are spread over them.
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint: Vec<String>,
    /// Environment variable that holds the key.
    #[arg(long, value_name = "NAME")]
    pub(crate) api_key_env: Option<String>,
    /// Sampling temperature; sent only if given.
    #[arg(long, value_name = "T")]
    pub(crate) temperature: Option<f64>,
    /// Token limit of a reply; sent only if given.
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
}

/// Which instances are meant.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PartArgs {
    /// Only these tracks; those of SpecV are understanding, t2i, edit, many2one, interleave,
    /// think_with_img.
    #[arg(long, value_delimiter = ',', value_name = "TRACK,…")]
    pub(crate) tracks: Vec<String>,
    /// Only these dimensions.
    #[arg(long, value_delimiter = ',', value_name = "DIM,…")]
    pub(crate) dims: Vec<String>,
    /// Only these instance ids.
    #[arg(long, value_delimiter = ',', value_name = "ID,…")]
    pub(crate) ids: Vec<String>,
    /// First N instances of each dimension, in id order; the result cannot be ranked.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
}
