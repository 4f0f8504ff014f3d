//! Anthropic's message batches: one object with all requests, to be sent as the body of
//! `POST /v1/messages/batches`; results are lines.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::batch::{
    BatchFormat, BatchOutcome, BatchReadError, BatchResult, Frame, envelope, error_response, parse,
    response,
};
use crate::message::{Message, Segment};

/// Objects of `custom_id` and `params`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnthropicBatch;

#[derive(Deserialize)]
struct Line<'a> {
    custom_id: String,
    #[serde(borrow)]
    result: Outcome<'a>,
}

#[derive(Deserialize)]
struct Outcome<'a> {
    r#type: String,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    error: Option<Value>,
}

impl BatchFormat for AnthropicBatch {
    fn dialect(&self) -> &'static str {
        super::NAME
    }

    fn frame(&self) -> Frame {
        Frame {
            head: "{\"requests\":[\n",
            between: ",\n",
            tail: "\n]}\n",
            extension: "json",
        }
    }

    fn request(&self, custom_id: &str, message: Message) -> Vec<Segment> {
        let before = format!(r#"{{"custom_id":"{custom_id}","params":"#);
        envelope(before, message.body, "}")
    }

    fn result(&self, line: &[u8]) -> Result<BatchResult, BatchReadError> {
        let line: Line<'_> = parse(line)?;
        let outcome = match (line.result.r#type.as_str(), line.result.message) {
            ("succeeded", Some(message)) => response(200, message),
            ("errored", _) => failure(&line.result.error.unwrap_or_default()),
            ("expired", _) => BatchOutcome::Expired,
            ("canceled" | "cancelled", _) => BatchOutcome::Cancelled,
            (other, _) => return Err(BatchReadError(format!("result type {other:?}"))),
        };
        Ok(BatchResult {
            custom_id: line.custom_id,
            outcome,
        })
    }
}

/// The status that the same error has over HTTP.
fn failure(error: &Value) -> BatchOutcome {
    let kind = error.pointer("/error/type").or_else(|| error.get("type"));
    let status = match kind.and_then(Value::as_str) {
        Some("invalid_request_error") => 400,
        Some("authentication_error") => 401,
        Some("permission_error") => 403,
        Some("not_found_error") => 404,
        Some("request_too_large") => 413,
        Some("rate_limit_error") => 429,
        Some("overloaded_error") => 529,
        _ => 500,
    };
    error_response(status, error)
}
