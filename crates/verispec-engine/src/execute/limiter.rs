//! How many requests one provider account gets at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Requests at a time before anything is known about a provider.
const START: usize = 10;

/// Factor of a cut.
const CUT: f64 = 0.8;

/// Shortest episode: rate limits that arrive within it are answers to what was already under
/// way, and do not cut again.
const EPISODE: Duration = Duration::from_secs(15);

/// Share of the limit that must have been under way before the limit grows: a limit that nobody
/// uses says nothing about what the provider bears.
const USED: f64 = 0.8;

/// Concurrency of one account, adapted to what its provider bears.
///
/// Starts at 10 or the ceiling, if that is lower, and doubles with every clean round (as many
/// answers in a row as the limit allows at a time) until the ceiling or the first 429. Each
/// episode of 429 cuts by a fifth, once; after it the limit grows by one a round. Failures of
/// the server and timeouts begin the round anew, so that nothing grows while they come, but do
/// not shrink the limit. Only calls count: replies that were stored never pass through here.
/// While a provider asks for patience, all workers of the account wait.
#[derive(Debug)]
pub(crate) struct Limiter {
    most: usize,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    limit: f64,
    /// Until the first cut.
    slow_start: bool,
    under_way: usize,
    /// Answers of this round, and most requests that were under way in it.
    answers: usize,
    peak: usize,
    episode_until: Option<Instant>,
    paused_until: Option<Instant>,
}

impl Limiter {
    /// A limiter of at most `most` requests at a time, at least 1.
    pub(crate) fn new(most: usize) -> Self {
        let most = most.max(1);
        let state = State {
            limit: float(most.min(START)),
            slow_start: true,
            under_way: 0,
            answers: 0,
            peak: 0,
            episode_until: None,
            paused_until: None,
        };
        Self {
            most,
            state: Mutex::new(state),
        }
    }

    /// Requests that may be under way now.
    #[cfg(test)]
    fn limit(&self) -> usize {
        self.lock().whole()
    }

    /// Requests that may be added now.
    pub(crate) fn room(&self) -> usize {
        let state = self.lock();
        state.whole().saturating_sub(state.under_way)
    }

    /// Takes a slot, if there is one.
    pub(crate) fn begin(&self) -> bool {
        let mut state = self.lock();
        let free = state.under_way < state.whole();
        if free {
            state.under_way += 1;
            state.peak = state.peak.max(state.under_way);
        }
        free
    }

    /// Gives a slot back.
    pub(crate) fn end(&self) {
        let mut state = self.lock();
        state.under_way = state.under_way.saturating_sub(1);
    }

    /// The provider said "slow down", and how long it wants to be left alone, if it says so.
    /// Returns whether the limit was cut.
    pub(crate) fn rate_limited(&self, now: Instant, asked: Option<Duration>) -> bool {
        let mut state = self.lock();
        state.new_round();
        let wait = asked.unwrap_or_default();
        let until = now + wait;
        state.paused_until = Some(state.paused_until.map_or(until, |old| old.max(until)));
        if state.is_in_episode(now) {
            return false;
        }
        state.episode_until = Some(now + wait.max(EPISODE));
        state.slow_start = false;
        state.limit = (state.limit * CUT).max(1.0);
        true
    }

    /// A call failed in another way: no growth before a whole clean round.
    pub(crate) fn troubled(&self) {
        self.lock().new_round();
    }

    /// A call was answered.
    pub(crate) fn answered(&self, now: Instant) {
        let mut state = self.lock();
        if state.is_in_episode(now) {
            state.new_round();
            return;
        }
        state.answers += 1;
        if state.answers < state.whole() {
            return;
        }
        if float(state.peak) >= USED * float(state.whole()) {
            let grown = if state.slow_start {
                state.limit * 2.0
            } else {
                state.limit + 1.0
            };
            state.limit = grown.min(float(self.most));
        }
        state.new_round();
    }

    /// Until when nobody may send, if a pause is on.
    pub(crate) fn paused_until(&self, now: Instant) -> Option<Instant> {
        self.lock().paused_until.filter(|until| *until > now)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn whole(&self) -> usize {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let whole = self.limit as usize;
        whole.max(1)
    }

    fn is_in_episode(&self, now: Instant) -> bool {
        self.episode_until.is_some_and(|end| now < end)
    }

    const fn new_round(&mut self) {
        self.answers = 0;
        self.peak = self.under_way;
    }
}

#[allow(clippy::cast_precision_loss)]
const fn float(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fills the limit, answers as many, gives the slots back.
    fn round(limiter: &Limiter) {
        let now = Instant::now();
        let mut begun = 0;
        while limiter.begin() {
            begun += 1;
        }
        for _ in 0..begun {
            limiter.answered(now);
            limiter.end();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn clean_rounds_double_up_to_the_ceiling() {
        let limiter = Limiter::new(50);
        let mut limits = vec![limiter.limit()];
        for _ in 0..4 {
            round(&limiter);
            limits.push(limiter.limit());
        }
        assert_eq!(limits, [10, 20, 40, 50, 50]);
        assert_eq!(Limiter::new(4).limit(), 4);
        assert_eq!(Limiter::new(0).limit(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn d03_one_cut_per_episode_then_one_more_a_round() {
        let limiter = Limiter::new(50);
        (0..3).for_each(|_| round(&limiter));
        let now = Instant::now();
        assert!(limiter.rate_limited(now, Some(Duration::from_secs(2))));
        assert_eq!(limiter.limit(), 40);
        assert!((0..10).all(|_| !limiter.rate_limited(now, None)));
        round(&limiter);
        assert_eq!(limiter.limit(), 40, "no growth inside the episode");
        tokio::time::advance(EPISODE).await;
        assert!(limiter.rate_limited(Instant::now(), None));
        assert_eq!(limiter.limit(), 32);
        tokio::time::advance(EPISODE).await;
        (0..3).for_each(|_| round(&limiter));
        assert_eq!(limiter.limit(), 35);
        (0..100).for_each(|_| round(&limiter));
        assert_eq!(limiter.limit(), 50);
    }

    #[tokio::test(start_paused = true)]
    async fn an_episode_lasts_as_long_as_the_provider_wants() {
        let limiter = Limiter::new(10);
        let now = Instant::now();
        limiter.rate_limited(now, Some(Duration::from_secs(60)));
        tokio::time::advance(Duration::from_secs(59)).await;
        assert!(!limiter.rate_limited(Instant::now(), None));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(limiter.rate_limited(Instant::now(), None));
        assert_eq!(limiter.limit(), 6);
    }

    #[tokio::test(start_paused = true)]
    async fn trouble_pauses_growth_and_shrinks_nothing() {
        let limiter = Limiter::new(50);
        let now = Instant::now();
        while limiter.begin() {}
        for _ in 0..5 {
            (0..9).for_each(|_| limiter.answered(now));
            limiter.troubled();
            assert_eq!(limiter.limit(), 10);
        }
        (0..10).for_each(|_| limiter.answered(now));
        assert_eq!(limiter.limit(), 20);
    }

    #[tokio::test(start_paused = true)]
    async fn a_limit_that_is_not_used_does_not_grow() {
        let limiter = Limiter::new(50);
        let now = Instant::now();
        for _ in 0..100 {
            // Seven of ten at a time.
            (0..7).for_each(|_| assert!(limiter.begin()));
            for _ in 0..7 {
                limiter.answered(now);
                limiter.end();
            }
        }
        assert_eq!(limiter.limit(), 10);
        (0..8).for_each(|_| assert!(limiter.begin()));
        (0..20).for_each(|_| limiter.answered(now));
        assert_eq!(limiter.limit(), 20);
        assert_eq!(limiter.room(), 12);
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_only_gets_longer_and_needs_to_be_asked_for() {
        let limiter = Limiter::new(1);
        let now = Instant::now();
        limiter.rate_limited(now, None);
        assert_eq!(limiter.paused_until(now), None);
        limiter.rate_limited(now, Some(Duration::from_secs(20)));
        limiter.rate_limited(now, Some(Duration::from_secs(5)));
        let until = now + Duration::from_secs(20);
        assert_eq!(limiter.paused_until(now), Some(until));
        assert_eq!(limiter.paused_until(until), None);
        assert_eq!(limiter.limit(), 1);
    }
}
