//! Asking until a reply can be read, a few times at most.

use verispec_judge::protocol::{after_truncation, follow, unusable};
use verispec_model::{Hash, Part, Replies, Reply, Request, Settled, Unjudged, request_key};

/// Times that a reply which cannot be read is asked again.
pub(super) const AGAIN: usize = 2;

/// What became of a question to a model.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Asked<T> {
    /// A reply is wanted.
    Pending(Box<Request>),
    /// What the reply says, and the request that got it.
    Read(T, Hash),
    /// No reply can be had or read; why, and what was wrong with the last one.
    Failed(Unjudged, String),
}

/// Asks, once more with twice the limit if the reply was cut, and again with the fault named if
/// `read` refuses it.
pub(super) fn ask<T>(
    first: Request,
    replies: &dyn Replies,
    read: &dyn Fn(&str) -> Result<T, String>,
) -> Asked<T> {
    let (mut request, mut cut, mut again) = (first.clone(), false, 0);
    loop {
        let key = request_key(&request);
        let reply = match replies.get(&key) {
            None => return Asked::Pending(Box::new(request)),
            Some(Settled::Failed(why)) => return Asked::Failed(why, "no reply".to_owned()),
            Some(Settled::Answered(reply)) => reply,
        };
        match unusable(&reply) {
            Some(Unjudged::Truncated) if !cut => {
                cut = true;
                request = after_truncation(&request, &reply);
                continue;
            }
            Some(why) => return Asked::Failed(why, "the reply cannot be used".to_owned()),
            None => {}
        }
        match read(&reply.text) {
            Ok(value) => return Asked::Read(value, key),
            Err(fault) if again == AGAIN => return Asked::Failed(Unjudged::Unparsed, fault),
            Err(fault) => {
                again += 1;
                request = once_more(&first, &reply, (&fault, again));
            }
        }
    }
}

/// The same request with what was wrong with its reply, for the n-th time. The number is part of
/// the request, so that a model which repeats itself is really asked again.
pub(super) fn once_more(first: &Request, reply: &Reply, (fault, n): (&str, usize)) -> Request {
    let mut request = follow(first, reply, &format!("reask-fault-{n}"));
    request.parts.push(Part::Text(format!(
        "An earlier reply to this could not be used: {fault}. Reply again, to the whole of it, in \
         exactly the form asked for."
    )));
    request
}
