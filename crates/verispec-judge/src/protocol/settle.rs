//! What became of a request.

use std::sync::Arc;

use verispec_model::{
    Finish, Hash, LENGTH_PARAMS, Replies, Reply, Request, Settled, Unjudged, request_key,
};

/// What became of a request; `key` is that of the request which was asked last.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "taken apart at once")]
pub enum Asked {
    /// This one is still wanted.
    Pending(Box<Request>),
    /// A usable reply, and the request that got it.
    Said(Reply, Box<Request>),
    /// No usable reply can be had.
    Failed {
        /// Why.
        why: Unjudged,
        /// The request.
        key: Hash,
    },
}

/// Looks a request up. If its reply was cut it is asked for once more, with twice the room: then
/// the request in [`Asked::Said`] holds the new limit.
#[must_use]
pub fn settle(first: Request, replies: &dyn Replies) -> Asked {
    let key = request_key(&first);
    match replies.get(&key) {
        None => Asked::Pending(Box::new(first)),
        Some(Settled::Failed(why)) => Asked::Failed { why, key },
        Some(Settled::Answered(reply)) => match unusable(&reply) {
            None => Asked::Said(reply, Box::new(first)),
            Some(Unjudged::Truncated) => settle_longer(&first, &reply, replies),
            Some(why) => Asked::Failed { why, key },
        },
    }
}

/// The same for a request whose reply is known to be cut.
#[must_use]
pub fn settle_longer(first: &Request, cut: &Reply, replies: &dyn Replies) -> Asked {
    let again = after_truncation(first, cut);
    let key = request_key(&again);
    match replies.get(&key) {
        None => Asked::Pending(Box::new(again)),
        Some(Settled::Failed(why)) => Asked::Failed { why, key },
        Some(Settled::Answered(reply)) => match unusable(&reply) {
            None => Asked::Said(reply, Box::new(again)),
            Some(why) => Asked::Failed { why, key },
        },
    }
}

/// The request that follows a truncated reply: the same, with twice the token limit if one is
/// set.
fn after_truncation(first: &Request, reply: &Reply) -> Request {
    let mut judge = (*first.judge).clone();
    for name in LENGTH_PARAMS {
        if let Some(limit) = judge.params.get(name).and_then(serde_json::Value::as_u64) {
            let twice = serde_json::json!(limit.saturating_mul(2));
            judge.params.insert(name.into(), twice);
        }
    }
    Request {
        judge: Arc::new(judge),
        ..follow(first, reply, "after-truncation")
    }
}

/// A request derived from another one and its reply.
#[must_use]
pub fn follow(first: &Request, reply: &Reply, derivation: &str) -> Request {
    Request {
        parent: Some(Hash::of(reply.text.as_bytes())),
        derivation: Some(derivation.to_owned()),
        ..first.clone()
    }
}

/// Why a reply as a whole cannot be read, if so.
#[must_use]
pub fn unusable(reply: &Reply) -> Option<Unjudged> {
    match reply.finish {
        Finish::Refused => Some(Unjudged::Refused),
        Finish::Length => Some(Unjudged::Truncated),
        _ => None,
    }
}
