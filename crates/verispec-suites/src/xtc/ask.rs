//! What all questions of this suite have in common.

use std::sync::Arc;

use serde_json::Value;
use verispec_judge::protocol::{self, Asked};
use verispec_judge::reader::without_reasoning;
use verispec_model::{
    Hash, ImagePart, JudgeIdentity, Part, Replies, Request, Structured, Unjudged,
};

/// A prompt of ours: fixed words, followed by the data of the case.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prompt {
    /// Protocol with version.
    pub(super) protocol: &'static str,
    /// The fixed words.
    pub(super) words: &'static str,
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "taken apart at once")]
pub(super) enum Outcome {
    /// Still wanted.
    Pending(Request),
    /// What the judge said.
    Said(String),
    /// The judge failed.
    Failed(Unjudged),
}

impl Prompt {
    /// The request: pictures, the fixed words, the data. `schema` goes along where the judge
    /// enforces one.
    pub(super) fn request(
        self,
        judge: &Arc<JudgeIdentity>,
        images: impl IntoIterator<Item = ImagePart>,
        data: &Value,
        schema: Value,
    ) -> Request {
        let mut parts: Vec<Part> = images.into_iter().map(Part::Image).collect();
        parts.push(Part::Text(self.words.to_owned()));
        // As JSON, so that no text of a model can pass for words of ours.
        parts.push(Part::Text(data.to_string()));
        Request {
            protocol: self.protocol.to_owned(),
            template: Hash::of(self.words.as_bytes()),
            judge: judge.clone(),
            parts,
            questions: vec![],
            schema: (judge.structured == Structured::JsonSchema).then_some(schema),
            repeat: 0,
            parent: None,
            derivation: None,
        }
    }
}

/// Looks a request up. A truncated reply is asked for once more, with twice the room. What a model
/// thinks between tags is no part of what it says.
pub(super) fn settle(first: Request, replies: &dyn Replies) -> Outcome {
    match protocol::settle(first, replies) {
        Asked::Pending(request) => Outcome::Pending(*request),
        Asked::Said(reply, _) => Outcome::Said(without_reasoning(&reply.text)),
        Asked::Failed { why, .. } => Outcome::Failed(why),
    }
}

/// Whether a model under test was not heard at all: a failure on the way to it, and none of its own.
pub(super) const fn unheard(why: Unjudged) -> bool {
    matches!(why, Unjudged::Timeout | Unjudged::ProviderError)
}

/// The one JSON object of a reply: alone, in a code fence, or with words around it. Nothing is
/// mended.
pub(super) fn object(reply: &str) -> Option<&str> {
    let from = reply.find('{')?;
    let to = reply.rfind('}')?;
    let text = reply.get(from..=to)?;
    serde_json::from_str::<serde_json::Map<String, Value>>(text)
        .is_ok()
        .then_some(text)
}
