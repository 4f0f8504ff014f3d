//! Asking until a reply can be read, a few times at most.

use std::collections::HashMap;

use verispec_judge::protocol::{Asked as Outcome, follow, settle};
use verispec_model::{Finish, Hash, Part, Replies, Reply, Request, Settled, Unjudged, request_key};

use crate::set::GeneratorState;

/// Times that a reply which cannot be read is asked again.
const AGAIN: usize = 2;

/// What became of a question to a model.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Asked<T> {
    /// A reply is wanted.
    Pending(Box<Request>),
    /// What the reply says, and the request that got it.
    Read(T, Hash),
    /// No reply can be had or read; why, what was wrong with the last one, and its request.
    Failed(Unjudged, String, Hash),
}

/// What a reply was good for.
pub(super) enum Turn<T> {
    /// All that was asked.
    Read(T),
    /// Nothing; what is wrong with it.
    Fault(String),
    /// A part. This asks for the rest; what was lacking.
    Rest(Box<Request>, String),
}

/// Asks until `read` is content: once more with twice the limit where a reply was cut, and again
/// with the fault named where it was refused or gave a part. A limit that was doubled stays so.
pub(super) fn ask<T>(
    mut first: Request,
    replies: &dyn Replies,
    read: &mut dyn FnMut(&str) -> Turn<T>,
) -> Asked<T> {
    let (mut request, mut again) = (first.clone(), 0);
    loop {
        let (reply, asked) = match settle(request, replies) {
            Outcome::Pending(request) => return Asked::Pending(request),
            Outcome::Failed { why, key } => {
                return Asked::Failed(why, "no reply that can be used".to_owned(), key);
            }
            Outcome::Said(reply, asked) => (reply, asked),
        };
        let (base, fault) = match read(&reply.text) {
            Turn::Read(value) => return Asked::Read(value, request_key(&asked)),
            Turn::Fault(fault) => (first, fault),
            Turn::Rest(rest, fault) => (*rest, fault),
        };
        if again == AGAIN {
            return Asked::Failed(Unjudged::Unparsed, fault, request_key(&asked));
        }
        again += 1;
        first = Request {
            judge: asked.judge,
            ..base
        };
        request = once_more(&first, &reply, (&fault, again));
    }
}

impl<T> From<Result<T, String>> for Turn<T> {
    fn from(read: Result<T, String>) -> Self {
        read.map_or_else(Self::Fault, Self::Read)
    }
}

/// Every request that may follow from this one, itself included: each reply is cut, and what is
/// asked with twice the room cannot be read.
#[must_use]
pub fn worst_course(first: &Request) -> Vec<Request> {
    let (mut replies, mut all) = (HashMap::new(), vec![]);
    let unreadable = &mut |_: &str| Turn::<()>::Fault("it is no JSON object".to_owned());
    while let Asked::Pending(request) = ask(first.clone(), &replies, unreadable) {
        // Every second request has twice the room of the one before it.
        let finish = match all.len() % 2 {
            0 => Finish::Length,
            _ => Finish::Stop,
        };
        // No two replies are alike: what follows from them is asked apart.
        let reply = Reply {
            finish,
            ..Reply::text(format!("? {}", all.len()))
        };
        replies.insert(request_key(&request), Settled::Answered(reply));
        all.push(*request);
    }
    all
}

/// What failed in a stage, for asking it again.
pub trait Failures {
    /// Why, and the request that was asked last.
    fn failures(&self) -> Vec<(Unjudged, Hash)>;
}

impl Failures for [GeneratorState] {
    fn failures(&self) -> Vec<(Unjudged, Hash)> {
        let failed = |s: &GeneratorState| match s {
            GeneratorState::Failed { why, request, .. } => request.map(|r| (*why, r)),
            GeneratorState::Pending | GeneratorState::Done { .. } => None,
        };
        self.iter().filter_map(failed).collect()
    }
}

/// The same request with what was wrong with its reply, for the n-th time. The number is part of
/// the request, so that a model which repeats itself is really asked again.
fn once_more(first: &Request, reply: &Reply, (fault, n): (&str, usize)) -> Request {
    let mut request = follow(first, reply, &format!("reask-fault-{n}"));
    request.parts.push(Part::Text(format!(
        "An earlier reply to this could not be used: {fault}. Reply again, to the whole of it, in \
         exactly the form asked for."
    )));
    request
}
