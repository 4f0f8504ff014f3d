//! One column in the making.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    BooleanBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder,
};
use arrow_schema::{DataType, Field};
use serde_json::Value;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A text; an empty one stands for a field that does not exist, as in CSV.
    Text,
    /// A text that may be empty.
    Verbatim,
    Whole,
    Number,
    Truth,
    Texts,
    Wholes,
    /// Whatever it is, as JSON.
    Json,
}

impl Shape {
    /// The field of a schema; every column may hold nulls.
    pub(super) fn field(self, name: impl Into<String>) -> Field {
        let list = |inner| DataType::List(Arc::new(Field::new_list_field(inner, true)));
        let kind = match self {
            Self::Text | Self::Verbatim | Self::Json => DataType::Utf8,
            Self::Whole => DataType::Int64,
            Self::Number => DataType::Float64,
            Self::Truth => DataType::Boolean,
            Self::Texts => list(DataType::Utf8),
            Self::Wholes => list(DataType::Int64),
        };
        Field::new(name, kind, true)
    }
}

/// Values of a column, up to the end of a batch.
pub(super) enum Column {
    Text(StringBuilder, Shape),
    Whole(Int64Builder),
    Number(Float64Builder),
    Truth(BooleanBuilder),
    Texts(ListBuilder<StringBuilder>),
    Wholes(ListBuilder<Int64Builder>),
}

impl Column {
    pub(super) fn new(shape: Shape) -> Self {
        match shape {
            Shape::Text | Shape::Verbatim | Shape::Json => Self::Text(StringBuilder::new(), shape),
            Shape::Whole => Self::Whole(Int64Builder::new()),
            Shape::Number => Self::Number(Float64Builder::new()),
            Shape::Truth => Self::Truth(BooleanBuilder::new()),
            Shape::Texts => Self::Texts(ListBuilder::new(StringBuilder::new())),
            Shape::Wholes => Self::Wholes(ListBuilder::new(Int64Builder::new())),
        }
    }

    /// Takes a value; one of another kind than the column's is null.
    pub(super) fn push(&mut self, value: &Value) {
        match self {
            Self::Text(b, Shape::Json) => match value {
                Value::Null => b.append_null(),
                Value::String(text) => b.append_value(text),
                other => b.append_value(other.to_string()),
            },
            Self::Text(b, Shape::Verbatim) => b.append_option(value.as_str()),
            Self::Text(b, _) => b.append_option(value.as_str().filter(|t| !t.is_empty())),
            Self::Whole(b) => b.append_option(value.as_i64()),
            Self::Number(b) => b.append_option(value.as_f64()),
            Self::Truth(b) => b.append_option(value.as_bool()),
            Self::Texts(b) => match value.as_array() {
                Some(all) => b.append_value(all.iter().map(Value::as_str)),
                None => b.append_null(),
            },
            Self::Wholes(b) => match value.as_array() {
                Some(all) => b.append_value(all.iter().map(Value::as_i64)),
                None => b.append_null(),
            },
        }
    }

    /// The values so far; the column starts anew.
    pub(super) fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Text(b, _) => Arc::new(b.finish()),
            Self::Whole(b) => Arc::new(b.finish()),
            Self::Number(b) => Arc::new(b.finish()),
            Self::Truth(b) => Arc::new(b.finish()),
            Self::Texts(b) => Arc::new(b.finish()),
            Self::Wholes(b) => Arc::new(b.finish()),
        }
    }
}
