//! What every command that calls somebody shares: lanes, retries, observers, signals.

use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use verispec_engine::events::{EventLog, Observers};
use verispec_engine::execute::{ExecuteOptions, Lane, RetryPolicy, Stop, StopLevel, Summary};
use verispec_engine::ledger::{Outcome, Reuse};
use verispec_engine::transport::Transport;
use verispec_model::{JudgeIdentity, Unjudged};
use verispec_report::{RunSummary, Tokens};

use crate::args::CallArgs;
use crate::connect::{lane, transport};
use crate::exit::usage;
use crate::judge::Judge;
use crate::progress::Bar;

/// Requests in flight unless something is said: enough to hide latency, few enough for any
/// provider's first tier.
const CONCURRENCY: usize = 16;

/// Time between two lines of progress without a terminal.
const PROGRESS: Duration = Duration::from_secs(30);

/// Threads that prepare images or run the builtin judge, for each core one and two that wait for
/// the disk. Each keeps memory of its own, and more than the cores can feed gain nothing.
fn blocking_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from) + 2
}

impl CallArgs {
    /// Replies of the runs that were named, and of those beside this one.
    pub(crate) fn reuse(&self, runs: &Path, own: &Path) -> anyhow::Result<Reuse> {
        let mut reuse = Reuse::open(&self.reuse)?;
        reuse.add_siblings(runs, own)?;
        Ok(reuse)
    }
}

/// How calls are made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallOptions<'a> {
    /// Most requests in flight to one judge.
    pub(crate) concurrency: Option<usize>,
    /// Seconds that one attempt may take.
    pub(crate) timeout: u64,
    /// Attempts and waits.
    pub(crate) calls: &'a CallArgs,
}

impl CallOptions<'_> {
    /// The lane of one judge.
    pub(crate) fn lane(&self, judge: &Judge, identity: Arc<JudgeIdentity>) -> anyhow::Result<Lane> {
        let transport = transport(judge, self.timeout())?;
        Ok(self.lane_by(judge, identity, transport))
    }

    /// The lane of one judge that is reached in another way.
    pub(crate) fn lane_by(
        &self,
        judge: &Judge,
        identity: Arc<JudgeIdentity>,
        transport: Arc<dyn Transport>,
    ) -> Lane {
        let concurrency = self.concurrency.or(judge.max_concurrency);
        let concurrency = concurrency.unwrap_or(CONCURRENCY).max(1);
        lane(judge, identity, transport, concurrency)
    }

    /// Time for one attempt.
    pub(crate) const fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }

    /// Attempts and waits; `base` says what is asked again.
    pub(crate) fn execute(&self, base: ExecuteOptions) -> anyhow::Result<ExecuteOptions> {
        Ok(ExecuteOptions {
            retry: RetryPolicy {
                max_retries: self.calls.max_retries,
                base: Duration::try_from_secs_f64(self.calls.backoff)
                    .map_err(|_| usage("--backoff takes a number of seconds"))?,
                ..RetryPolicy::default()
            },
            item_timeout: self.calls.item_timeout.map(Duration::from_secs),
            ..base
        })
    }
}

/// Reasons that `--retry` knows where models are asked that are no judges.
pub(crate) const RETRIED_OF_MODELS: [Unjudged; 5] = [
    Unjudged::Refused,
    Unjudged::Truncated,
    Unjudged::Unparsed,
    Unjudged::Timeout,
    Unjudged::ProviderError,
];

/// Reasons that `--retry` names.
pub(crate) fn reasons(names: &[String], known: &[Unjudged]) -> anyhow::Result<Vec<Unjudged>> {
    let parse = |name: &String| {
        let found = known.iter().find(|r| r.as_str() == name).copied();
        found.ok_or_else(|| {
            let known: Vec<&str> = known.iter().map(|r| r.as_str()).collect();
            let known = known.join(", ");
            usage(format!("--retry: no reason {name:?}; reasons: {known}"))
        })
    };
    names.iter().map(parse).collect()
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
fn watch_signals(stop: Stop, bar: Bar) {
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
async fn tell_progress(bar: Bar) {
    loop {
        tokio::time::sleep(PROGRESS).await;
        bar.tell();
    }
}

/// What an execution did, for its end; what it was about is left open.
pub(crate) fn run_summary(run: &str, dir: &Path, s: &Summary, retries: u64) -> RunSummary {
    let settled: u64 = s.settled.values().sum();
    let answered = s.settled.get(&Outcome::Answered).copied().unwrap_or(0);
    let errors = s.calls.iter().filter(|(o, _)| !o.has_reply());
    RunSummary {
        run: run.to_owned(),
        folder: dir.display().to_string(),
        calls: s.calls_made(),
        retries,
        reused: s.settled_before + s.reused,
        answered,
        failed: settled - answered,
        pending: s.pending,
        errors: errors.map(|(o, n)| (o.as_str().to_owned(), *n)).collect(),
        tokens: Tokens {
            input: s.usage.input.unwrap_or(0),
            cached: s.usage.cached.unwrap_or(0),
            output: s.usage.output.unwrap_or(0),
            reasoning: s.usage.reasoning.unwrap_or(0),
            unknown: s.usage_unknown,
        },
        seconds: s.elapsed.as_secs_f64(),
        ..RunSummary::default()
    }
}
