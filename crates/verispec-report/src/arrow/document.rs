//! Lists of records in a JSON document, as tables.

use serde_json::{Map, Value};

use super::column::Shape;
use super::{Rows, Table};
use crate::error::ReportError;

type Record = Vec<(String, Value)>;

/// Every list of records in a document, by its path: `study`, `ranks.0.rows`. Fields of records
/// inside a record become columns of their own (`score.value`); lists inside a record become JSON
/// text. A column is of whole numbers, numbers, truths or texts if all its values are, else JSON
/// text; a field that a record lacks is null.
///
/// # Errors
/// A row does not fit the columns.
pub fn tables(document: &Value) -> Result<Vec<(String, Table)>, ReportError> {
    let mut found = vec![];
    walk(document, "", &mut found)?;
    Ok(found)
}

fn walk(value: &Value, path: &str, found: &mut Vec<(String, Table)>) -> Result<(), ReportError> {
    let below = |name: &str| match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    };
    match value {
        Value::Object(map) => map
            .iter()
            .try_for_each(|(name, value)| walk(value, &below(name), found)),
        Value::Array(all) if !all.is_empty() && all.iter().all(Value::is_object) => {
            found.push((path.to_owned(), table(all)?));
            let mut each = all.iter().enumerate();
            each.try_for_each(|(i, value)| walk(value, &below(&i.to_string()), found))
        }
        _ => Ok(()),
    }
}

fn table(records: &[Value]) -> Result<Table, ReportError> {
    let records: Vec<Record> = records
        .iter()
        .filter_map(Value::as_object)
        .map(flat)
        .collect();
    let mut columns: Vec<(String, Option<Shape>)> = vec![];
    for (name, value) in records.iter().flatten() {
        match columns.iter_mut().find(|(known, _)| known == name) {
            Some((_, shape)) => *shape = joined(*shape, shape_of(value)),
            None => columns.push((name.clone(), shape_of(value))),
        }
    }
    // A record that is null somewhere has its columns all the same.
    let names: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
    columns.retain(|(name, shape)| {
        let below = format!("{name}.");
        shape.is_some() || !names.iter().any(|n| n.starts_with(&below))
    });
    let shapes = columns
        .iter()
        .map(|(name, shape)| (name.clone(), shape.unwrap_or(Shape::Json)));
    let mut rows = Rows::shaped(shapes);
    for record in &records {
        let field = |name: &String| record.iter().find(|(n, _)| n == name).map(|(_, v)| v);
        let fields: Vec<&Value> = columns
            .iter()
            .map(|(name, _)| field(name).unwrap_or(&Value::Null))
            .collect();
        rows.take(&fields)?;
    }
    rows.finish()
}

/// A record with the fields of records inside it beside its own.
fn flat(record: &Map<String, Value>) -> Record {
    let mut fields = vec![];
    for (name, value) in record {
        match value {
            Value::Object(inner) => {
                let inner = flat(inner).into_iter();
                fields.extend(inner.map(|(below, value)| (format!("{name}.{below}"), value)));
            }
            other => fields.push((name.clone(), other.clone())),
        }
    }
    fields
}

/// `None` for null, which fits every column.
fn shape_of(value: &Value) -> Option<Shape> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(_) => Shape::Truth,
        Value::Number(n) if n.is_i64() => Shape::Whole,
        Value::Number(n) if n.is_f64() => Shape::Number,
        Value::String(_) => Shape::Verbatim,
        // Beyond i64 a number is kept as it is written.
        _ => Shape::Json,
    })
}

fn joined(one: Option<Shape>, other: Option<Shape>) -> Option<Shape> {
    match (one, other) {
        (None, shape) | (shape, None) => shape,
        (Some(a), Some(b)) if a == b => Some(a),
        (Some(Shape::Whole | Shape::Number), Some(Shape::Whole | Shape::Number)) => {
            Some(Shape::Number)
        }
        _ => Some(Shape::Json),
    }
}
