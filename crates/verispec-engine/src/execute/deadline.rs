//! The time one request may take over all its attempts.

use std::time::Duration;

use tokio::time::Instant;

use super::retry::Next;
use crate::ledger::{Sending, now};
use crate::transport::{Attempted, Failure};

/// When a request is given up, if ever.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Option<(Instant, Duration)>);

impl Deadline {
    /// `after` from now; never without.
    pub(crate) fn from_now(after: Option<Duration>) -> Self {
        let end = |after| Some((Instant::now().checked_add(after)?, after));
        Self(after.and_then(end))
    }

    /// Resolves when the time is up, with the attempt that was under way as it ends by that.
    pub(crate) async fn passed(self) -> Attempted {
        let sent_at = now();
        let Some((end, after)) = self.0 else {
            return std::future::pending().await;
        };
        tokio::time::sleep_until(end).await;
        Attempted {
            result: Err(Failure::TimedOut(after)),
            raw: None,
            sending: Sending::default(),
            sent_at,
            received_at: now(),
        }
    }

    /// Whether the time is up.
    pub(crate) fn is_over(self) -> bool {
        self.0.is_some_and(|(end, _)| Instant::now() >= end)
    }

    /// What to do when no further attempt would begin in time. Where the judge was reached, the
    /// request is settled as timed out. Where it was not, or asked for patience, nothing is known
    /// about the request: it stays pending; so it does where the attempt before ended like that
    /// (it was `put_off`) and this one was cut short.
    pub(crate) fn cut(self, next: Next, put_off: bool, attempted: &mut Attempted) -> Next {
        let Some((end, after)) = self.0 else {
            return next;
        };
        let timed_out = matches!(attempted.result, Err(Failure::TimedOut(_)));
        if timed_out && self.is_over() && put_off {
            return Next::Pending;
        }
        match &next {
            Next::Retry(wait) if Instant::now() + *wait >= end => {}
            _ => return next,
        }
        if attempted.result.as_ref().is_err_and(Failure::says_nothing) {
            return Next::Pending;
        }
        attempted.result = Err(Failure::TimedOut(after));
        Next::Settle
    }
}
