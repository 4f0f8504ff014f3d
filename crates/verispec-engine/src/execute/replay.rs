//! Stepping all jobs without a call, on all cores.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use verispec_model::{Job, Replies, Step};

/// Jobs that one thread takes at a time.
const CHUNK: usize = 32;

/// What every job makes of these replies, in the order of the jobs. Pure: no call, no clock.
pub fn read_all<J: Job>(jobs: &[J], replies: &(impl Replies + Sync)) -> Vec<Step<J::Readings>> {
    map_steps(jobs, replies, |_, step| step)
}

/// As [`read_all`], keeping of each step only what `keep` makes of it: requests of pending jobs
/// hold whole prompts and need not stay in memory.
pub fn map_steps<J, R, T, F>(jobs: &[J], replies: &R, keep: F) -> Vec<T>
where
    J: Job,
    R: Replies + Sync,
    T: Send,
    F: Fn(&J, Step<J::Readings>) -> T + Sync,
{
    map_jobs(jobs, |job| keep(job, job.step(replies)))
}

/// The same work for every job, on all cores, in the order of the jobs.
pub fn map_jobs<J: Sync, T: Send>(jobs: &[J], work: impl Fn(&J) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(jobs.len().div_ceil(CHUNK)).max(1);
    let next = AtomicUsize::new(0);
    let part = || {
        let mut done: Vec<(usize, Vec<T>)> = vec![];
        loop {
            let start = next.fetch_add(CHUNK, Relaxed);
            let Some(rest) = jobs.get(start..).filter(|rest| !rest.is_empty()) else {
                return done;
            };
            let chunk = rest.iter().take(CHUNK);
            done.push((start, chunk.map(&work).collect()));
        }
    };
    let mut parts = if threads == 1 {
        part()
    } else {
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..threads).map(|_| scope.spawn(part)).collect();
            let joined = handles.into_iter().map(|h| match h.join() {
                Ok(part) => part,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.flatten().collect()
        })
    };
    parts.sort_by_key(|(start, _)| *start);
    parts.into_iter().flat_map(|(_, part)| part).collect()
}
