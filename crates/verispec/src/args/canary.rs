//! Canary options of `verispec judge`.

use clap::Args;

use super::share;

/// A few stored verdicts asked again before anything else.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct CanaryArgs {
    /// Before anything else, ask this judge again about outputs of an earlier run of it, and warn
    /// when it answers otherwise more often than its own noise explains.
    #[arg(long, value_name = "RUN")]
    pub(crate) canary: Option<String>,
    /// Outputs of the canary set [default: 30].
    #[arg(long, value_name = "N", requires = "canary", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) canary_n: Option<u32>,
    /// Share of verdicts that may differ [default: what the repeats of the earlier run differ by].
    #[arg(long, value_name = "SHARE", requires = "canary", value_parser = share)]
    pub(crate) canary_tolerance: Option<f64>,
    /// Stop instead of warning (exit 4); the same command without this goes on.
    #[arg(long, requires = "canary")]
    pub(crate) canary_stop: bool,
}
