//! What a judge sent back.

use serde::{Deserialize, Serialize};

use crate::hash::Hash;

/// Why generation ended, normalised over dialects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finish {
    /// The model finished by itself.
    Stop,
    /// A length limit cut it.
    Length,
    /// A safety system or the model declined.
    Refused,
    /// Any other reason; the dialect's own word is in [`Reply::finish_raw`].
    Other,
    /// The provider gave no reason.
    Unknown,
}

/// Token counts as the provider reports them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt, cached ones included.
    pub input: Option<u64>,
    /// Prompt tokens served from the provider's cache.
    pub cached: Option<u64>,
    /// Tokens generated, reasoning included.
    pub output: Option<u64>,
    /// Tokens spent on reasoning.
    pub reasoning: Option<u64>,
}

impl Usage {
    /// Adds counts; one that neither side states stays unknown.
    pub fn add(&mut self, more: &Self) {
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (None, b) => b,
            (a, None) => a,
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
        };
        *self = Self {
            input: sum(self.input, more.input),
            cached: sum(self.cached, more.cached),
            output: sum(self.output, more.output),
            reasoning: sum(self.reasoning, more.reasoning),
        };
    }
}

/// A token that the judge could have put at one position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TopLogprob {
    /// Text of the token, as the provider spells it.
    pub token: String,
    /// Natural logarithm of its probability, at most 0.
    pub logprob: f64,
}

/// One position of the answer with the probability of what stands there and of what could have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TokenLogprob {
    /// Text of the token that was generated.
    pub token: String,
    /// Natural logarithm of its probability, at most 0.
    pub logprob: f64,
    /// Likeliest tokens at this position in the provider's order, the generated one usually among
    /// them; empty where the provider gives none, at most [`MAX_TOP_LOGPROBS`].
    pub top: Vec<TopLogprob>,
}

/// Positions whose log-probabilities are kept: a yes/no answer is decided by its first tokens.
pub const MAX_LOGPROB_POSITIONS: usize = 8;

/// Alternatives kept at one position; no public interface gives more than 20.
pub const MAX_TOP_LOGPROBS: usize = 20;

/// One piece of a reply that holds more than text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReplyPart {
    /// Text, as it is.
    Text(String),
    /// A file that was made, kept by hash beside the ledger.
    Image {
        /// Hash of its bytes.
        hash: Hash,
        /// Media type by content; `application/octet-stream` for what is no known image.
        mime: String,
        /// Size in bytes.
        bytes: u64,
    },
}

/// A decoded reply. The raw bytes are kept by the ledger; this is derived from them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// Text of the answer; reasoning is not part of it.
    pub text: String,
    /// Reasoning text, where the provider separates it.
    pub reasoning: Option<String>,
    /// Normalised finish reason.
    pub finish: Finish,
    /// The provider's own word for the finish reason.
    pub finish_raw: Option<String>,
    /// Model id that the server says it served.
    pub served_model: Option<String>,
    /// Fingerprint or version that the server reports.
    pub fingerprint: Option<String>,
    /// Token counts.
    pub usage: Usage,
    /// First positions of the answer, reasoning not included, at most
    /// [`MAX_LOGPROB_POSITIONS`]; `None` where the provider gives no log-probabilities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<Vec<TokenLogprob>>,
    /// Texts and images in order, where the reply holds an image; else empty. `text` is then all
    /// texts, one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ReplyPart>,
}

impl Reply {
    /// A finished reply with this text and nothing else known.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            reasoning: None,
            finish: Finish::Stop,
            finish_raw: None,
            served_model: None,
            fingerprint: None,
            usage: Usage::default(),
            logprobs: None,
            parts: vec![],
        }
    }

    /// Whether a file was made.
    #[must_use]
    pub fn has_image(&self) -> bool {
        let is_image = |part: &ReplyPart| matches!(part, ReplyPart::Image { .. });
        self.parts.iter().any(is_image)
    }
}

/// What kind of error a provider answered with; decides what happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ApiErrorKind {
    /// 401, 403: the key or its rights. Stops the run.
    Auth,
    /// 404: wrong address or model. Stops the run.
    NotFound,
    /// 400, 413, 422 and the like: the request itself. Never repeated.
    BadRequest,
    /// 429: slow down. Repeated after `retry_after`.
    RateLimit,
    /// 5xx, 408 and the like. Repeated.
    Server,
    /// An answer that is not the dialect. Repeated.
    Malformed,
}

/// A provider's error answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind:?} (HTTP {status}): {message}")]
pub struct ApiError {
    /// Kind, normalised over dialects.
    pub kind: ApiErrorKind,
    /// HTTP status, 200 for an error inside a successful stream.
    pub status: u16,
    /// Provider's own code, for instance `invalid_api_key`.
    pub code: Option<String>,
    /// Request field the provider complains about, where it says so.
    pub param: Option<String>,
    /// Provider's message.
    pub message: String,
}
