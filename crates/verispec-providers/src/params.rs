//! Parameters: which ones a dialect takes, under which wire name, with which type.

use serde_json::{Map, Value};
use verispec_model::{Params, Request};

use crate::message::EncodeError;

/// What a parameter's value may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Number,
    Integer,
    Bool,
    Text,
    /// A string or a list of strings.
    Texts,
    Object,
}

impl Kind {
    fn accepts(self, value: &Value) -> bool {
        match self {
            Self::Number => value.is_number(),
            Self::Integer => value.is_i64() || value.is_u64(),
            Self::Bool => value.is_boolean(),
            Self::Text => value.is_string(),
            Self::Texts => {
                value.is_string()
                    || value
                        .as_array()
                        .is_some_and(|l| l.iter().all(Value::is_string))
            }
            Self::Object => value.is_object(),
        }
    }

    const fn expected(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Integer => "an integer",
            Self::Bool => "true or false",
            Self::Text => "a string",
            Self::Texts => "a string or a list of strings",
            Self::Object => "a table",
        }
    }
}

/// One parameter of a dialect.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    /// Canonical name, as in configuration.
    pub(crate) name: &'static str,
    /// Name in the body; `None` when the dialect places it by itself.
    pub(crate) wire: Option<&'static str>,
    /// Type of the value.
    pub(crate) kind: Kind,
}

/// Shorthand for tables of fields.
pub(crate) const fn field(name: &'static str, wire: Option<&'static str>, kind: Kind) -> Field {
    Field { name, wire, kind }
}

/// Checks names and types of all parameters that were set.
pub(crate) fn check(
    dialect: &'static str,
    fields: &[Field],
    params: &Params,
) -> Result<(), EncodeError> {
    for (name, value) in params {
        let Some(field) = fields.iter().find(|f| f.name == name) else {
            return Err(EncodeError::UnknownParameter {
                dialect,
                name: name.clone(),
            });
        };
        if !field.kind.accepts(value) {
            return Err(EncodeError::BadParameter {
                dialect,
                name: field.name,
                expected: field.kind.expected(),
                got: value.to_string(),
            });
        }
    }
    Ok(())
}

/// Copies the parameters that were set, by wire name, in the order of the table.
pub(crate) fn copy(fields: &[Field], params: &Params, into: &mut Map<String, Value>) {
    for field in fields {
        if let (Some(wire), Some(value)) = (field.wire, params.get(field.name)) {
            into.insert(wire.to_owned(), value.clone());
        }
    }
}

/// The parameter as text, if it was set (its type is checked before).
pub(crate) fn text<'a>(params: &'a Params, name: &str) -> Option<&'a str> {
    params.get(name).and_then(Value::as_str)
}

/// The parameter as a list of texts, if it was set; one text is a list of one.
pub(crate) fn texts(params: &Params, name: &str) -> Option<Vec<String>> {
    match params.get(name)? {
        Value::Array(list) => list.iter().map(|v| v.as_str().map(str::to_owned)).collect(),
        one => Some(vec![one.as_str()?.to_owned()]),
    }
}

/// Whether a switch was set to true.
pub(crate) fn switch(params: &Params, name: &str) -> bool {
    params.get(name).and_then(Value::as_bool).unwrap_or(false)
}

/// The fields of `extra_body`, if it was set.
pub(crate) fn extra(params: &Params) -> Option<&Map<String, Value>> {
    params.get("extra_body").and_then(Value::as_object)
}

/// Fails unless there is one encoded image per image part.
pub(crate) fn check_images(request: &Request, images: usize) -> Result<(), EncodeError> {
    let parts = request
        .parts
        .iter()
        .filter(|p| matches!(p, verispec_model::Part::Image(_)))
        .count();
    if parts == images {
        Ok(())
    } else {
        Err(EncodeError::ImageCount { parts, images })
    }
}
