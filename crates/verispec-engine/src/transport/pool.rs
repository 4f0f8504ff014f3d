//! Several addresses of one judge as one way to it.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use verispec_model::{Hash, KeyBuilder, Part, Request, request_key};

use super::{Attempted, BoxFuture, Failure, Transport};

/// Rest of an address after its first failure to connect; doubles with each further one.
const FIRST_REST: Duration = Duration::from_secs(10);

/// Longest rest.
const LONGEST_REST: Duration = Duration::from_secs(160);

/// Requests by which an image's own address may be busier than the idlest one: a prompt that the
/// address has in its cache is worth a short queue, not a long one.
const PATIENCE: usize = 2;

/// Spreads requests over addresses that serve the same judge.
///
/// Requests that show the same images go to the same address, so that its prefix cache helps,
/// unless it is clearly busier than the idlest one; then that one is taken. An address that
/// cannot be reached rests (10 s, doubling to 160 s) and the next one takes the request over at
/// once, as nothing was sent; if all rest, the one that rested longest is tried.
pub struct Pool {
    members: Vec<Member>,
}

struct Member {
    transport: Arc<dyn Transport>,
    under_way: AtomicUsize,
    rest: Mutex<Rest>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Rest {
    until: Option<Instant>,
    failures: u32,
}

impl Pool {
    /// Spreads over these; with one it adds nothing.
    #[must_use]
    pub fn new(transports: Vec<Arc<dyn Transport>>) -> Self {
        let member = |transport| Member {
            transport,
            under_way: AtomicUsize::new(0),
            rest: Mutex::default(),
        };
        Self {
            members: transports.into_iter().map(member).collect(),
        }
    }

    async fn attempt(&self, request: &Request) -> Attempted {
        let home = home(request);
        let mut tried = vec![false; self.members.len()];
        let mut last = None;
        while let Some(at) = self.choose(&home, &tried) {
            tried[at] = true;
            let member = &self.members[at];
            let attempted = {
                let _busy = Busy::new(&member.under_way);
                member.transport.send(request).await
            };
            if !is_unreached(&attempted) {
                member.reached();
                return attempted;
            }
            member.missed();
            last = Some(attempted);
        }
        last.unwrap_or_else(nobody)
    }

    /// Index of the address to ask next, among those not tried yet for this request.
    fn choose(&self, home: &Hash, tried: &[bool]) -> Option<usize> {
        let now = Instant::now();
        let left = || (0..self.members.len()).filter(|i| !tried[*i]);
        let awake: Vec<usize> = left().filter(|i| self.members[*i].is_awake(now)).collect();
        let busy = |i: &usize| self.members[*i].under_way.load(Relaxed);
        let Some(idlest) = awake.iter().map(busy).min() else {
            return left().min_by_key(|i| self.members[*i].rest().until);
        };
        // The highest score: each image has its own order of addresses, and one that is gone
        // moves only its own images.
        let own = awake.iter().max_by_key(|i| score(home, **i)).copied()?;
        if busy(&own) <= idlest + PATIENCE {
            return Some(own);
        }
        awake.into_iter().min_by_key(busy)
    }
}

impl Member {
    fn is_awake(&self, now: Instant) -> bool {
        self.rest().until.is_none_or(|until| until <= now)
    }

    fn reached(&self) {
        *self.rest() = Rest::default();
    }

    fn missed(&self) {
        let mut rest = self.rest();
        let doubled = FIRST_REST.saturating_mul(1 << rest.failures.min(10));
        rest.until = Some(Instant::now() + doubled.min(LONGEST_REST));
        rest.failures += 1;
    }

    fn rest(&self) -> MutexGuard<'_, Rest> {
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts a request as under way until dropped, also when it is given up.
struct Busy<'m>(&'m AtomicUsize);

impl<'m> Busy<'m> {
    fn new(count: &'m AtomicUsize) -> Self {
        count.fetch_add(1, Relaxed);
        Self(count)
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// Whether no judge can have seen the request: it may be sent elsewhere without paying twice.
fn is_unreached(attempted: &Attempted) -> bool {
    matches!(attempted.result, Err(Failure::Unreachable(_)))
        && attempted.raw.is_none()
        && attempted.sending.body_hash.is_none()
}

/// What decides where a request belongs: its images, else itself.
fn home(request: &Request) -> Hash {
    let mut key = KeyBuilder::new("verispec/endpoint");
    let images = request.parts.iter().filter_map(|part| match part {
        Part::Image(image) => Some(image.source),
        Part::Text(_) => None,
    });
    let images: Vec<Hash> = images.collect();
    if images.is_empty() {
        return request_key(request);
    }
    images.iter().for_each(|hash| {
        key.field("image", hash.as_bytes());
    });
    key.finish()
}

fn score(home: &Hash, member: usize) -> Hash {
    let mut key = KeyBuilder::new("verispec/endpoint-order");
    key.field("home", home.as_bytes())
        .field("member", &(member as u64).to_le_bytes());
    key.finish()
}

/// Only for a pool without members, which nobody makes.
fn nobody() -> Attempted {
    let at = crate::ledger::now();
    Attempted {
        result: Err(Failure::Config("the judge has no address".to_owned())),
        raw: None,
        sending: crate::ledger::Sending::default(),
        sent_at: at,
        received_at: at,
    }
}

impl Transport for Pool {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Attempted> {
        Box::pin(self.attempt(request))
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pool of {}", self.members.len())
    }
}
