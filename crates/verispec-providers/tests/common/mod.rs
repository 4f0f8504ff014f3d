//! Requests for tests.

use std::path::PathBuf;
use std::sync::Arc;

use verispec_model::{
    Hash, ImagePart, ImageRole, JudgeIdentity, Params, Part, Request, Structured,
};
use verispec_providers::EncodedImage;

pub(crate) fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

pub(crate) fn image_part() -> Part {
    Part::Image(ImagePart {
        path: PathBuf::from("output.png").into(),
        source: Hash::of(b"file"),
        profile: "as-is@1".into(),
        role: ImageRole::Output,
    })
}

pub(crate) fn image(mime: &str, bytes: &[u8]) -> EncodedImage {
    EncodedImage {
        mime: mime.to_owned(),
        bytes: bytes.to_vec().into(),
    }
}

pub(crate) fn params(value: serde_json::Value) -> Params {
    value.as_object().unwrap().clone().into_iter().collect()
}

pub(crate) fn request(provider: &str, params: Params, parts: Vec<Part>) -> Request {
    Request {
        protocol: "whole@1".into(),
        template: Hash::of(b"template"),
        judge: Arc::new(JudgeIdentity {
            provider: provider.into(),
            model: "judge-model".into(),
            params,
            structured: Structured::None,
            revision: None,
        }),
        parts,
        questions: vec![],
        schema: None,
        repeat: 0,
        parent: None,
        derivation: None,
    }
}
