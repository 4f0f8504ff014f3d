//! One attempt at one request: over HTTP, or inside the process.
//!
//! A transport never repeats, waits or remembers; that is the executor's part.

mod body;
mod endpoint;
mod http;
mod images;
mod in_process;
mod keeping;
mod pool;
mod process;

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use verispec_model::{ApiError, ApiErrorKind, Reply, Request};

pub use endpoint::{TransportError, account};
pub(crate) use endpoint::{is_loopback, parse_endpoint, shown};
pub(crate) use http::causes;
pub use http::{HttpOptions, HttpTransport};
pub(crate) use images::load_all;
pub use images::{ImageSource, SourceImage};
pub use in_process::{InProcess, LocalError, LocalJudge};
pub use keeping::{INCOMING_DIR, KeepFiles};
pub use pool::Pool;
pub use process::ProcessTransport;

use crate::ledger::{Micros, Outcome, Raw, Sending};

/// A future on the heap, so that [`Transport`] can be used as `dyn`.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A way to a judge.
pub trait Transport: Send + Sync {
    /// Makes one attempt. Dropping the future gives it up.
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Attempted>;
}

/// What one attempt brought.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempted {
    /// The reply, or why there is none.
    pub result: Result<Reply, Failure>,
    /// Response as received, also of an error.
    pub raw: Option<Raw>,
    /// How it was sent.
    pub sending: Sending,
    /// Start of the attempt.
    pub sent_at: Micros,
    /// End of the attempt.
    pub received_at: Micros,
}

/// Why an attempt brought no reply.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Failure {
    /// The provider answered with an error.
    #[error("{error}")]
    Api {
        /// The error.
        error: ApiError,
        /// Wait that the provider asks for.
        retry_after: Option<Duration>,
    },
    /// No whole answer in time.
    #[error("no whole answer within {} s", .0.as_secs_f64())]
    TimedOut(Duration),
    /// No connection, or it broke.
    #[error("{0}")]
    Unreachable(String),
    /// The request could not be put together, for instance because an image has gone. Nothing
    /// was sent; the request stays pending.
    #[error("{0}")]
    Unsendable(String),
    /// The judge's configuration cannot work for any request. Stops the run.
    #[error("{0}")]
    Config(String),
}

impl Failure {
    /// An error answer with nothing but kind, status (0 where there is no HTTP) and message.
    pub(crate) const fn api(kind: ApiErrorKind, status: u16, message: String) -> Self {
        let error = ApiError {
            kind,
            status,
            code: None,
            param: None,
            message,
        };
        Self::Api {
            error,
            retry_after: None,
        }
    }

    /// Whether it tells nothing about its request: the judge was not reached, or asked for patience.
    pub(crate) fn says_nothing(&self) -> bool {
        match self {
            Self::Unreachable(_) => true,
            Self::Api { error, .. } => error.kind == ApiErrorKind::RateLimit,
            _ => false,
        }
    }

    /// The ledger's name for this failure; `None` where nothing was sent, so nothing is recorded.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        Some(match self {
            Self::Api { error, .. } => match error.kind {
                ApiErrorKind::Auth => Outcome::Auth,
                ApiErrorKind::NotFound => Outcome::NotFound,
                ApiErrorKind::BadRequest => Outcome::BadRequest,
                ApiErrorKind::RateLimit => Outcome::RateLimited,
                ApiErrorKind::Server => Outcome::ServerError,
                ApiErrorKind::Malformed => Outcome::Malformed,
            },
            Self::TimedOut(_) => Outcome::TimedOut,
            Self::Unreachable(_) => Outcome::Unreachable,
            Self::Unsendable(_) | Self::Config(_) => return None,
        })
    }
}
