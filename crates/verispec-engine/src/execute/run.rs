//! An execution from loading the ledger to the summary.

use std::collections::HashSet;
use std::time::Instant;

use verispec_model::{Hash, Job, request_key};

use super::dispatcher::dispatch;
use super::live::Live;
use super::replay::map_steps;
use super::setup::Setup;
use super::stop::StopLevel;
use super::summary::{StopReason, Summary};
use crate::events::Event;
use crate::ledger::{LEDGER_FILE, LedgerError, LedgerReplies, LedgerWriter, RunLock};

/// What an execution leaves behind.
#[derive(Debug)]
pub struct Executed<R> {
    /// Counts.
    pub summary: Summary,
    /// What every job reads out of the replies, in the order of the jobs.
    pub readings: Vec<R>,
    /// Everything that is settled now, as a reload of the ledger would show it.
    pub replies: LedgerReplies,
}

/// Runs jobs until all are done, none can go on, or the run is stopped.
///
/// Settled requests cost nothing: if no job wants a call, no file is touched. Requests with equal
/// keys are asked once. New requests are sent as soon as a slot is free, in the order of the
/// jobs. Needs a tokio runtime with time and, for HTTP, I/O.
///
/// # Errors
/// The ledger cannot be read or opened. What goes wrong later ends the run in order and stands in
/// [`Summary::stopped`].
pub async fn execute<J: Job>(
    jobs: &[J],
    run: &RunLock,
    setup: Setup,
) -> Result<Executed<J::Readings>, LedgerError> {
    execute_keeping(jobs, run, setup, |readings| readings).await
}

/// As [`execute`], keeping of each job's readings only what `keep` makes of them: the readings of
/// a large run take more memory than all the rest.
///
/// # Errors
/// As [`execute`].
pub async fn execute_keeping<J: Job, K: Send>(
    jobs: &[J],
    run: &RunLock,
    mut setup: Setup,
    keep: impl Fn(J::Readings) -> K + Sync,
) -> Result<Executed<K>, LedgerError> {
    let begin = Instant::now();
    let path = run.dir().join(LEDGER_FILE);
    let settled = match setup.settled.take() {
        Some(settled) => settled,
        None => LedgerReplies::load(&path)?,
    };
    let mut live = Live::new(settled, &setup.options);
    let (first, mut readings) = survey(jobs, &live, false, &keep);
    let mut summary = Summary {
        jobs: jobs.len() as u64,
        jobs_done: first.done(),
        settled_before: live.settled() as u64,
        ..Summary::default()
    };
    setup.observers.emit(&Event::RunStarted {
        jobs: summary.jobs,
        jobs_done: summary.jobs_done,
        settled: summary.settled_before,
        missing: first.missing.len() as u64,
    });
    warn_of_stored(&setup, &live);
    let (observers, stop) = (setup.observers.clone(), setup.stop.clone());
    if !first.missing.is_empty() {
        drop(readings);
        let writer = LedgerWriter::open(&path, setup.options.ledger)?;
        live = dispatch(jobs, &first, live, setup, writer, &mut summary).await;
        let last;
        (last, readings) = survey(jobs, &live, true, &keep);
        summary.jobs_done = last.done();
        summary.pending = last.missing.len() as u64;
        if stop.level() >= StopLevel::Drain && !summary.is_complete() {
            summary.stopped.get_or_insert(StopReason::Interrupted);
        }
    }
    summary.elapsed = begin.elapsed();
    observers.emit(&Event::RunFinished {
        summary: summary.clone(),
    });
    if live.hides_replies() {
        readings = map_steps(jobs, live.replies(), |_, step| Some(keep(step.readings)));
    }
    Ok(Executed {
        summary,
        // Every job's are there: the last survey keeps all, the first if nothing was wanted.
        readings: readings.into_iter().flatten().collect(),
        replies: live.into_replies(),
    })
}

/// Says what is odd about what is stored.
fn warn_of_stored(setup: &Setup, live: &Live) {
    let replies = live.replies();
    for line in replies.unreadable() {
        setup
            .observers
            .warn(format!("{line}; it counts as unjudged"));
    }
    if replies.conflicts() > 0 {
        let n = replies.conflicts();
        setup.observers.warn(format!(
            "{n} requests have different replies; the first one counts"
        ));
    }
    for error in setup.reuse.skipped() {
        setup
            .observers
            .warn(format!("a run is not reused: {error}"));
    }
}

/// Which jobs are open and what they want.
pub(crate) struct Survey {
    /// Whether each job wants something.
    pub(crate) open: Vec<bool>,
    /// Distinct requests that are wanted.
    pub(crate) missing: HashSet<Hash>,
}

impl Survey {
    fn done(&self) -> u64 {
        self.open.iter().filter(|open| !**open).count() as u64
    }
}

/// Steps every job once: what is wanted, and what can be read so far; of jobs that want something
/// only if `partial`, because a run that has just begun would hold blanks for all of them.
fn survey<J: Job, K: Send>(
    jobs: &[J],
    live: &Live,
    partial: bool,
    keep: &(impl Fn(J::Readings) -> K + Sync),
) -> (Survey, Vec<Option<K>>) {
    let steps = map_steps(jobs, live, |_, step| {
        let wanted: Vec<Hash> = step.ask.iter().map(request_key).collect();
        let kept = (partial || wanted.is_empty()).then(|| keep(step.readings));
        (wanted, kept)
    });
    let (wanted, readings): (Vec<_>, Vec<_>) = steps.into_iter().unzip();
    let open = wanted.iter().map(|keys| !keys.is_empty()).collect();
    let missing = wanted.into_iter().flatten().collect();
    (Survey { open, missing }, readings)
}
