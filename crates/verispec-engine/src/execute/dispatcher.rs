//! The one task that knows everything: which jobs are open, what is asked, what is settled.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinSet;
use verispec_model::{Hash, Job, Replies as _, Request, request_key};

use super::lane::{Health, Lane, Road};
use super::live::Live;
use super::replay::map_steps;
use super::setup::Setup;
use super::stop::StopLevel;
use super::summary::{StopReason, Summary};
use super::worker::{Ask, End, Message, Shared, work};
use crate::events::Event;
use crate::ledger::{Entry, LEDGER_FILE, LedgerError, LedgerReplies, LedgerWriter, Reuse, RunLock};
use crate::transport::Failure;

/// What an execution leaves behind.
#[derive(Debug)]
pub struct Executed {
    /// Counts.
    pub summary: Summary,
    /// Everything that is settled now, as a reload of the ledger would show it.
    pub replies: LedgerReplies,
}

/// Jobs that may be stepped before the runtime gets a turn.
const STEPS_AT_ONCE: usize = 64;

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
) -> Result<Executed, LedgerError> {
    let begin = Instant::now();
    let path = run.dir().join(LEDGER_FILE);
    let mut live = Live::new(LedgerReplies::load(&path)?, &setup.options);
    let first = survey(jobs, &live);
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
    let (observers, stop) = (setup.observers.clone(), setup.stop.clone());
    if !first.missing.is_empty() {
        let writer = LedgerWriter::open(&path, setup.options.ledger)?;
        live = dispatch(jobs, &first, live, setup, writer, &mut summary).await;
        let last = survey(jobs, &live);
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
    Ok(Executed {
        summary,
        replies: live.into_replies(),
    })
}

/// Which jobs are open and what they want.
struct Survey {
    open: Vec<bool>,
    missing: HashSet<Hash>,
}

impl Survey {
    fn done(&self) -> u64 {
        self.open.iter().filter(|open| !**open).count() as u64
    }
}

fn survey<J: Job>(jobs: &[J], live: &Live) -> Survey {
    let wanted = map_steps(jobs, live, |_, step| {
        step.ask.iter().map(request_key).collect::<Vec<Hash>>()
    });
    let open = wanted.iter().map(|keys| !keys.is_empty()).collect();
    Survey {
        open,
        missing: wanted.into_iter().flatten().collect(),
    }
}

async fn dispatch<J: Job>(
    jobs: &[J],
    first: &Survey,
    live: Live,
    setup: Setup,
    writer: LedgerWriter,
    summary: &mut Summary,
) -> Live {
    let (messages, inbox) = unbounded_channel();
    let Setup {
        lanes,
        reuse,
        options,
        stop,
        observers,
    } = setup;
    let shared = Arc::new(Shared {
        ledger: writer.handle(),
        retry: options.retry,
        stop: stop.clone(),
        observers: observers.clone(),
        messages,
    });
    let roads = lanes.iter().map(|lane| Arc::new(Road::new(lane))).collect();
    let health = lanes.iter().map(|_| Health::default()).collect();
    let mut dispatcher = Dispatcher {
        jobs,
        first,
        next_job: 0,
        live,
        reuse,
        open: HashMap::new(),
        waiting: HashMap::new(),
        left: HashSet::new(),
        queues: lanes.iter().map(|_| VecDeque::new()).collect(),
        active: vec![0; lanes.len()],
        lanes,
        roads,
        health,
        tasks: JoinSet::new(),
        shared,
        summary: std::mem::take(summary),
    };
    dispatcher.run(inbox, options.grace).await;
    let (live, counted) = dispatcher.close(writer).await;
    *summary = counted;
    live
}

/// A job with requests under way.
struct OpenJob {
    /// Requests of this step that are queued or under way.
    outstanding: usize,
    /// Number of the step that asked them.
    step: u32,
    /// Requests that wait for the first one of their step.
    held: Vec<Ask>,
}

/// How asking for what a step wants went.
enum Asked {
    /// Something is queued or under way.
    UnderWay,
    /// Replies of other runs answered all of it.
    AnsweredFromOtherRuns,
    /// Nothing more can be done for this job in this run.
    Nothing,
}

/// What became of one wanted request.
enum Prepared {
    Ask(Ask),
    Reused,
    Stopped,
}

struct Dispatcher<'j, J> {
    jobs: &'j [J],
    first: &'j Survey,
    next_job: usize,
    live: Live,
    reuse: Reuse,
    open: HashMap<usize, OpenJob>,
    /// Jobs that wait for a key that is queued or under way.
    waiting: HashMap<Hash, Vec<usize>>,
    /// Keys given up in this run.
    left: HashSet<Hash>,
    queues: Vec<VecDeque<Ask>>,
    active: Vec<usize>,
    lanes: Vec<Lane>,
    roads: Vec<Arc<Road>>,
    health: Vec<Health>,
    tasks: JoinSet<()>,
    shared: Arc<Shared>,
    summary: Summary,
}

impl<J: Job> Dispatcher<'_, J> {
    async fn run(&mut self, mut inbox: UnboundedReceiver<Message>, grace: std::time::Duration) {
        let stop = self.shared.stop.clone();
        let mut deadline = None;
        loop {
            let more = self.fill().await;
            if !more && self.active.iter().all(|n| *n == 0) {
                break;
            }
            let draining = stop.level() >= StopLevel::Drain;
            if draining && deadline.is_none() {
                deadline = Some(tokio::time::Instant::now() + grace);
            }
            let over = deadline.unwrap_or_else(tokio::time::Instant::now);
            tokio::select! {
                biased;
                Some(message) = inbox.recv() => self.take(message).await,
                () = stop.reached(StopLevel::Drain), if !draining => {}
                () = tokio::time::sleep_until(over), if draining && stop.level() < StopLevel::Abort => {
                    stop.raise(StopLevel::Abort);
                }
                () = tokio::task::yield_now(), if more => {}
            }
            while let Some(_finished) = self.tasks.try_join_next() {}
        }
        // Rows are still being committed.
        while self.tasks.join_next().await.is_some() {}
        while let Ok(message) = inbox.try_recv() {
            self.take(message).await;
        }
    }

    async fn close(self, writer: LedgerWriter) -> (Live, Summary) {
        let Self {
            live,
            shared,
            mut summary,
            ..
        } = self;
        drop(shared);
        let closed = tokio::task::spawn_blocking(|| writer.finish()).await;
        if let Ok(Err(error)) = closed {
            summary
                .stopped
                .get_or_insert(StopReason::Ledger(error.to_string()));
        }
        (live, summary)
    }

    /// Fills free slots; whether it left off with work at hand.
    async fn fill(&mut self) -> bool {
        if self.stopping() {
            return false;
        }
        let mut steps = 0;
        loop {
            self.launch();
            if !self.is_hungry() || self.next_job == self.jobs.len() {
                return false;
            }
            if steps == STEPS_AT_ONCE {
                return true;
            }
            let index = self.next_job;
            self.next_job += 1;
            if self.first.open[index] {
                steps += 1;
                self.step(index, 0).await;
            }
            if self.stopping() {
                return false;
            }
        }
    }

    fn stopping(&self) -> bool {
        self.shared.stop.level() >= StopLevel::Drain
    }

    /// Whether another job should be opened: some lane has room, and not too much is queued for
    /// the others meanwhile.
    fn is_hungry(&self) -> bool {
        let free = |lane: usize| {
            self.active[lane] + self.queues[lane].len() < self.roads[lane].limiter.limit()
        };
        let queued: usize = self.queues.iter().map(VecDeque::len).sum();
        let most: usize = self
            .lanes
            .iter()
            .map(|lane| 4 * lane.concurrency + 64)
            .sum();
        (0..self.lanes.len()).any(free) && queued < most
    }

    fn launch(&mut self) {
        for lane in 0..self.lanes.len() {
            while self.active[lane] < self.roads[lane].limiter.limit() {
                let Some(ask) = self.queues[lane].pop_front() else {
                    break;
                };
                self.active[lane] += 1;
                self.tasks
                    .spawn(work(self.shared.clone(), self.roads[lane].clone(), ask));
            }
        }
    }

    /// Steps a job and queues what it wants; repeats while stored replies of other runs answer.
    async fn step(&mut self, index: usize, number: u32) {
        let mut number = number;
        loop {
            let wanted = self.jobs[index].step(&self.live).ask;
            if wanted.is_empty() {
                self.open.remove(&index);
                let job = self.jobs[index].id().to_owned();
                self.shared.observers.emit(&Event::JobDone { job });
                return;
            }
            match self.ask(index, number, wanted).await {
                Asked::UnderWay => return,
                Asked::Nothing => {
                    self.open.remove(&index);
                    return;
                }
                Asked::AnsweredFromOtherRuns => number += 1,
            }
        }
    }

    async fn ask(&mut self, index: usize, number: u32, wanted: Vec<Request>) -> Asked {
        let mut asks = vec![];
        let mut joined = 0;
        let mut reused = false;
        for request in wanted {
            let key = request_key(&request);
            if let Some(jobs) = self.waiting.get_mut(&key) {
                if !jobs.contains(&index) {
                    jobs.push(index);
                    joined += 1;
                }
            } else if self.live.get(&key).is_some() {
                self.contradiction(index, &key);
            } else if !self.left.contains(&key) {
                match self.prepare(index, number, key, request).await {
                    Prepared::Ask(ask) => {
                        self.waiting.insert(key, vec![index]);
                        asks.push(ask);
                    }
                    Prepared::Reused => reused = true,
                    Prepared::Stopped => return Asked::Nothing,
                }
            }
        }
        let outstanding = asks.len() + joined;
        if outstanding == 0 {
            return if reused {
                Asked::AnsweredFromOtherRuns
            } else {
                Asked::Nothing
            };
        }
        let new = asks
            .iter()
            .filter(|a| !self.first.missing.contains(&a.key))
            .count() as u64;
        if new > 0 {
            self.shared
                .observers
                .emit(&Event::MoreWanted { requests: new });
        }
        let held = self.queue(asks);
        self.open.insert(
            index,
            OpenJob {
                outstanding,
                step: number,
                held,
            },
        );
        Asked::UnderWay
    }

    /// Queues requests, except those that wait for the first of their step.
    fn queue(&mut self, asks: Vec<Ask>) -> Vec<Ask> {
        let mut asks = asks.into_iter();
        let Some(first) = asks.next() else {
            return vec![];
        };
        let alone = self.lanes[first.lane].first_alone;
        self.queues[first.lane].push_back(first);
        if alone {
            return asks.collect();
        }
        asks.for_each(|ask| self.queues[ask.lane].push_back(ask));
        vec![]
    }

    /// Finds the lane of a request, or a reply of another run that makes the call needless.
    async fn prepare(&mut self, index: usize, step: u32, key: Hash, request: Request) -> Prepared {
        let is =
            |lane: &Lane| Arc::ptr_eq(&lane.judge, &request.judge) || lane.judge == request.judge;
        let Some(lane) = self.lanes.iter().position(is) else {
            let judge = format!("{} {}", request.judge.provider, request.judge.model);
            self.stop(StopReason::NoLane(judge));
            return Prepared::Stopped;
        };
        let again = self.live.is_asked_again(&key);
        let ask = Ask {
            key,
            request: Arc::new(request),
            lane,
            job: self.jobs[index].id().into(),
            step,
            round: self.live.next_round(&key),
        };
        // A request that is asked again on purpose wants a new reply, not an old one.
        if again || self.reuse.is_empty() {
            return Prepared::Ask(ask);
        }
        self.copy_from_other_runs(ask).await
    }

    async fn copy_from_other_runs(&mut self, ask: Ask) -> Prepared {
        let hit = match self.reuse.find(&ask.key, &ask.request) {
            Ok(hit) => hit,
            Err(error) => {
                self.shared
                    .observers
                    .warn(format!("reply of another run not reused: {error}"));
                None
            }
        };
        let Some(mut attempt) = hit else {
            return Prepared::Ask(ask);
        };
        attempt.round = ask.round;
        let entry = Entry::of_attempt(&attempt);
        let event = ask.settled_event(&attempt);
        match self.shared.ledger.record(ask.record(attempt)).await {
            Ok(committed) => {
                let shared = self.shared.clone();
                self.tasks
                    .spawn(async move { shared.confirm(committed, event).await });
                self.summary.reused += 1;
                self.live.settle(ask.key, entry);
                Prepared::Reused
            }
            Err(error) => {
                self.stop(StopReason::Ledger(error.to_string()));
                Prepared::Stopped
            }
        }
    }

    async fn take(&mut self, message: Message) {
        match message {
            Message::Attempted { outcome, usage } => {
                *self.summary.calls.entry(outcome).or_default() += 1;
                self.summary.add_usage(&usage);
            }
            Message::LedgerFailed(error) => self.stop(StopReason::Ledger(error)),
            Message::Ended { ask, end } => {
                self.active[ask.lane] -= 1;
                self.end(&ask, *end);
                for (index, step) in self.release(&ask.key) {
                    if !self.stopping() {
                        self.step(index, step + 1).await;
                    }
                }
            }
        }
    }

    fn end(&mut self, ask: &Ask, end: End) {
        let key = ask.key;
        match end {
            End::Settled(entry, failure) => {
                *self.summary.settled.entry(entry.outcome).or_default() += 1;
                self.live.settle(key, entry);
                match failure {
                    None => self.health[ask.lane].answer(),
                    Some(failure) => {
                        self.warn_of(ask, &failure);
                        self.note(ask.lane, &failure);
                    }
                }
            }
            End::Pending(failure) => {
                self.left.insert(key);
                let (job, why) = (ask.job.to_string(), failure.to_string());
                self.shared
                    .observers
                    .emit(&Event::RequestPending { key, job, why });
                self.note(ask.lane, &failure);
            }
            End::Interrupted => {
                self.left.insert(key);
            }
            End::Stop(reason) => {
                self.left.insert(key);
                self.stop(reason);
            }
        }
    }

    fn warn_of(&self, ask: &Ask, failure: &Failure) {
        self.shared.observers.warn(format!(
            "job {}, request {}: left unjudged after {failure}",
            ask.job,
            ask.key.short()
        ));
    }

    fn note(&mut self, lane: usize, failure: &Failure) {
        if let Some(reason) = self.health[lane].failure(failure) {
            self.stop(reason);
        }
    }

    /// Takes a key off the jobs that wait for it; returns those whose step is complete, with the
    /// step's number.
    fn release(&mut self, key: &Hash) -> Vec<(usize, u32)> {
        let mut complete = vec![];
        for index in self.waiting.remove(key).unwrap_or_default() {
            let Some(open) = self.open.get_mut(&index) else {
                continue;
            };
            open.outstanding -= 1;
            if open.outstanding == 0 {
                complete.push((index, open.step));
                continue;
            }
            // In front of other jobs, while the provider's cache is warm.
            for ask in std::mem::take(&mut open.held).into_iter().rev() {
                self.queues[ask.lane].push_front(ask);
            }
        }
        complete
    }

    /// A job that asks for what it has would be stepped for ever.
    fn contradiction(&self, index: usize, key: &Hash) {
        let job = self.jobs[index].id();
        self.shared.observers.warn(format!(
            "job {job} asks for request {}, which is settled; it is left alone",
            key.short()
        ));
    }

    fn stop(&mut self, reason: StopReason) {
        self.summary.stopped.get_or_insert(reason);
        self.shared.stop.raise(StopLevel::Drain);
    }
}
