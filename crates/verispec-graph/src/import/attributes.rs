//! Attribute records.

use serde_json::Value;

use super::field::{ImportError, Problem, Read, each, entries, field, optional, text, whole};
use super::lines::{Lines, read_lines};
use crate::scene::{AttributeRecord, Attributes, SegmentId};

/// `attributes.json`: a list of records.
///
/// # Errors
/// A field is absent or of another kind.
pub fn attribute_list(file: &str, document: &Value) -> Result<Vec<AttributeRecord>, ImportError> {
    each(document, record).map_err(|p| p.in_file(file))
}

/// `attributes.jsonl`: one record a line. Prefer it to `attributes.json`, which the release
/// overwrites with the new records only when it resumes.
///
/// # Errors
/// As [`attribute_list`], with the line.
pub fn attribute_lines(file: &str, text: &str) -> Result<Lines<AttributeRecord>, ImportError> {
    read_lines(file, text, record)
}

fn record(value: &Value) -> Read<AttributeRecord> {
    let found = field(value, "attributes", |v| {
        Ok((attributes(v)?, optional(v, "visual_reasoning", one_text)?))
    })?;
    Ok(AttributeRecord {
        image_id: field(value, "image_id", whole)?,
        segment: SegmentId(field(value, "seg_id", whole)?),
        category: optional(value, "category", text)?,
        supercategory: optional(value, "supercategory", text)?,
        attributes: found.0,
        reasoning: found.1,
    })
}

/// Attributes of an object: each value is a list, one text, one number, or nothing.
pub(super) fn attributes(value: &Value) -> Read<Attributes> {
    let pairs = entries(value, |key, v| Ok((key.to_owned(), values(v)?)))?;
    let mut all = Attributes::new();
    for (key, values) in pairs {
        all.insert(&key, values);
    }
    Ok(all)
}

fn values(value: &Value) -> Read<Vec<String>> {
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Array(_) => each(value, one_text),
        other => Ok(vec![one_text(other)?]),
    }
}

fn one_text(value: &Value) -> Read<String> {
    match value {
        Value::Bool(flag) => Ok(flag.to_string()),
        Value::Null => Ok(String::new()),
        Value::Array(_) | Value::Object(_) => {
            Err(Problem::new("expected a text, a number or a list of them"))
        }
        other => text(other),
    }
}
