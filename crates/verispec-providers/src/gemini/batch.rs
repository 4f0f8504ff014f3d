//! Gemini's batch files: lines of `key` and `request`; the model is named when the batch is made.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::batch::{
    BatchFormat, BatchOutcome, BatchReadError, BatchResult, Frame, envelope, error_response, parse,
    response,
};
use crate::message::{Message, Segment};

/// Lines of whole `GenerateContentRequest` objects.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GeminiBatch;

#[derive(Deserialize)]
struct Line<'a> {
    key: String,
    #[serde(borrow)]
    response: Option<&'a RawValue>,
    error: Option<Value>,
}

impl BatchFormat for GeminiBatch {
    fn dialect(&self) -> &'static str {
        super::NATIVE
    }

    fn frame(&self) -> Frame {
        Frame::LINES
    }

    fn request(&self, custom_id: &str, message: Message) -> Vec<Segment> {
        let before = format!(r#"{{"key":"{custom_id}","request":"#);
        envelope(before, message.body, "}")
    }

    fn result(&self, line: &[u8]) -> Result<BatchResult, BatchReadError> {
        let line: Line<'_> = parse(line)?;
        let outcome = match (line.response, &line.error) {
            (Some(body), _) => response(200, body),
            (None, Some(error)) => failure(error),
            (None, None) => return Err(BatchReadError("neither response nor error".into())),
        };
        Ok(BatchResult {
            custom_id: line.key,
            outcome,
        })
    }
}

/// Errors carry the number of a google.rpc code or an HTTP status.
fn failure(error: &Value) -> BatchOutcome {
    let status = match error.get("code").and_then(Value::as_u64) {
        Some(1) => return BatchOutcome::Cancelled,
        Some(4) => return BatchOutcome::Expired,
        Some(3 | 9 | 11) => 400,
        Some(16) => 401,
        Some(7) => 403,
        Some(5) => 404,
        Some(8) => 429,
        Some(14) => 503,
        Some(http @ 400..600) => http as u16,
        _ => 500,
    };
    error_response(status, error)
}
