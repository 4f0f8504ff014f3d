//! What every command that calls somebody shares: lanes, retries, observers, signals.

use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use verispec_engine::events::{EventLog, Observers};
use verispec_engine::execute::{ExecuteOptions, Lane, RetryPolicy, Stop, StopLevel};
use verispec_model::JudgeIdentity;

use crate::connect::{lane, transport};
use crate::exit::usage;
use crate::judge::Judge;
use crate::progress::Bar;

/// Requests in flight unless something is said: enough to hide latency, few enough for any
/// provider's first tier.
pub(crate) const CONCURRENCY: usize = 16;

/// Time between two lines of progress without a terminal.
const PROGRESS: Duration = Duration::from_secs(30);

/// Threads that prepare images or run the builtin judge, for each core one and two that wait for
/// the disk. Each keeps memory of its own, and more than the cores can feed gain nothing.
pub(crate) fn blocking_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from) + 2
}

/// How calls are made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallOptions {
    /// Most requests in flight to one judge.
    pub(crate) concurrency: Option<usize>,
    /// Seconds that one attempt may take.
    pub(crate) timeout: u64,
    /// Seconds that one request may take over all attempts.
    pub(crate) item_timeout: Option<u64>,
    /// Further attempts after a failed one.
    pub(crate) max_retries: u32,
    /// Longest wait before the first further attempt, seconds.
    pub(crate) backoff: f64,
}

impl CallOptions {
    /// The lane of one judge.
    pub(crate) fn lane(&self, judge: &Judge, identity: Arc<JudgeIdentity>) -> anyhow::Result<Lane> {
        let concurrency = self.concurrency.or(judge.max_concurrency);
        let concurrency = concurrency.unwrap_or(CONCURRENCY).max(1);
        let transport = transport(judge, Duration::from_secs(self.timeout))?;
        Ok(lane(judge, identity, transport, concurrency))
    }

    /// Attempts and waits; `base` says what is asked again.
    pub(crate) fn execute(&self, base: ExecuteOptions) -> anyhow::Result<ExecuteOptions> {
        Ok(ExecuteOptions {
            retry: RetryPolicy {
                max_retries: self.max_retries,
                base: Duration::try_from_secs_f64(self.backoff)
                    .map_err(|_| usage("--backoff takes a number of seconds"))?,
                ..RetryPolicy::default()
            },
            item_timeout: self.item_timeout.map(Duration::from_secs),
            ..base
        })
    }
}

/// The run's log of events, and the bar.
pub(crate) fn observers(dir: &Path, bar: &Bar) -> anyhow::Result<Observers> {
    let log = EventLog::open(dir)?;
    let bar = bar.clone();
    Ok(Observers::default()
        .with(move |e| log.write(e))
        .with(move |e| bar.observe(e)))
}

/// Runs work that calls to its end, with signals and progress.
pub(crate) fn block_on<W: Future>(stop: Stop, bar: &Bar, work: W) -> anyhow::Result<W::Output> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(blocking_threads())
        .build()
        .context("cannot start the runtime")?;
    Ok(runtime.block_on(async {
        watch_signals(stop, bar.clone());
        tokio::spawn(tell_progress(bar.clone()));
        work.await
    }))
}

/// First interrupt: no new requests; second: leave those under way.
pub(crate) fn watch_signals(stop: Stop, bar: Bar) {
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            if stop.level() == StopLevel::Run {
                bar.say(&format!(
                    "stopping: waiting for {} calls under way (up to 10 s); Ctrl-C again leaves \
                     them",
                    bar.under_way()
                ));
            }
            stop.raise_once();
        }
    });
}

/// Says where the run stands from time to time, where no bar shows it.
pub(crate) async fn tell_progress(bar: Bar) {
    loop {
        tokio::time::sleep(PROGRESS).await;
        bar.tell();
    }
}
