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
        Self(after.map(|after| (Instant::now() + after, after)))
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

    /// What to do when no further attempt would begin in time. Where the judge was reached, the
    /// request is settled as timed out. Where it was not, or asked for patience, nothing is known
    /// about the request: it stays pending.
    pub(crate) fn cut(self, next: Next, attempted: &mut Attempted) -> Next {
        let (Some((end, after)), Next::Retry(wait)) = (self.0, &next) else {
            return next;
        };
        if Instant::now() + *wait < end {
            return next;
        }
        let api = |e: &verispec_model::ApiError| e.kind == verispec_model::ApiErrorKind::RateLimit;
        match &attempted.result {
            Err(Failure::Unreachable(_)) => return Next::Pending,
            Err(Failure::Api { error, .. }) if api(error) => return Next::Pending,
            _ => {}
        }
        attempted.result = Err(Failure::TimedOut(after));
        Next::Settle
    }
}
