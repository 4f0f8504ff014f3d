//! Decoding: streams of the fixture, plain answers, finish reasons, usage, refusals.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use serde_json::{Value, json};
use verispec_model::{ApiError, ApiErrorKind, Finish, Reply, Usage};
use verispec_providers::{RawResponse, dialect, names};

fn decode(name: &str, status: u16, body: &[u8]) -> Result<Reply, ApiError> {
    let response = RawResponse {
        status,
        content_type: Some("application/json"),
        body,
    };
    dialect(name).unwrap().decode(&response)
}

fn reply(name: &str, body: &Value) -> Reply {
    decode(name, 200, body.to_string().as_bytes()).unwrap()
}

/// The 30 bodies of SpecV's stream reader, with the right text of each.
#[test]
fn d07_stream_fixture_reads_right() {
    let cases: Value = serde_json::from_str(include_str!("data/stream.json")).unwrap();
    let cases = cases.as_array().unwrap();
    assert_eq!(cases.len(), 30);
    let mut without_text = Vec::new();
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let body = case["body"].as_str().unwrap().as_bytes();
        let content_type = case["content_type"].as_str();
        let response = RawResponse {
            status: 200,
            content_type,
            body,
        };
        let dialects = match case["dialect"].as_str().unwrap() {
            "gemini" => &["gemini", "gemini-dashscope"][..],
            other => &[other][..],
        };
        for dialect_name in dialects {
            let decoded = dialect(dialect_name).unwrap().decode(&response);
            match case["right_text"].as_str() {
                Some(text) => assert_eq!(decoded.unwrap().text, text, "{dialect_name}: {name}"),
                None => without_text.push((name, decoded)),
            }
        }
    }
    for (name, decoded) in without_text {
        match name {
            "in-band error" => {
                let error = decoded.unwrap_err();
                assert_eq!((error.kind, error.status), (ApiErrorKind::Server, 200));
                assert_eq!(error.message, "quota");
            }
            "content null SAFETY" => {
                let reply = decoded.unwrap();
                assert_eq!((reply.finish, reply.text.as_str()), (Finish::Refused, ""));
                assert_eq!(reply.finish_raw.as_deref(), Some("SAFETY"));
            }
            "empty body" => assert_eq!(decoded.unwrap_err().kind, ApiErrorKind::Malformed),
            other => panic!("{other} has no right text and no expectation"),
        }
    }
}

#[test]
fn openai_answer_in_full() {
    let body = json!({
        "model": "gpt-x-2026", "system_fingerprint": "fp_1",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {
            "role": "assistant", "content": "[]", "reasoning_content": "hm", "refusal": null}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 7,
            "prompt_tokens_details": {"cached_tokens": 4},
            "completion_tokens_details": {"reasoning_tokens": 5}}
    });
    let expected = Reply {
        text: "[]".into(),
        reasoning: Some("hm".into()),
        finish: Finish::Stop,
        finish_raw: Some("stop".into()),
        served_model: Some("gpt-x-2026".into()),
        fingerprint: Some("fp_1".into()),
        usage: Usage {
            input: Some(10),
            cached: Some(4),
            output: Some(7),
            reasoning: Some(5),
        },
        logprobs: None,
        parts: vec![],
    };
    assert_eq!(reply("openai", &body), expected);
}

#[test]
fn openai_stream_in_full() {
    let body = [
        r#"data: {"model":"m","system_fingerprint":"f","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}"#,
        r#"data: {"model":"m","choices":[{"index":0,"delta":{"reasoning":"a"}}]}"#,
        r#"data: {"model":"m","choices":[{"index":0,"delta":{"reasoning":"b","content":null}}]}"#,
        r#"data: {"model":"m","choices":[{"index":1,"delta":{"content":"other answer"}}]}"#,
        r#"data: {"model":"m","choices":[{"index":0,"delta":{"content":"Ye"}}]}"#,
        r#"data: {"model":"m","choices":[{"index":0,"delta":{"content":"s"},"finish_reason":"length"}]}"#,
        r#"data: {"model":"m","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}"#,
        "data: [DONE]",
    ]
    .join("\n\n");
    let reply = decode("openai", 200, body.as_bytes()).unwrap();
    assert_eq!(
        (reply.text.as_str(), reply.reasoning.as_deref()),
        ("Yes", Some("ab"))
    );
    assert_eq!(
        (reply.finish, reply.fingerprint.as_deref()),
        (Finish::Length, Some("f"))
    );
    assert_eq!((reply.usage.input, reply.usage.output), (Some(3), Some(2)));
}

#[test]
fn openai_contents_and_refusals() {
    let message = |message: Value, reason: Value| {
        reply(
            "openai",
            &json!({"choices": [{"message": message, "finish_reason": reason}]}),
        )
    };
    // A07, A08: empty and null contents are replies, and say why they ended.
    let r = message(json!({"content": ""}), json!("length"));
    assert_eq!((r.text.as_str(), r.finish), ("", Finish::Length));
    let r = message(json!({"content": null}), json!("length"));
    assert_eq!((r.text.as_str(), r.finish), ("", Finish::Length));
    let parts = json!([{"type": "thinking", "thinking": [{"type": "text", "text": "t"}]},
        {"type": "text", "text": "A"}, {"type": "output_text", "text": "B"}]);
    let r = message(json!({"content": parts}), json!("stop"));
    assert_eq!((r.text.as_str(), r.reasoning.as_deref()), ("AB", Some("t")));
    let r = message(
        json!({"content": null, "refusal": "I can't."}),
        json!("stop"),
    );
    assert_eq!((r.text.as_str(), r.finish), ("", Finish::Refused));
    assert_eq!(r.finish_raw.as_deref(), Some("refusal: I can't."));
    let r = message(json!({"content": "par"}), json!("content_filter"));
    assert_eq!(r.finish, Finish::Refused);
    assert_eq!(
        message(json!({"content": "x"}), json!("tool_calls")).finish,
        Finish::Other
    );
    assert_eq!(
        message(json!({"content": "x"}), json!(null)).finish,
        Finish::Unknown
    );
}

#[test]
fn gemini_answer_in_full() {
    let body = json!({
        "candidates": [{"content": {"role": "model", "parts": [
            {"text": "thinking", "thought": true}, {"text": "[1", "thoughtSignature": "x"}, {"text": "]"}]},
            "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "cachedContentTokenCount": 4,
            "candidatesTokenCount": 3, "thoughtsTokenCount": 5, "totalTokenCount": 18},
        "modelVersion": "gemini-x-001"
    });
    let expected = Reply {
        text: "[1]".into(),
        reasoning: Some("thinking".into()),
        finish: Finish::Stop,
        finish_raw: Some("STOP".into()),
        served_model: Some("gemini-x-001".into()),
        fingerprint: None,
        usage: Usage {
            input: Some(10),
            cached: Some(4),
            output: Some(8),
            reasoning: Some(5),
        },
        logprobs: None,
        parts: vec![],
    };
    assert_eq!(reply("gemini", &body), expected);
    // Without `alt=sse` the stream is one array of chunks.
    assert_eq!(reply("gemini", &json!([body])), expected);
}

#[test]
fn gemini_finish_reasons() {
    let finish = |reason: &str| {
        let content = json!({"parts": [{"text": "x"}]});
        reply(
            "gemini",
            &json!({"candidates": [{"content": content, "finishReason": reason}]}),
        )
        .finish
    };
    assert_eq!(finish("MAX_TOKENS"), Finish::Length);
    for reason in [
        "SAFETY",
        "RECITATION",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
    ] {
        assert_eq!(finish(reason), Finish::Refused, "{reason}");
    }
    assert_eq!(finish("OTHER"), Finish::Other);
    let blocked = reply(
        "gemini",
        &json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}),
    );
    assert_eq!(blocked.finish, Finish::Refused);
    assert_eq!(blocked.finish_raw.as_deref(), Some("PROHIBITED_CONTENT"));
}

#[test]
fn gemini_usage_over_chunks() {
    let body = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}],\"usageMetadata\":{\"promptTokenCount\":9,\"thoughtsTokenCount\":5}}\n\n\
        data: {\"candidates\":[{\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"candidatesTokenCount\":2}}\n\n";
    let usage = decode("gemini", 200, body.as_bytes()).unwrap().usage;
    assert_eq!(
        usage,
        Usage {
            input: Some(9),
            cached: None,
            output: Some(7),
            reasoning: Some(5)
        }
    );
}

#[test]
fn an_error_after_some_text_is_an_error() {
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"[\"}}]}\n\n\
        data: {\"error\":{\"message\":\"overloaded\",\"code\":503}}\n\n";
    let error = decode("openai", 200, body.as_bytes()).unwrap_err();
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ApiErrorKind::Server, "overloaded")
    );
    let choice = json!({"choices": [{"finish_reason": "error", "message": {"content": "x"},
        "error": {"code": 429, "message": "slow"}}]});
    let error = decode("openai", 200, choice.to_string().as_bytes()).unwrap_err();
    assert_eq!(error.kind, ApiErrorKind::RateLimit);
}

#[test]
fn answers_that_are_not_the_dialect_are_malformed() {
    for name in names() {
        for body in [
            "",
            "  \n",
            "<html><title>Login</title>",
            "hello",
            "{\"ok\":true}",
            "[]",
            "{",
            "data: [DONE]\n\n",
            "data: oops\n\n",
            "{\"choices\":[],\"candidates\":[]}",
            "{\"type\":\"ping\"}",
            "null",
        ] {
            let error = decode(name, 200, body.as_bytes()).unwrap_err();
            assert_eq!(
                error.kind,
                ApiErrorKind::Malformed,
                "{name}: {body:?}: {error}"
            );
        }
    }
}

#[test]
fn text_that_is_not_quite_unicode_is_kept() {
    let mut body = br#"{"choices":[{"message":{"content":"a"#.to_vec();
    body.push(0xFF);
    body.extend_from_slice(br#"\ud83db"}}]}"#);
    assert_eq!(
        decode("openai", 200, &body).unwrap().text,
        "a\u{FFFD}\u{FFFD}b"
    );
}

proptest! {
    #[test]
    fn no_bytes_make_a_codec_panic(status in 100u16..600, body in prop::collection::vec(any::<u8>(), 0..300)) {
        for name in names() {
            let _ = decode(name, status, &body);
        }
    }

    #[test]
    fn streamed_and_plain_answers_read_alike(pieces in prop::collection::vec("\\PC{0,8}", 1..6)) {
        let whole = pieces.concat();
        let plain = json!({"choices": [{"message": {"content": whole}, "finish_reason": "stop"}]});
        let mut stream: String = pieces.iter()
            .map(|p| format!("data: {}\n\n", json!({"choices": [{"delta": {"content": p}}]})))
            .collect();
        stream += "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
        let read = decode("openai", 200, stream.as_bytes()).unwrap();
        prop_assert_eq!(&read, &reply("openai", &plain));
        prop_assert_eq!(read.text, whole);
    }
}

#[test]
fn openai_log_probabilities_plain_and_streamed() {
    let content = json!([
        {"token": "Yes", "bytes": [89, 101, 115], "logprob": -0.1, "top_logprobs": [
            {"token": "Yes", "logprob": -0.1}, {"token": " No", "logprob": -2.5},
            {"token": "x", "logprob": null}]},
        {"token": ".", "logprob": -0.01, "top_logprobs": []}]);
    let plain = reply(
        "openai",
        &json!({"choices": [{"message": {"content": "Yes."}, "logprobs": {"content": content},
            "finish_reason": "stop"}]}),
    );
    let positions = plain.logprobs.as_ref().unwrap();
    assert_eq!(positions.len(), 2);
    assert_eq!(
        (positions[0].token.as_str(), positions[0].logprob),
        ("Yes", -0.1)
    );
    assert_eq!(positions[0].top.len(), 2);
    assert_eq!(positions[0].top[1].token, " No");
    let chunk = |text: &str, logprobs: &Value| {
        let delta = json!({"content": text});
        let choice = json!({"delta": delta, "logprobs": {"content": [logprobs]}});
        format!("data: {}\n\n", json!({"choices": [choice]}))
    };
    let stream = chunk("Yes", &content[0])
        + &chunk(".", &content[1])
        + "data: {\"choices\":[{\"delta\":{},\"logprobs\":null,\"finish_reason\":\"stop\"}]}\n\n";
    assert_eq!(decode("openai", 200, stream.as_bytes()).unwrap(), plain);
    // Replies of judges in the process are stored in this form; older ones have no such field.
    let stored = serde_json::to_value(&plain).unwrap();
    assert_eq!(
        serde_json::from_value::<Reply>(stored.clone()).unwrap(),
        plain
    );
    let mut older = stored;
    older.as_object_mut().unwrap().remove("logprobs");
    assert_eq!(
        serde_json::from_value::<Reply>(older).unwrap().logprobs,
        None
    );
}

#[test]
fn gemini_log_probabilities() {
    let body = json!({"candidates": [{"content": {"parts": [{"text": "No"}]}, "finishReason": "STOP",
        "logprobsResult": {
            "topCandidates": [{"candidates": [{"token": "No", "tokenId": 1, "logProbability": -0.2},
                {"token": "Yes", "tokenId": 2, "logProbability": -1.7}]}],
            "chosenCandidates": [{"token": "No", "tokenId": 1, "logProbability": -0.2}]}}]});
    let positions = reply("gemini", &body).logprobs.unwrap();
    assert_eq!((positions.len(), positions[0].logprob), (1, -0.2));
    assert_eq!(positions[0].top[1].logprob, -1.7);
}
