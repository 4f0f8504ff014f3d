//! What an execution is given.

use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use verispec_model::Hash;

use super::budget::Budget;
use super::lane::Lane;
use super::retry::RetryPolicy;
use super::stop::Stop;
use crate::events::Observers;
use crate::ledger::{LedgerOptions, LedgerReplies, Outcome, Reuse};

/// Settings of an execution.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecuteOptions {
    /// Attempts and waits.
    pub retry: RetryPolicy,
    /// Longest time of one request, from its first attempt, over all attempts and waits.
    pub item_timeout: Option<Duration>,
    /// Settled requests with one of these outcomes are asked again.
    pub ask_again: BTreeSet<Outcome>,
    /// Settled requests that are asked again by key, for instance those whose reply could not be
    /// read.
    pub ask_again_keys: HashSet<Hash>,
    /// How long calls under way may take to finish after a stop.
    pub grace: Duration,
    /// How the ledger is written.
    pub ledger: LedgerOptions,
}

impl Default for ExecuteOptions {
    /// Nothing is asked again, 10 s of grace.
    fn default() -> Self {
        Self {
            retry: RetryPolicy::default(),
            item_timeout: None,
            ask_again: BTreeSet::new(),
            ask_again_keys: HashSet::new(),
            grace: Duration::from_secs(10),
            ledger: LedgerOptions::default(),
        }
    }
}

/// Everything around the jobs.
pub struct Setup {
    /// One lane per judge.
    pub lanes: Vec<Lane>,
    /// Where replies of other runs are looked up.
    pub reuse: Reuse,
    /// What the run's ledger holds, where the caller has read it already, after locking the run.
    pub settled: Option<LedgerReplies>,
    /// Settings.
    pub options: ExecuteOptions,
    /// Limit on what the run may cost.
    pub budget: Option<Budget>,
    /// Signal that stops the run.
    pub stop: Stop,
    /// Who is told what happens.
    pub observers: Observers,
}

impl Setup {
    /// One judge, default settings, nobody watching.
    #[must_use]
    pub fn new(lanes: Vec<Lane>) -> Self {
        Self {
            lanes,
            reuse: Reuse::none(),
            settled: None,
            options: ExecuteOptions::default(),
            budget: None,
            stop: Stop::new(),
            observers: Observers::default(),
        }
    }
}
