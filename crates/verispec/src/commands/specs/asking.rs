//! What every stage asks with: with calls, or ahead of them.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use verispec_engine::execute::{ExecuteOptions, Setup, Summary, map_steps};
use verispec_engine::ledger::{LEDGER_FILE, LedgerReplies};
use verispec_model::{Hash, Job, Request, Unjudged};
use verispec_providers::price::Money;
use verispec_specs::ser::{Failures, worst_course};

use super::members::{Reachable, lanes};
use super::set::OpenSet;
use crate::args::{AskArgs, Cli};
use crate::calls::{CallOptions, RETRIED_OF_MODELS, block_on, observers, reasons};
use crate::exit::usage;
use crate::known::{Known, Ledgers};
use crate::money::Estimator;
use crate::progress::Bar;
use crate::purse::{Purse, Spent, asked_before};

/// How models are asked, and the money for it.
pub(super) struct Asking<'a> {
    cli: &'a Cli,
    args: &'a AskArgs,
    purse: Purse,
}

/// What jobs made of their replies.
pub(super) struct Executed<R> {
    /// In the order of the jobs.
    pub(super) readings: Vec<R>,
    pub(super) summary: Summary,
    /// What calls would be made, where none were.
    pub(super) estimate: Option<Estimate>,
}

/// What a stage would ask.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimate {
    /// Requests at first.
    calls: usize,
    /// Requests that need no call.
    answered: usize,
    /// Prompt tokens of the first requests.
    tokens: u64,
    /// Requests at most, all that may follow included.
    most_calls: usize,
    /// What the first requests are expected to cost, and all of them at most, where every price
    /// is known.
    cost: Option<(Money, Money)>,
}

impl<'a> Asking<'a> {
    /// Prices of these models and of all that the set has asked before: they share one limit.
    pub(super) fn of<'m>(
        cli: &'a Cli,
        args: &'a AskArgs,
        dir: &Path,
        models: impl IntoIterator<Item = &'m Reachable>,
    ) -> anyhow::Result<Self> {
        if args.purse.dry_run && !args.retry.is_empty() {
            return Err(usage(
                "--dry-run counts what was never asked; leave --retry out",
            ));
        }
        let now = models.into_iter().map(|m| Arc::new(m.member.judge.clone()));
        let purse = Purse::open(now.chain(asked_before(dir)?), &args.purse)?;
        Ok(Self { cli, args, purse })
    }

    /// Whether nothing is to be called or written.
    pub(super) const fn is_dry(&self) -> bool {
        self.args.purse.dry_run
    }

    /// What the set has cost so far.
    pub(super) fn spent(&self, set: &OpenSet) -> anyhow::Result<Option<Spent>> {
        self.purse.spent(&set.dir)
    }

    /// Runs the jobs of a stage. `wider` are the same jobs where each asks at once what it may
    /// have to ask; what these want beyond the first requests counts for the bound.
    pub(super) fn execute<J>(
        &self,
        set: &OpenSet,
        (jobs, wider): (&[J], &[J]),
        models: &[Reachable],
    ) -> anyhow::Result<Executed<J::Readings>>
    where
        J: Job<Readings: Failures>,
    {
        match &set.lock {
            None => self.look_ahead(set, jobs, wider),
            Some(lock) => {
                let calls = CallOptions {
                    concurrency: self.args.concurrency,
                    timeout: self.args.timeout,
                    calls: &self.args.calls,
                };
                let bar = Bar::new();
                let mut setup = Setup::new(lanes(models, calls)?);
                setup.budget = self.purse.budget(&set.dir)?;
                setup.reuse = self.args.calls.reuse(&self.cli.runs, &set.dir)?;
                let (options, settled) = self.retried(set, jobs)?;
                setup.options = calls.execute(options)?;
                setup.settled = settled;
                setup.observers = observers(&set.dir, &bar)?;
                let stop = setup.stop.clone();
                let work = verispec_engine::execute::execute(jobs, lock, setup);
                let executed = block_on(stop, &bar, work)??;
                bar.finish();
                Ok(Executed {
                    readings: executed.readings,
                    summary: executed.summary,
                    estimate: None,
                })
            }
        }
    }

    /// What is asked again though it is settled: the last request of those that failed so; with
    /// the ledger, if it had to be read for that.
    fn retried<J>(
        &self,
        set: &OpenSet,
        jobs: &[J],
    ) -> anyhow::Result<(ExecuteOptions, Option<LedgerReplies>)>
    where
        J: Job<Readings: Failures>,
    {
        let mut options = ExecuteOptions::default();
        let wanted = reasons(&self.args.retry, &RETRIED_OF_MODELS)?;
        if wanted.is_empty() {
            return Ok((options, None));
        }
        let replies = LedgerReplies::load(&set.dir.join(LEDGER_FILE))?;
        let keys = map_steps(jobs, &replies, |_, step| step.readings.failures());
        let meant = |(why, key): (Unjudged, Hash)| wanted.contains(&why).then_some(key);
        options.ask_again_keys = keys.into_iter().flatten().filter_map(meant).collect();
        Ok((options, Some(replies)))
    }

    /// What the jobs make of the replies that are there, and what they would ask.
    fn look_ahead<J: Job>(
        &self,
        set: &OpenSet,
        jobs: &[J],
        wider: &[J],
    ) -> anyhow::Result<Executed<J::Readings>> {
        let ledgers = Ledgers::open(&self.cli.runs)?;
        let mut known = Known::new(ledgers, &set.dir, jobs)?;
        let mut open = |jobs: &[J]| -> anyhow::Result<Vec<Request>> {
            let each = jobs.iter().map(|job| known.first_calls(job));
            Ok(each
                .collect::<anyhow::Result<Vec<_>>>()?
                .into_iter()
                .flatten()
                .collect())
        };
        let first = open(jobs)?;
        let later = open(wider)?;
        let readings = jobs.iter().map(|job| job.step(&known).readings).collect();
        let most: Vec<Request> = first.iter().chain(&later).flat_map(worst_course).collect();
        let sizes = Estimator::new(None);
        let costs = || {
            let expected = self.purse.expected(first.iter())?;
            Some((expected, self.purse.at_most(most.iter())?))
        };
        Ok(Executed {
            readings,
            summary: Summary {
                jobs: jobs.len() as u64,
                pending: first.len() as u64,
                ..Summary::default()
            },
            estimate: Some(Estimate {
                calls: first.len(),
                answered: known.reused(),
                tokens: first.iter().map(|r| sizes.size(r, None).input).sum(),
                most_calls: most.len(),
                cost: costs(),
            }),
        })
    }
}

impl Estimate {
    /// As part of a document.
    pub(super) fn json(&self) -> Value {
        let dollars = |m: Money| m.as_dollars();
        json!({
            "calls": self.calls, "answered": self.answered, "tokens": self.tokens,
            "calls_at_most": self.most_calls,
            "usd": self.cost.map(|(expected, _)| dollars(expected)),
            "usd_at_most": self.cost.map(|(_, most)| dollars(most)),
        })
    }

    /// In words.
    pub(super) fn line(&self) -> String {
        let price = self.cost.map_or_else(String::new, |(expected, most)| {
            format!(
                "; about ${:.4}, at most ${:.4}",
                expected.as_dollars(),
                most.as_dollars()
            )
        });
        format!(
            "{} requests at first, at most {}; {} answered already; {} tokens in the first ones\
             {price}",
            self.calls, self.most_calls, self.answered, self.tokens
        )
    }
}
