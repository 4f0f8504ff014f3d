//! The dispatcher's part that steps jobs and finds a way for what they want.

use std::sync::Arc;

use verispec_model::{Hash, Job, Request, request_key};

use super::dispatcher::{Dispatcher, OpenJob};
use super::lane::Lane;
use super::summary::StopReason;
use super::worker::Ask;
use crate::events::Event;
use crate::ledger::{Entry, hash_prefix};

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

impl<J: Job> Dispatcher<'_, J> {
    /// Steps a job and queues what it wants; repeats while stored replies of other runs answer.
    pub(super) async fn step(&mut self, index: usize, number: u32) {
        let mut number = number;
        loop {
            let Some(job) = &self.jobs[index] else {
                return;
            };
            let step = job.step(&self.live);
            if step.ask.is_empty() {
                self.finish(index, step.readings);
                return;
            }
            match self.ask(index, number, step.ask).await {
                Asked::UnderWay => return,
                Asked::Nothing => {
                    self.open.remove(&index);
                    return;
                }
                Asked::AnsweredFromOtherRuns => number += 1,
            }
        }
    }

    /// Name of an open job, which is put together when it is asked for.
    fn id(&self, index: usize) -> Arc<str> {
        let job = self.jobs[index].as_ref();
        job.map(Job::id).unwrap_or_default().into()
    }

    fn finish(&mut self, index: usize, readings: J::Readings) {
        let keys = self.open.remove(&index).map(|open| open.keys);
        if let (Some(shelf), Some(keys)) = (&mut self.shelf, keys) {
            shelf.finished(keys, &mut self.live);
        }
        (self.done)(index, readings);
        if let Some(job) = self.jobs[index].take() {
            let job = job.id().into_owned();
            self.shared.observers.emit(&Event::JobDone { job });
        }
    }

    async fn ask(&mut self, index: usize, number: u32, wanted: Vec<Request>) -> Asked {
        let job = self.id(index);
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
            } else if self.live.has(&key) {
                self.contradiction(&job, &key);
            } else if !self.left.contains(&key) {
                match self.prepare(&job, number, key, request).await {
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
            .filter(|a| !self.first.missing.contains(&hash_prefix(&a.key)))
            .count() as u64;
        if new > 0 {
            self.shared
                .observers
                .emit(&Event::MoreWanted { requests: new });
        }
        let before = self.open.remove(&index);
        let mut keys = before.map(|open| open.keys).unwrap_or_default();
        keys.extend(asks.iter().map(|a| a.key));
        let held = self.queue(asks);
        self.open.insert(
            index,
            OpenJob {
                outstanding,
                step: number,
                held,
                keys,
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
    async fn prepare(
        &mut self,
        job: &Arc<str>,
        step: u32,
        key: Hash,
        request: Request,
    ) -> Prepared {
        let Some(lane) = Lane::of(&self.lanes, &request.judge) else {
            let judge = format!("{} {}", request.judge.provider, request.judge.model);
            self.stop(StopReason::NoLane(judge));
            return Prepared::Stopped;
        };
        let again = self.live.is_asked_again(&key);
        let ask = Ask {
            key,
            request: Arc::new(request),
            lane,
            job: job.clone(),
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
                let (shared, key) = (self.shared.clone(), ask.key);
                self.tasks
                    .spawn(async move { shared.confirm(key, committed, event).await });
                self.summary.reused += 1;
                self.settle(key, entry);
                Prepared::Reused
            }
            Err(error) => {
                self.stop(StopReason::Ledger(error.to_string()));
                Prepared::Stopped
            }
        }
    }

    /// A job that asks for what it has would be stepped for ever.
    fn contradiction(&self, job: &str, key: &Hash) {
        self.shared.observers.warn(format!(
            "job {job} asks for request {}, which is settled; it is left alone",
            key.short()
        ));
    }
}
