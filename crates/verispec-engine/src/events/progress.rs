//! Counters for a progress display, from events alone.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use verispec_model::Usage;

use super::Event;
use crate::execute::Summary;
use crate::ledger::Outcome;

/// Time over which the rate is taken.
const WINDOW: Duration = Duration::from_secs(30);

/// Counts what observers are told; share it with whatever draws.
#[derive(Debug, Default)]
pub struct Progress(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    view: ProgressView,
    usage: Summary,
    recent: VecDeque<Instant>,
    started: Option<Instant>,
}

/// A moment of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProgressView {
    /// Requests settled, copied or left pending by this execution.
    pub done: u64,
    /// Requests known to be wanted by this execution; may grow.
    pub total: u64,
    /// Requests answered.
    pub answered: u64,
    /// Requests settled without an answer.
    pub failed: u64,
    /// Requests left for another run.
    pub pending: u64,
    /// Replies copied from other runs.
    pub reused: u64,
    /// Attempts that had to be repeated.
    pub retries: u64,
    /// Jobs that want nothing more.
    pub jobs_done: u64,
    /// Jobs given.
    pub jobs: u64,
    /// Tokens so far.
    pub usage: Usage,
    /// Requests settled by calls, a second, over the last half minute.
    pub rate: Option<f64>,
    /// Estimated time to the end at this rate.
    pub left: Option<Duration>,
}

impl Progress {
    /// Nothing has happened yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes one event; for use as an observer.
    pub fn observe(&self, event: &Event) {
        self.observe_at(event, Instant::now());
    }

    /// The counts now.
    #[must_use]
    pub fn view(&self) -> ProgressView {
        self.view_at(Instant::now())
    }

    fn observe_at(&self, event: &Event, now: Instant) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let state = &mut *state;
        let view = &mut state.view;
        match event {
            Event::RunStarted {
                jobs,
                jobs_done,
                missing,
                ..
            } => {
                (view.jobs, view.jobs_done, view.total) = (*jobs, *jobs_done, *missing);
                state.started = Some(now);
            }
            Event::MoreWanted { requests } => view.total += requests,
            Event::Retrying { .. } => view.retries += 1,
            Event::RequestSettled {
                outcome,
                reused,
                usage,
                ..
            } => {
                view.done += 1;
                match outcome {
                    Outcome::Answered => view.answered += 1,
                    _ => view.failed += 1,
                }
                if *reused {
                    view.reused += 1;
                } else {
                    state.recent.push_back(now);
                    state.usage.add_usage(usage);
                    view.usage = state.usage.usage;
                }
            }
            Event::RequestPending { .. } => {
                view.done += 1;
                view.pending += 1;
            }
            Event::JobDone { .. } => view.jobs_done += 1,
            Event::RequestSent { .. } | Event::Warning { .. } | Event::RunFinished { .. } => {}
        }
    }

    fn view_at(&self, now: Instant) -> ProgressView {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while state
            .recent
            .front()
            .is_some_and(|t| now.duration_since(*t) > WINDOW)
        {
            state.recent.pop_front();
        }
        let mut view = state.view.clone();
        let span = state
            .started
            .map(|t| now.duration_since(t).min(WINDOW).as_secs_f64());
        if let Some(span) = span.filter(|s| *s > 0.0 && !state.recent.is_empty()) {
            #[allow(clippy::cast_precision_loss)]
            let (count, left) = (
                state.recent.len() as f64,
                view.total.saturating_sub(view.done) as f64,
            );
            let rate = count / span;
            view.rate = Some(rate);
            view.left = Duration::try_from_secs_f64(left / rate).ok();
        }
        view
    }
}

#[cfg(test)]
mod tests {
    use verispec_model::Hash;

    use super::*;

    fn settled(outcome: Outcome, reused: bool) -> Event {
        Event::RequestSettled {
            key: Hash::of(b"k"),
            job: "j".into(),
            outcome,
            reused,
            usage: Usage {
                input: Some(100),
                ..Usage::default()
            },
            seconds: 1.0,
        }
    }

    #[test]
    fn rate_and_time_left_come_from_calls_of_the_last_half_minute() {
        let progress = Progress::new();
        let start = Instant::now();
        let at = |s: u64| start + Duration::from_secs(s);
        progress.observe_at(
            &Event::RunStarted {
                jobs: 3,
                jobs_done: 1,
                settled: 4,
                missing: 40,
            },
            start,
        );
        assert_eq!(progress.view_at(at(1)).rate, None);
        for s in 1..=10 {
            progress.observe_at(&settled(Outcome::Answered, false), at(s));
        }
        progress.observe_at(&settled(Outcome::Answered, true), at(10));
        let view = progress.view_at(at(10));
        assert_eq!((view.done, view.answered, view.reused), (11, 11, 1));
        assert_eq!(view.usage.input, Some(1000), "copied replies cost nothing");
        assert_eq!(view.rate, Some(1.0));
        assert_eq!(view.left, Some(Duration::from_secs(29)));
        assert_eq!(progress.view_at(at(100)).rate, None);
    }

    #[test]
    fn failures_and_pending_are_not_answers() {
        let progress = Progress::new();
        progress.observe(&settled(Outcome::TimedOut, false));
        let pending = Event::RequestPending {
            key: Hash::of(b"k"),
            job: "j".into(),
            why: "gone".into(),
        };
        progress.observe(&pending);
        let view = progress.view();
        assert_eq!(
            (view.done, view.answered, view.failed, view.pending),
            (2, 0, 1, 1)
        );
    }
}
