//! Stopping a run in two degrees.

use std::sync::Arc;

use tokio::sync::watch;

/// How far a run is to be stopped. Only ever rises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum StopLevel {
    /// Not at all.
    #[default]
    Run,
    /// Nothing new is sent; what is under way may finish and is recorded.
    Drain,
    /// What is under way is given up.
    Abort,
}

/// A stop signal, shared by whoever may stop a run and all who must notice.
#[derive(Debug, Clone)]
pub struct Stop(Arc<watch::Sender<StopLevel>>);

impl Stop {
    /// A signal that nobody has raised.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(watch::Sender::new(StopLevel::Run)))
    }

    /// Raises the signal to at least this level.
    pub fn raise(&self, level: StopLevel) {
        self.0.send_if_modified(|now| {
            let higher = level > *now;
            *now = level.max(*now);
            higher
        });
    }

    /// Raises the signal by one level: what one more Ctrl-C asks for.
    pub fn raise_once(&self) {
        self.0.send_modify(|now| {
            *now = match *now {
                StopLevel::Run => StopLevel::Drain,
                StopLevel::Drain | StopLevel::Abort => StopLevel::Abort,
            };
        });
    }

    /// Level now.
    #[must_use]
    pub fn level(&self) -> StopLevel {
        *self.0.borrow()
    }

    /// Resolves once the signal has reached this level.
    pub async fn reached(&self, level: StopLevel) {
        let mut receiver = self.0.subscribe();
        // Fails only when the sender is gone, which this handle keeps.
        let _ = receiver.wait_for(|now| *now >= level).await;
    }
}

impl Default for Stop {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn levels_only_rise() {
        let stop = Stop::new();
        let other = stop.clone();
        let waiting = tokio::spawn(async move { other.reached(StopLevel::Abort).await });
        stop.raise_once();
        assert_eq!(stop.level(), StopLevel::Drain);
        stop.raise(StopLevel::Run);
        assert_eq!(stop.level(), StopLevel::Drain);
        stop.raise_once();
        waiting.await.unwrap();
        assert_eq!(stop.level(), StopLevel::Abort);
    }
}
