//! An execution from loading the ledger to the summary.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use verispec_model::{Hash, Job, parallel, request_key};

use super::dispatcher::{Work, dispatch};
use super::live::Live;
use super::replay::map_steps;
use super::setup::Setup;
use super::shelf::Shelf;
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
    drive(jobs, run, setup, |readings| readings, false).await
}

/// As [`execute`], for runs that are larger than memory should be: of each job's readings only
/// what `keep` makes of them is kept, and replies of finished jobs are left to the ledger, from
/// where [`Executed::replies`] reads them again one by one.
///
/// # Errors
/// As [`execute`].
pub async fn execute_keeping<J: Job, K: Send>(
    jobs: &[J],
    run: &RunLock,
    setup: Setup,
    keep: impl Fn(J::Readings) -> K + Sync,
) -> Result<Executed<K>, LedgerError> {
    drive(jobs, run, setup, keep, true).await
}

async fn drive<J: Job, K: Send>(
    jobs: &[J],
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
    let (first, readings) = survey(jobs, &live, &keep);
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
    let readings = Mutex::new(readings);
    if !first.missing.is_empty() {
        let writer = LedgerWriter::open(&path, setup.options.ledger)?;
        let work = Work {
            jobs,
            first: &first,
            shelf: forget.then(|| Shelf::new(&path, &first.shared)),
            done: &|index, made| locked(&readings)[index] = Some(keep(made)),
        };
        live = dispatch(work, live, setup, writer, &mut summary).await;
        let last = look_again(jobs, &live, &locked(&readings));
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
    let readings = readings
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    Ok(Executed {
        summary,
        readings: complete(jobs, readings, live.replies(), &keep),
        replies: live.into_replies(),
    })
}

/// Readings of the jobs that are not done, from all that is stored: a reply that was set aside to
/// be asked again counts as long as no other has come.
fn complete<J: Job, K: Send>(
    jobs: &[J],
    readings: Vec<Option<K>>,
    replies: &LedgerReplies,
    keep: &(impl Fn(J::Readings) -> K + Sync),
) -> Vec<K> {
    let open: Vec<&J> = open_ones(jobs, &readings).collect();
    let mut rest = parallel::map(&open, |job| keep(job.step(replies).readings)).into_iter();
    readings
        .into_iter()
        .filter_map(|known| known.or_else(|| rest.next()))
        .collect()
}

fn open_ones<'j, J, K>(jobs: &'j [J], readings: &[Option<K>]) -> impl Iterator<Item = &'j J> {
    let open = jobs
        .iter()
        .zip(readings)
        .filter(|(_, known)| known.is_none());
    open.map(|(job, _)| job)
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

/// Which jobs are open and what they want.
pub(crate) struct Survey {
    /// Whether each job wants something.
    pub(crate) open: Vec<bool>,
    /// Distinct requests that are wanted.
    pub(crate) missing: HashSet<Hash>,
    /// Those that are wanted more than once.
    pub(crate) shared: HashSet<Hash>,
}

impl Survey {
    fn of(wanted: &[Vec<Hash>]) -> Self {
        let (mut missing, mut shared) = (HashSet::new(), HashSet::new());
        for key in wanted.iter().flatten() {
            if !missing.insert(*key) {
                shared.insert(*key);
            }
        }
        Self {
            open: wanted.iter().map(|keys| !keys.is_empty()).collect(),
            missing,
            shared,
        }
    }

    fn done(&self) -> u64 {
        self.open.iter().filter(|open| !**open).count() as u64
    }
}

/// Steps every job once: what is wanted, and the readings of jobs that want nothing.
fn survey<J: Job, K: Send>(
    jobs: &[J],
    live: &Live,
    keep: &(impl Fn(J::Readings) -> K + Sync),
) -> (Survey, Vec<Option<K>>) {
    let steps = map_steps(jobs, live, |_, step| {
        let wanted: Vec<Hash> = step.ask.iter().map(request_key).collect();
        let kept = wanted.is_empty().then(|| keep(step.readings));
        (wanted, kept)
    });
    let (wanted, readings): (Vec<_>, Vec<_>) = steps.into_iter().unzip();
    (Survey::of(&wanted), readings)
}

/// What jobs without readings still want after a run; those with readings are done.
fn look_again<J: Job, K>(jobs: &[J], live: &Live, readings: &[Option<K>]) -> Survey {
    let open: Vec<&J> = open_ones(jobs, readings).collect();
    let wanted = |job: &&J| job.step(live).ask.iter().map(request_key).collect();
    let mut rest = parallel::map(&open, wanted).into_iter();
    let all = readings.iter().map(|known| match known {
        Some(_) => vec![],
        None => rest.next().unwrap_or_default(),
    });
    Survey::of(&all.collect::<Vec<Vec<Hash>>>())
}
