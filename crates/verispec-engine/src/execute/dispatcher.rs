//! The one task that knows everything: which jobs are open, what is asked, what is settled.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinSet;
use verispec_model::{Hash, Job};

use super::budget::Meter;
use super::lane::{Health, Lane, Road};
use super::live::Live;
use super::run::{Open, Survey};
use super::setup::Setup;
use super::shelf::Shelf;
use super::stop::StopLevel;
use super::summary::{StopReason, Summary};
use super::worker::{Ask, End, Message, Shared, work};
use crate::events::Event;
use crate::ledger::{Entry, LedgerWriter, Reuse};
use crate::transport::Failure;

/// Jobs that may be stepped before the runtime gets a turn.
const STEPS_AT_ONCE: usize = 64;

/// Takes a finished job's readings.
pub(super) type Done<'j, J> = dyn Fn(usize, <J as Job>::Readings) + Sync + 'j;

/// What is to be done, and who takes the results.
pub(super) struct Work<'j, J: Job> {
    pub(super) jobs: Open<J>,
    pub(super) first: &'j Survey,
    pub(super) shelf: Option<Shelf<'j>>,
    pub(super) done: &'j Done<'j, J>,
}

/// Works until nothing can go on; gives back what is known, and the jobs that are not done.
pub(super) async fn dispatch<J: Job>(
    work: Work<'_, J>,
    live: Live,
    setup: Setup,
    writer: LedgerWriter,
    summary: &mut Summary,
) -> (Live, Open<J>) {
    let (messages, inbox) = unbounded_channel();
    let Setup {
        lanes,
        settled: _,
        reuse,
        budget,
        options,
        stop,
        observers,
    } = setup;
    let shared = Arc::new(Shared {
        ledger: writer.handle(),
        retry: options.retry,
        item_timeout: options.item_timeout,
        stop: stop.clone(),
        observers: observers.clone(),
        messages,
    });
    let roads = Road::of_lanes(&lanes);
    let health = lanes.iter().map(|_| Health::default()).collect();
    let Work {
        jobs,
        first,
        shelf,
        done,
    } = work;
    let mut dispatcher = Dispatcher {
        jobs,
        first,
        shelf,
        done,
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
        meter: budget.map(Meter::new),
        tasks: JoinSet::new(),
        shared,
        summary: std::mem::take(summary),
    };
    dispatcher.run(inbox, options.grace).await;
    let (live, jobs, counted) = dispatcher.close(writer).await;
    *summary = counted;
    (live, jobs)
}

/// A job with requests under way.
pub(super) struct OpenJob {
    /// Requests of this step that are queued or under way.
    pub(super) outstanding: usize,
    /// Number of the step that asked them.
    pub(super) step: u32,
    /// Requests that wait for the first one of their step.
    pub(super) held: Vec<Ask>,
    /// What it has asked for in this run.
    pub(super) keys: Vec<Hash>,
}

pub(super) struct Dispatcher<'j, J: Job> {
    pub(super) jobs: Open<J>,
    pub(super) first: &'j Survey,
    pub(super) shelf: Option<Shelf<'j>>,
    pub(super) done: &'j Done<'j, J>,
    pub(super) next_job: usize,
    pub(super) live: Live,
    pub(super) reuse: Reuse,
    pub(super) open: HashMap<usize, OpenJob>,
    /// Jobs that wait for a key that is queued or under way.
    pub(super) waiting: HashMap<Hash, Vec<usize>>,
    /// Keys given up in this run.
    pub(super) left: HashSet<Hash>,
    pub(super) queues: Vec<VecDeque<Ask>>,
    pub(super) active: Vec<usize>,
    pub(super) lanes: Vec<Lane>,
    pub(super) roads: Vec<Arc<Road>>,
    pub(super) health: Vec<Health>,
    pub(super) meter: Option<Meter>,
    pub(super) tasks: JoinSet<()>,
    pub(super) shared: Arc<Shared>,
    pub(super) summary: Summary,
}

impl<J: Job> Dispatcher<'_, J> {
    async fn run(&mut self, mut inbox: UnboundedReceiver<Message>, grace: Duration) {
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

    async fn close(self, writer: LedgerWriter) -> (Live, Open<J>, Summary) {
        let Self {
            live,
            jobs,
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
        (live, jobs, summary)
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
            if self.jobs[index].is_some() {
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
            let own = self.lanes[lane]
                .concurrency
                .saturating_sub(self.active[lane]);
            self.queues[lane].len() < own.min(self.roads[lane].limiter.room())
        };
        let queued: usize = self.queues.iter().map(VecDeque::len).sum();
        let most: usize = self
            .lanes
            .iter()
            .map(|lane| 4 * lane.concurrency + 64)
            .sum();
        (0..self.lanes.len()).any(free) && queued < most
    }

    /// Sends what there is room for, one of each lane in turn: lanes of one account share its
    /// limit evenly.
    fn launch(&mut self) {
        // Every lane gets its turn in each round: `any` would stop at the first that launches.
        while (0..self.lanes.len())
            .filter(|lane| self.launch_one(*lane))
            .count()
            > 0
        {}
    }

    fn launch_one(&mut self, lane: usize) -> bool {
        let most = self.lanes[lane].concurrency.max(1);
        if self.active[lane] >= most || self.queues[lane].is_empty() {
            return false;
        }
        let road = self.roads[lane].clone();
        if !road.limiter.begin() {
            return false;
        }
        let Some(ask) = self.queues[lane].pop_front() else {
            return false;
        };
        if !self.can_pay(&ask) {
            self.queues[lane].push_front(ask);
            road.limiter.end();
            return false;
        }
        self.active[lane] += 1;
        self.tasks.spawn(work(self.shared.clone(), road, ask));
        true
    }

    /// Whether there is money for a request, which is then reserved. Without it the run waits
    /// for what is under way, which may cost less than was reserved, and stops after that.
    fn can_pay(&mut self, ask: &Ask) -> bool {
        let Some(meter) = &mut self.meter else {
            return true;
        };
        if meter.reserve(ask.key, &ask.request) {
            return true;
        }
        if self.active.iter().all(|n| *n == 0) {
            let reason = meter.reason(&ask.request);
            self.stop(reason);
        }
        false
    }

    async fn take(&mut self, message: Message) {
        match message {
            Message::Attempted {
                key,
                outcome,
                usage,
                again,
            } => {
                *self.summary.calls.entry(outcome).or_default() += 1;
                self.summary.add_usage(&usage);
                let untold = usage.input.is_none() || usage.output.is_none();
                if outcome.has_reply() && untold {
                    self.summary.usage_unknown += 1;
                }
                if let Some(meter) = &mut self.meter {
                    meter.attempted(&key, outcome, &usage);
                    if let Some(reason) = meter.refuses(&key).filter(|_| again) {
                        self.stop(reason);
                    }
                }
            }
            Message::Committed(key) => {
                if let Some(shelf) = &mut self.shelf {
                    shelf.committed(&key, &mut self.live);
                }
            }
            Message::LedgerFailed(error) => self.stop(StopReason::Ledger(error)),
            Message::Ended { ask, end } => {
                self.active[ask.lane] -= 1;
                self.roads[ask.lane].limiter.end();
                if let Some(meter) = &mut self.meter {
                    meter.ended(&ask.key);
                }
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
                self.settle(key, entry);
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

    pub(super) fn settle(&mut self, key: Hash, entry: Entry) {
        if let Some(shelf) = &mut self.shelf {
            shelf.settled(key);
        }
        self.live.settle(key, entry);
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

    pub(super) fn stop(&mut self, reason: StopReason) {
        self.summary.stopped.get_or_insert(reason);
        self.shared.stop.raise(StopLevel::Drain);
    }
}
