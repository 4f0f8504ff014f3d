//! Identity of a request, from what it says rather than from how it is rendered.

use crate::hash::Hash;
use crate::request::{ImageRole, Part, Question, Request};
use crate::suite::SpecId;

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
    KeyPrefix::of(request).finish(&[], &request.questions)
}

/// The key of a request as far as its last parts and its questions, for requests that share all
/// the rest: what they share is hashed once.
#[derive(Debug, Clone)]
pub struct KeyPrefix {
    key: KeyBuilder,
    repeat: u32,
    parent: Option<Hash>,
    derivation: Option<String>,
}

impl KeyPrefix {
    /// Of a request that holds the shared parts; its questions do not count.
    #[must_use]
    pub fn of(request: &Request) -> Self {
        Self {
            key: shared(request),
            repeat: request.repeat,
            parent: request.parent,
            derivation: request.derivation.clone(),
        }
    }

    /// [`request_key`] of the request with these parts added and these questions.
    #[must_use]
    pub fn finish(&self, parts: &[Part], questions: &[Question]) -> Hash {
        let mut key = self.key.clone();
        for part in parts {
            part_field(&mut key, part);
        }
        let questions = questions.iter().map(|q| (q.id, q.text.as_str()));
        self.end(key, questions)
    }

    /// The same with one text added, by its hash, and one question.
    #[must_use]
    pub fn finish_text(&self, text: &Hash, question: (SpecId, &str)) -> Hash {
        let mut key = self.key.clone();
        key.field("text", text.as_bytes());
        self.end(key, [question])
    }

    fn end<'q>(
        &self,
        mut key: KeyBuilder,
        questions: impl IntoIterator<Item = (SpecId, &'q str)>,
    ) -> Hash {
        for (id, text) in questions {
            key.field("question", &id.to_le_bytes());
            key.field("question-text", text.as_bytes());
        }
        key.field("repeat", &self.repeat.to_le_bytes());
        let parent = self.parent.as_ref().map(|h| h.as_bytes().as_slice());
        key.optional("parent", parent);
        let derivation = self.derivation.as_ref().map(String::as_bytes);
        key.optional("derivation", derivation);
        key.finish()
    }
}

fn shared(request: &Request) -> KeyBuilder {
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
    key
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
    fn a_prefix_gives_the_same_key() {
        let mut whole = request(vec![Part::Text("a".into()), Part::Text("b".into())]);
        whole.parent = Some(Hash::of(b"p"));
        whole.derivation = Some("again".into());
        let last = whole.parts.pop().into_iter().collect::<Vec<_>>();
        let prefix = KeyPrefix::of(&whole);
        whole.parts.extend(last.clone());
        whole.questions.push(Question {
            id: 3,
            text: "q".into(),
        });
        let key = request_key(&whole);
        assert_eq!(prefix.finish(&last, &whole.questions), key);
        assert_eq!(prefix.finish_text(&Hash::of(b"b"), (3, "q")), key);
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
