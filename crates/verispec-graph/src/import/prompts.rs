//! Prompt files.

use serde_json::Value;

use super::field::{
    ImportError, Problem, Read, each, entries, field, key_number, optional, text, whole,
};
use crate::scene::ImageId;

/// A prompt of the released data.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptRecord {
    /// Number of the image.
    pub image_id: ImageId,
    /// The text for the image model.
    pub prompt: String,
    /// The draft before a language model rewrote it, if there was one.
    pub original_prompt: Option<String>,
    /// Descriptions by object (`2` or `2_member_0`), in file order.
    pub object_descriptions: Vec<(String, String)>,
    /// Relation sentences in file order.
    pub relation_descriptions: Vec<String>,
}

/// `prompts.json`: a list, or an object by image number; the text is in `prompt`, `caption` or
/// `text`.
///
/// # Errors
/// A record has no text, or no image number.
pub fn prompts(file: &str, document: &Value) -> Result<Vec<PromptRecord>, ImportError> {
    let read = match document {
        Value::Object(_) => entries(document, |key, v| record(v, Some(key))),
        _ => each(document, |v| record(v, None)),
    };
    read.map_err(|p| p.in_file(file))
}

fn record(value: &Value, key: Option<&str>) -> Read<PromptRecord> {
    let image_id = match (optional(value, "image_id", whole)?, key) {
        (Some(id), _) => id,
        (None, Some(key)) => key_number(key)?,
        (None, None) => return Err(Problem::new("is missing").inside("image_id")),
    };
    let mut prompt = None;
    for name in ["prompt", "caption", "text"] {
        prompt = match prompt {
            None => optional(value, name, text)?,
            found => found,
        };
    }
    let pairs = |v: &Value| entries(v, |key, v| Ok((key.to_owned(), text(v)?)));
    let mut relations = optional(value, "relation_descriptions", |v| each(v, text))?;
    if relations.is_none() {
        relations = optional(value, "relationships", |v| each(v, text))?;
    }
    Ok(PromptRecord {
        image_id,
        prompt: match prompt {
            Some(found) => found,
            None => field(value, "prompt", text)?,
        },
        original_prompt: optional(value, "original_prompt", text)?,
        object_descriptions: optional(value, "object_descriptions", pairs)?.unwrap_or_default(),
        relation_descriptions: relations.unwrap_or_default(),
    })
}
