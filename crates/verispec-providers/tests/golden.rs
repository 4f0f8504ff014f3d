//! The bytes of bodies are pinned, together with the key of the request they stand for.
//!
//! A body that changes under an unchanged key makes stored replies answer a question that was
//! never asked. If such a change is wanted, the protocol's version has to change with it. With
//! `VERISPEC_UPDATE_GOLDEN=1` the files are written anew.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::PathBuf;

use common::{image, image_part, params, request, text};
use serde_json::{Value, json};
use verispec_model::{JudgeIdentity, Request, Structured, request_key};
use verispec_providers::{Auth, EncodedImage, Message, dialect};

fn parts() -> Vec<verispec_model::Part> {
    vec![
        text("[Original \"Image\"]:\n"),
        image_part(),
        text("圖 é \u{2028} \\ </script>"),
        image_part(),
        text("1. Is it red?"),
    ]
}

fn images() -> Vec<EncodedImage> {
    vec![
        image("image/png", b"\x89PNG"),
        image("image/webp", b"RIFF?"),
    ]
}

fn with_schema(mut request: Request, structured: Structured) -> Request {
    let judge = JudgeIdentity {
        structured,
        ..(*request.judge).clone()
    };
    request.judge = std::sync::Arc::new(judge);
    request.schema = Some(json!({
        "type": "object",
        "properties": {"answer": {"enum": ["Yes", "No"]}},
        "required": ["answer"],
    }));
    request
}

fn cases() -> Vec<(&'static str, Request)> {
    let common = json!({"temperature": 0.1, "top_p": 1, "seed": 7, "max_tokens": 512, "stop": ["\n\n"],
        "logprobs": true, "top_logprobs": 5, "reasoning_effort": "low", "media_detail": "high", "stream": true});
    let openai_extra = json!({"max_completion_tokens": 9,
        "extra_body": {"stream_options": {"include_usage": true}, "min_p": 0.05}});
    let gemini_extra = json!({"top_k": 1, "stop": "END",
        "extra_body": {"generationConfig": {"thinkingConfig": {"thinkingBudget": 0}}, "safetySettings": []}});
    let anthropic = json!({"temperature": 0.1, "top_p": 1, "top_k": 5, "max_tokens": 512, "stop": ["\n\n"],
        "reasoning_effort": "low", "stream": true, "prompt_cache": true});
    let anthropic_extra = json!({"stop": "END", "anthropic_beta": "context-1m-2025-08-07",
        "extra_body": {"thinking": {"type": "enabled", "budget_tokens": 2048}}});
    let mut proxy = common.clone();
    proxy.as_object_mut().unwrap().remove("stream");
    let plain = |provider: &str| request(provider, params(json!({})), parts());
    let with = |provider: &str, p: &Value| request(provider, params(p.clone()), parts());
    vec![
        ("openai_plain", plain("openai")),
        (
            "openai_params",
            with_schema(with("openai", &common), Structured::JsonSchema),
        ),
        (
            "openai_extra",
            with_schema(with("openai", &openai_extra), Structured::JsonObject),
        ),
        ("gemini_plain", plain("gemini")),
        (
            "gemini_params",
            with_schema(with("gemini", &common), Structured::JsonSchema),
        ),
        (
            "gemini_extra",
            with_schema(with("gemini", &gemini_extra), Structured::JsonObject),
        ),
        (
            "gemini-dashscope_published",
            with("gemini-dashscope", &json!({"temperature": 0.1})),
        ),
        ("gemini-dashscope_params", with("gemini-dashscope", &proxy)),
        ("anthropic_plain", plain("anthropic")),
        (
            "anthropic_params",
            with_schema(with("anthropic", &anthropic), Structured::JsonSchema),
        ),
        ("anthropic_extra", with("anthropic", &anthropic_extra)),
    ]
}

fn encode(request: &Request) -> Message {
    dialect(&request.judge.provider)
        .unwrap()
        .encode(request, &images())
        .unwrap()
}

#[test]
fn bodies_are_pinned_with_their_keys() {
    for (name, request) in cases() {
        let message = encode(&request);
        let body = String::from_utf8(message.body_bytes()).unwrap();
        let auth = match message.auth {
            Auth::Bearer => "bearer".to_owned(),
            Auth::Header(name) => name.to_owned(),
        };
        let now =
            json!({"key": request_key(&request), "path": message.path, "auth": auth, "body": body});
        let path =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{name}.json"));
        if std::env::var_os("VERISPEC_UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, format!("{now:#}\n")).unwrap();
        }
        let stored = std::fs::read_to_string(&path).unwrap();
        let stored: Value = serde_json::from_str(&stored).unwrap();
        assert!(
            stored["body"] == now["body"] || stored["key"] != now["key"],
            "{name}: the body changed under an unchanged key\n was {}\n now {}",
            stored["body"],
            now["body"]
        );
        assert_eq!(
            stored, now,
            "{name}: body, key or address changed; see the top of this file"
        );
    }
}

#[test]
fn only_parameters_that_were_set_are_sent() {
    for (name, fields) in [
        ("openai", &["model", "messages"][..]),
        ("gemini", &["contents"]),
        (
            "gemini-dashscope",
            &["model", "stream", "dashscope_extend_params", "contents"],
        ),
        // The interface does not do without a limit.
        ("anthropic", &["model", "max_tokens", "messages"]),
    ] {
        let message = encode(&request(name, params(json!({})), parts()));
        let body: Value = serde_json::from_slice(&message.body_bytes()).unwrap();
        let sent: Vec<&String> = body.as_object().unwrap().keys().collect();
        assert_eq!(sent, fields, "{name}");
    }
}

#[test]
fn image_bytes_are_shared_and_not_copied() {
    for name in verispec_providers::names() {
        let images = images();
        let request = request(name, params(json!({})), parts());
        let message = dialect(name).unwrap().encode(&request, &images).unwrap();
        let sent: Vec<*const u8> = message
            .body
            .iter()
            .filter_map(|s| match s {
                verispec_providers::Segment::Base64(b) => Some(b.as_ptr()),
                verispec_providers::Segment::Raw(_) => None,
            })
            .collect();
        let given: Vec<*const u8> = images.iter().map(|i| i.bytes.as_ptr()).collect();
        assert_eq!(sent, given, "{name}");
    }
}
