//! What one execution did.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use verispec_model::Usage;

use crate::ledger::Outcome;

/// Why a run ended before everything was settled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case", tag = "reason", content = "detail")]
#[non_exhaustive]
pub enum StopReason {
    /// The key was refused.
    #[error("the judge refused the key: {0}; check api_key_env of this judge and the key's rights")]
    Auth(String),
    /// Address or model do not exist.
    #[error("the judge was not found: {0}; check its endpoint and its model")]
    NotFound(String),
    /// Every first request was refused because of one parameter.
    #[error(
        "the judge does not take the parameter {param:?}: {message}; change or remove it (the \
         requests it refused are settled as provider errors; --retry provider-error asks them \
         again)"
    )]
    Parameter {
        /// Field as the provider names it.
        param: String,
        /// Provider's message.
        message: String,
    },
    /// Every first request was refused.
    #[error(
        "the judge refuses every request: {0}; after mending the cause, --retry provider-error \
         asks them again"
    )]
    Refuses(String),
    /// Several requests in a row found nobody.
    #[error("the judge cannot be reached: {0}; check that it runs and its endpoint, then resume")]
    Unreachable(String),
    /// The provider asks for a wait that is longer than patience.
    #[error("the judge asks to wait {} s; resume after that", .0.as_secs())]
    LongWait(Duration),
    /// The judge's configuration cannot work.
    #[error("{0}")]
    Config(String),
    /// A job asks a judge that has no lane.
    #[error("no connection is set up for judge {0}")]
    NoLane(String),
    /// The ledger cannot be written or read.
    #[error("{0}")]
    Ledger(String),
    /// Another request might pass the limit on what the run may cost.
    #[error(
        "the limit of {limit} might be passed: {spent} spent, the next request may cost {next}; \
         raise --max-cost to go on"
    )]
    Budget {
        /// Limit of the run.
        limit: String,
        /// Spent so far, estimates for replies without counts included.
        spent: String,
        /// Estimate for the next request.
        next: String,
    },
    /// Someone raised the stop signal.
    #[error("interrupted; resume to continue")]
    Interrupted,
}

/// Counts of one execution.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Jobs given.
    pub jobs: u64,
    /// Jobs that want nothing more.
    pub jobs_done: u64,
    /// Requests that were settled before this execution, over all jobs of the ledger.
    pub settled_before: u64,
    /// Attempts made, by outcome.
    pub calls: BTreeMap<Outcome, u64>,
    /// Requests that calls of this execution settled, by outcome.
    pub settled: BTreeMap<Outcome, u64>,
    /// Replies copied from other runs.
    pub reused: u64,
    /// Distinct requests that jobs still want.
    pub pending: u64,
    /// Tokens of all calls.
    pub usage: Usage,
    /// Replies that did not say how many tokens they used.
    #[serde(default)]
    pub usage_unknown: u64,
    /// Time from start to end.
    pub elapsed: Duration,
    /// Why it ended early, if it did.
    pub stopped: Option<StopReason>,
}

impl Summary {
    /// Attempts made.
    #[must_use]
    pub fn calls_made(&self) -> u64 {
        self.calls.values().sum()
    }

    /// Whether every request of every job is settled.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.pending == 0 && self.jobs_done == self.jobs
    }

    pub(crate) fn add_usage(&mut self, more: &Usage) {
        self.usage.add(more);
    }
}
