//! Outputs that are JSON files: `response.json` of the interleaved tracks, `ID.json` of
//! understanding.
//!
//! What the released scripts forward or die of (a null text, a list for a name, a path that
//! leaves the folder) is a failure of this one output here.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::error::PublishedError;
use super::track::PublishedTrack;
use crate::specv::load::mend;

/// One piece of what a model made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputPart {
    /// Text, as it is.
    Text(Arc<str>),
    /// An image file.
    Image(Arc<Path>),
}

impl OutputPart {
    /// The file, if it is an image.
    #[must_use]
    pub fn image(&self) -> Option<&Path> {
        match self {
            Self::Image(path) => Some(path),
            Self::Text(_) => None,
        }
    }
}

/// Reads an output from the file that stands for it: the image, `ID/response.json` or `ID.json`.
/// Images are only named, not opened.
///
/// # Errors
/// An output failure: `Empty` for an empty or absent answer, `Unreadable` for a file that is not
/// what its layout says.
pub fn read_output(track: PublishedTrack, path: &Path) -> Result<Vec<OutputPart>, PublishedError> {
    let shown = path.display();
    let read = || {
        let bytes =
            std::fs::read(path).map_err(|e| PublishedError::unreadable(format!("{shown}: {e}")))?;
        object(&bytes).map_err(|e| PublishedError::unreadable(format!("{shown}: {e}")))
    };
    match track {
        PublishedTrack::T2i | PublishedTrack::Edit | PublishedTrack::Many2one => {
            Ok(vec![OutputPart::Image(path.into())])
        }
        PublishedTrack::Interleave | PublishedTrack::ThinkWithImg => {
            content(&read()?, path.parent().unwrap_or(Path::new("")))
                .map_err(|e| e.at(&shown.to_string()))
        }
        PublishedTrack::Understanding => response(&read()?).map_err(|e| e.at(&shown.to_string())),
    }
}

fn object(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    // Models emit halves of characters; they cost that character, not the output.
    let read = match std::str::from_utf8(bytes) {
        Ok(text) => serde_json::from_str(&mend(text).0),
        Err(_) => serde_json::from_slice(bytes),
    };
    match read {
        Ok(Value::Object(map)) => Ok(map),
        Ok(other) => Err(format!("expected a JSON object, got {}", kind(&other))),
        Err(e) => Err(format!("not JSON: {e}")),
    }
}

/// Says that a field is not there, and which ones are.
fn lacks(field: &str, map: &Map<String, Value>) -> String {
    let others: Vec<String> = map.keys().take(10).map(|k| format!("`{k}`")).collect();
    match (map.contains_key(field), others.as_slice()) {
        (true, _) => format!("field `{field}` is null"),
        (false, []) => format!("no field `{field}`"),
        (false, others) => format!("no field `{field}`, only {}", others.join(", ")),
    }
}

/// The field `response`, a non-empty string.
fn response(map: &Map<String, Value>) -> Result<Vec<OutputPart>, PublishedError> {
    match map.get("response") {
        None | Some(Value::Null) => Err(PublishedError::empty(lacks("response", map))),
        Some(Value::String(text)) if text.is_empty() => {
            Err(PublishedError::empty("response is empty"))
        }
        Some(Value::String(text)) => Ok(vec![OutputPart::Text(text.as_str().into())]),
        Some(other) => Err(PublishedError::unreadable(format!(
            "field response: expected a string, got {}",
            kind(other)
        ))),
    }
}

/// The field `content`, a non-empty list of pieces.
fn content(map: &Map<String, Value>, dir: &Path) -> Result<Vec<OutputPart>, PublishedError> {
    let items = match map.get("content") {
        None | Some(Value::Null) => return Err(PublishedError::empty(lacks("content", map))),
        Some(Value::Array(items)) if items.is_empty() => {
            return Err(PublishedError::empty("content is empty"));
        }
        Some(Value::String(text)) if text.is_empty() => {
            return Err(PublishedError::empty("content is empty"));
        }
        Some(Value::Array(items)) => items,
        Some(other) => {
            return Err(PublishedError::unreadable(format!(
                "field content: expected a list, got {}",
                kind(other)
            )));
        }
    };
    let mut parts = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        parts.extend(piece(item, dir).map_err(|e| e.at(&format!("content[{i}]")))?);
    }
    if parts.is_empty() {
        return Err(PublishedError::empty("content holds no text and no image"));
    }
    Ok(parts)
}

/// One entry of `content`. The type is compared as it is; an entry of another type counts by its
/// text, and is dropped without one.
fn piece(item: &Value, dir: &Path) -> Result<Option<OutputPart>, PublishedError> {
    let Value::Object(item) = item else {
        let message = format!("expected an object, got {}", kind(item));
        return Err(PublishedError::unreadable(message));
    };
    let kind_of = item.get("type").and_then(Value::as_str);
    match (kind_of, item.get("text")) {
        (Some("image"), _) => image(item.get("image"), dir).map(Some),
        (_, Some(Value::String(text))) => Ok(Some(OutputPart::Text(text.as_str().into()))),
        (_, Some(other)) => Err(PublishedError::unreadable(format!(
            "field text: expected a string, got {}",
            kind(other)
        ))),
        (Some("text"), None) => Ok(Some(OutputPart::Text("".into()))),
        (_, None) => Ok(None),
    }
}

fn image(name: Option<&Value>, dir: &Path) -> Result<OutputPart, PublishedError> {
    let name = match name {
        Some(Value::String(name)) if !name.is_empty() => name,
        None | Some(Value::String(_)) => {
            return Err(PublishedError::unreadable("field image: no file name"));
        }
        Some(other) => {
            return Err(PublishedError::unreadable(format!(
                "field image: expected a string, got {}",
                kind(other)
            )));
        }
    };
    let path = verispec_media::safe_join(dir, name)
        .map_err(|e| PublishedError::unreadable(format!("field image: {}", e.kind)))?;
    Ok(OutputPart::Image(path.into()))
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
