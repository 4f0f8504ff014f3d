//! Rows of a table of verdicts, as JSONL or CSV.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

use super::ImportError;
use super::verdicts::UnmatchedRow;
use crate::specv::load::{describe, syntax_message};

/// Columns that have to be there.
pub(super) const REQUIRED: [&str; 5] = ["model", "track", "instance", "specification", "answer"];
/// Columns that may be there.
pub(super) const OPTIONAL: [&str; 2] = ["judge", "raw"];

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

/// Reads a table; CSV by the extension `csv`, JSONL otherwise.
pub(super) fn read(path: &Path) -> Result<Table, ImportError> {
    let bytes = fs::read(path).map_err(ImportError::io(path))?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let is_csv = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("csv"));
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
    let known = |name: &&String| {
        let name = name.as_str();
        REQUIRED.contains(&name) || OPTIONAL.contains(&name)
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
    Ok(Row {
        line,
        model: text("model")?,
        track: text("track")?,
        instance: text("instance")?,
        specification: text("specification")?,
        answer: row
            .get("answer")
            .cloned()
            .ok_or("field `answer`: missing")?,
        judge: optional("judge").unwrap_or_default(),
        raw: optional("raw").filter(|text| !text.is_empty()),
    })
}
