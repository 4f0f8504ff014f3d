//! One request, from its first attempt to the row that settles it.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::Instant;
use verispec_model::{Hash, Request, Usage};

use super::deadline::Deadline;
use super::lane::Road;
use super::retry::{Next, RetryPolicy};
use super::stop::{Stop, StopLevel};
use super::summary::StopReason;
use crate::events::{Event, Observers, seconds};
use crate::ledger::{Attempt, Committed, Entry, LedgerHandle, Outcome, Record, Via};
use crate::transport::{Attempted, Failure};

/// A request on its way.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) key: Hash,
    pub(crate) request: Arc<Request>,
    pub(crate) lane: usize,
    pub(crate) job: Arc<str>,
    pub(crate) step: u32,
    pub(crate) round: u32,
}

/// What a worker tells the dispatcher.
pub(crate) enum Message {
    /// One attempt was made.
    Attempted {
        key: Hash,
        outcome: Outcome,
        usage: Usage,
        /// Whether the request will be sent again.
        again: bool,
    },
    /// The request needs no further attempt in this run; its slot is free.
    Ended { ask: Ask, end: Box<End> },
    /// The row that settles a request is on the disk.
    Committed(Hash),
    /// A row could not be written.
    LedgerFailed(String),
}

/// How a request ended.
pub(crate) enum End {
    Settled(Entry, Option<Failure>),
    Pending(Failure),
    /// The run is being stopped.
    Interrupted,
    Stop(StopReason),
}

/// What all workers share.
pub(crate) struct Shared {
    pub(crate) ledger: LedgerHandle,
    pub(crate) retry: RetryPolicy,
    pub(crate) item_timeout: Option<Duration>,
    pub(crate) stop: Stop,
    pub(crate) observers: Observers,
    pub(crate) messages: UnboundedSender<Message>,
}

impl Shared {
    /// The dispatcher outlives its workers; a message to nobody needs no care.
    fn tell(&self, message: Message) {
        let _ = self.messages.send(message);
    }

    fn tell_attempted(&self, ask: &Ask, attempted: &Attempted, again: bool) {
        let Some(outcome) = outcome_of(attempted) else {
            return;
        };
        let reply = attempted.result.as_ref();
        self.tell(Message::Attempted {
            key: ask.key,
            outcome,
            usage: reply.map(|r| r.usage).unwrap_or_default(),
            again,
        });
    }

    /// Waits for a commit, then reports the request as settled.
    pub(crate) async fn confirm(&self, key: Hash, committed: Committed, event: Event) {
        match committed.wait().await {
            Ok(()) => {
                self.observers.emit(&event);
                self.tell(Message::Committed(key));
            }
            Err(error) => self.tell(Message::LedgerFailed(error.to_string())),
        }
    }
}

/// Asks until the request is settled, given up or the run is stopped.
pub(crate) async fn work(shared: Arc<Shared>, road: Arc<Road>, ask: Ask) {
    // A fault in a codec must not take the slot, the run or the other requests with it.
    let guarded = AssertUnwindSafe(attempts(&shared, &road, &ask)).catch_unwind();
    let (end, last) = guarded
        .await
        .unwrap_or_else(|panic| (crashed(&*panic), None));
    let (key, end) = (ask.key, Box::new(end));
    shared.tell(Message::Ended { ask, end });
    if let Some((committed, event)) = last {
        shared.confirm(key, committed, event).await;
    }
}

/// The end, and the commit that makes it last.
type Ended = (End, Option<(Committed, Event)>);

async fn attempts(shared: &Shared, road: &Road, ask: &Ask) -> Ended {
    let mut attempt = 0;
    let mut deadline = None;
    // Why the attempt before says nothing about the request, if it does not.
    let mut put_off: Option<Failure> = None;
    loop {
        attempt += 1;
        if !wait_for_lane(shared, road).await {
            return (End::Interrupted, None);
        }
        // Waiting for a turn is no time of this request.
        let deadline = *deadline.get_or_insert_with(|| Deadline::from_now(shared.item_timeout));
        // The lane may have been paused for longer than the request had left.
        if let Some(why) = put_off.take_if(|_| deadline.is_over()) {
            return (End::Pending(why), None);
        }
        let Some(mut attempted) = try_once(shared, road, ask, (attempt, deadline)).await else {
            return (End::Interrupted, None);
        };
        let next = decide(shared, road, &attempted, attempt);
        let next = deadline.cut(next, put_off.is_some(), &mut attempted);
        shared.tell_attempted(ask, &attempted, matches!(next, Next::Retry(_)));
        let row = ask.row(&attempted, next == Next::Settle);
        let committed = match record(shared, ask, row.as_ref()).await {
            Ok(committed) => committed,
            Err(reason) => return (End::Stop(reason), None),
        };
        match next {
            Next::Retry(wait) => {
                if !pause(shared, ask, &attempted, wait).await {
                    return (End::Interrupted, None);
                }
                put_off = attempted.result.err().filter(Failure::says_nothing);
            }
            Next::Settle => return settled(ask, attempted, row, committed),
            Next::Pending => {
                // One that was cut short says less than the one before it.
                let cut_short = matches!(attempted.result, Err(Failure::TimedOut(_)));
                let why = put_off.filter(|_| cut_short);
                return (why.map_or_else(|| pending(attempted), End::Pending), None);
            }
            Next::Stop(reason) => return (End::Stop(reason), None),
        }
    }
}

fn settled(
    ask: &Ask,
    attempted: Attempted,
    row: Option<Attempt>,
    commit: Option<Committed>,
) -> Ended {
    // Only what was sent can settle, and what was sent has a row.
    let (Some(row), Some(commit)) = (row, commit) else {
        return (pending(attempted), None);
    };
    let event = ask.settled_event(&row);
    (
        End::Settled(Entry::of_attempt(&row), attempted.result.err()),
        Some((commit, event)),
    )
}

fn crashed(panic: &(dyn Any + Send)) -> End {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    End::Pending(Failure::Unsendable(format!(
        "fault in verispec, please report it: {text}"
    )))
}

fn pending(attempted: Attempted) -> End {
    let unknown = || Failure::Unsendable("no reason given".to_owned());
    End::Pending(attempted.result.err().unwrap_or_else(unknown))
}

/// Waits for the end of any pause of the lane; `false` when the run is stopped first.
async fn wait_for_lane(shared: &Shared, road: &Road) -> bool {
    while let Some(until) = road.limiter.paused_until(Instant::now()) {
        tokio::select! {
            () = tokio::time::sleep_until(until) => {}
            () = shared.stop.reached(StopLevel::Drain) => return false,
        }
    }
    shared.stop.level() < StopLevel::Drain
}

/// One attempt; `None` when the run is stopped first.
async fn try_once(
    shared: &Shared,
    road: &Road,
    ask: &Ask,
    (attempt, deadline): (u32, Deadline),
) -> Option<Attempted> {
    shared.observers.emit(&Event::RequestSent {
        key: ask.key,
        attempt,
    });
    let send = async {
        if deadline.is_over() {
            return deadline.passed().await;
        }
        road.transport.send(&ask.request).await
    };
    let attempted = tokio::select! {
        // An answer that is there counts, however late this is looked at.
        biased;
        attempted = send => attempted,
        given_up = deadline.passed() => given_up,
        () = shared.stop.reached(StopLevel::Abort) => return None,
    };
    if attempted.raw.is_some() {
        road.reached.store(true, Relaxed);
    }
    Some(attempted)
}

fn decide(shared: &Shared, road: &Road, attempted: &Attempted, attempt: u32) -> Next {
    let Err(failure) = &attempted.result else {
        road.limiter.answered(Instant::now());
        return Next::Settle;
    };
    let next = shared.retry.next(failure, attempt, road.has_reached());
    match (failure, failure.outcome()) {
        (Failure::Api { retry_after, .. }, Some(Outcome::RateLimited)) => {
            // The wait that was decided is a little longer than what was asked for.
            let asked = retry_after.map(|asked| match &next {
                Next::Retry(wait) => *wait,
                _ => asked,
            });
            road.limiter.rate_limited(Instant::now(), asked);
        }
        (_, Some(Outcome::BadRequest) | None) => {}
        _ => road.limiter.troubled(),
    }
    next
}

/// Waits before the next attempt; `false` when the run is stopped meanwhile.
async fn pause(shared: &Shared, ask: &Ask, attempted: &Attempted, wait: Duration) -> bool {
    let why = attempted
        .result
        .as_ref()
        .err()
        .map(ToString::to_string)
        .unwrap_or_default();
    let after = wait.as_secs_f64();
    shared.observers.emit(&Event::Retrying {
        key: ask.key,
        after,
        why,
    });
    tokio::select! {
        () = tokio::time::sleep(wait) => true,
        () = shared.stop.reached(StopLevel::Drain) => false,
    }
}

fn outcome_of(attempted: &Attempted) -> Option<Outcome> {
    match &attempted.result {
        Ok(reply) => Some(Outcome::of_reply(reply)),
        Err(failure) => failure.outcome(),
    }
}

async fn record(
    shared: &Shared,
    ask: &Ask,
    row: Option<&Attempt>,
) -> Result<Option<Committed>, StopReason> {
    let Some(row) = row else { return Ok(None) };
    let queued = shared.ledger.record(ask.record(row.clone())).await;
    queued
        .map(Some)
        .map_err(|e| StopReason::Ledger(e.to_string()))
}

impl Ask {
    /// The row of an attempt; `None` where nothing was sent.
    fn row(&self, attempted: &Attempted, settles: bool) -> Option<Attempt> {
        Some(Attempt {
            outcome: outcome_of(attempted)?,
            settles,
            round: self.round,
            error: attempted.result.as_ref().err().map(ToString::to_string),
            raw: attempted.raw.clone(),
            reply: attempted.result.as_ref().ok().cloned(),
            sending: attempted.sending.clone(),
            via: Via::Call,
            sent_at: attempted.sent_at,
            received_at: attempted.received_at,
        })
    }

    pub(crate) fn record(&self, attempt: Attempt) -> Record {
        Record {
            key: self.key,
            job: self.job.clone(),
            step: self.step,
            request: self.request.clone(),
            attempt,
        }
    }

    pub(crate) fn settled_event(&self, row: &Attempt) -> Event {
        Event::RequestSettled {
            key: self.key,
            job: self.job.to_string(),
            outcome: row.outcome,
            reused: matches!(row.via, Via::Reuse(_)),
            usage: row.reply.as_ref().map(|r| r.usage).unwrap_or_default(),
            seconds: seconds(row.sent_at, row.received_at),
        }
    }
}
