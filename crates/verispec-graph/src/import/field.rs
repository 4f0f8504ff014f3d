//! Walking a JSON value while remembering the way.

use serde_json::Value;

/// A file that cannot be read as what it should be.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Not JSON.
    #[error("{file}: not JSON: {source}")]
    Json {
        /// Name of the file.
        file: String,
        /// What the parser says, with its line.
        source: serde_json::Error,
    },
    /// A line of a line-by-line file is not JSON. The last line may be torn; this is another one.
    #[error("{file}, line {line}: not JSON: {source}")]
    Line {
        /// Name of the file.
        file: String,
        /// Line from 1.
        line: usize,
        /// What the parser says.
        source: serde_json::Error,
    },
    /// A field is absent or holds something else.
    #[error("{file}: {field}: {problem}")]
    Field {
        /// Name of the file, with the line if it is line-by-line.
        file: String,
        /// Way to the field, such as `data[3].segments_info[0].id`.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// What is wrong, and the way to it as far as it is known.
#[derive(Debug)]
pub(super) struct Problem {
    path: String,
    what: String,
}

pub(super) type Read<T> = Result<T, Problem>;

impl Problem {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self {
            path: String::new(),
            what: what.into(),
        }
    }

    /// The same problem, seen from one level further out.
    pub(super) fn inside(mut self, step: &str) -> Self {
        let dot = !self.path.is_empty() && !self.path.starts_with('[');
        self.path.insert_str(0, if dot { "." } else { "" });
        self.path.insert_str(0, step);
        self
    }

    pub(super) fn in_file(self, file: &str) -> ImportError {
        let field = if self.path.is_empty() {
            "document".to_owned()
        } else {
            self.path
        };
        ImportError::Field {
            file: file.to_owned(),
            field,
            problem: self.what,
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn expected(what: &str, value: &Value) -> Problem {
    Problem::new(format!("expected {what}, found {}", kind(value)))
}

/// Something with named fields.
pub(super) trait Fields {
    /// The field; `None` if it is absent. An error if this has no fields at all.
    fn find(&self, name: &str) -> Read<Option<&Value>>;
}

impl Fields for Value {
    fn find(&self, name: &str) -> Read<Option<&Value>> {
        let object = self.as_object();
        Ok(object.ok_or_else(|| expected("an object", self))?.get(name))
    }
}

/// A field that must be there. `null` counts as absent.
pub(super) fn field<T>(
    value: &impl Fields,
    name: &str,
    read: impl FnOnce(&Value) -> Read<T>,
) -> Read<T> {
    optional(value, name, read)?.ok_or_else(|| Problem::new("is missing").inside(name))
}

/// A field that may be absent or `null`.
pub(super) fn optional<T>(
    value: &impl Fields,
    name: &str,
    read: impl FnOnce(&Value) -> Read<T>,
) -> Read<Option<T>> {
    match value.find(name)? {
        None | Some(Value::Null) => Ok(None),
        Some(found) => read(found).map(Some).map_err(|p| p.inside(name)),
    }
}

/// Every element of a list.
pub(super) fn each<T>(value: &Value, read: impl Fn(&Value) -> Read<T>) -> Read<Vec<T>> {
    let list = value.as_array().ok_or_else(|| expected("a list", value))?;
    let read_at = |(at, item)| read(item).map_err(|p| p.inside(&format!("[{at}]")));
    list.iter().enumerate().map(read_at).collect()
}

/// Every entry of an object, in file order.
pub(super) fn entries<T>(value: &Value, read: impl Fn(&str, &Value) -> Read<T>) -> Read<Vec<T>> {
    let object = value
        .as_object()
        .ok_or_else(|| expected("an object", value))?;
    let read_at = |(key, item): (&String, &Value)| read(key, item).map_err(|p| p.inside(key));
    object.iter().map(read_at).collect()
}

/// A list that must be there.
pub(super) fn list<T>(value: &Value, name: &str, read: impl Fn(&Value) -> Read<T>) -> Read<Vec<T>> {
    field(value, name, |v| each(v, read))
}

pub(super) fn text(value: &Value) -> Read<String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        other => Err(expected("text", other)),
    }
}

pub(super) fn number(value: &Value) -> Read<f64> {
    let found = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let finite = found.filter(|n: &f64| n.is_finite());
    finite.ok_or_else(|| expected("a finite number", value))
}

/// A whole number from 0 on; the release writes some as text and some with a decimal point.
pub(super) fn whole(value: &Value) -> Read<u64> {
    let exact = match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    if let Some(found) = exact {
        return Ok(found);
    }
    let float = value
        .as_f64()
        .filter(|f| f.fract() == 0.0 && (0.0..9e15).contains(f));
    // In range by the filter, so that the conversion is exact.
    float
        .map(|f| f as u64)
        .ok_or_else(|| expected("a whole number from 0 on", value))
}

pub(super) fn position(value: &Value) -> Read<usize> {
    let found = whole(value)?;
    usize::try_from(found).map_err(|_| Problem::new(format!("{found} is too large")))
}

pub(super) fn small(value: &Value) -> Read<u32> {
    let found = whole(value)?;
    u32::try_from(found).map_err(|_| Problem::new(format!("{found} is too large")))
}

/// `true`, `false`, 1 or 0.
pub(super) fn flag(value: &Value) -> Read<bool> {
    match (value, value.as_u64()) {
        (Value::Bool(found), _) => Ok(*found),
        (_, Some(0)) => Ok(false),
        (_, Some(1)) => Ok(true),
        _ => Err(expected("true, false, 1 or 0", value)),
    }
}

/// Four corner coordinates.
pub(super) fn bbox(value: &Value) -> Read<crate::scene::Bbox> {
    let corners = each(value, number)?;
    let [x1, y1, x2, y2] = corners[..] else {
        return Err(Problem::new(format!(
            "expected 4 numbers, found {}",
            corners.len()
        )));
    };
    Ok(crate::scene::Bbox::new(x1, y1, x2, y2))
}

/// A number that serves as a key of an object.
pub(super) fn key_number(key: &str) -> Read<u64> {
    let parsed = key.trim().parse();
    parsed.map_err(|_| Problem::new("the key is not a whole number"))
}
