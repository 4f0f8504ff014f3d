//! Bodies as segments: text is serialised at once, image bytes are only referred to.

use bytes::Bytes;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::message::{EncodeError, Segment};

/// Collects a body. Text runs into one buffer, each image becomes a segment of its own.
#[derive(Debug, Default)]
pub(crate) struct BodyWriter {
    segments: Vec<Segment>,
    text: Vec<u8>,
}

impl BodyWriter {
    /// Appends JSON syntax as it is.
    pub(crate) fn raw(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    /// Appends a value as compact JSON.
    pub(crate) fn json(&mut self, value: &(impl Serialize + ?Sized)) {
        serde_json::to_writer(&mut self.text, value)
            .expect("strings and JSON values always serialise into memory");
    }

    /// Appends text in the middle of a JSON string: escaped, without quotes.
    pub(crate) fn inside_string(&mut self, text: &str) {
        let quoted = Value::from(text).to_string();
        self.raw(&quoted[1..quoted.len() - 1]);
    }

    /// Appends bytes that are sent as base64; they are shared, not copied.
    pub(crate) fn base64(&mut self, bytes: &Bytes) {
        self.flush();
        self.segments.push(Segment::Base64(bytes.clone()));
    }

    /// Appends `{…}` with the fields of `map` in order; the field `slot` is written by `fill`.
    pub(crate) fn object(
        &mut self,
        map: &Map<String, Value>,
        slot: &str,
        fill: impl FnOnce(&mut Self),
    ) {
        let mut fill = Some(fill);
        self.raw("{");
        for (i, (name, value)) in map.iter().enumerate() {
            if i > 0 {
                self.raw(",");
            }
            self.json(name);
            self.raw(":");
            match fill.take_if(|_| name == slot) {
                Some(fill) => fill(self),
                None => self.json(value),
            }
        }
        self.raw("}");
    }

    /// The finished body.
    pub(crate) fn finish(mut self) -> Vec<Segment> {
        self.flush();
        self.segments
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.segments
                .push(Segment::Raw(std::mem::take(&mut self.text).into()));
        }
    }
}

/// Merges `extra_body` into a body: new fields are appended, objects are merged, a field that
/// both hold is an error, so that no parameter is overridden unseen.
pub(crate) fn merge_extra(
    body: &mut Map<String, Value>,
    extra: &Map<String, Value>,
) -> Result<(), EncodeError> {
    merge_at(body, extra, "")
}

fn merge_at(
    into: &mut Map<String, Value>,
    from: &Map<String, Value>,
    path: &str,
) -> Result<(), EncodeError> {
    for (name, value) in from {
        let field = format!("{path}{name}");
        match (into.get_mut(name), value) {
            (None, _) => {
                into.insert(name.clone(), value.clone());
            }
            (Some(Value::Object(old)), Value::Object(new)) => {
                merge_at(old, new, &format!("{field}."))?;
            }
            (Some(_), _) => return Err(EncodeError::FieldTwice { field }),
        }
    }
    Ok(())
}
