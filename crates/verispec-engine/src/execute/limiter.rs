//! How many requests one judge gets at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Factor of a cut.
const CUT: f64 = 0.8;

/// Shortest episode: rate limits that arrive within it are answers to what was already under
/// way, and do not cut again.
const EPISODE: Duration = Duration::from_secs(15);

/// Concurrency of one judge: starts at the configured limit, is cut by a fifth once per
/// rate-limit episode, and grows back by one per round of answers. While a provider asks for
/// patience, all workers of the judge wait.
#[derive(Debug)]
pub(crate) struct Limiter {
    most: usize,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    limit: f64,
    episode_until: Option<Instant>,
    paused_until: Option<Instant>,
}

impl Limiter {
    /// A limiter of at most `most` requests at a time, at least 1.
    pub(crate) fn new(most: usize) -> Self {
        let most = most.max(1);
        #[allow(clippy::cast_precision_loss)]
        let limit = most as f64;
        let state = State {
            limit,
            episode_until: None,
            paused_until: None,
        };
        Self {
            most,
            state: Mutex::new(state),
        }
    }

    /// Requests that may be under way now.
    pub(crate) fn limit(&self) -> usize {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let whole = self.lock().limit as usize;
        whole.clamp(1, self.most)
    }

    /// The provider said "slow down" and a worker will wait this long. Returns whether the limit
    /// was cut.
    pub(crate) fn rate_limited(&self, now: Instant, wait: Duration) -> bool {
        let mut state = self.lock();
        let until = now + wait;
        state.paused_until = Some(state.paused_until.map_or(until, |old| old.max(until)));
        if state.episode_until.is_some_and(|end| now < end) {
            return false;
        }
        state.episode_until = Some(now + wait.max(EPISODE));
        state.limit = (state.limit * CUT).max(1.0);
        true
    }

    /// A call was answered. Stored replies never count.
    pub(crate) fn answered(&self, now: Instant) {
        let mut state = self.lock();
        if state.episode_until.is_none_or(|end| now >= end) {
            #[allow(clippy::cast_precision_loss)]
            let most = self.most as f64;
            state.limit = (state.limit + 1.0 / state.limit).min(most);
        }
    }

    /// Until when nobody may send, if a pause is on.
    pub(crate) fn paused_until(&self, now: Instant) -> Option<Instant> {
        self.lock().paused_until.filter(|until| *until > now)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_cut_per_episode() {
        let limiter = Limiter::new(50);
        let now = Instant::now();
        assert!(limiter.rate_limited(now, Duration::from_secs(2)));
        assert_eq!(limiter.limit(), 40);
        for _ in 0..10 {
            assert!(!limiter.rate_limited(now, Duration::from_secs(2)));
        }
        assert_eq!(limiter.limit(), 40);
        let later = now + EPISODE;
        assert!(limiter.rate_limited(later, Duration::from_secs(2)));
        assert_eq!(limiter.limit(), 32);
    }

    #[tokio::test(start_paused = true)]
    async fn answers_raise_the_limit_again_but_never_above_the_most() {
        let limiter = Limiter::new(10);
        let now = Instant::now();
        limiter.rate_limited(now, Duration::ZERO);
        limiter.answered(now);
        assert_eq!(limiter.limit(), 8, "no growth inside the episode");
        let later = now + EPISODE;
        for _ in 0..9 {
            limiter.answered(later);
        }
        assert_eq!(limiter.limit(), 9);
        for _ in 0..1000 {
            limiter.answered(later);
        }
        assert_eq!(limiter.limit(), 10);
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_only_gets_longer() {
        let limiter = Limiter::new(1);
        let now = Instant::now();
        limiter.rate_limited(now, Duration::from_secs(20));
        limiter.rate_limited(now, Duration::from_secs(5));
        assert_eq!(
            limiter.paused_until(now),
            Some(now + Duration::from_secs(20))
        );
        assert_eq!(limiter.paused_until(now + Duration::from_secs(20)), None);
        assert_eq!(limiter.limit(), 1);
    }
}
