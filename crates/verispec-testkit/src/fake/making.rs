//! A fake model under test: an image where one is asked for, a text where none is. Both follow from
//! the prompt, its images and its seed alone.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use verispec_model::{Hash, KeyBuilder};

use super::answer::{Content, End};
use super::config::{Prompt, SentImage};
use super::fault::Fault;
use super::wire::{Incoming, Style, tokens};

/// Addresses of the images interface.
const GENERATIONS: &str = "/v1/images/generations";
const EDITS: &str = "/v1/images/edits";

/// Side of an image in pixels, and of one of its squares.
const SIDE: u32 = 64;
const SQUARE: u32 = 8;

/// Tokens that an image is said to cost.
const IMAGE_TOKENS: u64 = 1056;

/// Whether an address is of the images interface.
pub(super) fn is_images(path: &str) -> bool {
    path == GENERATIONS || path == EDITS
}

/// Reads a generation or an edit.
pub(super) fn read(path: &str, body: &[u8]) -> Result<Incoming, String> {
    let (mut fields, images) = if path == EDITS {
        form(body)?
    } else {
        let body: Value = serde_json::from_slice(body).map_err(|e| format!("bad JSON: {e}"))?;
        let fields = body.as_object().ok_or("the body is no object")?;
        (fields.clone(), vec![])
    };
    if path == EDITS && images.is_empty() {
        return Err("an edit needs an image".to_owned());
    }
    let mut text = |name: &str| match fields.shift_remove(name) {
        Some(Value::String(text)) => Ok(text),
        _ => Err(format!("no {name}")),
    };
    let (model, prompt) = (text("model")?, text("prompt")?);
    Ok(Incoming {
        stream: false,
        prompt: Prompt {
            dialect: Style::Images.name(),
            model,
            text: prompt,
            images,
            schema: None,
            rest: Value::Object(fields),
        },
    })
}

type Form = (Map<String, Value>, Vec<SentImage>);

/// Fields and images of a form.
fn form(body: &[u8]) -> Result<Form, String> {
    let end = find(body, b"\r\n").ok_or("no form")?;
    let boundary = [b"\r\n", &body[..end]].concat();
    let mut rest = &body[end..];
    let (mut fields, mut images) = (Map::new(), vec![]);
    while let Some(size) = find(&rest[2..], &boundary) {
        let part = &rest[2..size + 2];
        let head = find(part, b"\r\n\r\n").ok_or("a part without a head")?;
        let (head, content) = (String::from_utf8_lossy(&part[..head]), &part[head + 4..]);
        let name = attribute(&head, " name=\"").ok_or("a part without a name")?;
        match attribute(&head, "Content-Type: ") {
            Some(mime) => images.push(SentImage {
                mime: mime.to_owned(),
                base64: STANDARD.encode(content),
            }),
            None => {
                let text = String::from_utf8_lossy(content).into_owned();
                fields.insert(name.to_owned(), Value::String(text));
            }
        }
        rest = &rest[size + 2 + boundary.len()..];
    }
    match rest {
        b"--\r\n" | b"--" => Ok((fields, images)),
        _ => Err("the form does not end".to_owned()),
    }
}

fn find(bytes: &[u8], mark: &[u8]) -> Option<usize> {
    bytes.windows(mark.len()).position(|w| w == mark)
}

/// What stands behind a mark, up to a quote or the end of the line.
fn attribute<'a>(head: &'a str, mark: &str) -> Option<&'a str> {
    let rest = &head[head.find(mark)? + mark.len()..];
    Some(&rest[..rest.find(['"', '\r']).unwrap_or(rest.len())])
}

/// Whether an image is asked for.
fn wants_image(style: Style, prompt: &Prompt) -> bool {
    let path = match style {
        Style::Images => return true,
        Style::OpenAi => "/modalities",
        _ => "/generationConfig/responseModalities",
    };
    let kinds = prompt.rest.pointer(path).and_then(Value::as_array);
    let image = |kind: &Value| {
        kind.as_str()
            .is_some_and(|k| k.eq_ignore_ascii_case("image"))
    };
    kinds.is_some_and(|kinds| kinds.iter().any(image))
}

/// Everything that an output follows from.
fn seed(prompt: &Prompt) -> Hash {
    let mut key = KeyBuilder::new("fake-model");
    key.field("text", prompt.text.as_bytes());
    for image in &prompt.images {
        key.field("image", image.base64.as_bytes());
    }
    let seed = ["/seed", "/generationConfig/seed"];
    let seed = seed.iter().find_map(|path| prompt.rest.pointer(path));
    let seed = seed.map(|s| s.as_str().map_or_else(|| s.to_string(), str::to_owned));
    key.optional("seed", seed.as_ref().map(String::as_bytes));
    key.finish()
}

/// What the model says: the letter of an option, and the prompt again.
pub(super) fn text(prompt: &Prompt) -> String {
    let letter = ['A', 'B', 'C', 'D'][usize::from(seed(prompt).as_bytes()[0] % 4)];
    let said: String = prompt.text.chars().take(200).collect();
    format!("{letter}. As I understand it: {said}")
}

/// The body of an answer with an image; `None` where a text is asked for, or a fault concerns the
/// text alone.
pub(super) fn answer(style: Style, prompt: &Prompt, fault: Option<Fault>) -> Option<Value> {
    if !wants_image(style, prompt) {
        return None;
    }
    let bytes = match fault {
        Some(Fault::Malformed) => b"this is no image, though it says so. 0123456789".to_vec(),
        Some(Fault::Truncated) => {
            let whole = png(&seed(prompt));
            whole[..whole.len() / 2].to_vec()
        }
        Some(Fault::Refusal | Fault::Empty) if style != Style::Images => return None,
        _ => png(&seed(prompt)),
    };
    let image = STANDARD.encode(bytes);
    let (input, _) = tokens(prompt, "");
    Some(match style {
        Style::Images => {
            let data = match fault {
                Some(Fault::Empty) => json!([]),
                _ => json!([{ "b64_json": image }]),
            };
            let total = input + IMAGE_TOKENS;
            json!({"created": 0, "data": data, "usage": {"input_tokens": input,
                "output_tokens": IMAGE_TOKENS, "total_tokens": total}})
        }
        Style::OpenAi => {
            let url = format!("data:image/png;base64,{image}");
            let images = json!([{"type": "image_url", "image_url": {"url": url}}]);
            let message = json!({"role": "assistant", "content": "Here it is.", "images": images});
            json!({"id": "chatcmpl-fake", "object": "chat.completion", "created": 0,
                "model": prompt.model,
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": input, "completion_tokens": IMAGE_TOKENS}})
        }
        _ => {
            let parts = json!([{"text": "First, a picture."},
                {"inlineData": {"mimeType": "image/png", "data": image}},
                {"text": "That is all."}]);
            json!({"candidates": [{"index": 0, "content": {"role": "model", "parts": parts},
                "finishReason": "STOP"}], "modelVersion": prompt.model,
                "usageMetadata": {"promptTokenCount": input,
                    "candidatesTokenCount": IMAGE_TOKENS}})
        }
    })
}

/// The error of a refused generation.
pub(super) fn refusal() -> Value {
    json!({"error": {"message": "Your request was rejected by the safety system.",
        "type": "image_generation_user_error", "param": null, "code": "moderation_blocked"}})
}

/// A text as the content of an answer, with the faults that concern it.
pub(super) fn content(prompt: &Prompt, fault: Option<Fault>) -> Content {
    let text = text(prompt);
    match fault {
        Some(Fault::Refusal) => Content {
            text: String::new(),
            end: End::Refused,
        },
        Some(Fault::Empty) => Content {
            text: String::new(),
            end: End::Stop,
        },
        Some(Fault::Truncated) => Content {
            text: text.chars().take(text.chars().count() / 2).collect(),
            end: End::Length,
        },
        _ => Content {
            text,
            end: End::Stop,
        },
    }
}

/// Squares of two colours, both from the seed.
fn png(seed: &Hash) -> Vec<u8> {
    let bytes = seed.as_bytes();
    let mut pixels = vec![];
    for y in 0..SIDE {
        for x in 0..SIDE {
            let square = (y / SQUARE * (SIDE / SQUARE) + x / SQUARE) as usize;
            let on = bytes[8 + square / 8] >> (square % 8) & 1;
            let colour = usize::from(on) * 3;
            pixels.extend_from_slice(&bytes[colour..colour + 3]);
        }
    }
    let mut out = vec![];
    let mut encoder = png::Encoder::new(&mut out, SIDE, SIDE);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("memory takes a header");
    writer
        .write_image_data(&pixels)
        .expect("memory takes pixels");
    writer.finish().expect("memory takes an end");
    out
}
