//! Files of records, as a JSON array or as JSON Lines, with faults that name file, line, item and
//! field.

use std::fmt;
use std::fs;
use std::path::Path;

use serde_json::value::RawValue;
use serde_json::{Map, Value};
use strsim::damerau_levenshtein;

/// Problems shown in full by an error's text; the rest is counted.
const SHOWN: usize = 20;

/// One fault in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// File, as it was given or relative to the suite's folder.
    pub file: String,
    /// Line, from 1; `None` for a fault of the whole file.
    pub line: Option<usize>,
    /// Place of the record in its file, from 0.
    pub item: Option<usize>,
    /// Field at fault, for instance `question_list[2].answer`; may be empty.
    pub field: String,
    /// What is wrong, what is expected and what to do.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        f.write_str(": ")?;
        if let Some(item) = self.item {
            write!(f, "item {item} (from 0): ")?;
        }
        if !self.field.is_empty() {
            write!(f, "field `{}`: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}

/// All problems in one text, the first ones in full.
pub(crate) fn list(problems: &[Problem]) -> String {
    let mut text = match problems.len() {
        1 => String::new(),
        n => format!("{n} problems:\n"),
    };
    let lines: Vec<String> = problems
        .iter()
        .take(SHOWN)
        .map(ToString::to_string)
        .collect();
    text.push_str(&lines.join("\n"));
    if problems.len() > SHOWN {
        text.push_str(&format!("\nand {} more", problems.len() - SHOWN));
    }
    text
}

/// One record of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record {
    /// Line on which it starts, from 1.
    pub(crate) line: usize,
    /// Place in the file, from 0; entries that are `null` count.
    pub(crate) item: usize,
    /// Its fields in file order; `None` for `null`.
    pub(crate) fields: Option<Map<String, Value>>,
}

/// Text of a file, without a byte order mark.
pub(crate) fn text(path: &Path) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|e| format!("cannot be read: {e}"))?;
    let text = String::from_utf8(bytes).map_err(|e| {
        let valid = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|b| **b == b'\n').count();
        format!("not UTF-8 on line {line}; save the file as UTF-8")
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Records of a text: a JSON array, else one object a line. Blank lines and lines that start with
/// `//` are skipped; what is no object is a problem, `null` is kept where `nulls` allows it.
pub(crate) fn records(
    file: &str,
    text: &str,
    nulls: bool,
    problems: &mut Vec<Problem>,
) -> Vec<Record> {
    let mut found = vec![];
    for (item, (line, raw)) in pieces(file, text, problems).into_iter().enumerate() {
        let mut fault = |message: String| {
            problems.push(Problem {
                file: file.to_owned(),
                line: Some(line),
                item: Some(item),
                field: String::new(),
                message,
            });
        };
        let fields = match serde_json::from_str::<Value>(raw) {
            Ok(Value::Object(map)) => Some(map),
            Ok(Value::Null) if nulls => None,
            Ok(other) => {
                fault(format!(
                    "expected an object {{...}}, got {}",
                    describe(&other)
                ));
                continue;
            }
            Err(error) => {
                let text = error.to_string();
                let words = text.split(" at line ").next().unwrap_or_default();
                fault(format!(
                    "not valid JSON: {words} at column {}",
                    error.column()
                ));
                continue;
            }
        };
        found.push(Record { line, item, fields });
    }
    found
}

/// Texts of the records and the lines on which they start.
fn pieces<'a>(file: &str, text: &'a str, problems: &mut Vec<Problem>) -> Vec<(usize, &'a str)> {
    if !text.trim_start().starts_with('[') {
        let lines = text.lines().zip(1..).map(|(piece, line)| (line, piece));
        let is_record = |piece: &str| {
            let piece = piece.trim_start();
            !piece.is_empty() && !piece.starts_with("//")
        };
        return lines.filter(|(_, piece)| is_record(piece)).collect();
    }
    match serde_json::from_str::<Vec<&RawValue>>(text) {
        Ok(values) => {
            let (mut at, mut line) = (0, 1);
            let place = |raw: &'a RawValue| {
                let piece = raw.get();
                // A piece borrows from the text.
                let start = piece.as_ptr() as usize - text.as_ptr() as usize;
                line += text[at..start].matches('\n').count();
                at = start;
                (line, piece)
            };
            values.into_iter().map(place).collect()
        }
        Err(error) => {
            problems.push(Problem {
                file: file.to_owned(),
                line: Some(error.line().max(1)),
                item: None,
                field: String::new(),
                message: format!("not a JSON array: {error}"),
            });
            vec![]
        }
    }
}

/// A JSON value in a few words.
pub(crate) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) if text.chars().count() <= 40 => format!("the string {text:?}"),
        Value::String(text) => {
            let start: String = text.chars().take(40).collect();
            format!("the string {start:?}...")
        }
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// Typed access to the fields of one record, with every fault kept.
pub(crate) struct Fields<'a> {
    pub(crate) map: &'a Map<String, Value>,
    pub(crate) file: &'a str,
    pub(crate) line: usize,
    pub(crate) item: usize,
    /// Put before the names of fields, for instance `specifications[2].`.
    pub(crate) prefix: String,
    pub(crate) problems: &'a mut Vec<Problem>,
}

impl Fields<'_> {
    /// Reports a fault of one field.
    pub(crate) fn fault(&mut self, field: &str, message: impl Into<String>) {
        self.problems.push(Problem {
            file: self.file.to_owned(),
            line: Some(self.line),
            item: Some(self.item),
            field: format!("{}{field}", self.prefix),
            message: message.into(),
        });
    }

    /// The fields of an object inside this record.
    pub(crate) fn inner<'b>(&'b mut self, map: &'b Map<String, Value>, name: &str) -> Fields<'b> {
        Fields {
            map,
            file: self.file,
            line: self.line,
            item: self.item,
            prefix: format!("{}{name}.", self.prefix),
            problems: self.problems,
        }
    }

    /// Reports every field that is none of these, with the one that may be meant.
    pub(crate) fn known(&mut self, names: &[&str]) {
        let map = self.map;
        let unknown = map.keys().filter(|key| !names.contains(&key.as_str()));
        for key in unknown {
            let edits = |name: &&&str| damerau_levenshtein(&key.to_lowercase(), name);
            let near = names.iter().min_by_key(edits);
            let near = near.filter(|name| edits(name) <= name.chars().count() / 2);
            let hint = match near {
                Some(name) => format!("is `{name}` meant?"),
                None => format!("known are {}", names.join(", ")),
            };
            self.fault(key, format!("unknown; {hint}"));
        }
    }

    /// Reports that a field is missing, with the field that may be meant.
    pub(crate) fn missing(&mut self, field: &str, expected: &str) {
        let unlike = field.chars().count() / 3;
        let near = self.map.keys().find(|key| {
            let edits = damerau_levenshtein(&key.to_lowercase(), field);
            edits <= unlike.max(1)
        });
        let hint = near.map_or_else(String::new, |key| format!("; is `{key}` meant?"));
        self.fault(field, format!("missing; expected {expected}{hint}"));
    }

    /// A value that has to be there, as `read` takes it.
    pub(crate) fn get<T>(
        &mut self,
        field: &str,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Option<T> {
        if self.map.contains_key(field) {
            self.optional(field, expected, read)
        } else {
            self.missing(field, expected);
            None
        }
    }

    /// A value that may be absent or null.
    pub(crate) fn optional<T>(
        &mut self,
        field: &str,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Option<T> {
        let value = self.map.get(field).filter(|v| !v.is_null())?;
        let found = read(value);
        if found.is_none() {
            self.fault(
                field,
                format!("expected {expected}, got {}", describe(value)),
            );
        }
        found
    }

    /// A text that has to be there and hold something.
    pub(crate) fn string(&mut self, field: &str) -> Option<String> {
        let expected = "a text that is not empty";
        if self.map.get(field).is_some_and(Value::is_null) {
            self.fault(field, format!("expected {expected}, got null"));
            return None;
        }
        self.get(field, expected, filled)
    }
}

/// A text that holds something.
pub(crate) fn filled(value: &Value) -> Option<String> {
    let text = value.as_str()?;
    (!text.trim().is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_and_lines_say_where_each_record_starts() {
        let mut problems = vec![];
        let array = "[\n  {\"a\": 1},\n\n  {\"a\":\n 2}, null]\n";
        let found = records("f", array, true, &mut problems);
        let lines: Vec<usize> = found.iter().map(|r| r.line).collect();
        assert_eq!(lines, [2, 4, 5]);
        assert_eq!(found[2].fields, None);
        let found = records("f", "{\"a\": 1}\n\n{\"a\": 2}\n\n", false, &mut problems);
        assert_eq!(found.iter().map(|r| r.line).collect::<Vec<_>>(), [1, 3]);
        assert!(problems.is_empty(), "{problems:?}");
    }

    #[test]
    fn faults_name_file_line_and_item() {
        let mut problems = vec![];
        let found = records("f.jsonl", "{\"a\": 1}\n{\"a\": \n7\n", false, &mut problems);
        assert_eq!(found.len(), 1);
        let text = list(&problems);
        assert!(
            text.contains("f.jsonl:2: item 1 (from 0): not valid JSON"),
            "{text}"
        );
        assert!(
            text.contains("f.jsonl:3: item 2 (from 0): expected an object"),
            "{text}"
        );
        problems.clear();
        records("f.json", "[{\"a\": 1},\n {]", false, &mut problems);
        assert!(list(&problems).starts_with("f.json:2: not a JSON array"));
        problems.clear();
        records("f.json", "[null]", false, &mut problems);
        assert_eq!(problems.len(), 1);
    }

    #[test]
    fn a_missing_field_is_named_with_what_may_be_meant() {
        let map: Map<String, Value> = serde_json::from_str(r#"{"question_lists": []}"#).unwrap();
        let mut problems = vec![];
        let mut fields = Fields {
            map: &map,
            file: "f",
            line: 3,
            item: 2,
            prefix: String::new(),
            problems: &mut problems,
        };
        fields.missing("question_list", "a list");
        let text = problems[0].to_string();
        assert_eq!(
            text,
            "f:3: item 2 (from 0): field `question_list`: missing; expected a list; is \
             `question_lists` meant?"
        );
    }
}
