//! Typed access to fields of a JSON object, with faults that name file, line and field.

use serde_json::{Map, Value};

use super::error::{Faults, Source};
use super::locate::Step;

/// One JSON object of a file, as far as reading it is concerned.
pub(super) struct Fields<'a, 'n, 'f> {
    pub(super) map: &'a Map<String, Value>,
    pub(super) source: Source<'a>,
    /// Steps from the text's top value to this object.
    pub(super) path: Vec<Step<'a>>,
    pub(super) faults: &'f mut Faults<'n>,
}

impl<'a> Fields<'a, '_, '_> {
    /// Reports a fault of one field.
    pub(super) fn fault(&mut self, key: &str, message: impl Into<String>) {
        let mut path = self.path.clone();
        path.push(Step::Key(key));
        self.faults.at(self.source, &path, message);
    }

    /// A string that has to be there.
    pub(super) fn string(&mut self, key: &'static str) -> Option<&'a str> {
        match self.map.get(key) {
            Some(Value::String(text)) => Some(text),
            Some(other) => {
                self.fault(key, format!("expected a string, got {}", describe(other)));
                None
            }
            None => {
                self.fault(key, "missing; expected a string");
                None
            }
        }
    }

    /// A string that may be absent.
    pub(super) fn optional_string(&mut self, key: &'static str) -> Option<&'a str> {
        self.map
            .contains_key(key)
            .then(|| self.string(key))
            .flatten()
    }
}

/// A JSON value in a few words, for error texts.
pub(crate) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => {
            let short: String = text.chars().take(40).collect();
            let dots = if short.len() < text.len() { "..." } else { "" };
            format!("the string {:?}", short + dots)
        }
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}
