//! What became of one attempt.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use verispec_model::{Finish, Reply, Unjudged};

/// What became of one attempt, as the ledger names it.
///
/// Says nothing about whether the reply could be *read*: that is derived later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A reply with text or an image that ended by itself. The only outcome that other runs reuse.
    Answered,
    /// The judge or its provider declined.
    Refused,
    /// A length limit cut the reply.
    Truncated,
    /// A reply without text or image.
    Empty,
    /// The provider calls the request itself wrong; never repeated.
    BadRequest,
    /// The provider failed (5xx and the like).
    ServerError,
    /// The answer was not the dialect.
    Malformed,
    /// No whole answer within the time for one attempt.
    TimedOut,
    /// Too many requests.
    RateLimited,
    /// No connection, or it broke.
    Unreachable,
    /// Key or rights were refused; stops the run.
    Auth,
    /// Wrong address or model; stops the run.
    NotFound,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 12] = [
        Self::Answered,
        Self::Refused,
        Self::Truncated,
        Self::Empty,
        Self::BadRequest,
        Self::ServerError,
        Self::Malformed,
        Self::TimedOut,
        Self::RateLimited,
        Self::Unreachable,
        Self::Auth,
        Self::NotFound,
    ];

    /// Outcome of a decoded reply.
    #[must_use]
    pub fn of_reply(reply: &Reply) -> Self {
        match reply.finish {
            Finish::Refused => Self::Refused,
            Finish::Length => Self::Truncated,
            _ if reply.text.trim().is_empty() && !reply.has_image() => Self::Empty,
            _ => Self::Answered,
        }
    }

    /// Whether a reply was received that a job can look at.
    #[must_use]
    pub const fn has_reply(self) -> bool {
        matches!(
            self,
            Self::Answered | Self::Refused | Self::Truncated | Self::Empty
        )
    }

    /// Why an item stays unjudged when the request was settled by this failure.
    #[must_use]
    pub const fn unjudged(self) -> Unjudged {
        match self {
            Self::TimedOut => Unjudged::Timeout,
            Self::Refused => Unjudged::Refused,
            Self::Truncated => Unjudged::Truncated,
            Self::Answered | Self::Empty => Unjudged::Unparsed,
            _ => Unjudged::ProviderError,
        }
    }

    /// The outcomes that a user means with the name of an unjudged reason, for `--retry`.
    ///
    /// Reasons that only a reader can find (`unparsed`, `conflict`, `missing-id`, `abstained`)
    /// have none: such requests are named by key. `unparsed` covers replies without text.
    #[must_use]
    pub const fn meant_by(reason: Unjudged) -> &'static [Self] {
        match reason {
            Unjudged::Refused => &[Self::Refused],
            Unjudged::Truncated => &[Self::Truncated],
            Unjudged::Timeout => &[Self::TimedOut],
            Unjudged::ProviderError => &[Self::BadRequest, Self::ServerError, Self::Malformed],
            Unjudged::Unparsed => &[Self::Empty],
            _ => &[],
        }
    }

    /// Kebab-case name, as in the ledger and in events.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Refused => "refused",
            Self::Truncated => "truncated",
            Self::Empty => "empty",
            Self::BadRequest => "bad-request",
            Self::ServerError => "server-error",
            Self::Malformed => "malformed",
            Self::TimedOut => "timed-out",
            Self::RateLimited => "rate-limited",
            Self::Unreachable => "unreachable",
            Self::Auth => "auth",
            Self::NotFound => "not-found",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text names no outcome.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown outcome {0:?}; expected answered, refused, truncated, empty, bad-request, \
         server-error, malformed, timed-out, rate-limited, unreachable, auth or not-found"
)]
pub struct ParseOutcomeError(String);

impl FromStr for Outcome {
    type Err = ParseOutcomeError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|o| o.as_str() == s);
        found.ok_or_else(|| ParseOutcomeError(s.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_match_serde() {
        for outcome in Outcome::ALL {
            assert_eq!(outcome.as_str().parse::<Outcome>(), Ok(outcome));
            let json = serde_json::to_string(&outcome).unwrap();
            assert_eq!(json, format!("\"{outcome}\""));
        }
        assert!("no".parse::<Outcome>().is_err());
    }

    #[test]
    fn a_reply_without_text_is_not_an_answer() {
        assert_eq!(Outcome::of_reply(&Reply::text(" \n")), Outcome::Empty);
        assert_eq!(Outcome::of_reply(&Reply::text("Yes")), Outcome::Answered);
        let cut = Reply {
            finish: Finish::Length,
            ..Reply::text("Yes")
        };
        assert_eq!(Outcome::of_reply(&cut), Outcome::Truncated);
        let refused = Reply {
            finish: Finish::Refused,
            ..Reply::text("Sorry")
        };
        assert_eq!(Outcome::of_reply(&refused), Outcome::Refused);
    }
}
