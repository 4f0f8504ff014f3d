//! The first record of a suite, which describes it.

use serde_json::Value;

use crate::changes::Mark;
use crate::records::{Fields, filled};

/// Version of the format.
pub const FORMAT: u64 = 1;

const FIELDS: [&str; 5] = ["suite", "format", "description", "metadata", "patch"];

/// What the first record says.
pub(super) struct Header {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) patch: Option<Mark>,
}

/// Whether a record is a header rather than an instance.
pub(super) fn is_header(map: &serde_json::Map<String, Value>) -> bool {
    map.contains_key("suite") || (map.contains_key("format") && !map.contains_key("id"))
}

/// Reads a header; faults are kept.
pub(super) fn header(fields: &mut Fields<'_>) -> Option<Header> {
    fields.known(&FIELDS);
    let name = fields.get(
        "suite",
        "the suite's name, of letters, digits, - and _",
        name,
    );
    let format = fields.get("format", "the number 1", Value::as_u64);
    if format.is_some_and(|format| format != FORMAT) {
        fields.fault("format", format!("this version reads format {FORMAT}"));
    }
    let description = fields.optional("description", "a text", filled);
    let patch = fields.map.get("patch").cloned().map(Mark::of);
    if let Some(Err(why)) = &patch {
        fields.fault("patch", format!("not what `suite patch` writes: {why}"));
    }
    Some(Header {
        name: name?,
        description: description.unwrap_or_default(),
        patch: patch.and_then(Result::ok),
    })
}

/// Names go into run folders and shards, so that they are plain.
pub(super) fn name(value: &Value) -> Option<String> {
    let text = value.as_str()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (!text.is_empty() && text.chars().all(plain)).then(|| text.to_owned())
}
