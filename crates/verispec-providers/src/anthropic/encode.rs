//! Request to `/v1/messages` body.

use serde_json::{Map, Value, json};
use verispec_model::{Params, Part, Request, Structured};

use super::NAME;
use crate::body::{BodyWriter, merge_extra};
use crate::message::{Auth, EncodeError, EncodedImage, Message};
use crate::params::{self, Field, Kind, field};

/// `max_tokens` that is sent when none was set: the interface does not do without one. It is the
/// only parameter that is sent unasked.
pub const ANTHROPIC_MAX_TOKENS: u64 = 4096;

/// Version of the interface, sent as `anthropic-version`.
const VERSION: &str = "2023-06-01";

/// Parameters, in the order in which they are sent.
const FIELDS: &[Field] = &[
    field("max_tokens", Some("max_tokens"), Kind::Integer),
    field("temperature", Some("temperature"), Kind::Number),
    field("top_p", Some("top_p"), Kind::Number),
    field("top_k", Some("top_k"), Kind::Integer),
    field("stop", None, Kind::Texts),
    field("stream", Some("stream"), Kind::Bool),
    field("reasoning_effort", None, Kind::Text),
    field("prompt_cache", None, Kind::Bool),
    field("anthropic_beta", None, Kind::Text),
    field("extra_body", None, Kind::Object),
];

pub(super) fn check(params: &Params) -> Result<(), EncodeError> {
    params::check(NAME, FIELDS, params)
}

/// There is no mode for "some JSON object".
pub(super) fn check_structured(structured: Structured) -> Result<(), EncodeError> {
    match structured {
        Structured::None | Structured::JsonSchema => Ok(()),
        Structured::JsonObject => Err(EncodeError::BadParameter {
            dialect: NAME,
            name: "structured",
            expected: "none or json_schema",
            got: "json_object".to_owned(),
        }),
    }
}

pub(super) fn encode(request: &Request, images: &[EncodedImage]) -> Result<Message, EncodeError> {
    let params = &request.judge.params;
    check(params)?;
    check_structured(request.judge.structured)?;
    params::check_images(request, images.len())?;
    let fields = fields(request)?;
    let mut body = BodyWriter::default();
    body.object(&fields, "messages", |w| messages(w, request, images));
    let mut headers = vec![
        ("content-type", "application/json".to_owned()),
        ("anthropic-version", VERSION.to_owned()),
    ];
    if let Some(beta) = params::text(params, "anthropic_beta") {
        headers.push(("anthropic-beta", beta.to_owned()));
    }
    Ok(Message {
        path: "/v1/messages".to_owned(),
        headers,
        auth: Auth::Header("x-api-key"),
        body: body.finish(),
    })
}

/// Every field of the body; `messages` only holds its place.
fn fields(request: &Request) -> Result<Map<String, Value>, EncodeError> {
    let judge = &request.judge;
    let mut fields = Map::new();
    fields.insert("model".to_owned(), Value::from(judge.model.as_str()));
    fields.insert("max_tokens".to_owned(), Value::from(ANTHROPIC_MAX_TOKENS));
    params::copy(FIELDS, &judge.params, &mut fields);
    match judge.params.get("stop") {
        Some(Value::Array(list)) => {
            fields.insert("stop_sequences".to_owned(), Value::Array(list.clone()));
        }
        Some(one) => {
            fields.insert("stop_sequences".to_owned(), json!([one]));
        }
        None => {}
    }
    let output = output_config(request);
    if !output.is_empty() {
        fields.insert("output_config".to_owned(), Value::Object(output));
    }
    fields.insert("messages".to_owned(), Value::Null);
    if let Some(extra) = params::extra(&judge.params) {
        merge_extra(&mut fields, extra)?;
    }
    Ok(fields)
}

/// A protocol whose requests carry no schema gets no format: there is nothing to enforce.
fn output_config(request: &Request) -> Map<String, Value> {
    let mut config = Map::new();
    if let Some(effort) = params::text(&request.judge.params, "reasoning_effort") {
        config.insert("effort".to_owned(), Value::from(effort));
    }
    if request.judge.structured == Structured::JsonSchema
        && let Some(schema) = &request.schema
    {
        let format = json!({ "type": "json_schema", "schema": schema });
        config.insert("format".to_owned(), format);
    }
    config
}

fn messages(w: &mut BodyWriter, request: &Request, images: &[EncodedImage]) {
    // What follows the last but one part differs between the statements of an instance.
    let cached = params::switch(&request.judge.params, "prompt_cache")
        .then(|| request.parts.len().checked_sub(2))
        .flatten();
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
            }
            Part::Image(_) => image_block(w, images.next()),
        }
        if cached == Some(i) {
            w.raw(r#","cache_control":{"type":"ephemeral"}"#);
        }
        w.raw("}");
    }
    w.raw("]}]");
}

/// An image block up to its closing brace.
fn image_block(w: &mut BodyWriter, image: Option<&EncodedImage>) {
    w.raw(r#"{"type":"image""#);
    let Some(image) = image else { return };
    w.raw(r#","source":{"type":"base64","media_type":"#);
    w.json(&image.mime);
    w.raw(r#","data":""#);
    w.base64(&image.bytes);
    w.raw(r#""}"#);
}
