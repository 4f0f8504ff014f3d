//! Request to `generateContent` body, native and through the proxy.

use serde_json::{Map, Value, json};
use verispec_model::{Params, Part, Request, Structured};

use super::{NATIVE, PROXY};
use crate::body::{BodyWriter, merge_extra};
use crate::message::{Auth, EncodeError, EncodedImage, Message};
use crate::params::{self, Field, Kind, field};

/// Parameters that both dialects put into `generationConfig`, in the order sent.
const COMMON: &[Field] = &[
    field("temperature", Some("temperature"), Kind::Number),
    field("top_p", Some("topP"), Kind::Number),
    field("top_k", Some("topK"), Kind::Integer),
    field("seed", Some("seed"), Kind::Integer),
    field("max_tokens", Some("maxOutputTokens"), Kind::Integer),
    field("stop", None, Kind::Texts),
    field("logprobs", Some("responseLogprobs"), Kind::Bool),
    field("top_logprobs", Some("logprobs"), Kind::Integer),
    field("reasoning_effort", None, Kind::Text),
    field("media_detail", None, Kind::Text),
    field("modalities", None, Kind::Texts),
    field("extra_body", None, Kind::Object),
];

/// The native dialect chooses between two addresses; the proxy always streams.
const STREAM: Field = field("stream", None, Kind::Bool);

pub(super) fn check_native(params: &Params) -> Result<(), EncodeError> {
    params::check(NATIVE, &[COMMON, &[STREAM]].concat(), params)
}

pub(super) fn check_proxy(params: &Params) -> Result<(), EncodeError> {
    params::check(PROXY, COMMON, params)
}

pub(super) fn native(request: &Request, images: &[EncodedImage]) -> Result<Message, EncodeError> {
    check_native(&request.judge.params)?;
    params::check_images(request, images.len())?;
    let mut fields = Map::new();
    fields.insert("contents".to_owned(), Value::Null);
    config_and_extra(request, &mut fields)?;
    let method = if params::switch(&request.judge.params, "stream") {
        "streamGenerateContent?alt=sse"
    } else {
        "generateContent"
    };
    Ok(Message {
        path: format!("/{}:{method}", model_path(&request.judge.model)),
        headers: json_header(),
        auth: Auth::Header("x-goog-api-key"),
        body: body(&fields, request, images, &CAMEL),
    })
}

pub(super) fn proxy(request: &Request, images: &[EncodedImage]) -> Result<Message, EncodeError> {
    check_proxy(&request.judge.params)?;
    params::check_images(request, images.len())?;
    let mut fields = Map::new();
    fields.insert(
        "model".to_owned(),
        Value::from(request.judge.model.as_str()),
    );
    fields.insert("stream".to_owned(), Value::Bool(true));
    let extend = json!({ "using_native_protocol": true });
    fields.insert("dashscope_extend_params".to_owned(), extend);
    fields.insert("contents".to_owned(), Value::Null);
    config_and_extra(request, &mut fields)?;
    Ok(Message {
        path: String::new(),
        headers: json_header(),
        auth: Auth::Bearer,
        body: body(&fields, request, images, &SNAKE),
    })
}

fn json_header() -> Vec<(&'static str, String)> {
    vec![("content-type", "application/json".to_owned())]
}

/// `models/NAME`, with what does not belong into an address escaped.
fn model_path(model: &str) -> String {
    let mut path = String::new();
    if !(model.starts_with("models/") || model.starts_with("tunedModels/")) {
        path.push_str("models/");
    }
    for byte in model.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            path.push(char::from(byte));
        } else {
            path.push_str(&format!("%{byte:02X}"));
        }
    }
    path
}

fn config_and_extra(request: &Request, fields: &mut Map<String, Value>) -> Result<(), EncodeError> {
    let config = generation_config(request);
    if !config.is_empty() {
        fields.insert("generationConfig".to_owned(), Value::Object(config));
    }
    match params::extra(&request.judge.params) {
        Some(extra) => merge_extra(fields, extra),
        None => Ok(()),
    }
}

fn generation_config(request: &Request) -> Map<String, Value> {
    let params = &request.judge.params;
    let mut config = Map::new();
    params::copy(COMMON, params, &mut config);
    match params.get("stop") {
        Some(Value::Array(list)) => {
            config.insert("stopSequences".to_owned(), Value::Array(list.clone()));
        }
        Some(one) => {
            config.insert("stopSequences".to_owned(), json!([one]));
        }
        None => {}
    }
    if let Some(effort) = params::text(params, "reasoning_effort") {
        config.insert(
            "thinkingConfig".to_owned(),
            json!({ "thinkingLevel": effort }),
        );
    }
    if let Some(detail) = params::text(params, "media_detail") {
        let level = format!("MEDIA_RESOLUTION_{}", detail.to_uppercase());
        config.insert("mediaResolution".to_owned(), Value::String(level));
    }
    if let Some(kinds) = params::texts(params, "modalities") {
        let kinds: Vec<Value> = kinds.iter().map(|k| k.to_uppercase().into()).collect();
        config.insert("responseModalities".to_owned(), Value::Array(kinds));
    }
    if request.judge.structured != Structured::None {
        reply_format(request, &mut config);
    }
    config
}

/// A protocol whose requests carry no schema gets none: there is nothing to enforce.
fn reply_format(request: &Request, config: &mut Map<String, Value>) {
    let schema = request.schema.as_ref();
    let wanted = request.judge.structured == Structured::JsonSchema;
    if wanted && schema.is_none() {
        return;
    }
    config.insert("responseMimeType".to_owned(), json!("application/json"));
    if let Some(schema) = schema.filter(|_| wanted) {
        // `responseSchema` takes only a subset of OpenAPI; this field takes JSON Schema.
        config.insert("responseJsonSchema".to_owned(), schema.clone());
    }
}

/// Spelling of an image part.
struct Spelling {
    inline_data: &'static str,
    mime_type: &'static str,
}

const CAMEL: Spelling = Spelling {
    inline_data: "inlineData",
    mime_type: "mimeType",
};
const SNAKE: Spelling = Spelling {
    inline_data: "inline_data",
    mime_type: "mime_type",
};

fn body(
    fields: &Map<String, Value>,
    request: &Request,
    images: &[EncodedImage],
    spelling: &Spelling,
) -> Vec<crate::Segment> {
    let mut body = BodyWriter::default();
    body.object(fields, "contents", |w| {
        contents(w, request, images, spelling)
    });
    body.finish()
}

fn contents(w: &mut BodyWriter, request: &Request, images: &[EncodedImage], spelling: &Spelling) {
    let mut images = images.iter();
    w.raw(r#"[{"role":"user","parts":["#);
    for (i, part) in request.parts.iter().enumerate() {
        if i > 0 {
            w.raw(",");
        }
        match part {
            Part::Text(text) => {
                w.raw(r#"{"text":"#);
                w.json(text);
                w.raw("}");
            }
            Part::Image(_) => image_part(w, images.next(), spelling),
        }
    }
    w.raw("]}]");
}

fn image_part(w: &mut BodyWriter, image: Option<&EncodedImage>, spelling: &Spelling) {
    let Some(image) = image else { return };
    w.raw("{\"");
    w.raw(spelling.inline_data);
    w.raw("\":{\"");
    w.raw(spelling.mime_type);
    w.raw("\":");
    w.json(&image.mime);
    w.raw(",\"data\":\"");
    w.base64(&image.bytes);
    w.raw("\"}}");
}
