//! The proxy dialect against the 24 requests captured from SpecV's release: everything around the
//! parts, and the shape of each part. (Texts and image bytes are tested where they are made.)

#![allow(clippy::unwrap_used)]

mod common;

use common::{image, image_part, params, request, text};
use serde_json::{Value, json};
use verispec_providers::{EncodedImage, dialect};

#[test]
fn captured_requests_are_reproduced() {
    let Some(root) = verispec_testkit::data::test_data() else {
        return;
    };
    let file = std::fs::read_to_string(root.join("fixtures/specv_requests.json")).unwrap();
    let fixture: Value = serde_json::from_str(&file).unwrap();
    let captured = fixture["requests"].as_array().unwrap();
    assert_eq!(captured.len(), 24);
    for case in captured {
        let parts = case["parts"].as_array().unwrap();
        let is_image = |p: &&Value| p["type"] == "image";
        let given = parts.iter().map(|p| {
            if is_image(&p) {
                image_part()
            } else {
                text("t")
            }
        });
        let images: Vec<EncodedImage> = parts
            .iter()
            .filter(is_image)
            .map(|p| image(p["mime_type"].as_str().unwrap(), b"abc"))
            .collect();
        let set = params(json!({"temperature": 0.1}));
        let request = request("gemini-dashscope", set, given.collect());
        let message = dialect("gemini-dashscope")
            .unwrap()
            .encode(&request, &images)
            .unwrap();
        assert_eq!(message.path, "");
        let mut body: Value = serde_json::from_slice(&message.body_bytes()).unwrap();
        let contents = body
            .as_object_mut()
            .unwrap()
            .shift_remove("contents")
            .unwrap();
        let rest = &case["body_without_contents"];
        assert_eq!(&body, rest);
        assert_eq!(body.to_string(), rest.to_string(), "order of fields");
        let expected: Vec<Value> = parts
            .iter()
            .map(|p| match p["type"].as_str() {
                Some("image") => {
                    json!({"inline_data": {"mime_type": p["mime_type"], "data": "YWJj"}})
                }
                _ => json!({"text": "t"}),
            })
            .collect();
        assert_eq!(contents, json!([{"role": "user", "parts": expected}]));
    }
}
