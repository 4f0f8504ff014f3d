//! The dialects from the server's side. Written apart from the codecs on purpose: a mistake
//! there must not be repeated here.

mod anthropic;

use serde_json::{Value, json};

use super::answer::{Content, End};
use super::config::{Prompt, SentImage};
use super::making;

/// A dialect's manner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    OpenAi,
    Gemini,
    Proxy,
    Anthropic,
    Images,
}

const PROXY_PATH: &str = "/api/v1/proxy/generate";

/// What a configuration has as endpoint, after the host.
pub(super) fn endpoint_path(dialect: &str) -> Option<&'static str> {
    match dialect {
        "openai" | "openai-images" => Some("/v1"),
        "gemini" => Some("/v1beta"),
        "gemini-dashscope" => Some(PROXY_PATH),
        "anthropic" => Some(""),
        _ => None,
    }
}

/// The dialect that an address belongs to.
pub(super) fn style_of(path: &str) -> Option<Style> {
    if path == "/v1/chat/completions" {
        Some(Style::OpenAi)
    } else if making::is_images(path) {
        Some(Style::Images)
    } else if path == PROXY_PATH {
        Some(Style::Proxy)
    } else if path == "/v1/messages" {
        Some(Style::Anthropic)
    } else if path.starts_with("/v1beta/models/") && method_of(path).is_some() {
        Some(Style::Gemini)
    } else {
        None
    }
}

/// Whether a Gemini address streams.
fn method_of(path: &str) -> Option<bool> {
    match path.rsplit_once(':')?.1 {
        "generateContent" => Some(false),
        "streamGenerateContent" => Some(true),
        _ => None,
    }
}

impl Style {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Gemini => "gemini",
            Self::Proxy => "gemini-dashscope",
            Self::Anthropic => "anthropic",
            Self::Images => "openai-images",
        }
    }
}

/// A request as understood.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) stream: bool,
    pub(super) prompt: Prompt,
}

/// Reads a body; the error says what is wrong with it.
pub(super) fn read(style: Style, path: &str, body: &[u8]) -> Result<Incoming, String> {
    if style == Style::Images {
        return making::read(path, body);
    }
    let mut body: Value = serde_json::from_slice(body).map_err(|e| format!("bad JSON: {e}"))?;
    let parts = body
        .pointer_mut(if matches!(style, Style::OpenAi | Style::Anthropic) {
            "/messages/0/content"
        } else {
            "/contents/0/parts"
        })
        .map(Value::take)
        .ok_or("no message")?;
    let mut texts = Vec::new();
    let mut images = Vec::new();
    for part in into_list(parts)? {
        match read_part(style, part)? {
            Ok(text) => texts.push(text),
            Err(image) => images.push(image),
        }
    }
    let text_at = |path: &str| {
        body.pointer(path)
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let model = if style == Style::Gemini {
        path.strip_prefix("/v1beta/models/")
            .and_then(|p| p.split(':').next())
            .map(str::to_owned)
    } else {
        text_at("/model")
    };
    let stream = match style {
        Style::Gemini => method_of(path) == Some(true),
        _ => body.get("stream").and_then(Value::as_bool).unwrap_or(false),
    };
    let schema = body
        .pointer("/response_format/json_schema/schema")
        .or_else(|| body.pointer("/generationConfig/responseJsonSchema"))
        .or_else(|| body.pointer("/output_config/format/schema"))
        .cloned();
    if style == Style::Anthropic && body.get("max_tokens").and_then(Value::as_u64).is_none() {
        return Err("max_tokens: Field required".to_owned());
    }
    let prompt = Prompt {
        dialect: style.name(),
        model: model.ok_or("no model")?,
        text: texts.join("\n"),
        images,
        schema,
        rest: body,
    };
    Ok(Incoming { stream, prompt })
}

fn into_list(parts: Value) -> Result<Vec<Value>, String> {
    match parts {
        Value::Array(list) => Ok(list),
        Value::String(text) => Ok(vec![json!({ "type": "text", "text": text })]),
        other => Err(format!("content is neither text nor list: {other}")),
    }
}

/// A text, or an image.
fn read_part(style: Style, mut part: Value) -> Result<Result<String, SentImage>, String> {
    if let Some(Value::String(text)) = part.get_mut("text").map(Value::take) {
        return Ok(Ok(text));
    }
    if style == Style::OpenAi {
        let url = part.pointer("/image_url/url").and_then(Value::as_str);
        let rest = url
            .and_then(|u| u.strip_prefix("data:"))
            .ok_or("image is no data URI")?;
        let (mime, base64) = rest.split_once(";base64,").ok_or("image is not base64")?;
        return image(mime, base64).map(Err);
    }
    let (data, mime) = match style {
        Style::Anthropic => ("/source/data", "/source/media_type"),
        Style::Gemini => ("/inlineData/data", "/inlineData/mimeType"),
        _ => ("/inline_data/data", "/inline_data/mime_type"),
    };
    let text_at = |path: &str| part.pointer(path).and_then(Value::as_str);
    match (text_at(mime), text_at(data)) {
        (Some(mime), Some(data)) => image(mime, data).map(Err),
        _ => Err(format!(
            "unknown part with fields {:?}",
            part.as_object().map(|o| o.keys())
        )),
    }
}

fn image(mime: &str, base64: &str) -> Result<SentImage, String> {
    let whole = base64.len().is_multiple_of(4) && !base64.is_empty();
    if !(whole && mime.starts_with("image/")) {
        return Err(format!(
            "no image: {mime}, {} characters of base64",
            base64.len()
        ));
    }
    Ok(SentImage {
        mime: mime.to_owned(),
        base64: base64.to_owned(),
    })
}

/// An answer to send: media type and pieces.
pub(super) struct Rendered {
    pub(super) content_type: &'static str,
    pub(super) pieces: Vec<String>,
}

/// Renders an answer, streamed or whole.
pub(super) fn answer(style: Style, incoming: &Incoming, content: &Content) -> Rendered {
    if !incoming.stream {
        let body = match style {
            Style::OpenAi => openai_whole(&incoming.prompt, content),
            Style::Anthropic => anthropic::whole(&incoming.prompt, content),
            _ => gemini_chunk(&incoming.prompt, &content.text, Some(content)),
        };
        return Rendered {
            content_type: "application/json",
            pieces: vec![body.to_string()],
        };
    }
    if style == Style::Anthropic {
        return Rendered {
            content_type: "text/event-stream",
            pieces: anthropic::stream(&incoming.prompt, content),
        };
    }
    let mut events = match style {
        Style::OpenAi => openai_stream(&incoming.prompt, content),
        _ => gemini_stream(&incoming.prompt, content),
    };
    let mut pieces: Vec<String> = events.drain(..).map(|e| format!("data: {e}\n\n")).collect();
    if style != Style::Gemini {
        pieces.push("data: [DONE]\n\n".to_owned());
    }
    Rendered {
        content_type: "text/event-stream",
        pieces,
    }
}

/// The dialect's error; `param` names a field of the request.
pub(super) fn error(style: Option<Style>, status: u16, message: &str) -> Value {
    match style {
        Some(Style::OpenAi | Style::Images) | None => json!({"error": {
            "message": message, "type": "fake_judge_error", "param": null, "code": null}}),
        Some(Style::Anthropic) => anthropic::error(status, message),
        Some(Style::Gemini | Style::Proxy) => json!({"error": {
            "code": status, "message": message, "status": google_status(status)}}),
    }
}

const fn google_status(status: u16) -> &'static str {
    match status {
        400 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        404 => "NOT_FOUND",
        429 => "RESOURCE_EXHAUSTED",
        _ => "INTERNAL",
    }
}

fn openai_reason(end: End) -> &'static str {
    match end {
        End::Length => "length",
        End::Stop | End::Refused => "stop",
    }
}

fn openai_message(content: &Content) -> Value {
    match content.end {
        End::Refused => {
            json!({"role": "assistant", "content": null, "refusal": "I cannot help with that."})
        }
        _ => json!({"role": "assistant", "content": content.text, "refusal": null}),
    }
}

fn openai_usage(prompt: &Prompt, text: &str) -> Value {
    let (input, output) = tokens(prompt, text);
    json!({"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output})
}

fn openai_whole(prompt: &Prompt, content: &Content) -> Value {
    json!({
        "id": "chatcmpl-fake", "object": "chat.completion", "created": 0,
        "model": prompt.model, "system_fingerprint": "fake",
        "choices": [{"index": 0, "message": openai_message(content),
            "finish_reason": openai_reason(content.end)}],
        "usage": openai_usage(prompt, &content.text),
    })
}

fn openai_stream(prompt: &Prompt, content: &Content) -> Vec<Value> {
    let chunk = |choices: Value| {
        json!({"id": "chatcmpl-fake", "object": "chat.completion.chunk", "created": 0,
            "model": prompt.model, "system_fingerprint": "fake", "choices": choices})
    };
    let delta = |delta: Value, reason: Value| {
        chunk(json!([{"index": 0, "delta": delta, "finish_reason": reason}]))
    };
    let mut events = vec![delta(
        json!({"role": "assistant", "content": ""}),
        Value::Null,
    )];
    if content.end == End::Refused {
        events.push(delta(
            json!({"refusal": "I cannot help with that."}),
            Value::Null,
        ));
    }
    for piece in split(&content.text) {
        events.push(delta(json!({ "content": piece }), Value::Null));
    }
    events.push(delta(json!({}), json!(openai_reason(content.end))));
    if prompt.rest.pointer("/stream_options/include_usage") == Some(&Value::Bool(true)) {
        let mut last = chunk(json!([]));
        last["usage"] = openai_usage(prompt, &content.text);
        events.push(last);
    }
    events
}

/// One answer or one piece of it; the last one says how it ended.
fn gemini_chunk(prompt: &Prompt, text: &str, end: Option<&Content>) -> Value {
    let mut candidate = json!({"index": 0});
    let refused = end.is_some_and(|c| c.end == End::Refused);
    candidate["content"] = if refused {
        Value::Null
    } else {
        json!({"role": "model", "parts": [{ "text": text }]})
    };
    let mut chunk = json!({"candidates": [candidate], "modelVersion": prompt.model});
    if let Some(content) = end {
        let reason = match content.end {
            End::Stop => "STOP",
            End::Length => "MAX_TOKENS",
            End::Refused => "SAFETY",
        };
        chunk["candidates"][0]["finishReason"] = json!(reason);
        let (input, output) = tokens(prompt, &content.text);
        chunk["usageMetadata"] = json!({"promptTokenCount": input, "candidatesTokenCount": output,
            "totalTokenCount": input + output});
    }
    chunk
}

fn gemini_stream(prompt: &Prompt, content: &Content) -> Vec<Value> {
    let pieces = split(&content.text);
    let mut events: Vec<Value> = pieces
        .iter()
        .map(|p| gemini_chunk(prompt, p, None))
        .collect();
    events.push(gemini_chunk(prompt, "", Some(content)));
    events
}

/// Pieces of 24 characters.
fn split(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars.chunks(24).map(|c| c.iter().collect()).collect()
}

/// Token counts of a prompt and an answer, by a rule of thumb.
pub(super) fn tokens(prompt: &Prompt, text: &str) -> (u64, u64) {
    let count = |length: usize| length.div_ceil(4) as u64;
    (
        count(prompt.text.len()) + 256 * prompt.images.len() as u64,
        count(text.len()),
    )
}
