//! Anthropic's Messages API from the server's side.

use serde_json::{Value, json};

use super::{split, tokens};
use crate::fake::answer::{Content, End};
use crate::fake::config::Prompt;

pub(super) fn whole(prompt: &Prompt, content: &Content) -> Value {
    let blocks = if content.text.is_empty() {
        json!([])
    } else {
        json!([{"type": "text", "text": content.text}])
    };
    json!({
        "id": "msg_fake", "type": "message", "role": "assistant", "model": prompt.model,
        "content": blocks, "stop_reason": stop_reason(content.end), "stop_sequence": null,
        "usage": usage(prompt, &content.text),
    })
}

/// All events, each with its name and its data.
pub(super) fn stream(prompt: &Prompt, content: &Content) -> Vec<String> {
    let mut opened = whole(prompt, content);
    opened["content"] = json!([]);
    opened["stop_reason"] = Value::Null;
    opened["usage"]["output_tokens"] = json!(1);
    let mut events = vec![
        json!({"type": "message_start", "message": opened}),
        json!({"type": "content_block_start", "index": 0,
            "content_block": {"type": "text", "text": ""}}),
        json!({"type": "ping"}),
    ];
    for piece in split(&content.text) {
        events.push(json!({"type": "content_block_delta", "index": 0,
            "delta": {"type": "text_delta", "text": piece}}));
    }
    let output = tokens(prompt, &content.text).1;
    events.extend([
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "usage": {"output_tokens": output},
            "delta": {"stop_reason": stop_reason(content.end), "stop_sequence": null}}),
        json!({"type": "message_stop"}),
    ]);
    let named = |e: &Value| format!("event: {}\ndata: {e}\n\n", e["type"].as_str().unwrap_or(""));
    events.iter().map(named).collect()
}

pub(super) fn error(status: u16, message: &str) -> Value {
    let kind = match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        _ => "api_error",
    };
    json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_fake"})
}

const fn stop_reason(end: End) -> &'static str {
    match end {
        End::Stop => "end_turn",
        End::Length => "max_tokens",
        End::Refused => "refusal",
    }
}

fn usage(prompt: &Prompt, text: &str) -> Value {
    let (input, output) = tokens(prompt, text);
    json!({"input_tokens": input, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        "output_tokens": output})
}
