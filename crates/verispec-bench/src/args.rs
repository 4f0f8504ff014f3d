//! What may be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Measure verispec: release programs, own data, everything compared in the same run.
#[derive(Debug, Parser)]
#[command(name = "verispec-bench", max_term_width = 100)]
pub(crate) struct Cli {
    /// What to measure.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Outputs judged per track.
    #[arg(long, global = true, default_value_t = 5000)]
    pub(crate) items: usize,
    /// Repetitions; figures are medians.
    #[arg(long, global = true, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: u32,
    /// Requests in flight.
    #[arg(long, global = true, default_value_t = 50)]
    pub(crate) in_flight: usize,
    /// Only these tracks [default: all six].
    #[arg(long, global = true, value_delimiter = ',', value_name = "TRACK,…")]
    pub(crate) tracks: Vec<String>,
    /// Only these latencies of the judge, in milliseconds.
    #[arg(long, global = true, value_delimiter = ',', default_value = "200,0")]
    pub(crate) latency: Vec<u64>,
    /// Folder for data and runs; kept, and used again by the next measurement. About 32 GB for
    /// all tracks at 5,000 items [default: a temporary one, removed at the end].
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
    /// Replies of a resumed run.
    #[arg(long, global = true, default_value_t = 350_000)]
    pub(crate) replies: usize,
    /// Largest size of the growth series, which has two tenfold steps.
    #[arg(long, global = true, default_value_t = 120_000)]
    pub(crate) most: usize,
    /// Write all figures as one JSON document.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write all figures as a page, as docs/performance.md is.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
    /// Programs to measure instead of those that cargo builds now: a folder with `verispec`,
    /// `fake-judge`, and for `encode` both builds of the media crate's example, `encode-rust` and
    /// `encode-turbo`.
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) programs: Option<PathBuf>,
}

/// Groups of figures.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Everything below.
    All,
    /// Six tracks at 200 ms and 0 ms beside a plain load tool that sends bodies of the same sizes.
    Judge,
    /// PNG to JPEG beside Pillow.
    Encode,
    /// A run of 1,000 items again.
    Cache,
    /// A run with 350,000 replies again.
    Resume,
    /// From 1,200 to 120,000 items.
    Growth,
    /// Start-up.
    Start,
    /// Scoring a tree of 22,800 result files beside a Python loop that reads them.
    Score,
    /// SpecV's own runner, from the checkout named by `SPECV_CHECKOUT`.
    Peer,
    /// The plain load tool; started by `judge`.
    #[command(hide = true)]
    Load(LoadArgs),
    /// One page or document from several: `page a.json b.json --markdown docs/performance.md`.
    Page {
        /// Documents that `--json` wrote.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

/// `verispec-bench load`.
#[derive(Debug, Args)]
pub(crate) struct LoadArgs {
    /// Where to post.
    #[arg(long)]
    pub(crate) url: String,
    /// A JSON file with the sizes of the bodies, in bytes.
    #[arg(long)]
    pub(crate) sizes: PathBuf,
}
