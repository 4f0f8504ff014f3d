//! Stepping all jobs without a call, on all cores.

use verispec_model::{Job, Replies, Step, parallel};

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
    parallel::map(jobs, |job| keep(job, job.step(replies)))
}
