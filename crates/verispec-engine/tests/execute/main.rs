//! The executor, with a judge that answers by script and a clock that jumps.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod asking;
mod failures;
mod forgetting;
mod resuming;
mod stopping;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::{Fake, ListJob, api_error, judge, one_each, request, text_of};
use tempfile::TempDir;
use verispec_engine::events::{Event, Observers};
use verispec_engine::execute::{
    Executed, Jitter, Lane, RetryPolicy, Setup, Stop, StopLevel, StopReason, execute, read_all,
};
use verispec_engine::ledger::{LEDGER_FILE, Ledger, LedgerReplies, Outcome, Reuse, RunLock};
use verispec_engine::transport::{Failure, InProcess, LocalError};
use verispec_model::{
    ApiError, ApiErrorKind, Finish, Job, JudgeIdentity, Replies, Reply, Request, Settled, Step,
    Unjudged, request_key,
};

const NOW: Duration = Duration::ZERO;

fn lane(judge: &Arc<JudgeIdentity>, fake: &Arc<Fake>, concurrency: usize) -> Lane {
    Lane::new(judge.clone(), fake.clone(), concurrency)
}

fn setup(judge: &Arc<JudgeIdentity>, fake: &Arc<Fake>, concurrency: usize) -> Setup {
    let mut setup = Setup::new(vec![lane(judge, fake, concurrency)]);
    setup.options.retry.jitter = Jitter::Fixed(0.5);
    setup
}

async fn run<J>(dir: &TempDir, jobs: &[J], setup: Setup) -> Executed<J::Readings>
where
    J: Job<Readings: PartialEq + std::fmt::Debug>,
{
    let lock = RunLock::acquire(dir.path()).unwrap();
    let done = execute(jobs, &lock, setup).await.unwrap();
    let again = read_all(jobs, &done.replies)
        .into_iter()
        .map(|s| s.readings);
    assert_eq!(done.readings, again.collect::<Vec<_>>());
    done
}

/// What observers are told.
fn listen(setup: &mut Setup) -> Arc<Mutex<Vec<Event>>> {
    let events = Arc::new(Mutex::new(vec![]));
    let sink = events.clone();
    setup.observers = std::mem::take(&mut setup.observers)
        .with(move |e: &Event| sink.lock().unwrap().push(e.clone()));
    events
}

fn answer(text: &str) -> Option<Settled> {
    Some(Settled::Answered(Reply::text(text)))
}
