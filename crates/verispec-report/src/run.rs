//! What a run did, as plain data for [`render_run`](crate::render_run).

use serde::Serialize;
use verispec_model::score::Counters;

/// Tokens that the provider reported, summed over replies that carried them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Prompt tokens, cached ones included.
    pub input: u64,
    /// Of these, served from the provider's cache.
    pub cached: u64,
    /// Generated tokens, reasoning included.
    pub output: u64,
    /// Of these, spent on reasoning.
    pub reasoning: u64,
    /// Replies without token counts.
    pub unknown: u64,
}

/// What a run cost, from the tokens that replies report, in US dollars.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RunCost {
    /// The price that was used, with its source; `None` when none is known.
    pub price: Option<String>,
    /// Why there is no price, and what to do.
    pub why_none: Option<String>,
    /// Spent by the calls made now; `None` without a price.
    pub now: Option<f64>,
    /// Spent by all executions of the run and by its batches; `None` without a price.
    pub total: Option<f64>,
    /// Replies of all executions that do not say what they used; they are in neither sum.
    pub unknown: u64,
    /// Attempts of all executions that ran out of time; a provider may bill them all the same.
    pub timed_out: u64,
    /// `--max-cost`.
    pub limit: Option<f64>,
}

/// What a run did and where it stands.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RunSummary {
    /// Run id.
    pub run: String,
    /// Its folder, as the user would type it.
    pub folder: String,
    /// Calls made now, repetitions included.
    pub calls: u64,
    /// Of these, calls that were repetitions after an error.
    pub retries: u64,
    /// Replies that were there before and were not asked for again.
    pub reused: u64,
    /// Requests answered, in all.
    pub answered: u64,
    /// Requests that the judge failed on after their allowance, in all.
    pub failed: u64,
    /// Requests still without a settled reply.
    pub pending: u64,
    /// Errors of calls by kind, for instance `rate-limit`.
    pub errors: Vec<(String, u64)>,
    /// Tokens of the calls made now.
    pub tokens: Tokens,
    /// What it cost; `None` for a judge that runs in this process.
    pub cost: Option<RunCost>,
    /// Time taken, seconds.
    pub seconds: f64,
    /// Specifications, over all models of the run.
    pub counters: Counters,
    /// Exit code the program ends with.
    pub exit: u8,
    /// Commands that go on from here.
    pub next: Vec<String>,
}

/// What an exit code means.
#[must_use]
pub const fn exit_meaning(code: u8) -> &'static str {
    match code {
        0 => "everything is settled",
        1 => "stopped by an error",
        2 => "usage or configuration is wrong",
        3 => "something is pending or can be tried again, or coverage is below --min-coverage",
        4 => "a gate failed",
        5 => "stopped by the budget",
        130 => "interrupted; nothing recorded is lost",
        _ => "unknown",
    }
}
