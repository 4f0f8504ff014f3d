//! An execution from loading the ledger to the summary.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use verispec_model::{Hash, Job, Step, parallel, request_key};

use super::dispatcher::{Work, dispatch};
use super::live::Live;
use super::replay::map_steps;
use super::setup::Setup;
use super::shelf::Shelf;
use super::stop::StopLevel;
use super::summary::{StopReason, Summary};
use crate::events::Event;
use crate::ledger::{
    KeyStarts, LEDGER_FILE, LedgerError, LedgerReplies, LedgerWriter, RunLock, hash_prefix,
};

/// What an execution leaves behind.
#[derive(Debug)]
pub struct Executed<R> {
    /// Counts.
    pub summary: Summary,
    /// What every job reads out of the replies, in the order of the jobs.
    pub readings: Vec<R>,
    /// Everything that is settled now, as a reload of the ledger would show it; of what was left to
    /// the ledger, replies alone.
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
    let jobs = jobs.iter().collect();
    drive(jobs, run, setup, |readings| readings, false).await
}

/// As [`execute`], for runs that are larger than memory should be: a job is let go of when it is
/// done, of its readings only what `keep` makes of them is kept, and its replies are left to the
/// ledger, from where [`Executed::replies`] reads them again one by one.
///
/// # Errors
/// As [`execute`].
pub async fn execute_keeping<J: Job, K: Send>(
    jobs: Vec<J>,
    run: &RunLock,
    setup: Setup,
    keep: impl Fn(J::Readings) -> K + Sync,
) -> Result<Executed<K>, LedgerError> {
    drive(jobs, run, setup, keep, true).await
}

async fn drive<J: Job, K: Send>(
    jobs: Vec<J>,
    run: &RunLock,
    mut setup: Setup,
    keep: impl Fn(J::Readings) -> K + Sync,
    forget: bool,
) -> Result<Executed<K>, LedgerError> {
    let begin = Instant::now();
    let path = run.dir().join(LEDGER_FILE);
    let settled = match setup.settled.take() {
        Some(settled) => settled,
        None => LedgerReplies::load(&path)?,
    };
    let mut live = Live::new(settled, &setup.options);
    let mut summary = Summary {
        jobs: jobs.len() as u64,
        settled_before: live.settled() as u64,
        ..Summary::default()
    };
    let (first, jobs, mut readings) = survey(jobs, &live, &keep);
    summary.jobs_done = summary.jobs - count(&jobs);
    setup.observers.emit(&Event::RunStarted {
        jobs: summary.jobs,
        jobs_done: summary.jobs_done,
        settled: summary.settled_before,
        missing: first.missing.len() as u64,
    });
    warn_of_stored(&setup, &live);
    let (observers, stop) = (setup.observers.clone(), setup.stop.clone());
    if !first.missing.is_empty() {
        let writer = LedgerWriter::open(&path, setup.options.ledger)?;
        let taken = Mutex::new(readings);
        let work = Work {
            jobs,
            first: &first,
            shelf: forget.then(|| Shelf::new(&path, &first.shared)),
            done: &|index, made| locked(&taken)[index] = Some(keep(made)),
        };
        let open;
        (live, open) = dispatch(work, live, setup, writer, &mut summary).await;
        readings = taken.into_inner().unwrap_or_else(PoisonError::into_inner);
        let rest = complete(&open, &mut readings, &live, &keep);
        summary.jobs_done = summary.jobs - rest.jobs;
        summary.pending = rest.requests;
        if stop.level() >= StopLevel::Drain && !summary.is_complete() {
            summary.stopped.get_or_insert(StopReason::Interrupted);
        }
    }
    summary.elapsed = begin.elapsed();
    observers.emit(&Event::RunFinished {
        summary: summary.clone(),
    });
    Ok(Executed {
        summary,
        readings: readings.into_iter().flatten().collect(),
        replies: live.into_replies(),
    })
}

/// Jobs that want something; those that are done are gone.
pub(crate) type Open<J> = Vec<Option<J>>;

fn count<J>(open: &Open<J>) -> u64 {
    open.iter().flatten().count() as u64
}

/// What a run leaves undone.
struct Rest {
    /// Jobs that still want something.
    jobs: u64,
    /// Distinct requests that they want.
    requests: u64,
}

/// Fills in the readings of jobs that are still open: of those whose last replies came while the
/// run was being stopped, which want nothing more, and of those that are not done. Readings are
/// from all that is stored: a reply that was set aside to be asked again counts as long as no other
/// has come.
fn complete<J: Job, K: Send>(
    open: &Open<J>,
    readings: &mut [Option<K>],
    live: &Live,
    keep: &(impl Fn(J::Readings) -> K + Sync),
) -> Rest {
    let jobs: Vec<(usize, &J)> = open
        .iter()
        .enumerate()
        .filter_map(|(index, job)| Some((index, job.as_ref()?)))
        .collect();
    let stepped = parallel::map(&jobs, |(_, job)| {
        let step = job.step(live);
        let wanted: Vec<Hash> = step.ask.iter().map(request_key).collect();
        let known = match live.sets_aside() {
            true => job.step(live.replies()).readings,
            false => step.readings,
        };
        (wanted, keep(known))
    });
    let (mut undone, mut requests) = (0, HashSet::new());
    for ((index, _), (wanted, kept)) in jobs.into_iter().zip(stepped) {
        undone += u64::from(!wanted.is_empty());
        requests.extend(wanted);
        readings[index] = Some(kept);
    }
    Rest {
        jobs: undone,
        requests: requests.len() as u64,
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
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

/// What the jobs of a run want, by the start of the keys.
#[derive(Default)]
pub(crate) struct Survey {
    /// Distinct requests that are wanted.
    pub(crate) missing: KeyStarts,
    /// Those that are wanted more than once.
    pub(crate) shared: KeyStarts,
}

impl Survey {
    fn add(&mut self, wanted: &[u64]) {
        for key in wanted {
            if !self.missing.insert(*key) {
                self.shared.insert(*key);
            }
        }
    }
}

/// Jobs whose steps are in memory together.
const AT_A_TIME: usize = 8192;

/// Steps every job once: what is wanted, the jobs that want something, and the readings of those
/// that want nothing.
fn survey<J: Job, K: Send>(
    jobs: Vec<J>,
    live: &Live,
    keep: &(impl Fn(J::Readings) -> K + Sync),
) -> (Survey, Open<J>, Vec<Option<K>>) {
    let look = |_: &J, step: Step<J::Readings>| {
        let keys = step.ask.iter().map(request_key);
        let wanted: Box<[u64]> = keys.map(|key| hash_prefix(&key)).collect();
        let kept = wanted.is_empty().then(|| keep(step.readings));
        (wanted, kept)
    };
    let mut survey = Survey::default();
    let mut readings: Vec<Option<K>> = Vec::with_capacity(jobs.len());
    for some in jobs.chunks(AT_A_TIME) {
        for (wanted, kept) in map_steps(some, live, look) {
            survey.add(&wanted);
            readings.push(kept);
        }
    }
    let mut open: Open<J> = jobs.into_iter().map(Some).collect();
    for (job, kept) in open.iter_mut().zip(&readings) {
        job.take_if(|_| kept.is_some());
    }
    (survey, open, readings)
}
