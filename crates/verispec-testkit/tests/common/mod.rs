//! Asking a judge through a codec, without an engine.

use std::sync::Arc;
use std::time::Duration;

use verispec_model::{
    ApiError, Hash, ImagePart, ImageRole, JudgeIdentity, Params, Part, Reply, Request, Structured,
};
use verispec_providers::{Auth, EncodedImage, Message, RawResponse, dialect};

/// A request with one image before the text.
pub(crate) fn request(provider: &str, params: serde_json::Value, text: &str) -> Request {
    Request {
        protocol: "test@1".into(),
        template: Hash::of(b""),
        judge: Arc::new(JudgeIdentity {
            provider: provider.into(),
            model: "judge".into(),
            params: params
                .as_object()
                .unwrap()
                .clone()
                .into_iter()
                .collect::<Params>(),
            structured: Structured::None,
            revision: None,
        }),
        parts: vec![
            Part::Image(ImagePart {
                path: std::path::Path::new("x.png").into(),
                source: Hash::of(b"x"),
                profile: "as-is@1".into(),
                role: ImageRole::Output,
            }),
            Part::Text(text.into()),
        ],
        questions: vec![],
        schema: None,
        repeat: 0,
        parent: None,
        derivation: None,
    }
}

pub(crate) fn encode(request: &Request, image: EncodedImage) -> Message {
    dialect(&request.judge.provider)
        .unwrap()
        .encode(request, &[image])
        .unwrap()
}

/// A whole response.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|v| v.to_str().ok())
    }

    pub(crate) fn decode(&self, name: &str) -> Result<Reply, ApiError> {
        dialect(name).unwrap().decode(&RawResponse {
            status: self.status,
            content_type: self.header("content-type"),
            body: &self.body,
        })
    }
}

pub(crate) fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().unwrap()
}

/// Sends a message; `Err` is a transport error.
pub(crate) async fn send(
    client: &reqwest::Client,
    endpoint: &str,
    key: Option<&str>,
    message: &Message,
    timeout: Duration,
) -> Result<Received, reqwest::Error> {
    let mut call = client
        .post(format!("{endpoint}{}", message.path))
        .timeout(timeout)
        .body(message.body_bytes());
    for (name, value) in &message.headers {
        call = call.header(*name, value);
    }
    if let Some(key) = key {
        call = match message.auth {
            Auth::Bearer => call.header("authorization", format!("Bearer {key}")),
            Auth::Header(name) => call.header(name, key),
        };
    }
    let response = call.send().await?;
    Ok(Received {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        body: response.bytes().await?.to_vec(),
    })
}
