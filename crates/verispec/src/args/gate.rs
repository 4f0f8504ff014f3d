//! `verispec gate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{PolicyArgs, share};
use crate::reduce::ReduceArgs;

/// `--require`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RequireArg {
    /// Fail only when the difference is shown to be below --min-delta.
    #[default]
    NotWorse,
    /// Fail unless the difference is shown to be at least --min-delta.
    Better,
}

/// `verispec gate`.
#[derive(Debug, Clone, Args)]
pub(crate) struct GateArgs {
    /// What wants to pass: RUN, or RUN:MODEL where the run holds several models.
    pub(crate) run: String,
    /// What it is measured against: RUN, RUN:MODEL, or :MODEL of the same run.
    #[arg(long, value_name = "RUN")]
    pub(crate) baseline: String,
    /// Limit on RUN minus baseline, in percent points; -1 lets a loss of one point pass.
    #[arg(
        long,
        default_value_t = 0.0,
        value_name = "POINTS",
        allow_negative_numbers = true,
        value_parser = points
    )]
    pub(crate) min_delta: f64,
    /// One-sided error rate of the verdict, over all checks together.
    #[arg(long, default_value_t = 0.05, value_name = "RATE", value_parser = rate)]
    pub(crate) alpha: f64,
    /// What has to hold to pass.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) require: RequireArg,
    /// Fail when less than this share of the instances has a score on both sides, 0-1.
    #[arg(long, default_value_t = 0.9, value_name = "SHARE", value_parser = share)]
    pub(crate) min_common: f64,
    /// Only this track; may be given several times [default: all; a track that the baseline has
    /// and RUN lacks fails].
    #[arg(long, value_name = "TRACK")]
    pub(crate) track: Vec<String>,
    /// Check each track, at its part of --alpha [default: their average].
    #[arg(long)]
    pub(crate) each_track: bool,
    /// Write the checks as JUnit XML.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Go on although the runs differ in more than the model (judge, protocol, suite).
    #[arg(long)]
    pub(crate) across_judges: bool,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) reduce: ReduceArgs,
    /// Draws of the bootstrap and the test.
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub(crate) draws: u32,
    /// Seed of the draws; the same seed gives the same verdict on any machine.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,
}

/// A difference in percent points.
fn points(text: &str) -> Result<f64, String> {
    let points = text.parse::<f64>().ok();
    points
        .filter(|p| (-100.0..=100.0).contains(p))
        .ok_or_else(|| "percent points from -100 to 100 are wanted, for instance -1".to_owned())
}

/// A one-sided error rate.
fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse::<f64>().ok();
    rate.filter(|r| *r > 0.0 && *r < 0.5)
        .ok_or_else(|| "a rate above 0 and below 0.5 is wanted, for instance 0.05".to_owned())
}
