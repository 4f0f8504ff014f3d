//! A job: one instance put to a judge, as a pure function of the replies so far.

use std::borrow::Cow;

use crate::hash::Hash;
use crate::reading::Unjudged;
use crate::reply::Reply;
use crate::request::Request;

/// What became of a request that needs no further call.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all are replies, and they are taken apart at once"
)]
pub enum Settled {
    /// The judge replied.
    Answered(Reply),
    /// The judge failed after its allowance of attempts.
    Failed(Unjudged),
}

/// Settled requests by key.
pub trait Replies {
    /// What became of the request with this key, or `None` while it is pending.
    fn get(&self, key: &Hash) -> Option<Settled>;
}

impl Replies for std::collections::HashMap<Hash, Settled> {
    fn get(&self, key: &Hash) -> Option<Settled> {
        Self::get(self, key).cloned()
    }
}

/// Where a job stands.
///
/// Readings come with every step, not only with the last: what an interrupted job already knows
/// is not lost from tables while the rest is pending.
#[derive(Debug, Clone, PartialEq)]
pub struct Step<R> {
    /// Requests still wanted; empty when the job is done.
    pub ask: Vec<Request>,
    /// What the replies so far say.
    pub readings: R,
}

/// A pure state machine. It keeps no state: each step recomputes from the replies, so resuming,
/// pricing, re-reading and running are the same function.
pub trait Job: Send + Sync {
    /// What the job makes of its replies.
    type Readings: Send;

    /// Stable name inside a run, for instance `t2i/comp_hard_001/bagel`.
    fn id(&self) -> Cow<'_, str>;

    /// What is known and what is still wanted. Deterministic in `replies`.
    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings>;
}

/// Jobs of several kinds in one list are boxed.
impl<J: Job + ?Sized> Job for Box<J> {
    type Readings = J::Readings;

    fn id(&self) -> Cow<'_, str> {
        (**self).id()
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        (**self).step(replies)
    }
}

/// Jobs that somebody else keeps.
impl<J: Job + ?Sized> Job for &J {
    type Readings = J::Readings;

    fn id(&self) -> Cow<'_, str> {
        (**self).id()
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        (**self).step(replies)
    }
}
