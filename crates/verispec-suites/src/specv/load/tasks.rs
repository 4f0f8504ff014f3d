//! Task files: `eval_data/<track>/*.jsonl`, and `*.json` as well in `understanding`.

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::error::{Faults, Source};
use super::fields::{Fields, describe};
use super::locate::Step;
use crate::specv::layout::inner_path;

/// What a task record says beside what an instance holds.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskFacts {
    /// File, relative to `eval_data/`, for instance `edit/spatial_and_layout.jsonl`.
    pub file: String,
    /// Line of the record, from 1.
    pub line: usize,
    /// The record's own `dimension`, which nothing relies on: it is wrong in some records.
    pub dimension: Option<String>,
    /// The record's `answer`; judges are never shown it.
    pub answer: Option<Value>,
}

/// One task.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) id: String,
    pub(super) prompt: String,
    /// Relative to `eval_data/<track>/`.
    pub(super) references: Vec<PathBuf>,
    pub(super) facts: TaskFacts,
}

/// Reads a file of one task a line; blank lines are skipped.
pub(super) fn json_lines(file: &str, text: &str, faults: &mut Faults<'_>) -> Vec<Task> {
    let lines = text
        .split('\n')
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    lines
        .filter_map(|(index, line)| {
            let source = Source {
                text: line,
                first_line: index + 1,
            };
            match serde_json::from_str(line) {
                Ok(value) => task(file, &value, source, vec![], faults),
                Err(error) => {
                    faults.syntax(source, &error);
                    None
                }
            }
        })
        .collect()
}

/// Reads a file that is an array of tasks or one task.
pub(super) fn json_file(file: &str, text: &str, faults: &mut Faults<'_>) -> Vec<Task> {
    let source = Source {
        text,
        first_line: 1,
    };
    match serde_json::from_str(text) {
        Ok(Value::Array(items)) => {
            let read = |(i, item)| task(file, item, source, vec![Step::Index(i)], faults);
            items.iter().enumerate().filter_map(read).collect()
        }
        Ok(value) => task(file, &value, source, vec![], faults)
            .into_iter()
            .collect(),
        Err(error) => {
            faults.syntax(source, &error);
            vec![]
        }
    }
}

fn task(
    file: &str,
    value: &Value,
    source: Source<'_>,
    path: Vec<Step<'_>>,
    faults: &mut Faults<'_>,
) -> Option<Task> {
    let Value::Object(map) = value else {
        faults.at(
            source,
            &path,
            format!("expected a task object, got {}", describe(value)),
        );
        return None;
    };
    let line = super::locate::Position::of(source.text, &path).line + source.first_line - 1;
    let mut fields = Fields {
        map,
        source,
        path,
        faults,
    };
    let id = id(&mut fields);
    let prompt = fields.string("question").map(str::to_owned);
    let references = references(&mut fields);
    let dimension = fields.optional_string("dimension").map(str::to_owned);
    Some(Task {
        id: id?,
        prompt: prompt?,
        references: references?,
        facts: TaskFacts {
            file: file.to_owned(),
            line,
            dimension,
            answer: map.get("answer").cloned(),
        },
    })
}

/// An id is a file name's stem, so it has to be a plain name.
fn id(fields: &mut Fields<'_, '_, '_>) -> Option<String> {
    let id = fields.string("id")?;
    let plain = inner_path(id).is_some_and(|p| p.components().count() == 1 && p.as_os_str() == id);
    if !plain {
        fields.fault(
            "id",
            format!("{id:?} cannot be a file name; expected a plain name"),
        );
        return None;
    }
    Some(id.to_owned())
}

fn references(fields: &mut Fields<'_, '_, '_>) -> Option<Vec<PathBuf>> {
    let items = match image_list(fields.map) {
        Ok(items) => items,
        Err(got) => {
            fields.fault(
                "question_img",
                format!("expected an array of paths, got {got}"),
            );
            return None;
        }
    };
    let mut paths = vec![];
    for (index, item) in items.iter().enumerate() {
        match item.as_str().map(|text| (text, inner_path(text))) {
            Some((_, Some(path))) => paths.push(path),
            Some((text, None)) => {
                let message = format!("{text:?} leaves the track's folder or is no path; refused");
                image_fault(fields, index, message);
            }
            None => {
                let message = format!("expected a path as a string, got {}", describe(item));
                image_fault(fields, index, message);
            }
        }
    }
    (paths.len() == items.len()).then_some(paths)
}

fn image_list(map: &Map<String, Value>) -> Result<&[Value], String> {
    match map.get("question_img") {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(items)) => Ok(items),
        Some(other) => Err(describe(other)),
    }
}

fn image_fault(fields: &mut Fields<'_, '_, '_>, index: usize, message: String) {
    let mut path = fields.path.clone();
    path.extend([Step::Key("question_img"), Step::Index(index)]);
    fields.faults.at(fields.source, &path, message);
}
