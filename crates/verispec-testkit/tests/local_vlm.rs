//! The codec against a real server: llama.cpp with a small model, see `local_vlm/setup.sh`.

#![allow(clippy::unwrap_used)]

mod common;

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use common::{Received, client, encode, request, send};
use serde_json::{Value, json};
use verispec_model::{ApiErrorKind, Finish, JudgeIdentity, Request, Structured};
use verispec_providers::{EncodedImage, Segment};
use verispec_testkit::LocalVlm;

const LIMIT: Duration = Duration::from_secs(120);
const SPECIFICATION: &str = "Is the picture red? Answer Yes or No.";

/// One server for all tests of this file; it ends with the process.
static JUDGE: LazyLock<Option<LocalVlm>> = LazyLock::new(LocalVlm::start);

/// A picture of one colour with a white square in it.
fn picture(colour: [u8; 3]) -> EncodedImage {
    let pixels = image::RgbImage::from_fn(96, 96, |x, y| {
        image::Rgb(if (20..50).contains(&x) && (30..60).contains(&y) {
            [255; 3]
        } else {
            colour
        })
    });
    let mut bytes = std::io::Cursor::new(Vec::new());
    pixels
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    EncodedImage {
        mime: "image/png".into(),
        bytes: bytes.into_inner().into(),
    }
}

fn judge_request(params: Value) -> Request {
    let mut request = request("openai", params, SPECIFICATION);
    Arc::make_mut(&mut request.judge).model = LocalVlm::MODEL.to_owned();
    request
}

async fn ask(judge: &LocalVlm, request: &Request, image: EncodedImage) -> Received {
    let message = encode(request, image);
    send(
        &client(),
        &judge.endpoint(),
        Some(LocalVlm::KEY),
        &message,
        LIMIT,
    )
    .await
    .unwrap()
}

/// Log-probabilities of the most likely first tokens.
async fn first_tokens(judge: &LocalVlm, image: EncodedImage) -> Vec<(String, f64)> {
    let set = json!({"temperature": 0, "max_tokens": 1, "logprobs": true, "top_logprobs": 5});
    let got = ask(judge, &judge_request(set), image).await;
    assert_eq!(got.decode("openai").unwrap().finish, Finish::Length);
    let body: Value = serde_json::from_slice(&got.body).unwrap();
    let top = &body["choices"][0]["logprobs"]["content"][0]["top_logprobs"];
    let entry = |t: &Value| {
        (
            t["token"].as_str().unwrap().into(),
            t["logprob"].as_f64().unwrap(),
        )
    };
    top.as_array().unwrap().iter().map(entry).collect()
}

#[tokio::test]
async fn two_images_give_different_log_probabilities() {
    let Some(judge) = JUDGE.as_ref() else { return };
    let red = first_tokens(judge, picture([220, 20, 20])).await;
    let blue = first_tokens(judge, picture([20, 20, 220])).await;
    let again = first_tokens(judge, picture([220, 20, 20])).await;
    assert_eq!(red.len(), 5);
    // The likeliest tokens may differ; Yes and No are among them for each picture.
    let of = |tokens: &[(String, f64)], wanted: &str| {
        tokens
            .iter()
            .find(|(token, _)| token == wanted)
            .map(|(_, p)| *p)
            .unwrap()
    };
    for token in ["Yes", "No"] {
        let same = (of(&red, token) - of(&again, token)).abs();
        let other = (of(&red, token) - of(&blue, token)).abs();
        assert!(
            other > 0.01 && other > 10.0 * same,
            "{token}: same {same}, other {other}"
        );
    }
}

#[tokio::test]
async fn a_schema_is_honoured() {
    let Some(judge) = JUDGE.as_ref() else { return };
    let mut request = judge_request(json!({"temperature": 0, "max_tokens": 64}));
    let free = ask(judge, &request, picture([220, 20, 20]))
        .await
        .decode("openai")
        .unwrap();
    assert!(
        serde_json::from_str::<Value>(&free.text).is_err(),
        "{}",
        free.text
    );
    let identity = JudgeIdentity {
        structured: Structured::JsonSchema,
        ..(*request.judge).clone()
    };
    request.judge = Arc::new(identity);
    request.schema = Some(json!({
        "type": "object",
        "properties": {"answer": {"type": "string", "enum": ["Yes", "No"]}},
        "required": ["answer"],
        "additionalProperties": false,
    }));
    let bound = ask(judge, &request, picture([220, 20, 20]))
        .await
        .decode("openai")
        .unwrap();
    let value: Value = serde_json::from_str(&bound.text).unwrap();
    assert!(
        ["Yes", "No"].contains(&value["answer"].as_str().unwrap()),
        "{}",
        bound.text
    );
    assert_eq!(value.as_object().unwrap().len(), 1);
    assert_eq!(bound.finish, Finish::Stop);
    assert_eq!(bound.served_model.as_deref(), Some(LocalVlm::MODEL));
    assert!(bound.usage.input.unwrap() > 16 && bound.usage.output.unwrap() > 0);
}

#[tokio::test]
async fn a_stream_reads_like_a_plain_answer() {
    let Some(judge) = JUDGE.as_ref() else { return };
    let extra = json!({"stream_options": {"include_usage": true}});
    let plain = json!({"temperature": 0, "max_tokens": 24, "seed": 1});
    let mut streamed = plain.clone();
    streamed["stream"] = json!(true);
    streamed["extra_body"] = extra;
    let plain = ask(judge, &judge_request(plain), picture([20, 220, 20])).await;
    let streamed = ask(judge, &judge_request(streamed), picture([20, 220, 20])).await;
    assert_eq!(streamed.header("content-type"), Some("text/event-stream"));
    let (plain, streamed) = (
        plain.decode("openai").unwrap(),
        streamed.decode("openai").unwrap(),
    );
    assert!(!plain.text.is_empty());
    assert_eq!(
        (&plain.text, plain.finish),
        (&streamed.text, streamed.finish)
    );
    assert_eq!(plain.usage.input, streamed.usage.input);
    assert_eq!(plain.usage.output, streamed.usage.output);
}

#[tokio::test]
async fn errors_are_reported_as_what_they_are() {
    let Some(judge) = JUDGE.as_ref() else { return };
    let request = judge_request(json!({"max_tokens": 1}));
    let good = encode(&request, picture([220, 20, 20]));
    for key in [None, Some("sk-wrong")] {
        let got = send(&client(), &judge.endpoint(), key, &good, LIMIT)
            .await
            .unwrap();
        let error = got.decode("openai").unwrap_err();
        assert_eq!(
            (error.kind, error.status),
            (ApiErrorKind::Auth, 401),
            "{error}"
        );
    }
    let no_image = EncodedImage {
        mime: "image/png".into(),
        bytes: b"no image".to_vec().into(),
    };
    let mut bad_base64 = good.clone();
    for segment in &mut bad_base64.body {
        if matches!(segment, Segment::Base64(_)) {
            *segment = Segment::Raw("@@@@".into());
        }
    }
    for message in [encode(&request, no_image), bad_base64] {
        let key = Some(LocalVlm::KEY);
        let got = send(&client(), &judge.endpoint(), key, &message, LIMIT)
            .await
            .unwrap();
        let error = got.decode("openai").unwrap_err();
        assert_eq!(
            (error.kind, error.status),
            (ApiErrorKind::BadRequest, 400),
            "{error}"
        );
        assert!(!error.message.is_empty());
    }
    let bad_value = judge_request(json!({"max_tokens": 1, "extra_body": {"top_k": "x"}}));
    let got = ask(judge, &bad_value, picture([1, 2, 3])).await;
    let error = got.decode("openai").unwrap_err();
    let named = (error.kind, error.param.as_deref());
    assert_eq!(named, (ApiErrorKind::BadRequest, Some("top_k")), "{error}");
}
