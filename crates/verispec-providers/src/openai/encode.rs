//! Request to chat completions body.

use serde_json::{Map, Value, json};
use verispec_model::{Params, Part, Request, Structured};

use super::NAME;
use crate::body::{BodyWriter, merge_extra};
use crate::message::{Auth, EncodeError, EncodedImage, Message};
use crate::params::{self, Field, Kind, field};

/// Parameters, in the order in which they are sent.
const FIELDS: &[Field] = &[
    field("temperature", Some("temperature"), Kind::Number),
    field("top_p", Some("top_p"), Kind::Number),
    field("seed", Some("seed"), Kind::Integer),
    field("max_tokens", Some("max_tokens"), Kind::Integer),
    field(
        "max_completion_tokens",
        Some("max_completion_tokens"),
        Kind::Integer,
    ),
    field("reasoning_effort", Some("reasoning_effort"), Kind::Text),
    field("stop", Some("stop"), Kind::Texts),
    field("logprobs", Some("logprobs"), Kind::Bool),
    field("top_logprobs", Some("top_logprobs"), Kind::Integer),
    field("stream", Some("stream"), Kind::Bool),
    field("modalities", Some("modalities"), Kind::Texts),
    field("media_detail", None, Kind::Text),
    field("extra_body", None, Kind::Object),
];

/// Name given to the reply's schema; servers want one and do nothing with it.
const SCHEMA_NAME: &str = "verdicts";

pub(super) fn check(params: &Params) -> Result<(), EncodeError> {
    params::check(NAME, FIELDS, params)?;
    if let (Some(tokens), true) = (
        params.get("max_tokens"),
        params.contains_key("max_completion_tokens"),
    ) {
        return Err(EncodeError::BadParameter {
            dialect: NAME,
            name: "max_tokens",
            expected: "only one of max_tokens and max_completion_tokens",
            got: tokens.to_string(),
        });
    }
    Ok(())
}

pub(super) fn encode(request: &Request, images: &[EncodedImage]) -> Result<Message, EncodeError> {
    check(&request.judge.params)?;
    params::check_images(request, images.len())?;
    let fields = fields(request)?;
    let mut body = BodyWriter::default();
    body.object(&fields, "messages", |w| messages(w, request, images));
    Ok(Message {
        path: "/chat/completions".to_owned(),
        headers: vec![("content-type", "application/json".to_owned())],
        auth: Auth::Bearer,
        body: body.finish(),
    })
}

/// Every field of the body; `messages` only holds its place.
fn fields(request: &Request) -> Result<Map<String, Value>, EncodeError> {
    let judge = &request.judge;
    let mut fields = Map::new();
    fields.insert("model".to_owned(), Value::from(judge.model.as_str()));
    fields.insert("messages".to_owned(), Value::Null);
    params::copy(FIELDS, &judge.params, &mut fields);
    if let Some(format) = response_format(judge.structured, request.schema.as_ref()) {
        fields.insert("response_format".to_owned(), format);
    }
    if let Some(extra) = params::extra(&judge.params) {
        merge_extra(&mut fields, extra)?;
    }
    Ok(fields)
}

/// A protocol whose requests carry no schema gets no format: there is nothing to enforce.
fn response_format(structured: Structured, schema: Option<&Value>) -> Option<Value> {
    match structured {
        Structured::None => None,
        Structured::JsonObject => Some(json!({ "type": "json_object" })),
        Structured::JsonSchema => schema.map(|schema| {
            let named = json!({ "name": SCHEMA_NAME, "strict": true, "schema": schema });
            json!({ "type": "json_schema", "json_schema": named })
        }),
    }
}

fn messages(w: &mut BodyWriter, request: &Request, images: &[EncodedImage]) {
    let detail = params::text(&request.judge.params, "media_detail");
    let mut images = images.iter();
    w.raw(r#"[{"role":"user","content":["#);
    for (i, part) in request.parts.iter().enumerate() {
        if i > 0 {
            w.raw(",");
        }
        match part {
            Part::Text(text) => {
                w.raw(r#"{"type":"text","text":"#);
                w.json(text);
                w.raw("}");
            }
            Part::Image(_) => image_part(w, images.next(), detail),
        }
    }
    w.raw("]}]");
}

fn image_part(w: &mut BodyWriter, image: Option<&EncodedImage>, detail: Option<&str>) {
    let Some(image) = image else { return };
    w.raw(r#"{"type":"image_url","image_url":{"url":"data:"#);
    w.inside_string(&image.mime);
    w.raw(";base64,");
    w.base64(&image.bytes);
    w.raw("\"");
    if let Some(detail) = detail {
        w.raw(r#","detail":"#);
        w.json(detail);
    }
    w.raw("}}");
}
