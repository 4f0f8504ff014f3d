//! A set in the six fields of SpecV's checklists.

use serde::Serialize;

use super::derive::{FinalSpec, NotYet, Which};
use super::record::InstanceRecord;

/// A specification as SpecV's files hold it.
#[derive(Debug, Serialize)]
struct Item<'a> {
    id: usize,
    question: &'a str,
    category: &'a str,
    subcategory: &'a str,
    expected_answer: &'a str,
    score: Option<f64>,
}

/// The checklist file of an instance: ids 1 to K, two spaces of indentation, no final newline, as
/// most of the released files. `score` is the mean rating with two decimals, `null` where none
/// was given.
///
/// # Errors
/// The stage that the instance waits for.
pub fn checklist(record: &InstanceRecord, which: &Which) -> Result<String, NotYet> {
    let specs = record.specs(which)?;
    let items: Vec<Item<'_>> = specs
        .iter()
        .enumerate()
        .map(|(i, s)| item(i + 1, s))
        .collect();
    // Texts and numbers always serialise.
    Ok(serde_json::to_string_pretty(&items).unwrap_or_default())
}

fn item(id: usize, spec: &FinalSpec) -> Item<'_> {
    Item {
        id,
        question: &spec.wording.question,
        category: &spec.wording.category,
        subcategory: &spec.wording.subcategory,
        expected_answer: spec.wording.expected.as_str(),
        score: spec.score,
    }
}
