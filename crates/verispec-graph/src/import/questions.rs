//! The released questions.

use serde_json::Value;

use super::field::{Fields, ImportError, Problem, Read, each, field, list, optional, text, whole};
use crate::facts::{FactKind, FactTarget};
use crate::scene::{GtId, ImageId, SegmentId};

/// A question of `generated_questions.json`.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedQuestion {
    /// Its number: the position in the file, from 0.
    pub id: u64,
    /// Number of the image.
    pub image_id: ImageId,
    /// What it asks about.
    pub target: FactTarget,
    /// The wording.
    pub question: String,
    /// The gold answer.
    pub gold: String,
}

/// `generated_questions.json`: `{questions: [..]}`, or the bare list.
///
/// # Errors
/// A field is absent or of another kind; a reference type is not one of the three.
pub fn questions(file: &str, document: &Value) -> Result<Vec<ImportedQuestion>, ImportError> {
    let read = match document {
        Value::Array(_) => each(document, question),
        _ => list(document, "questions", question),
    };
    let mut all = read.map_err(|p| p.in_file(file))?;
    for (id, question) in (0..).zip(&mut all) {
        question.id = id;
    }
    Ok(all)
}

fn question(value: &Value) -> Read<ImportedQuestion> {
    Ok(ImportedQuestion {
        // The position counts; the caller knows it.
        id: 0,
        image_id: field(value, "image_id", whole)?,
        target: field(value, "reference", target)?,
        question: field(value, "question", text)?,
        gold: field(value, "answer", text)?,
    })
}

/// The reference of a question.
pub(super) fn target(value: &Value) -> Read<FactTarget> {
    let segment = |name| Ok(GtId(SegmentId(field(value, name, whole)?)));
    match field(value, "type", text)?.as_str() {
        "attribute" => Ok(FactTarget::Attribute {
            node: segment("object_id")?,
            key: field(value, "attribute_key", text)?,
        }),
        "attribute_to_label" => Ok(FactTarget::Object {
            node: segment("object_id")?,
        }),
        "relationship" => Ok(FactTarget::Relation {
            subject: segment("subject_id")?,
            object: segment("object_id")?,
        }),
        other => Err(Problem::new(format!(
            "{other} is none of attribute, attribute_to_label, relationship"
        ))
        .inside("type")),
    }
}

/// The kind by its released name, in the order of the released table script. `None` for counting
/// questions, which were removed from the benchmark.
pub(super) fn kind(value: &impl Fields) -> Read<Option<FactKind>> {
    let name = optional(value, "question_type", text)?
        .unwrap_or_default()
        .to_lowercase();
    let has = |part: &str| name.contains(part);
    if has("attribute_to_label") || has("attributes_to_label") || has("attributes_to_labels") {
        return Ok(Some(FactKind::Object));
    }
    if has("label_to_attribute") || has("labels_to_attribute") {
        return Ok(Some(FactKind::Attribute));
    }
    if has("rel") {
        return Ok(Some(FactKind::Relation));
    }
    if has("count") {
        return Ok(None);
    }
    Ok(Some(if has("attr") {
        FactKind::Attribute
    } else {
        FactKind::Object
    }))
}
