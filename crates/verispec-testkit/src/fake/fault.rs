//! What can go wrong, and when.

use std::str::FromStr;
use std::time::Duration;

use verispec_model::{Hash, KeyBuilder};

/// One kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// 429, with `Retry-After` if [`Faults::retry_after`] is set.
    RateLimited,
    /// 500 with the dialect's error.
    ServerError,
    /// 502 with an HTML page.
    HtmlError,
    /// 400 with the dialect's error.
    BadRequest,
    /// 401 with the dialect's error.
    Unauthorized,
    /// The connection is reset before anything is answered.
    Reset,
    /// The connection is reset in the middle of the answer.
    ResetMidway,
    /// Nothing is ever answered.
    Stall,
    /// The answer comes in small pieces with pauses of [`Faults::trickle`].
    Trickle,
    /// Half of the answer, ended by the length limit.
    Truncated,
    /// The model declines.
    Refusal,
    /// An answer without text.
    Empty,
    /// Every second id is left out.
    LackIds,
    /// An id nobody asked for is added.
    ExtraIds,
    /// The first id is answered twice alike.
    DuplicateIds,
    /// The first id is answered with both Yes and No.
    Conflict,
    /// Half of the answer, ended as if it were whole.
    Malformed,
    /// Prose with brackets around the answer.
    Prose,
    /// The answer inside a fenced block.
    Fenced,
    /// An error inside a successful answer.
    InBandError,
}

const NAMES: &[(&str, Fault)] = &[
    ("rate-limited", Fault::RateLimited),
    ("server-error", Fault::ServerError),
    ("html-error", Fault::HtmlError),
    ("bad-request", Fault::BadRequest),
    ("unauthorized", Fault::Unauthorized),
    ("reset", Fault::Reset),
    ("reset-midway", Fault::ResetMidway),
    ("stall", Fault::Stall),
    ("trickle", Fault::Trickle),
    ("truncated", Fault::Truncated),
    ("refusal", Fault::Refusal),
    ("empty", Fault::Empty),
    ("lack-ids", Fault::LackIds),
    ("extra-ids", Fault::ExtraIds),
    ("duplicate-ids", Fault::DuplicateIds),
    ("conflict", Fault::Conflict),
    ("malformed", Fault::Malformed),
    ("prose", Fault::Prose),
    ("fenced", Fault::Fenced),
    ("in-band-error", Fault::InBandError),
];

impl Fault {
    /// Name on the command line and in logs.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES
            .iter()
            .find(|(_, f)| *f == self)
            .map_or("unnamed", |(name, _)| name)
    }

    /// All faults.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|(_, fault)| *fault)
    }
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = NAMES
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, fault)| *fault);
        found.ok_or_else(|| {
            let names: Vec<&str> = NAMES.iter().map(|(n, _)| *n).collect();
            format!("no fault {name:?}; there are {}", names.join(", "))
        })
    }
}

/// When which fault happens. The first rule that applies decides: `limit_in_flight`, `first`,
/// `containing`, `shares`.
///
/// Shares are drawn by seed, body and how often this body came before, so that which request
/// fails does not depend on timing, and a repeated request draws anew.
#[derive(Debug, Clone, PartialEq)]
pub struct Faults {
    /// Seed of all draws, latency included.
    pub seed: u64,
    /// Probability of each fault; the sum is at most 1.
    pub shares: Vec<(Fault, f64)>,
    /// The first N requests to arrive get this fault.
    pub first: Option<(u64, Fault)>,
    /// Prompts that contain this text get this fault.
    pub containing: Vec<(String, Fault)>,
    /// `containing` and `shares` apply only to the first N arrivals of one body.
    pub attempts: Option<u32>,
    /// Value of `Retry-After` on 429.
    pub retry_after: Option<String>,
    /// 429 while more requests than this are in flight.
    pub limit_in_flight: Option<u64>,
    /// Pause between pieces of [`Fault::Trickle`].
    pub trickle: Duration,
}

impl Default for Faults {
    fn default() -> Self {
        Self {
            seed: 0,
            shares: Vec::new(),
            first: None,
            containing: Vec::new(),
            attempts: None,
            retry_after: None,
            limit_in_flight: None,
            trickle: Duration::from_millis(50),
        }
    }
}

/// What is known about a request when its fault is chosen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival<'a> {
    /// How many requests arrived before, of any kind.
    pub(super) before: u64,
    /// Requests in flight, this one included.
    pub(super) in_flight: u64,
    /// Hash of the body.
    pub(super) body: Hash,
    /// How often this body arrived before.
    pub(super) attempt: u32,
    /// Text of the prompt.
    pub(super) text: &'a str,
}

impl Faults {
    /// A fault that happens to every request.
    #[must_use]
    pub fn always(fault: Fault) -> Self {
        Self {
            shares: vec![(fault, 1.0)],
            ..Self::default()
        }
    }

    /// A fault that happens to the first `n` requests.
    #[must_use]
    pub fn first(n: u64, fault: Fault) -> Self {
        Self {
            first: Some((n, fault)),
            ..Self::default()
        }
    }

    pub(super) fn choose(&self, arrival: &Arrival<'_>) -> Option<Fault> {
        if self
            .limit_in_flight
            .is_some_and(|limit| arrival.in_flight > limit)
        {
            return Some(Fault::RateLimited);
        }
        if let Some((_, fault)) = self.first.filter(|(n, _)| arrival.before < *n) {
            return Some(fault);
        }
        if self.attempts.is_some_and(|n| arrival.attempt >= n) {
            return None;
        }
        let contained = self
            .containing
            .iter()
            .find(|(text, _)| arrival.text.contains(text));
        if let Some((_, fault)) = contained {
            return Some(*fault);
        }
        let mut left = draw(self.seed, "fault", arrival.body.as_bytes(), arrival.attempt);
        for (fault, share) in &self.shares {
            if left < *share {
                return Some(*fault);
            }
            left -= share;
        }
        None
    }
}

/// A number in [0, 1) that depends on nothing but the arguments.
pub(super) fn draw(seed: u64, what: &str, about: &[u8], attempt: u32) -> f64 {
    let mut key = KeyBuilder::new("fake-judge");
    key.field("what", what.as_bytes())
        .field("seed", &seed.to_le_bytes());
    key.field("about", about)
        .field("attempt", &attempt.to_le_bytes());
    let bytes = *key.finish().as_bytes();
    let top = bytes
        .iter()
        .take(8)
        .fold(0u64, |n, b| (n << 8) | u64::from(*b));
    // 53 bits are what a double holds exactly.
    (top >> 11) as f64 / (1u64 << 53) as f64
}
