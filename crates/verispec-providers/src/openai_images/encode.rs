//! Request to the body of a generation or an edit.

use serde_json::{Map, Value};
use verispec_model::{Params, Part, Request};

use super::NAME;
use super::multipart::Multipart;
use crate::body::merge_extra;
use crate::message::{Auth, EncodeError, EncodedImage, Message, Segment};
use crate::params::{self, Field, Kind, field};

/// Parameters, in the order in which they are sent.
const FIELDS: &[Field] = &[
    field("size", Some("size"), Kind::Text),
    field("quality", Some("quality"), Kind::Text),
    field("style", Some("style"), Kind::Text),
    field("background", Some("background"), Kind::Text),
    field("moderation", Some("moderation"), Kind::Text),
    field("input_fidelity", Some("input_fidelity"), Kind::Text),
    field("output_format", Some("output_format"), Kind::Text),
    field(
        "output_compression",
        Some("output_compression"),
        Kind::Integer,
    ),
    field("seed", Some("seed"), Kind::Integer),
    field("response_format", None, Kind::Text),
    field("modalities", None, Kind::Texts),
    field("extra_body", None, Kind::Object),
];

/// Models that always answer with base64 and refuse to be asked for it.
const ALWAYS_BASE64: [&str; 2] = ["gpt-image", "chatgpt-image"];

pub(super) fn check(params: &Params) -> Result<(), EncodeError> {
    params::check(NAME, FIELDS, params)
}

pub(super) fn encode(request: &Request, images: &[EncodedImage]) -> Result<Message, EncodeError> {
    check(&request.judge.params)?;
    params::check_images(request, images.len())?;
    let fields = fields(request)?;
    let (path, kind, body) = if images.is_empty() {
        let body = serde_json::to_vec(&fields).expect("JSON values always serialise");
        let body = vec![Segment::Raw(body.into())];
        ("/images/generations", "application/json".to_owned(), body)
    } else {
        let form = Multipart::new(&fields, images);
        ("/images/edits", form.content_type(), form.body())
    };
    Ok(Message {
        path: path.to_owned(),
        headers: vec![("content-type", kind)],
        auth: Auth::Bearer,
        body,
    })
}

fn fields(request: &Request) -> Result<Map<String, Value>, EncodeError> {
    let judge = &request.judge;
    let mut fields = Map::new();
    fields.insert("model".to_owned(), Value::from(judge.model.as_str()));
    fields.insert("prompt".to_owned(), Value::from(prompt(&request.parts)));
    params::copy(FIELDS, &judge.params, &mut fields);
    if let Some(format) = response_format(&judge.model, &judge.params) {
        fields.insert("response_format".to_owned(), Value::from(format));
    }
    if let Some(extra) = params::extra(&judge.params) {
        merge_extra(&mut fields, extra)?;
    }
    Ok(fields)
}

/// Servers that follow OpenAI's older models answer with an address unless told otherwise, and
/// nothing is fetched from an address that a reply holds. `none` leaves the field out.
fn response_format(model: &str, params: &Params) -> Option<String> {
    match params::text(params, "response_format") {
        Some("none") => None,
        Some(format) => Some(format.to_owned()),
        None if ALWAYS_BASE64.iter().any(|m| model.starts_with(m)) => None,
        None => Some("b64_json".to_owned()),
    }
}

/// All texts. An image that stands behind a text is named there, since images travel apart.
fn prompt(parts: &[Part]) -> String {
    let (mut prompt, mut images) = (String::new(), 0);
    for part in parts {
        match part {
            Part::Text(text) => prompt += text,
            Part::Image(_) => {
                images += 1;
                if !prompt.is_empty() {
                    prompt += &format!("[IMAGE{images}]");
                }
            }
        }
    }
    prompt
}
