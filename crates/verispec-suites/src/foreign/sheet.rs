//! What every format is read into.

use std::path::Path;

use serde_json::{Map, Value};
use verispec_model::Unjudged;

use super::{Choices, Total};
use crate::records::{Problem, describe};

/// A file with what was asked of it.
pub(super) struct File<'a> {
    pub(super) path: &'a Path,
    /// As in messages.
    pub(super) name: String,
    pub(super) text: &'a str,
    pub(super) choices: Choices<'a>,
}

impl File<'_> {
    /// Keeps a fault.
    pub(super) fn fault(
        &self,
        problems: &mut Vec<Problem>,
        line: Option<usize>,
        field: &str,
        message: impl Into<String>,
    ) {
        problems.push(Problem {
            file: self.name.clone(),
            line,
            item: None,
            field: field.to_owned(),
            message: message.into(),
        });
    }

    /// Name without extension.
    pub(super) fn stem(&self) -> String {
        let stem = self.path.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    /// Names of the folders that hold it, the nearest first.
    pub(super) fn folders(&self) -> impl Iterator<Item = String> {
        let above = self.path.ancestors().skip(1);
        above.filter_map(|p| Some(p.file_name()?.to_string_lossy().into_owned()))
    }

    /// The whole file as one JSON object.
    pub(super) fn object(&self, problems: &mut Vec<Problem>) -> Option<Map<String, Value>> {
        match serde_json::from_str::<Value>(self.text) {
            Ok(Value::Object(map)) => return Some(map),
            Ok(other) => {
                let got = describe(&other);
                self.fault(
                    problems,
                    None,
                    "",
                    format!("expected an object {{...}}, got {got}"),
                );
            }
            Err(e) => self.fault(problems, Some(e.line()), "", format!("not valid JSON: {e}")),
        }
        None
    }

    /// A field of the whole file that has to be there, as `read` takes it.
    pub(super) fn field<'v, T>(
        &self,
        problems: &mut Vec<Problem>,
        map: &'v Map<String, Value>,
        (prefix, name): (&str, &str),
        expected: &str,
        read: impl FnOnce(&'v Value) -> Option<T>,
    ) -> Option<T> {
        let found = map.get(name);
        let value = found.and_then(read);
        if value.is_none() {
            let got = found.map_or_else(|| "nothing".to_owned(), describe);
            let field = format!("{prefix}{name}");
            self.fault(
                problems,
                None,
                &field,
                format!("expected {expected}, got {got}"),
            );
        }
        value
    }
}

/// Rows of one model in one track.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) file: String,
    pub(super) model: String,
    pub(super) track: String,
    /// In file order. Two with the same question and instance are a fault.
    pub(super) rows: Vec<Row>,
    pub(super) totals: Vec<Total>,
}

/// One value, or why there is none.
#[derive(Debug)]
pub(super) struct Row {
    /// Line from 1, or place from 1 where a file has no lines.
    pub(super) line: usize,
    pub(super) dimension: String,
    pub(super) instance: String,
    /// What the value is a value of.
    pub(super) question: String,
    pub(super) category: String,
    pub(super) said: Said,
    /// What the tool kept of the judge's or the model's words.
    pub(super) raw: Option<String>,
}

/// What a row says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Said {
    /// A value on the sheet's scale.
    Value(f64),
    /// None, for this reason.
    Nothing(Unjudged),
}

/// An id as text: a text that is not empty, or a whole number.
pub(super) fn id(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Number(number) if !number.is_f64() => Some(number.to_string()),
        _ => None,
    }
}

/// A number, a truth value, or either as text.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => number_of(text),
        _ => None,
    }
}

/// A number or truth value as a table's cell holds it.
pub(super) fn number_of(text: &str) -> Option<f64> {
    match text.trim() {
        "True" | "true" => Some(1.0),
        "False" | "false" => Some(0.0),
        other => other.parse().ok().filter(|v: &f64| v.is_finite()),
    }
}

/// Mean of all values; `None` without one.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0_usize), |(sum, n), v| (sum + v, n + 1));
    (n > 0).then(|| sum / n as f64)
}
