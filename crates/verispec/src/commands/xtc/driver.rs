//! Runs jobs against a ledger: with calls, or by what it holds alone.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use verispec_engine::execute::{ExecuteOptions, Lane, Setup, StopReason, execute, map_steps};
use verispec_engine::ledger::{LEDGER_FILE, LedgerReplies, Outcome, RunLock};
use verispec_model::{Hash, Job, JudgeIdentity, Request, request_key};
use verispec_providers::price::Money;

use crate::args::xtc::XtcCallArgs;
use crate::calls::{CallOptions, RETRIED_OF_MODELS, block_on, observers, reasons};
use crate::connect::check;
use crate::exit::{Exit, usage};
use crate::judge::Judge;
use crate::output;
use crate::progress::Bar;
use crate::purse::{Purse, Spent};
use crate::trouble::LastTrouble;

/// What one stage did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct StageLine {
    /// Name.
    pub(super) stage: String,
    /// Jobs.
    pub(super) jobs: usize,
    /// Calls made now.
    pub(super) calls: u64,
    /// Replies taken over from other runs.
    pub(super) reused: u64,
    /// Requests that are still wanted; on a dry run those wanted first.
    pub(super) pending: u64,
    /// Tokens sent and received, where told.
    pub(super) tokens: (u64, u64),
    /// On a dry run what the requests wanted first are expected to cost, dollars; `None` where a
    /// price is not known, and after a run.
    pub(super) expected: Option<f64>,
}

/// Somebody who is asked: a judge that cannot be a panel.
pub(super) struct Asked {
    pub(super) judge: Judge,
    pub(super) identity: Arc<JudgeIdentity>,
}

impl Asked {
    pub(super) fn new(judge: Judge) -> anyhow::Result<Self> {
        if judge.panel.is_some() {
            return Err(usage(
                "a panel of judges cannot be asked here; name one judge",
            ));
        }
        check(&judge)?;
        let identity = Arc::new(judge.identity.clone());
        Ok(Self { judge, identity })
    }
}

/// With calls.
struct Live<'a> {
    lock: &'a RunLock,
    runs: &'a Path,
    asked: Vec<&'a Asked>,
    calls: CallOptions<'a>,
    retry: Vec<Outcome>,
    purse: Purse,
    dry: bool,
}

/// Runs jobs and remembers what was done.
pub(super) struct Driver<'a> {
    live: Option<Live<'a>>,
    replies: LedgerReplies,
    /// What each stage did.
    pub(super) stages: Vec<StageLine>,
    stopped: Option<StopReason>,
}

impl<'a> Driver<'a> {
    /// By what the ledger holds alone.
    pub(super) fn replay(dir: &Path) -> anyhow::Result<Self> {
        Ok(Self {
            live: None,
            replies: LedgerReplies::load(&dir.join(LEDGER_FILE))?,
            stages: vec![],
            stopped: None,
        })
    }

    /// With calls to these.
    pub(super) fn live(
        runs: &'a Path,
        lock: &'a RunLock,
        asked: Vec<&'a Asked>,
        args: &'a XtcCallArgs,
    ) -> anyhow::Result<Self> {
        let mut driver = Self::replay(lock.dir())?;
        let identities = asked.iter().map(|a| a.identity.clone());
        let purse = Purse::open(identities, &args.purse)?;
        driver.live = Some(Live {
            lock,
            runs,
            asked,
            purse,
            calls: CallOptions {
                concurrency: args.concurrency,
                timeout: args.timeout,
                calls: &args.calls,
            },
            retry: outcomes(&args.retry)?,
            dry: args.purse.dry_run,
        });
        Ok(driver)
    }

    /// What every job makes of its replies, in order. Once something stopped the run, nothing more
    /// is called.
    pub(super) fn run<J: Job>(
        &mut self,
        stage: &str,
        jobs: &[J],
    ) -> anyhow::Result<Vec<J::Readings>> {
        let calls = self
            .live
            .as_ref()
            .filter(|l| !l.dry && self.stopped.is_none());
        let Some(live) = calls else {
            return Ok(self.read(stage, jobs));
        };
        let bar = Bar::new();
        let trouble = LastTrouble::default();
        let mut setup = live.setup(&bar, &trouble)?;
        setup.settled = Some(std::mem::take(&mut self.replies));
        let stop = setup.stop.clone();
        let done = block_on(stop, &bar, execute(jobs, live.lock, setup))??;
        bar.finish();
        let summary = &done.summary;
        let failed = summary.stopped.is_some() || summary.pending > 0;
        let blame = || live.blamed(jobs, &done.replies, trouble.job().as_deref());
        let blamed = failed.then(blame).flatten();
        if let Some(line) = blamed.and_then(|asked| trouble.tell(summary, &asked.judge)) {
            output::note(&format!("{stage}: {line}"));
        }
        self.stages.push(StageLine {
            stage: stage.to_owned(),
            jobs: jobs.len(),
            calls: summary.calls_made(),
            reused: summary.reused,
            pending: summary.pending,
            tokens: (
                summary.usage.input.unwrap_or(0),
                summary.usage.output.unwrap_or(0),
            ),
            expected: None,
        });
        self.stopped = summary.stopped.clone();
        self.replies = done.replies;
        Ok(done.readings)
    }

    fn read<J: Job>(&mut self, stage: &str, jobs: &[J]) -> Vec<J::Readings> {
        let steps = map_steps(jobs, &self.replies, |_, step| {
            let keyed = step.ask.into_iter().map(|r| (request_key(&r), r));
            (keyed.collect::<Vec<_>>(), step.readings)
        });
        let (wanted, readings): (Vec<_>, Vec<_>) = steps.into_iter().unzip();
        let distinct: HashMap<Hash, Request> = wanted.into_iter().flatten().collect();
        let purse = self.live.as_ref().filter(|l| l.dry).map(|l| &l.purse);
        let expected = purse.and_then(|p| p.expected(distinct.values()));
        self.stages.push(StageLine {
            stage: stage.to_owned(),
            jobs: jobs.len(),
            calls: 0,
            reused: 0,
            pending: distinct.len() as u64,
            tokens: (0, 0),
            expected: expected.map(Money::as_dollars),
        });
        readings
    }

    /// What the run has cost so far, where everybody's price is known.
    pub(super) fn spent(&self) -> anyhow::Result<Option<Spent>> {
        let live = self.live.as_ref().filter(|l| !l.dry);
        live.map_or(Ok(None), |l| l.purse.spent(l.lock.dir()))
    }

    /// Requests that are still wanted.
    pub(super) fn pending(&self) -> u64 {
        self.stages.iter().map(|s| s.pending).sum()
    }

    /// How the run ended.
    pub(super) fn exit(&self) -> Exit {
        match &self.stopped {
            Some(reason) => Exit::of_stop(reason),
            None if self.pending() > 0 => Exit::Incomplete,
            None => Exit::Ok,
        }
    }
}

impl Live<'_> {
    /// Who was asked in vain: by the job that was left last, else by the first that still wants
    /// something.
    fn blamed<J: Job>(
        &self,
        jobs: &[J],
        replies: &LedgerReplies,
        last: Option<&str>,
    ) -> Option<&Asked> {
        let wanted = |job: &J| job.step(replies).ask.into_iter().next();
        let by_name = jobs.iter().filter(|j| Some(&*j.id()) == last);
        let request = by_name.chain(jobs).find_map(wanted)?;
        let exact = self.asked.iter().find(|a| a.identity == request.judge);
        let longer = || {
            let same = |a: &&&Asked| a.identity.is_same_but_for_length(&request.judge);
            self.asked.iter().find(same)
        };
        exact.or_else(longer).copied()
    }

    fn setup(&self, bar: &Bar, trouble: &LastTrouble) -> anyhow::Result<Setup> {
        let mut lanes: Vec<Lane> = vec![];
        for (at, one) in self.asked.iter().enumerate() {
            // One name may play two parts.
            let twin = |other: &&&Asked| other.identity == one.identity;
            if self.asked[..at].iter().find(twin).is_none() {
                lanes.push(self.calls.lane(&one.judge, one.identity.clone())?);
            }
        }
        let mut setup = Setup::new(lanes);
        setup.budget = self.purse.budget(self.lock.dir())?;
        setup.reuse = self.calls.calls.reuse(self.runs, self.lock.dir())?;
        setup.options = self.calls.execute(ExecuteOptions {
            ask_again: self.retry.iter().copied().collect(),
            ..ExecuteOptions::default()
        })?;
        let watching = trouble.clone();
        setup.observers = observers(self.lock.dir(), bar)?.with(move |e| watching.observe(e));
        Ok(setup)
    }
}

/// Outcomes that `--retry` means. Replies that were read and hold nothing usable stay settled.
fn outcomes(names: &[String]) -> anyhow::Result<Vec<Outcome>> {
    let meant = reasons(names, &RETRIED_OF_MODELS)?
        .into_iter()
        .flat_map(Outcome::meant_by);
    Ok(meant.copied().collect())
}
