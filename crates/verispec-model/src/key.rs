//! Identity of a request, from what it says rather than from how it is rendered.

use crate::hash::Hash;
use crate::request::{ImageRole, Part, Request};

/// Version of the key's recipe; part of every key.
pub const KEY_SCHEMA: u32 = 1;

/// BLAKE3 over length-prefixed, tagged fields in fixed order.
///
/// Tag and value both carry their length, so no two different field lists collide.
#[derive(Debug, Clone, Default)]
pub struct KeyBuilder(blake3::Hasher);

impl KeyBuilder {
    /// Starts a key of the given domain, for instance `verispec/request`.
    #[must_use]
    pub fn new(domain: &str) -> Self {
        let mut builder = Self(blake3::Hasher::new());
        builder.field("domain", domain.as_bytes());
        builder
    }

    /// Adds one field.
    pub fn field(&mut self, tag: &str, value: &[u8]) -> &mut Self {
        for bytes in [tag.as_bytes(), value] {
            self.0.update(&(bytes.len() as u64).to_le_bytes());
            self.0.update(bytes);
        }
        self
    }

    /// Adds an optional field; absent differs from empty.
    pub fn optional(&mut self, tag: &str, value: Option<&[u8]>) -> &mut Self {
        match value {
            Some(v) => self.field(tag, &[&[1], v].concat()),
            None => self.field(tag, &[0]),
        }
    }

    /// The finished key.
    #[must_use]
    pub fn finish(&self) -> Hash {
        Hash::from_bytes(*self.0.finalize().as_bytes())
    }
}

/// Key of a request (design page, "Identity").
///
/// Covers, in this order: key schema, protocol, template, provider, model, revision, each set
/// parameter (decimals in shortest form), structured mode, schema, each part (text hash, or source
/// file hash, profile and role), each structured question, repeat, parent. File paths, endpoints,
/// keys and expected answers are not part of it.
#[must_use]
pub fn request_key(request: &Request) -> Hash {
    let judge = &request.judge;
    let mut key = KeyBuilder::new("verispec/request");
    key.field("schema", &KEY_SCHEMA.to_le_bytes());
    key.field("protocol", request.protocol.as_bytes());
    key.field("template", request.template.as_bytes());
    key.field("provider", judge.provider.as_bytes());
    key.field("model", judge.model.as_bytes());
    key.optional("revision", judge.revision.as_ref().map(String::as_bytes));
    for (name, value) in &judge.params {
        key.field("param", name.as_bytes());
        key.field("value", value.to_string().as_bytes());
    }
    key.field("structured", format!("{:?}", judge.structured).as_bytes());
    let schema = request.schema.as_ref().map(ToString::to_string);
    key.optional("reply-schema", schema.as_ref().map(String::as_bytes));
    for part in &request.parts {
        part_field(&mut key, part);
    }
    for question in &request.questions {
        key.field("question", &question.id.to_le_bytes());
        key.field("question-text", question.text.as_bytes());
    }
    key.field("repeat", &request.repeat.to_le_bytes());
    key.optional(
        "parent",
        request.parent.as_ref().map(|h| h.as_bytes().as_slice()),
    );
    key.optional(
        "derivation",
        request.derivation.as_ref().map(String::as_bytes),
    );
    key.finish()
}

fn part_field(key: &mut KeyBuilder, part: &Part) {
    match part {
        Part::Text(text) => {
            key.field("text", Hash::of(text.as_bytes()).as_bytes());
        }
        Part::Image(image) => {
            key.field("image", image.source.as_bytes());
            key.field("profile", image.profile.as_bytes());
            let role: &[u8] = match image.role {
                ImageRole::Reference => b"reference",
                ImageRole::Output => b"output",
            };
            key.field("role", role);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::request::{JudgeIdentity, Params, Structured};

    fn request(parts: Vec<Part>) -> Request {
        Request {
            protocol: "whole@1".into(),
            template: Hash::of(b"t"),
            judge: Arc::new(JudgeIdentity {
                provider: "openai".into(),
                model: "m".into(),
                params: Params::from([("temperature".into(), serde_json::json!(0.1))]),
                structured: Structured::None,
                revision: None,
            }),
            parts,
            questions: vec![],
            schema: None,
            repeat: 0,
            parent: None,
            derivation: None,
        }
    }

    #[test]
    fn moving_text_between_parts_changes_the_key() {
        let one = request(vec![Part::Text("ab".into()), Part::Text("c".into())]);
        let two = request(vec![Part::Text("a".into()), Part::Text("bc".into())]);
        assert_ne!(request_key(&one), request_key(&two));
    }

    #[test]
    fn c07_key_is_pinned_and_holds_no_program_version() {
        // A change here makes every stored reply unreachable: bump KEY_SCHEMA and say so in the
        // changelog, or undo the change.
        let key = request_key(&request(vec![Part::Text("question".into())]));
        assert_eq!(key.short(), "24db9c8a4a60");
    }

    #[test]
    fn every_field_counts() {
        let base = request(vec![Part::Text("q".into())]);
        let key = request_key(&base);
        // C07: another wording of ours, or another protocol, is another request.
        let mut other = base.clone();
        other.template = Hash::of(b"another");
        assert_ne!(request_key(&other), key);
        let mut other = base.clone();
        other.protocol = "whole@2".into();
        assert_ne!(request_key(&other), key);
        let mut other = base.clone();
        other.repeat = 1;
        assert_ne!(request_key(&other), key);
        let mut other = base.clone();
        other.parent = Some(Hash::of(b"p"));
        assert_ne!(request_key(&other), key);
        let mut judge = (*base.judge).clone();
        judge.params.insert("top_p".into(), serde_json::json!(1));
        let other = Request {
            judge: Arc::new(judge),
            ..base
        };
        assert_ne!(request_key(&other), key);
    }
}
