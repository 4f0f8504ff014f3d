//! OpenAI's batch files, which `vllm run-batch` and other servers read too.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::batch::{
    BatchFormat, BatchOutcome, BatchReadError, BatchResult, Frame, envelope, error_response, parse,
    response,
};
use crate::message::{Message, Segment};

/// Lines of `custom_id`, `method`, `url` and `body`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenAiBatch;

#[derive(Deserialize)]
struct Line<'a> {
    custom_id: String,
    #[serde(borrow)]
    response: Option<Answer<'a>>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Answer<'a> {
    status_code: Option<u16>,
    #[serde(borrow)]
    body: Option<&'a RawValue>,
}

impl BatchFormat for OpenAiBatch {
    fn dialect(&self) -> &'static str {
        super::NAME
    }

    fn frame(&self) -> Frame {
        Frame::LINES
    }

    fn request(&self, custom_id: &str, message: Message) -> Vec<Segment> {
        let url = format!("/v1{}", message.path);
        let before =
            format!(r#"{{"custom_id":"{custom_id}","method":"POST","url":"{url}","body":"#);
        envelope(before, message.body, "}")
    }

    fn result(&self, line: &[u8]) -> Result<BatchResult, BatchReadError> {
        let line: Line<'_> = parse(line)?;
        let status = line.response.as_ref().and_then(|r| r.status_code);
        let body = line.response.as_ref().and_then(|r| r.body);
        let outcome = match (body, &line.error) {
            (Some(body), _) => response(status.unwrap_or(200), body),
            (None, Some(error)) => failure(status, error),
            (None, None) => {
                return Err(BatchReadError(
                    "neither a response body nor an error".into(),
                ));
            }
        };
        Ok(BatchResult {
            custom_id: line.custom_id,
            outcome,
        })
    }
}

fn failure(status: Option<u16>, error: &Value) -> BatchOutcome {
    match error.get("code").and_then(Value::as_str) {
        Some("batch_expired") => BatchOutcome::Expired,
        Some("batch_cancelled" | "batch_canceled") => BatchOutcome::Cancelled,
        _ => error_response(status.filter(|s| *s >= 400).unwrap_or(500), error),
    }
}
