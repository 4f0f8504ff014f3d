//! Rows of a table of verdicts, as JSONL or CSV.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};
use verispec_model::DataFailure;

use super::verdicts::UnmatchedRow;
use super::{Failed, ImportError};
use crate::specv::load::{describe, syntax_message};

/// Columns that have to be there.
pub(super) const REQUIRED: [&str; 5] = ["model", "track", "instance", "specification", "answer"];
/// Columns that may be there.
pub(super) const OPTIONAL: [&str; 2] = ["judge", "raw"];

/// Columns of the table that this program writes (`score --verdicts`) which repeat what the suite
/// says, or say how a verdict came about.
const OWN: [&str; 19] = [
    "dimension",
    "count",
    "question",
    "category",
    "subcategory",
    "expected",
    "state",
    "reason",
    "note",
    "stage",
    "asked_with",
    "request",
    "protocol",
    "member",
    "repeat",
    "grade",
    "p_yes",
    "p_mass",
    "votes",
];

/// What a row says about its verdict, by the columns `state` and `reason` of our own table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    /// There is an answer, or something that may be read as one.
    Answered,
    /// There is none, for this reason.
    Unjudged(String),
    /// Nobody has judged it yet.
    Pending,
    /// A row that stands for a whole instance.
    Failed(Failed),
}

/// One row.
#[derive(Debug)]
pub(super) struct Row {
    /// Line of the file, from 1.
    pub(super) line: usize,
    pub(super) model: String,
    pub(super) track: String,
    pub(super) instance: String,
    pub(super) specification: String,
    pub(super) answer: Value,
    pub(super) state: State,
    pub(super) judge: String,
    pub(super) raw: Option<String>,
}

/// A table as read: rows that have all they need, rows that have not, columns nobody knows.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
    pub(super) bad: Vec<UnmatchedRow>,
    pub(super) unknown_columns: Vec<String>,
}

/// Reads a table; CSV by the extension `csv`, JSONL by `jsonl` or `ndjson`.
pub(super) fn read(path: &Path) -> Result<Table, ImportError> {
    let extension = path.extension().map(|e| e.to_ascii_lowercase());
    let extension = extension.as_deref().and_then(OsStr::to_str);
    let is_csv = match extension {
        Some("csv") => true,
        Some("jsonl" | "ndjson") => false,
        _ => {
            return Err(ImportError::Extension {
                path: path.to_owned(),
            });
        }
    };
    let bytes = fs::read(path).map_err(ImportError::io(path))?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    if is_csv {
        csv(path, bytes)
    } else {
        json_lines(path, bytes)
    }
}

fn check_columns(path: &Path, found: &[String]) -> Result<Vec<String>, ImportError> {
    let missing: Vec<&str> = REQUIRED
        .into_iter()
        .filter(|name| !found.iter().any(|f| f == name))
        .collect();
    if !missing.is_empty() {
        let message = format!(
            "missing {} {}; found {}; needed are {}, optional {}",
            if missing.len() == 1 {
                "column"
            } else {
                "columns"
            },
            missing.join(", "),
            if found.is_empty() {
                "none".to_owned()
            } else {
                found.join(", ")
            },
            REQUIRED.join(", "),
            OPTIONAL.join(", "),
        );
        return Err(ImportError::Columns {
            path: path.to_owned(),
            message,
        });
    }
    let is_own = ["state", "reason"]
        .iter()
        .all(|c| found.iter().any(|f| f == c));
    let known = |name: &&String| {
        let name = name.as_str();
        REQUIRED.contains(&name) || OPTIONAL.contains(&name) || (is_own && OWN.contains(&name))
    };
    Ok(found.iter().filter(|name| !known(name)).cloned().collect())
}

fn csv(path: &Path, bytes: &[u8]) -> Result<Table, ImportError> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let columns = |message: String| ImportError::Columns {
        path: path.to_owned(),
        message,
    };
    let headers = reader
        .headers()
        .map_err(|e| columns(e.to_string()))?
        .clone();
    let names: Vec<String> = headers.iter().map(|h| h.trim().to_owned()).collect();
    let mut table = Table {
        unknown_columns: check_columns(path, &names)?,
        ..Table::default()
    };
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let line = error.position().map_or(0, |p| p.line());
                table.bad.push(bad(usize_of(line), error.to_string()));
                continue;
            }
        };
        let line = usize_of(record.position().map_or(0, csv::Position::line));
        if record.len() != names.len() {
            let why = format!("{} fields; the header has {}", record.len(), names.len());
            table.bad.push(bad(line, why));
            continue;
        }
        let cells = names.iter().cloned().zip(record.iter().map(Value::from));
        table.add(line, &cells.collect());
    }
    Ok(table)
}

fn usize_of(line: u64) -> usize {
    usize::try_from(line).unwrap_or(usize::MAX)
}

fn json_lines(path: &Path, bytes: &[u8]) -> Result<Table, ImportError> {
    let mut table = Table::default();
    let mut first = true;
    for (index, line) in bytes.split(|b| *b == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(line) {
            Ok(Value::Object(row)) => {
                if std::mem::take(&mut first) {
                    let names: Vec<String> = row.keys().cloned().collect();
                    table.unknown_columns = check_columns(path, &names)?;
                }
                table.add(index + 1, &row);
            }
            Ok(other) => {
                let why = format!("expected an object, got {}", describe(&other));
                table.bad.push(bad(index + 1, why));
            }
            Err(error) => table.bad.push(bad(index + 1, syntax_message(&error))),
        }
    }
    if table.rows.is_empty() && table.bad.is_empty() {
        check_columns(path, &[])?;
    }
    Ok(table)
}

fn bad(row: usize, why: String) -> UnmatchedRow {
    UnmatchedRow {
        row,
        why,
        nearest: None,
    }
}

impl Table {
    fn add(&mut self, line: usize, row: &Map<String, Value>) {
        match read_row(line, row) {
            Ok(row) => self.rows.push(row),
            Err(why) => self.bad.push(bad(line, why)),
        }
    }
}

fn read_row(line: usize, row: &Map<String, Value>) -> Result<Row, String> {
    let text = |name: &str| match row.get(name) {
        Some(Value::String(text)) if !text.is_empty() => Ok(text.clone()),
        Some(Value::Number(number)) => Ok(number.to_string()),
        Some(other) => Err(format!(
            "field `{name}`: expected a name, got {}",
            describe(other)
        )),
        None => Err(format!("field `{name}`: missing")),
    };
    let optional = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
    let filled = |name: &str| optional(name).filter(|text| !text.is_empty());
    let state = state(row, filled("reason").unwrap_or_default())?;
    if let Some(who) = filled("member").or_else(|| repeat(row)) {
        return Err(format!(
            "one of several opinions on this specification ({who}); only common verdicts are read"
        ));
    }
    let specification = match state {
        State::Failed(_) => String::new(),
        _ => text("specification")?,
    };
    Ok(Row {
        line,
        model: text("model")?,
        track: text("track")?,
        instance: text("instance")?,
        specification,
        state,
        answer: row
            .get("answer")
            .cloned()
            .ok_or("field `answer`: missing")?,
        judge: optional("judge").unwrap_or_default(),
        raw: filled("raw").or_else(|| filled("note")),
    })
}

/// The state that our own table gives; a table without one gives answers.
fn state(row: &Map<String, Value>, reason: String) -> Result<State, String> {
    match row.get("state").and_then(Value::as_str) {
        Some("unjudged") if !reason.is_empty() => Ok(State::Unjudged(reason)),
        Some("pending") => Ok(State::Pending),
        Some("graded") => Err("a grade; only yes/no verdicts are read".to_owned()),
        Some("output-failed") => serde_json::from_value(Value::from(reason.as_str()))
            .map(|why| State::Failed(Failed::Output(why)))
            .map_err(|_| format!("field `reason`: no failure of an output is called {reason:?}")),
        Some("unjudgeable") => Ok(State::Failed(Failed::Data(data_failure(&reason)))),
        _ => Ok(State::Answered),
    }
}

/// A data failure from the words that tables have for it.
fn data_failure(reason: &str) -> DataFailure {
    let after = |start: &str| reason.strip_prefix(start).map(str::to_owned);
    let reference = after("reference image ").map(DataFailure::Reference);
    let file = || after("result file ").map(DataFailure::ResultFile);
    let task = || DataFailure::Task(after("task ").unwrap_or_else(|| reason.to_owned()));
    reference.or_else(file).unwrap_or_else(task)
}

/// `repeat N` where a row is not the first of several.
fn repeat(row: &Map<String, Value>) -> Option<String> {
    let repeat = match row.get("repeat")? {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    (!matches!(repeat.as_str(), "" | "0" | "null")).then(|| format!("repeat {repeat}"))
}
