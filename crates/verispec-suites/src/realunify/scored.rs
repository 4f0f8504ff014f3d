//! Scored files, `<model>.json`: the items of a file with `score` 0 or 1, in and out.
//!
//! The release writes items in the order in which they finish, four spaces deep, and `null` for
//! an item that failed. A `null` does not say which item it was.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Map, Value};
use verispec_model::{Unjudged, Warning};

use super::error::RealUnifyError;
use super::item::Item;
use super::state::{ItemResult, Outcome};
use crate::records::{Problem, describe, records, text};

/// A scored file, set against the suite's items.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    /// One entry per item of the suite.
    pub results: Vec<ItemResult>,
    /// Entries that are `null`.
    pub nulls: usize,
    /// Remarks.
    pub warnings: Vec<Warning>,
}

/// Reads a scored file.
///
/// An item that the file lacks is unjudged if there are at least as many `null` entries as items
/// missing, else pending: then some were never scored and nobody can say which.
///
/// # Errors
/// The file cannot be read, is no list of records, or an entry has no task, or a score other than
/// 0, 1 or null.
pub fn read_scored(items: &[Item], path: &Path) -> Result<Scored, RealUnifyError> {
    let name = path.display().to_string();
    let mut problems = vec![];
    let text = text(path).unwrap_or_else(|message| {
        problems.push(Problem {
            file: name.clone(),
            line: None,
            item: None,
            field: String::new(),
            message,
        });
        String::new()
    });
    let mut places = Places::new(items);
    let (mut nulls, mut warnings) = (0, vec![]);
    for record in records(&name, &text, true, &mut problems) {
        let Some(fields) = record.fields else {
            nulls += 1;
            continue;
        };
        let mut fault = |field: &str, message: String| {
            problems.push(Problem {
                file: name.clone(),
                line: Some(record.line),
                item: Some(record.item),
                field: field.to_owned(),
                message,
            });
        };
        let outcome = match score(fields.get("score")) {
            Ok(outcome) => outcome,
            Err(message) => {
                fault("score", message);
                continue;
            }
        };
        if fields.get("task_type").and_then(Value::as_str).is_none() {
            fault("task_type", "missing; expected a text".to_owned());
            continue;
        }
        if let Err(message) = places.put(&fields, outcome) {
            warnings.push(Warning {
                kind: "unknown-item".to_owned(),
                place: format!("{name}:{}", record.line),
                message,
            });
        }
    }
    if !problems.is_empty() {
        return Err(RealUnifyError::Broken(problems));
    }
    Ok(Scored {
        results: places.results(items, nulls),
        nulls,
        warnings,
    })
}

fn score(value: Option<&Value>) -> Result<Outcome, String> {
    let expected = "expected 0, 1 or null";
    match value {
        None => Err(format!(
            "missing; {expected}; is this a file without scores?"
        )),
        Some(Value::Null) => Ok(Outcome::Unjudged(Unjudged::ProviderError)),
        Some(Value::Bool(right)) => Ok(if *right {
            Outcome::Correct
        } else {
            Outcome::Wrong
        }),
        Some(other) => match other.as_f64() {
            Some(1.0) => Ok(Outcome::Correct),
            Some(0.0) => Ok(Outcome::Wrong),
            _ => Err(format!("{expected}, got {}", describe(other))),
        },
    }
}

/// Items that are still to be found.
struct Places<'a> {
    /// Task and index, or task and place where records have none, to places of items.
    free: BTreeMap<(String, String), Vec<usize>>,
    items: &'a [Item],
    found: BTreeMap<usize, Outcome>,
}

impl<'a> Places<'a> {
    fn new(items: &'a [Item]) -> Self {
        let mut free: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (place, item) in items.iter().enumerate() {
            let key = (item.task.clone(), key_of(&item.record));
            free.entry(key).or_default().push(place);
        }
        Self {
            free,
            items,
            found: BTreeMap::new(),
        }
    }

    fn put(&mut self, fields: &Map<String, Value>, outcome: Outcome) -> Result<(), String> {
        let task = fields
            .get("task_type")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let key = (task.to_owned(), key_of(fields));
        let places = self.free.get_mut(&key).filter(|places| !places.is_empty());
        let Some(places) = places else {
            return Err(format!(
                "no item of task {task:?} like this one is left in the suite: not used"
            ));
        };
        let place = places.remove(0);
        let written = |record: &Map<String, Value>| record.get("question_list").cloned();
        let (theirs, ours) = (written(fields), written(&self.items[place].record));
        if theirs.is_some() && theirs != ours {
            return Err(format!(
                "{}: its questions are not those of the suite: not used",
                self.items[place].id
            ));
        }
        self.found.insert(place, outcome);
        Ok(())
    }

    fn results(&self, items: &[Item], nulls: usize) -> Vec<ItemResult> {
        let absent = items.len() - self.found.len();
        let rest = if nulls >= absent {
            Outcome::Unjudged(Unjudged::ProviderError)
        } else {
            Outcome::Pending
        };
        items
            .iter()
            .enumerate()
            .map(|(place, item)| {
                let outcome = self.found.get(&place).copied().unwrap_or(rest);
                ItemResult::strict(item, outcome)
            })
            .collect()
    }
}

/// `index` as text, else the prompt: records without an index are told apart by what they ask.
fn key_of(record: &Map<String, Value>) -> String {
    let text = |value: &Value| match value {
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    };
    let given = record.get("index").filter(|v| !v.is_null()).map(text);
    let prompt = || {
        let fields = ["prompt", "new_prompt", "evaluation_prompt"];
        let found = fields.iter().find_map(|f| record.get(*f)?.as_str());
        found.unwrap_or_default().to_owned()
    };
    given.unwrap_or_else(prompt)
}

/// Text of a scored file in the release's form: records of the items, `score` last, four spaces
/// deep; `null` for an item that is neither right nor wrong. `extra` adds a model's own fields
/// (`generated_image`, `response`) by item id.
///
/// # Errors
/// None in practice: records are plain data.
pub fn scored_text(
    items: &[Item],
    results: &[ItemResult],
    extra: &BTreeMap<String, Map<String, Value>>,
) -> Result<String, serde_json::Error> {
    let outcomes: BTreeMap<&str, Outcome> =
        results.iter().map(|r| (r.id.as_str(), r.outcome)).collect();
    let entries = items.iter().map(|item| {
        let correct = outcomes.get(item.id.as_str()).and_then(|o| o.correct());
        let Some(correct) = correct else {
            return Value::Null;
        };
        let mut record = item.record.clone();
        record.remove("score");
        for (field, value) in extra.get(&item.id).into_iter().flatten() {
            record.insert(field.clone(), value.clone());
        }
        record.insert("score".to_owned(), Value::from(u8::from(correct)));
        Value::Object(record)
    });
    let entries: Vec<Value> = entries.collect();
    let mut bytes = vec![];
    let formatter = PrettyFormatter::with_indent(b"    ");
    entries.serialize(&mut Serializer::with_formatter(&mut bytes, formatter))?;
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
}

/// Writes [`scored_text`] to a file.
///
/// # Errors
/// The file cannot be written.
pub fn write_scored(
    path: &Path,
    items: &[Item],
    results: &[ItemResult],
    extra: &BTreeMap<String, Map<String, Value>>,
) -> Result<(), RealUnifyError> {
    let failed = |source| RealUnifyError::Write {
        path: path.to_owned(),
        source,
    };
    let text = scored_text(items, results, extra).map_err(|e| failed(e.into()))?;
    std::fs::write(path, text).map_err(failed)
}
