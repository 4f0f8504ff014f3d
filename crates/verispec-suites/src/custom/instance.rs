//! One instance of a suite.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use verispec_media::safe_join;
use verispec_model::Instance;

use super::choice::{Choice, choice, specification as choice_specification};
use super::header::name;
use super::specification::specifications;
use crate::records::{Fields, describe};

/// Track of instances that name none.
pub const DEFAULT_TRACK: &str = "main";
/// Dimension of instances that name none.
pub const DEFAULT_DIMENSION: &str = "all";

/// Fields of an instance.
pub const INSTANCE_FIELDS: [&str; 9] = [
    "id",
    "track",
    "dimension",
    "prompt",
    "references",
    "specifications",
    "choices",
    "answer",
    "metadata",
];

/// Fields of a part of a prompt, of which each part has one.
pub const PART_FIELDS: [&str; 2] = ["text", "image"];

/// Longest id, in bytes: with an extension it is a file's name.
const LONGEST_ID: usize = 200;

/// Reads an instance; `None` if a fault was found, which is then kept.
pub(super) fn instance(fields: &mut Fields<'_>, root: &Path) -> Option<(Instance, Option<Choice>)> {
    let before = fields.problems.len();
    fields.known(&INSTANCE_FIELDS);
    let expected = "a file name without / and \\";
    let id = fields.get("id", expected, id);
    let expected = "a name of letters, digits, - and _";
    let track = fields.optional("track", expected, name);
    let dimension = fields.optional("dimension", expected, name);
    let mut references = vec![];
    let prompt = prompt(fields, root, &mut references);
    add_references(fields, root, &mut references);
    let (given, chosen) = asked(fields);
    let sound = fields.problems.len() == before;
    let prompt = prompt.filter(|_| sound)?;
    let specifications = match &chosen {
        Some(_) => vec![choice_specification(&prompt)],
        None => given,
    };
    let instance = Instance {
        track: track.unwrap_or_else(|| DEFAULT_TRACK.to_owned()),
        dimension: dimension.unwrap_or_else(|| DEFAULT_DIMENSION.to_owned()),
        id: id?,
        prompt,
        references,
        specifications: specifications.into_iter().map(Arc::new).collect(),
        source_text: "".into(),
    };
    Some((instance, chosen))
}

fn id(value: &Value) -> Option<String> {
    let text = value.as_str()?;
    let odd = |c: char| c.is_control() || matches!(c, '/' | '\\');
    let fits = !text.trim().is_empty() && text.len() <= LONGEST_ID && !text.starts_with('.');
    (fits && !text.contains(odd)).then(|| text.to_owned())
}

/// Specifications, or a choice: one of them.
fn asked(fields: &mut Fields<'_>) -> (Vec<verispec_model::Specification>, Option<Choice>) {
    let has = |name: &str| fields.map.contains_key(name);
    match (has("specifications"), has("choices") || has("answer")) {
        (true, true) => {
            fields.fault(
                "choices",
                "an instance has specifications or choices, not both",
            );
            (vec![], None)
        }
        (false, true) => (vec![], choice(fields)),
        (_, false) => {
            let expected = "a list of specifications (or choices and answer)";
            let list = fields.get("specifications", expected, |v| v.as_array().cloned());
            if list.as_ref().is_some_and(Vec::is_empty) {
                fields.fault("specifications", "empty: nothing would be judged");
            }
            (specifications(fields, &list.unwrap_or_default()), None)
        }
    }
}

/// A text, or parts in order; an image among them becomes `[IMAGEn]`.
fn prompt(fields: &mut Fields<'_>, root: &Path, references: &mut Vec<PathBuf>) -> Option<String> {
    let Some(Value::Array(parts)) = fields.map.get("prompt") else {
        return fields.string("prompt");
    };
    let mut texts = vec![];
    for (place, part) in parts.iter().enumerate() {
        let field = format!("prompt[{place}]");
        let map = part.as_object().filter(|map| map.len() == 1);
        let known = map.and_then(|map| map.iter().next());
        match known.map(|(key, value)| (key.as_str(), value.as_str())) {
            Some(("text", Some(text))) => texts.push(text.to_owned()),
            Some(("image", Some(path))) => {
                add(fields, &field, root, path, references);
                texts.push(format!("[IMAGE{}]", references.len()));
            }
            _ => {
                let got = describe(part);
                let expected = "expected {\"text\": ...} or {\"image\": \"path\"}";
                fields.fault(&field, format!("{expected}, got {got}"));
            }
        }
    }
    if texts.iter().all(|t| t.trim().is_empty()) {
        fields.fault("prompt", "empty: nothing would be asked of a model");
    }
    Some(texts.join("\n"))
}

fn add_references(fields: &mut Fields<'_>, root: &Path, references: &mut Vec<PathBuf>) {
    let list = fields.optional("references", "a list of paths", |v| v.as_array().cloned());
    for (place, value) in list.iter().flatten().enumerate() {
        let field = format!("references[{place}]");
        match value.as_str() {
            Some(path) => add(fields, &field, root, path, references),
            None => fields.fault(&field, format!("expected a path, got {}", describe(value))),
        }
    }
}

fn add(
    fields: &mut Fields<'_>,
    field: &str,
    root: &Path,
    path: &str,
    references: &mut Vec<PathBuf>,
) {
    match safe_join(root, path) {
        Ok(path) => references.push(path),
        Err(error) => {
            let hint = "paths are relative to the suite's file and stay below its folder";
            fields.fault(field, format!("{error}; {hint}"));
        }
    }
}
