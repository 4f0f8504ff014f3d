use proptest::prelude::*;

use super::*;
use crate::RawResponse;

fn read(dialect: &str, line: &str) -> BatchResult {
    let format = batch_format(dialect).expect("a format");
    format.result(line.as_bytes()).expect("a result")
}

fn status(dialect: &str, line: &str) -> u16 {
    match read(dialect, line).outcome {
        BatchOutcome::Response { status, .. } => status,
        other => panic!("{other:?}"),
    }
}

/// What the dialect makes of a result, as over HTTP.
fn decode(dialect: &str, line: &str) -> Result<verispec_model::Reply, verispec_model::ApiError> {
    let BatchOutcome::Response { status, body } = read(dialect, line).outcome else {
        panic!("no response");
    };
    crate::dialect(dialect)
        .expect("a dialect")
        .decode(&RawResponse {
            status,
            content_type: Some("application/json"),
            body: &body,
        })
}

proptest! {
    #[test]
    fn ids_round_trip(bytes in proptest::array::uniform32(any::<u8>()), attempt in 1_u32..) {
        let id = custom_id(&Hash::from_bytes(bytes), attempt);
        prop_assert!(id.len() <= 64 && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'));
        let (key, n) = parse_custom_id(&id).expect("ours");
        prop_assert_eq!(&key[..], &bytes[..ID_BYTES]);
        prop_assert_eq!(n, attempt);
    }

    #[test]
    fn foreign_ids_and_lines_are_survived(text in ".{0,60}") {
        let _ = parse_custom_id(&text);
        for format in BATCH_FORMATS {
            let _ = format.result(text.as_bytes());
        }
    }
}

#[test]
fn base32_is_that_of_the_standard() {
    let mut bytes = [0; 32];
    bytes[..5].copy_from_slice(b"fooba");
    assert!(custom_id(&Hash::from_bytes(bytes), 1).starts_with("mzxw6ytb"));
    for foreign in [
        "",
        "mzxw6ytb-1",
        "request-1",
        &"a".repeat(34),
        &format!("{}-0", "a".repeat(32)),
    ] {
        assert_eq!(parse_custom_id(foreign), None, "{foreign}");
    }
}

#[test]
fn openai_results() {
    let body = r#"{"id":"c","model":"m","choices":[{"index":0,"message":{"content":"Yes"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":1}}"#;
    let line = format!(
        r#"{{"id":"b","custom_id":"x","response":{{"status_code":200,"request_id":"r","body":{body}}},"error":null}}"#
    );
    let BatchOutcome::Response {
        status: ok,
        body: kept,
    } = read("openai", &line).outcome
    else {
        panic!("no response");
    };
    assert_eq!((ok, kept.as_slice()), (200, body.as_bytes()));
    let reply = decode("openai", &line).expect("a reply");
    assert_eq!((reply.text.as_str(), reply.usage.input), ("Yes", Some(7)));

    let expired =
        r#"{"custom_id":"x","response":null,"error":{"code":"batch_expired","message":"late"}}"#;
    assert_eq!(read("openai", expired).outcome, BatchOutcome::Expired);
    let cancelled =
        r#"{"custom_id":"x","response":null,"error":{"code":"batch_cancelled","message":""}}"#;
    assert_eq!(read("openai", cancelled).outcome, BatchOutcome::Cancelled);
    let refused = r#"{"custom_id":"x","response":{"status_code":400,"body":{"error":{"message":"bad","code":"x"}}},"error":null}"#;
    assert_eq!(status("openai", refused), 400);
    // vLLM leaves the body out and puts the error beside it.
    let vllm = r#"{"custom_id":"x","response":{"status_code":400,"request_id":"r","body":null},"error":{"error":{"message":"too long","code":400}}}"#;
    let error = decode("openai", vllm).expect_err("an error");
    assert_eq!((error.status, error.message.as_str()), (400, "too long"));
}

#[test]
fn gemini_results() {
    let line = r#"{"key":"x","response":{"candidates":[{"content":{"parts":[{"text":"No"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":1}}}"#;
    assert_eq!(decode("gemini", line).expect("a reply").text, "No");
    for (code, expected) in [
        (3, 400),
        (8, 429),
        (13, 500),
        (14, 503),
        (16, 401),
        (429, 429),
    ] {
        let line = format!(r#"{{"key":"x","error":{{"code":{code},"message":"m"}}}}"#);
        assert_eq!(status("gemini", &line), expected, "{code}");
    }
    let late = r#"{"key":"x","error":{"code":4,"message":"deadline"}}"#;
    assert_eq!(read("gemini", late).outcome, BatchOutcome::Expired);
}

#[test]
fn anthropic_results() {
    let line = r#"{"custom_id":"x","result":{"type":"succeeded","message":{"type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Yes"}],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":1}}}}"#;
    assert_eq!(decode("anthropic", line).expect("a reply").text, "Yes");
    let errored = r#"{"custom_id":"x","result":{"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":"bad"}}}}"#;
    let error = decode("anthropic", errored).expect_err("an error");
    assert_eq!((error.status, error.message.as_str()), (400, "bad"));
    for (kind, expected) in [
        ("expired", BatchOutcome::Expired),
        ("canceled", BatchOutcome::Cancelled),
    ] {
        let line = format!(r#"{{"custom_id":"x","result":{{"type":"{kind}"}}}}"#);
        assert_eq!(read("anthropic", &line).outcome, expected);
    }
}

#[test]
fn what_is_no_result_is_named() {
    for (dialect, line) in [
        ("openai", "{\"custom_id\":\"x\""),
        ("openai", r#"{"custom_id":"x"}"#),
        ("openai", r#"{"response":{"status_code":200,"body":{}}}"#),
        ("gemini", r#"{"key":"x"}"#),
        ("anthropic", r#"{"custom_id":"x","result":{"type":"new"}}"#),
    ] {
        let format = batch_format(dialect).expect("a format");
        assert!(format.result(line.as_bytes()).is_err(), "{line}");
    }
    assert!(batch_format("gemini-dashscope").is_none());
}
