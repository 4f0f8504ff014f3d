//! Encoding: lengths, escaping, parameters that are refused before anything is sent.

#![allow(clippy::unwrap_used)]

mod common;

use base64::Engine as _;
use common::{image, image_part, params, request, text};
use proptest::prelude::*;
use serde_json::{Value, json};
use verispec_model::Part;
use verispec_providers::{EncodeError, EncodedImage, dialect, names};

/// Texts and images of a body, in order, images as (media type, bytes).
fn parts_of(body: &Value) -> Vec<Result<String, (String, Vec<u8>)>> {
    let decode = |text: &str| {
        base64::engine::general_purpose::STANDARD
            .decode(text)
            .unwrap()
    };
    let list = body
        .pointer("/messages/0/content")
        .or(body.pointer("/contents/0/parts"))
        .unwrap();
    list.as_array()
        .unwrap()
        .iter()
        .map(|part| {
            if let Some(text) = part["text"].as_str() {
                return Ok(text.to_owned());
            }
            if let Some(url) = part.pointer("/image_url/url") {
                let rest = url.as_str().unwrap().strip_prefix("data:").unwrap();
                let (mime, data) = rest.split_once(";base64,").unwrap();
                return Err((mime.to_owned(), decode(data)));
            }
            if let Some(source) = part.get("source") {
                let text = |name: &str| source[name].as_str().unwrap().to_owned();
                assert_eq!(text("type"), "base64");
                return Err((text("media_type"), decode(&text("data"))));
            }
            let (data, mime) = match part.get("inlineData") {
                Some(inline) => (&inline["data"], &inline["mimeType"]),
                None => (
                    &part["inline_data"]["data"],
                    &part["inline_data"]["mime_type"],
                ),
            };
            Err((
                mime.as_str().unwrap().to_owned(),
                decode(data.as_str().unwrap()),
            ))
        })
        .collect()
}

proptest! {
    #[test]
    fn body_is_json_of_the_announced_length_with_all_parts(
        parts in prop::collection::vec(
            prop_oneof![
                any::<String>().prop_map(Ok),
                prop::collection::vec(any::<u8>(), 0..40).prop_map(Err),
            ], 0..6),
        temperature in prop::option::of(0.0..2.0f64),
        model in "\\PC{1,12}",
    ) {
        let message_parts: Vec<Part> = parts.iter().map(|p| match p {
            Ok(t) => text(t),
            Err(_) => image_part(),
        }).collect();
        let images: Vec<EncodedImage> = parts.iter()
            .filter_map(|p| p.as_ref().err())
            .map(|b| image("image/png", b))
            .collect();
        let set = temperature.map_or(json!({}), |t| json!({"temperature": t}));
        for name in names() {
            let mut request = request(name, params(set.clone()), message_parts.clone());
            std::sync::Arc::make_mut(&mut request.judge).model = model.clone();
            let message = dialect(name).unwrap().encode(&request, &images).unwrap();
            let bytes = message.body_bytes();
            prop_assert_eq!(bytes.len(), message.body_len());
            let body: Value = serde_json::from_slice(&bytes).unwrap();
            let sent = parts_of(&body);
            let expected: Vec<_> = parts.iter().cloned()
                .map(|p| p.map_err(|b| ("image/png".to_owned(), b)))
                .collect();
            prop_assert_eq!(sent, expected);
            let value = body.get("temperature").or(body.pointer("/generationConfig/temperature"));
            prop_assert_eq!(value.and_then(Value::as_f64), temperature);
        }
    }
}

#[test]
fn unknown_and_mistyped_parameters_are_refused() {
    for name in names() {
        let d = dialect(name).unwrap();
        let check = |value| d.check_params(&params(value));
        assert!(matches!(
            check(json!({"temprature": 0})),
            Err(EncodeError::UnknownParameter { name, .. }) if name == "temprature"
        ));
        for (field, value) in [
            ("temperature", json!("0.1")),
            ("seed", json!(1.5)),
            ("max_tokens", json!("512")),
            ("stop", json!([1])),
            ("logprobs", json!(1)),
            ("extra_body", json!([])),
            ("media_detail", json!(null)),
        ] {
            let set = json!({ field: value });
            let error = check(set.clone()).unwrap_err();
            let unknown =
                name == "anthropic" && ["seed", "logprobs", "media_detail"].contains(&field);
            match &error {
                EncodeError::BadParameter { name: bad, .. } => assert_eq!(*bad, field),
                EncodeError::UnknownParameter { name: bad, .. } if unknown => {
                    assert_eq!(bad, field);
                }
                other => panic!("{name} {field}: {other}"),
            }
            let request = request(name, params(set), vec![]);
            assert_eq!(d.encode(&request, &[]).unwrap_err(), error);
        }
        assert_eq!(
            check(json!({"temperature": 0, "max_tokens": 1, "stop": "x"})),
            Ok(())
        );
    }
    let both = params(json!({"max_tokens": 1, "max_completion_tokens": 2}));
    assert!(dialect("openai").unwrap().check_params(&both).is_err());
    let stream = params(json!({"stream": false}));
    assert!(
        dialect("gemini-dashscope")
            .unwrap()
            .check_params(&stream)
            .is_err()
    );
}

#[test]
fn extra_body_never_overrides() {
    for (name, extra, field) in [
        ("openai", json!({"messages": []}), "messages"),
        ("openai", json!({"model": "x"}), "model"),
        ("openai", json!({"temperature": 1}), "temperature"),
        ("gemini", json!({"contents": []}), "contents"),
        (
            "gemini",
            json!({"generationConfig": {"temperature": 1}}),
            "generationConfig.temperature",
        ),
        ("gemini-dashscope", json!({"stream": false}), "stream"),
        ("anthropic", json!({"messages": []}), "messages"),
        ("anthropic", json!({"max_tokens": 1}), "max_tokens"),
    ] {
        let set = params(json!({"temperature": 0, "extra_body": extra}));
        let error = dialect(name)
            .unwrap()
            .encode(&request(name, set, vec![]), &[])
            .unwrap_err();
        assert_eq!(
            error,
            EncodeError::FieldTwice {
                field: field.to_owned()
            }
        );
    }
}

#[test]
fn a_missing_or_surplus_image_is_an_error() {
    for name in names() {
        let d = dialect(name).unwrap();
        let one = request(name, params(json!({})), vec![image_part()]);
        let error = |parts, images| Err(EncodeError::ImageCount { parts, images });
        assert_eq!(d.encode(&one, &[]), error(1, 0));
        let none = request(name, params(json!({})), vec![text("x")]);
        assert_eq!(d.encode(&none, &[image("image/png", b"x")]), error(0, 1));
    }
}

#[test]
fn gemini_addresses() {
    let path = |model: &str, stream: bool| {
        let set = if stream {
            json!({"stream": true})
        } else {
            json!({})
        };
        let mut request = request("gemini", params(set), vec![]);
        std::sync::Arc::make_mut(&mut request.judge).model = model.to_owned();
        dialect("gemini")
            .unwrap()
            .encode(&request, &[])
            .unwrap()
            .path
    };
    assert_eq!(
        path("gemini-2.5-pro", false),
        "/models/gemini-2.5-pro:generateContent"
    );
    assert_eq!(
        path("models/x", true),
        "/models/x:streamGenerateContent?alt=sse"
    );
    assert_eq!(
        path("a b?c#d", false),
        "/models/a%20b%3Fc%23d:generateContent"
    );
}

#[test]
fn anthropic_headers_cache_and_modes() {
    let d = dialect("anthropic").unwrap();
    let sent = |set: Value, parts: Vec<Part>| {
        let images = vec![image("image/png", b"x"); 1];
        let message = d
            .encode(&request("anthropic", params(set), parts), &images)
            .unwrap();
        let body: Value = serde_json::from_slice(&message.body_bytes()).unwrap();
        (message, body)
    };
    let parts = || vec![image_part(), text("task"), text("1. Is it red?")];
    let (message, body) = sent(json!({"anthropic_beta": "x-1"}), parts());
    assert_eq!(message.path, "/v1/messages");
    let header = |name: &str| {
        message
            .headers
            .iter()
            .find(|(n, _)| *n == name)
            .map(|h| &*h.1)
    };
    assert_eq!(header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(header("anthropic-beta"), Some("x-1"));
    assert_eq!(body["max_tokens"], verispec_providers::ANTHROPIC_MAX_TOKENS);
    assert!(!body.to_string().contains("cache_control"));

    // The mark stands on the last part that all statements of an instance share.
    let (_, body) = sent(json!({"prompt_cache": true}), parts());
    let blocks = body["messages"][0]["content"].as_array().unwrap();
    let marked: Vec<bool> = blocks
        .iter()
        .map(|b| b.get("cache_control").is_some())
        .collect();
    assert_eq!(marked, [false, true, false]);
    let (_, body) = sent(
        json!({"prompt_cache": true}),
        vec![image_part(), text("all")],
    );
    let marked = &body["messages"][0]["content"][0]["cache_control"];
    assert_eq!(marked, &json!({"type": "ephemeral"}));
    let alone = vec![image_part()];
    let (_, body) = sent(json!({"prompt_cache": true}), alone);
    assert!(!body.to_string().contains("cache_control"));

    use verispec_model::Structured;
    assert_eq!(d.check_structured(Structured::JsonSchema), Ok(()));
    let error = d
        .check_structured(Structured::JsonObject)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("structured") && error.contains("json_schema"),
        "{error}"
    );
}
