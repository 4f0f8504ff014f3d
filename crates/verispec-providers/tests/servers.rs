//! What servers of the `openai` dialect are known to do differently.

#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use verispec_model::{ApiError, ApiErrorKind, Finish, Reply};
use verispec_providers::{RawResponse, dialect};

fn decode(status: u16, body: &str) -> Result<Reply, ApiError> {
    dialect("openai").unwrap().decode(&RawResponse {
        status,
        content_type: Some("application/json"),
        body: body.as_bytes(),
    })
}

fn events(list: &[Value]) -> String {
    list.iter().map(|e| format!("data: {e}\n\n")).collect()
}

#[test]
fn openrouter_errors_inside_success() {
    // A whole answer that is an error, one in the choice, one in the middle of a stream.
    let whole = json!({"error": {"code": 429, "message": "Provider returned error",
        "metadata": {"raw": "slow down", "provider_name": "X"}}, "user_id": "u"});
    let error = decode(200, &whole.to_string()).unwrap_err();
    assert_eq!((error.kind, error.status), (ApiErrorKind::RateLimit, 200));
    assert!(error.message.contains("slow down"));
    let stream = ": OPENROUTER PROCESSING\n\n".to_owned()
        + &events(&[
            json!({"choices": [{"delta": {"content": "Ye"}}]}),
            json!({"error": {"code": 502, "message": "upstream"},
                "choices": [{"delta": {"content": ""}, "finish_reason": "error"}]}),
        ]);
    assert_eq!(decode(200, &stream).unwrap_err().kind, ApiErrorKind::Server);
    // Moderation of the input is a refusal.
    let flagged = json!({"error": {"code": 403, "message": "flagged",
        "metadata": {"reasons": ["violence"], "flagged_input": "…"}}});
    assert_eq!(
        decode(403, &flagged.to_string()).unwrap().finish,
        Finish::Refused
    );
    // Comments keep the connection alive and are no text.
    let stream = ": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n".to_owned()
        + &events(&[json!({"choices": [{"delta": {"content": "Yes"}, "finish_reason": "stop"}]})])
        + "data: [DONE]\n\n";
    assert_eq!(decode(200, &stream).unwrap().text, "Yes");
}

#[test]
fn vllm_and_sglang_keep_reasoning_apart_under_either_name() {
    for name in ["reasoning_content", "reasoning"] {
        let message = json!({"content": "Yes", name: "It is red.", "tool_calls": []});
        let body = json!({"choices": [{"message": message, "finish_reason": "stop",
            "stop_reason": null}]});
        let reply = decode(200, &body.to_string()).unwrap();
        assert_eq!(
            (reply.text.as_str(), reply.reasoning.as_deref()),
            ("Yes", Some("It is red."))
        );
    }
    // Both at once, as servers between two names send them, are not doubled.
    let message = json!({"content": "Yes", "reasoning": "r", "reasoning_content": "r"});
    let reply = decode(200, &json!({"choices": [{"message": message}]}).to_string()).unwrap();
    assert_eq!(reply.reasoning.as_deref(), Some("r"));
    // Cut inside its thoughts: no text, and why.
    let message = json!({"content": null, "reasoning_content": "It is"});
    let body = json!({"choices": [{"message": message, "finish_reason": "length"}]});
    let reply = decode(200, &body.to_string()).unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), ("", Finish::Length));
}

#[test]
fn azure_filters_say_so_before_the_answer_and_in_errors() {
    let stream = events(&[
        json!({"choices": [], "prompt_filter_results": [{"prompt_index": 0}]}),
        json!({"choices": [{"delta": {"content": "Yes"}, "content_filter_results": {}}]}),
        json!({"choices": [{"delta": {}, "finish_reason": "content_filter"}]}),
    ]);
    assert_eq!(decode(200, &stream).unwrap().finish, Finish::Refused);
    let error = json!({"error": {"message": "The response was filtered", "param": "prompt",
        "code": "content_filter", "status": 400,
        "innererror": {"code": "ResponsibleAIPolicyViolation"}}});
    assert_eq!(
        decode(400, &error.to_string()).unwrap().finish,
        Finish::Refused
    );
    let error = json!({"error": {"code": "DeploymentNotFound", "message": "no such deployment"}});
    assert_eq!(
        decode(404, &error.to_string()).unwrap_err().kind,
        ApiErrorKind::NotFound
    );
}

#[test]
fn dashscope_and_llama_cpp_errors() {
    let inspection = json!({"error": {"code": "data_inspection_failed", "type": "data_inspection_failed",
        "message": "Input data may contain inappropriate content."}});
    assert_eq!(
        decode(400, &inspection.to_string()).unwrap().finish,
        Finish::Refused
    );
    let arrears = json!({"error": {"code": "Arrearage", "message": "Access denied"}});
    assert_eq!(
        decode(400, &arrears.to_string()).unwrap_err().kind,
        ApiErrorKind::Auth
    );
    let loading =
        json!({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}});
    assert_eq!(
        decode(503, &loading.to_string()).unwrap_err().kind,
        ApiErrorKind::Server
    );
}
