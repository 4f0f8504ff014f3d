//! Batch files: the requests of a dialect in the form that its batch interface reads, and the
//! results that it writes. Pure: no files.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use verispec_model::Hash;

use crate::message::{Message, Segment};

/// Bytes of a key that a `custom_id` carries: 160 bits.
pub const ID_BYTES: usize = 20;

/// Alphabet of RFC 4648 base32 in small letters.
const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// What stands around the requests of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// Before the first request.
    pub head: &'static str,
    /// Between two requests.
    pub between: &'static str,
    /// After the last request.
    pub tail: &'static str,
    /// Ending of the file's name, without a dot.
    pub extension: &'static str,
}

impl Frame {
    /// One request a line.
    pub const LINES: Self = Self {
        head: "",
        between: "\n",
        tail: "\n",
        extension: "jsonl",
    };
}

/// What became of one request of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchOutcome {
    /// A response, also one that is an error: status and body as over HTTP.
    Response {
        /// HTTP status.
        status: u16,
        /// Body, byte for byte where the provider gives one.
        body: Vec<u8>,
    },
    /// The batch's time ran out before the request's turn.
    Expired,
    /// The batch was cancelled before the request's turn.
    Cancelled,
}

/// One result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchResult {
    /// As written into the request.
    pub custom_id: String,
    /// What became of it.
    pub outcome: BatchOutcome,
}

/// A line that is no result of this format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no batch result: {0}")]
pub struct BatchReadError(pub(crate) String);

impl BatchReadError {
    pub(crate) fn json(error: &serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

/// How the batch interface of a dialect writes requests and results.
pub trait BatchFormat: Send + Sync {
    /// Name of the dialect whose bodies it holds.
    fn dialect(&self) -> &'static str;

    /// What stands around the requests of a file.
    fn frame(&self) -> Frame;

    /// One request: the message's body, unchanged, in the format's envelope.
    fn request(&self, custom_id: &str, message: Message) -> Vec<Segment>;

    /// Reads one line of a result file.
    ///
    /// # Errors
    /// The line is no result of this format.
    fn result(&self, line: &[u8]) -> Result<BatchResult, BatchReadError>;
}

/// All formats.
pub static BATCH_FORMATS: &[&dyn BatchFormat] = &[
    &crate::openai::OpenAiBatch,
    &crate::gemini::GeminiBatch,
    &crate::anthropic::AnthropicBatch,
];

/// The batch format of a dialect; `None` for those that have no batch interface.
#[must_use]
pub fn batch_format(dialect: &str) -> Option<&'static dyn BatchFormat> {
    BATCH_FORMATS
        .iter()
        .copied()
        .find(|f| f.dialect() == dialect)
}

/// Name of a request in batch files: the first 160 bits of its key in base32, `-`, and which
/// asking this is, from 1. 34 characters or a few more, letters, digits and a dash alone.
#[must_use]
pub fn custom_id(key: &Hash, attempt: u32) -> String {
    let mut text = String::with_capacity(40);
    for five in key.as_bytes()[..ID_BYTES].chunks(5) {
        let bits = five.iter().fold(0_u64, |bits, b| bits << 8 | u64::from(*b));
        for digit in (0..8).rev() {
            let index = (bits >> (5 * digit)) & 31;
            text.push(char::from(BASE32[index as usize]));
        }
    }
    format!("{text}-{attempt}")
}

/// The key's first 160 bits and the asking that a `custom_id` names; `None` if it is not ours.
#[must_use]
pub fn parse_custom_id(text: &str) -> Option<([u8; ID_BYTES], u32)> {
    let (digits, attempt) = text.split_once('-')?;
    let attempt: u32 = attempt.parse().ok().filter(|n| *n > 0)?;
    let digits = digits.as_bytes();
    if digits.len() != 32 {
        return None;
    }
    let mut key = [0; ID_BYTES];
    for (eight, five) in digits.chunks(8).zip(key.chunks_mut(5)) {
        let mut bits = 0_u64;
        for digit in eight {
            let value = BASE32.iter().position(|b| b == digit)?;
            bits = bits << 5 | value as u64;
        }
        five.copy_from_slice(&bits.to_be_bytes()[3..]);
    }
    Some((key, attempt))
}

/// Puts an envelope around a body.
pub(crate) fn envelope(before: String, body: Vec<Segment>, after: &'static str) -> Vec<Segment> {
    let mut line = Vec::with_capacity(body.len() + 2);
    line.push(Segment::Raw(before.into()));
    line.extend(body);
    line.push(Segment::Raw(after.into()));
    line
}

/// A response with the bytes of a value.
pub(crate) fn response(status: u16, body: &RawValue) -> BatchOutcome {
    BatchOutcome::Response {
        status,
        body: body.get().as_bytes().to_vec(),
    }
}

/// A provider's error as the response that would have come over HTTP.
pub(crate) fn error_response(status: u16, error: &Value) -> BatchOutcome {
    let body = match error.get("error") {
        Some(_) => error.to_string(),
        None => serde_json::json!({ "error": error }).to_string(),
    };
    BatchOutcome::Response {
        status,
        body: body.into_bytes(),
    }
}

/// A line as a struct.
pub(crate) fn parse<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, BatchReadError> {
    serde_json::from_slice(line).map_err(|e| BatchReadError::json(&e))
}

#[cfg(test)]
mod tests;
