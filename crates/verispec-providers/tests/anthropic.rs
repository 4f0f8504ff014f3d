//! Decoding what Anthropic's Messages API answers: whole, streamed, refusals, errors.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use serde_json::{Value, json};
use verispec_model::{ApiError, ApiErrorKind, Finish, Reply, Usage};
use verispec_providers::{RawResponse, dialect};

fn decode(status: u16, body: &str) -> Result<Reply, ApiError> {
    dialect("anthropic").unwrap().decode(&RawResponse {
        status,
        content_type: Some("application/json"),
        body: body.as_bytes(),
    })
}

fn message(content: &Value, stop_reason: &Value) -> Value {
    json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x-1",
        "content": content, "stop_reason": stop_reason, "stop_sequence": null,
        "usage": {"input_tokens": 10, "cache_creation_input_tokens": 300,
            "cache_read_input_tokens": 2000, "output_tokens": 7}})
}

fn events(list: &[Value]) -> String {
    let event = |e: &Value| format!("event: {}\ndata: {e}\n\n", e["type"].as_str().unwrap());
    list.iter().map(event).collect()
}

/// A stream as the API sends it; `pieces` are the text deltas.
fn stream(pieces: &[&str], stop_reason: &str) -> String {
    let start = |index: u32, block: Value| json!({"type": "content_block_start", "index": index, "content_block": block});
    let delta = |index: u32, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
    let stop = |index: u32| json!({"type": "content_block_stop", "index": index});
    let mut opened = message(&json!([]), &Value::Null);
    opened["usage"]["output_tokens"] = json!(1);
    let mut list = vec![
        json!({"type": "message_start", "message": opened}),
        start(
            0,
            json!({"type": "thinking", "thinking": "", "signature": ""}),
        ),
        json!({"type": "ping"}),
        delta(0, json!({"type": "thinking_delta", "thinking": "It is "})),
        delta(0, json!({"type": "thinking_delta", "thinking": "red."})),
        delta(0, json!({"type": "signature_delta", "signature": "EqQB"})),
        stop(0),
        start(1, json!({"type": "text", "text": ""})),
    ];
    list.extend(
        pieces
            .iter()
            .map(|p| delta(1, json!({"type": "text_delta", "text": p}))),
    );
    list.push(stop(1));
    list.push(
        json!({"type": "message_delta", "delta": {"stop_reason": stop_reason,
        "stop_sequence": null}, "usage": {"output_tokens": 7}}),
    );
    list.push(json!({"type": "message_stop"}));
    events(&list)
}

fn expected() -> Reply {
    Reply {
        text: "Yes.".into(),
        reasoning: Some("It is red.".into()),
        finish: Finish::Stop,
        finish_raw: Some("end_turn".into()),
        served_model: Some("claude-x-1".into()),
        fingerprint: None,
        // Cached and newly cached tokens are counted beside the others by the API.
        usage: Usage {
            input: Some(2310),
            cached: Some(2000),
            output: Some(7),
            reasoning: None,
        },
        logprobs: None,
        parts: vec![],
    }
}

#[test]
fn whole_and_streamed_answers_read_alike() {
    let content = json!([{"type": "thinking", "thinking": "It is red.", "signature": "EqQB"},
        {"type": "redacted_thinking", "data": "xyz"},
        {"type": "text", "text": "Ye"}, {"type": "text", "text": "s."}]);
    let whole = message(&content, &json!("end_turn")).to_string();
    assert_eq!(decode(200, &whole).unwrap(), expected());
    assert_eq!(
        decode(200, &stream(&["Ye", "s", "."], "end_turn")).unwrap(),
        expected()
    );
    let crlf = stream(&["Yes", "."], "end_turn").replace('\n', "\r\n");
    assert_eq!(decode(200, &crlf).unwrap(), expected());
}

#[test]
fn stop_reasons() {
    for (reason, finish) in [
        ("end_turn", Finish::Stop),
        ("stop_sequence", Finish::Stop),
        ("max_tokens", Finish::Length),
        ("model_context_window_exceeded", Finish::Length),
        ("refusal", Finish::Refused),
        ("pause_turn", Finish::Other),
        ("tool_use", Finish::Other),
    ] {
        let whole = message(&json!([]), &json!(reason)).to_string();
        let reply = decode(200, &whole).unwrap();
        assert_eq!(
            (reply.finish, reply.text.as_str()),
            (finish, ""),
            "{reason}"
        );
        let streamed = decode(200, &stream(&[], reason)).unwrap();
        assert_eq!(streamed.finish, finish, "{reason}");
        assert_eq!(streamed.finish_raw.as_deref(), Some(reason));
    }
}

#[test]
fn a_stream_that_breaks_off_is_no_answer() {
    let whole = stream(&["Yes"], "end_turn");
    let cut = whole.split("event: message_delta").next().unwrap();
    let error = decode(200, cut).unwrap_err();
    assert_eq!(error.kind, ApiErrorKind::Malformed);
    assert!(error.message.contains("ends too early"), "{error}");
    let failed = cut.to_owned()
        + &events(&[
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
        ]);
    let error = decode(200, &failed).unwrap_err();
    assert_eq!((error.kind, error.status), (ApiErrorKind::Server, 200));
    assert_eq!(error.code.as_deref(), Some("overloaded_error"));
}

#[test]
fn errors_by_status_and_in_band() {
    use ApiErrorKind::{Auth, BadRequest, NotFound, RateLimit, Server};
    for (status, kind, expected) in [
        (400, "invalid_request_error", BadRequest),
        (401, "authentication_error", Auth),
        (402, "billing_error", Auth),
        (403, "permission_error", Auth),
        (404, "not_found_error", NotFound),
        (413, "request_too_large", BadRequest),
        (429, "rate_limit_error", RateLimit),
        (500, "api_error", Server),
        (504, "timeout_error", Server),
        (529, "overloaded_error", Server),
    ] {
        let body =
            json!({"type": "error", "error": {"type": kind, "message": "why"}, "request_id": "r"});
        let error = decode(status, &body.to_string()).unwrap_err();
        assert_eq!(
            (
                error.kind,
                error.status,
                error.code.as_deref(),
                error.message.as_str()
            ),
            (expected, status, Some(kind), "why")
        );
        if status != 413 {
            let in_band = decode(200, &events(&[body])).unwrap_err();
            assert_eq!(in_band.kind, expected, "{kind} inside a stream");
        }
    }
}

#[test]
fn errors_name_the_field() {
    for (message, param) in [
        ("temperature: range: 0..1", Some("temperature")),
        (
            "max_tokens: 9000000 > 64000, which is the maximum",
            Some("max_tokens"),
        ),
        (
            "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum",
            Some("messages.0.content.1.image.source.base64"),
        ),
        (
            "`temperature` and `top_p` cannot both be specified for this model.",
            Some("temperature"),
        ),
        (
            "output_config.format: not supported by this model",
            Some("output_config.format"),
        ),
        ("Your request: it is bad", None),
    ] {
        let body = json!({"type": "error", "error": {"type": "invalid_request_error", "message": message}});
        let error = decode(400, &body.to_string()).unwrap_err();
        assert_eq!(error.param.as_deref(), param, "{message}");
    }
}

#[test]
fn filtered_output_is_a_refusal() {
    let body = json!({"type": "error", "error": {"type": "invalid_request_error",
        "message": "Output blocked by content filtering policy"}});
    let reply = decode(400, &body.to_string()).unwrap();
    assert_eq!((reply.finish, reply.text.as_str()), (Finish::Refused, ""));
}

proptest! {
    #[test]
    fn any_cut_into_pieces_reads_alike(pieces in prop::collection::vec("\\PC{0,8}", 0..6)) {
        let whole = pieces.concat();
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        let reply = decode(200, &stream(&pieces, "end_turn")).unwrap();
        prop_assert_eq!(reply.text, whole);
        prop_assert_eq!(reply.finish, Finish::Stop);
    }
}
