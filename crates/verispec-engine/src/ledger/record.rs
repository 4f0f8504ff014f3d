//! One row to write: a request and what became of one attempt at it.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use verispec_model::{Hash, Reply, Request};
use verispec_providers::RawResponse;

use super::outcome::Outcome;

/// Microseconds since 1970-01-01 UTC.
pub type Micros = i64;

/// The present moment by the system clock.
#[must_use]
pub fn now() -> Micros {
    let elapsed = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(elapsed.as_micros()).unwrap_or(i64::MAX)
}

/// A response as received, with the dialect that reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raw {
    /// Name of the dialect, or [`super::IN_PROCESS`].
    pub dialect: Arc<str>,
    /// HTTP status; 200 for judges inside the process.
    pub status: u16,
    /// `Content-Type`, if any.
    pub content_type: Option<String>,
    /// Body.
    pub body: Bytes,
}

impl Raw {
    /// The view that a dialect decodes.
    #[must_use]
    pub fn response(&self) -> RawResponse<'_> {
        RawResponse {
            status: self.status,
            content_type: self.content_type.as_deref(),
            body: &self.body,
        }
    }
}

/// Where a reply came from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Via {
    /// A call made by this run.
    #[default]
    Call,
    /// Copied from the ledger of the run of this name.
    Reuse(String),
    /// Taken in from a batch result file of this name.
    Batch(String),
}

impl Via {
    /// As in the ledger: `call`, `reuse:RUN` or `batch:FILE`.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Call => "call".to_owned(),
            Self::Reuse(run) => format!("reuse:{run}"),
            Self::Batch(file) => format!("batch:{file}"),
        }
    }

    pub(crate) fn parse(text: &str) -> Self {
        match text.split_once(':') {
            Some(("reuse", run)) => Self::Reuse(run.to_owned()),
            Some(("batch", file)) => Self::Batch(file.to_owned()),
            _ => Self::Call,
        }
    }
}

/// How a request was sent; recorded, never part of its key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sending {
    /// Hash of the body as sent, if the whole of it was sent.
    pub body_hash: Option<Hash>,
    /// Encoder that image bytes went through.
    pub encoder: Option<String>,
    /// Address without user, password and query.
    pub endpoint: Option<String>,
}

/// What became of one attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// Outcome.
    pub outcome: Outcome,
    /// Whether the request is settled by it: replies and bad requests are, a failure only as
    /// the last one of its allowance.
    pub settles: bool,
    /// 0 for the first asking, one more for each explicit retry of a settled request.
    pub round: u32,
    /// What went wrong, in words.
    pub error: Option<String>,
    /// Response, if one was received.
    pub raw: Option<Raw>,
    /// The reply decoded from `raw`, for the columns derived from it.
    pub reply: Option<Reply>,
    /// How it was sent.
    pub sending: Sending,
    /// Where it came from.
    pub via: Via,
    /// Start of the attempt.
    pub sent_at: Micros,
    /// End of the attempt.
    pub received_at: Micros,
}

/// One row for the writer.
#[derive(Debug, Clone)]
pub struct Record {
    /// Key of the request.
    pub key: Hash,
    /// Job that asked first.
    pub job: Arc<str>,
    /// Step of that job, from 0.
    pub step: u32,
    /// The request.
    pub request: Arc<Request>,
    /// What became of it.
    pub attempt: Attempt,
}
