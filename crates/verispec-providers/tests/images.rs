//! Images in replies, and the dialect that makes nothing else.

#![allow(clippy::unwrap_used)]

mod common;

use std::convert::Infallible;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use common::{image, image_part, params, request, text};
use serde_json::{Value, json};
use verispec_model::{ApiErrorKind, Finish, Hash, Reply, ReplyPart};
use verispec_providers::command::{command_line_into, command_reply, take_files};
use verispec_providers::{FileReference, RawResponse, dialect, take_out};

const FILE: &[u8] = b"thirty bytes that are no picture";

fn reference(bytes: &[u8]) -> FileReference {
    FileReference {
        hash: Hash::of(bytes),
        mime: "image/png".into(),
        bytes: bytes.len() as u64,
    }
}

/// The reply to a body whose files were taken out, as it is stored and read.
fn reply(name: &str, body: &Value) -> Reply {
    let body = body.to_string().into_bytes();
    let Ok(stored) = take_out(&body, &mut |bytes| Ok::<_, Infallible>(reference(&bytes)));
    decode(name, 200, &stored.unwrap_or(body)).unwrap()
}

fn decode(name: &str, status: u16, body: &[u8]) -> Result<Reply, verispec_model::ApiError> {
    let response = RawResponse {
        status,
        content_type: None,
        body,
    };
    dialect(name).unwrap().decode(&response)
}

fn picture() -> ReplyPart {
    let FileReference { hash, mime, bytes } = reference(FILE);
    ReplyPart::Image { hash, mime, bytes }
}

#[test]
fn images_of_every_dialect_in_their_order() {
    let data = STANDARD.encode(FILE);
    let uri = format!("data:image/png;base64,{data}");
    let words = |t: &str| ReplyPart::Text(t.to_owned());
    let gemini = json!({"candidates": [{"content": {"parts": [{"text": "thinking", "thought": true},
        {"text": "One"}, {"text": " two"}, {"inlineData": {"mimeType": "image/png", "data": data}},
        {"text": "three"}]}, "finishReason": "STOP"}]});
    let found = reply("gemini", &gemini);
    assert_eq!(found.parts, [words("One two"), picture(), words("three")]);
    assert_eq!(found.text, "One twothree");
    let listed = json!({"choices": [{"message": {"content": "Here.",
        "images": [{"type": "image_url", "image_url": {"url": uri}}]}, "finish_reason": "stop"}]});
    assert_eq!(reply("openai", &listed).parts, [words("Here."), picture()]);
    let inline = json!({"choices": [{"message": {"content": [{"type": "text", "text": "Here."},
        {"type": "image_url", "image_url": {"url": uri}}]}}]});
    assert_eq!(reply("openai", &inline).parts, [words("Here."), picture()]);
    let images = json!({"created": 1, "data": [{"b64_json": data}], "model": "m",
        "usage": {"input_tokens": 3, "output_tokens": 1056}});
    let found = reply("openai-images", &images);
    assert_eq!(
        (&found.parts[..], found.usage.output),
        (&[picture()][..], Some(1056))
    );
    // A text alone is a text alone, as it was before.
    let plain = json!({"choices": [{"message": {"content": "Yes"}}]});
    assert_eq!(reply("openai", &plain).parts, []);
}

#[test]
fn streams_hold_images_too() {
    let data = STANDARD.encode(FILE);
    let part = json!({"inlineData": {"mimeType": "image/png", "data": data}});
    let event = |parts: Value| json!({"candidates": [{"content": {"parts": parts}}]});
    let stream = format!(
        "data: {}\n\ndata: {}\n\n",
        event(json!([{"text": "a"}])),
        event(json!([part]))
    );
    let Ok(stored) = take_out(stream.as_bytes(), &mut |b| {
        Ok::<_, Infallible>(reference(&b))
    });
    let found = decode("gemini", 200, &stored.unwrap()).unwrap();
    assert_eq!(found.parts.len(), 2);
}

#[test]
fn refusals_addresses_and_nothing() {
    let refused = json!({"error": {"message": "no", "type": "image_generation_user_error",
        "param": null, "code": "moderation_blocked"}});
    let found = decode("openai-images", 400, refused.to_string().as_bytes()).unwrap();
    assert_eq!(found.finish, Finish::Refused);
    let nothing = decode("openai-images", 200, br#"{"created": 1, "data": []}"#).unwrap();
    assert!(!nothing.has_image() && nothing.text.is_empty());
    let address = br#"{"created": 1, "data": [{"url": "https://example.org/x.png"}]}"#;
    let error = decode("openai-images", 200, address).unwrap_err();
    assert_eq!(error.kind, ApiErrorKind::BadRequest);
    assert!(error.message.contains("response_format"));
    let other = decode("openai-images", 200, b"{\"choices\": []}").unwrap_err();
    assert_eq!(other.kind, ApiErrorKind::Malformed);
}

#[test]
fn a_generation_is_json_and_an_edit_is_a_form() {
    let images = dialect("openai-images").unwrap();
    let set = json!({"size": "1024x1024", "seed": 7, "modalities": ["image"],
        "extra_body": {"steps": 4}});
    let request = |parts| request("openai-images", params(set.clone()), parts);
    let made = images.encode(&request(vec![text("a cup")]), &[]).unwrap();
    assert_eq!(made.path, "/images/generations");
    let body: Value = serde_json::from_slice(&made.body_bytes()).unwrap();
    assert_eq!(
        body,
        json!({"model": body["model"], "prompt": "a cup", "size": "1024x1024", "seed": 7,
            "response_format": "b64_json", "steps": 4})
    );
    let parts = vec![image_part(), text("make "), image_part(), text("red")];
    let files = [
        image("image/png", b"\r\n--one"),
        image("image/jpeg", b"two"),
    ];
    let edit = images.encode(&request(parts), &files).unwrap();
    assert_eq!(edit.path, "/images/edits");
    let kind = &edit.headers[0].1;
    let boundary = kind.strip_prefix("multipart/form-data; boundary=").unwrap();
    let body = String::from_utf8(edit.body_bytes()).unwrap();
    assert!(body.starts_with(&format!("--{boundary}\r\n")));
    assert!(body.ends_with(&format!("\r\n--{boundary}--\r\n")));
    assert_eq!(body.matches(boundary).count(), 6 + 2 + 1);
    assert!(
        body.contains("name=\"prompt\"\r\n\r\nmake [IMAGE2]red\r\n"),
        "{body}"
    );
    assert!(body.contains(
        "name=\"image[]\"; filename=\"image-2.jpeg\"\r\nContent-Type: image/jpeg\r\n\r\ntwo\r\n"
    ));
    assert_eq!(edit.body_len(), body.len());
    // The same request is the same body.
    let again = images
        .encode(&request(vec![image_part(), text("x")]), &files[..1])
        .unwrap();
    let same = images
        .encode(&request(vec![image_part(), text("x")]), &files[..1])
        .unwrap();
    assert_eq!(again, same);
    assert!(
        images
            .check_params(&params(json!({"temperature": 1})))
            .is_err()
    );
}

#[test]
fn models_that_always_send_images_are_not_told_to() {
    let images = dialect("openai-images").unwrap();
    let body = |model: &str, set: Value| {
        let mut request = request("openai-images", params(set), vec![text("x")]);
        let mut judge = (*request.judge).clone();
        judge.model = model.to_owned();
        request.judge = judge.into();
        let body = images.encode(&request, &[]).unwrap().body_bytes();
        serde_json::from_slice::<Value>(&body).unwrap()
    };
    assert!(
        body("gpt-image-1", json!({}))
            .get("response_format")
            .is_none()
    );
    assert!(
        body("sd", json!({"response_format": "none"}))
            .get("response_format")
            .is_none()
    );
    assert_eq!(body("dall-e-3", json!({}))["response_format"], "b64_json");
}

#[test]
fn modalities_are_said_in_each_dialects_words() {
    let set = json!({"modalities": ["text", "image"]});
    let body = |name: &str| {
        let request = request(name, params(set.clone()), vec![text("x")]);
        let message = dialect(name).unwrap().encode(&request, &[]).unwrap();
        serde_json::from_slice::<Value>(&message.body_bytes()).unwrap()
    };
    assert_eq!(body("openai")["modalities"], json!(["text", "image"]));
    let gemini = &body("gemini")["generationConfig"]["responseModalities"];
    assert_eq!(*gemini, json!(["TEXT", "IMAGE"]));
}

#[test]
fn programs_name_files() {
    let line =
        br#"{"id": "3", "parts": [{"text": "see"}, {"image": "/made/x.png"}], "finish": "stop"}"#;
    // A judge makes no files.
    assert_eq!(
        command_reply(line, None).unwrap_err().kind,
        ApiErrorKind::BadRequest
    );
    let mut asked = vec![];
    let taken = take_files(line, &mut |path| {
        asked.push(path.to_owned());
        Ok::<_, Infallible>(reference(FILE))
    });
    let Ok(Some(taken)) = taken else {
        panic!("it names a file")
    };
    assert_eq!(asked, ["/made/x.png"]);
    let reply = command_reply(&taken, Some("3")).unwrap();
    assert_eq!(reply.parts, [ReplyPart::Text("see".into()), picture()]);
    assert_eq!(reply.text, "see");
    for bad in [
        r#"{"id": "3", "parts": [{"text": "a", "image": "b"}]}"#,
        r#"{"id": "3", "parts": [{}]}"#,
        r#"{"id": "3", "text": "a", "parts": []}"#,
        r#"{"id": "3", "parts": [{"picture": "b"}]}"#,
    ] {
        let error = command_reply(bad.as_bytes(), None).unwrap_err();
        assert_eq!(error.kind, ApiErrorKind::Malformed, "{bad}");
    }
    let request = request("command", params(json!({})), vec![text("x")]);
    let line = command_line_into(&request, "1", &[], Some("/out")).unwrap();
    let line: Value = serde_json::from_slice(&line).unwrap();
    assert_eq!(line["out"], "/out");
}
