//! How the objects of a picture stand to each other.

use std::sync::Arc;

use serde_json::{Value, json};
use verispec_graph::clean::Candidate;
use verispec_graph::scene::{Image, RawRelations};
use verispec_graph::vocabulary::{PREDICATES, clean_predicate};
use verispec_model::{JudgeIdentity, Request};

use super::job::Picture;
use super::objects::{shown, thousandths};
use crate::xtc::ask::{Prompt, object};

const PROMPT: Prompt = Prompt {
    protocol: "xtc-relations@1",
    words: include_str!("../prompts/relations.txt"),
};

pub(super) fn request(picture: &Picture, image: &Image, judge: &Arc<JudgeIdentity>) -> Request {
    let numbered = image.segments.iter().enumerate().map(|(at, segment)| {
        json!({
            "number": at + 1,
            "label": shown(segment.category_id),
            "box": thousandths(segment.bbox, image),
        })
    });
    let objects: Vec<Value> = numbered.collect();
    let data = json!({"predicates": PREDICATES.as_slice(), "objects": objects});
    PROMPT.request(
        judge,
        [picture.whole()],
        &data,
        schema(image.segments.len()),
    )
}

fn schema(objects: usize) -> Value {
    let number = json!({"type": "integer", "minimum": 1, "maximum": objects});
    json!({
        "type": "object",
        "required": ["relations"],
        "additionalProperties": false,
        "properties": {"relations": {"type": "array", "items": {
            "type": "object",
            "required": ["subject", "predicate", "object"],
            "additionalProperties": false,
            "properties": {
                "subject": number,
                "predicate": {"type": "string", "enum": PREDICATES.as_slice()},
                "object": number,
            },
        }}},
    })
}

/// Triples of a reply, each once.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Triples {
    /// With score 1: the model said so.
    pub(super) candidates: Vec<Candidate>,
    /// Relations with a predicate outside the vocabulary, or of an object to itself, left out.
    pub(super) unusable: usize,
}

/// Reads a reply; `None` unless every entry names two objects of the list and a predicate.
pub(super) fn read(reply: &str, objects: usize) -> Option<Triples> {
    let value: Value = serde_json::from_str(object(reply)?).ok()?;
    let mut pairs: Vec<(usize, usize)> = vec![];
    let mut all = Triples {
        candidates: vec![],
        unusable: 0,
    };
    for entry in value.get("relations")?.as_array()? {
        let end = |name: &str| {
            let number = usize::try_from(entry.get(name)?.as_u64()?).ok()?;
            (1..=objects).contains(&number).then(|| number - 1)
        };
        let (subject, object) = (end("subject")?, end("object")?);
        let said = entry.get("predicate")?.as_str()?;
        let predicate = predicate(said).filter(|_| subject != object);
        let Some(predicate) = predicate else {
            all.unusable += 1;
            continue;
        };
        let known = pairs.iter().position(|p| *p == (subject, object));
        let pair = known.unwrap_or_else(|| {
            pairs.push((subject, object));
            pairs.len() - 1
        });
        let candidate = Candidate {
            pair,
            subject,
            object,
            predicate: predicate.to_owned(),
            score: 1.0,
            no_relation: 0.0,
        };
        if !all.candidates.contains(&candidate) {
            all.candidates.push(candidate);
        }
    }
    Some(all)
}

fn predicate(said: &str) -> Option<&'static str> {
    let said = said.trim().to_lowercase();
    let exact = PREDICATES.iter().find(|p| **p == said);
    // "behind" is how people say "on back of"; "on" is a predicate of its own.
    let clean = || PREDICATES.iter().find(|p| clean_predicate(p) == said);
    exact.or_else(clean).copied()
}

/// The scores that stand behind candidates of a model: boxes are the segments.
pub(super) fn raw(image: &Image, candidates: &[Candidate]) -> RawRelations {
    let mut pairs: Vec<(usize, usize)> = vec![];
    for candidate in candidates {
        if candidate.pair == pairs.len() {
            pairs.push((candidate.subject, candidate.object));
        }
    }
    RawRelations {
        image_id: image.image_id,
        boxes: image.segments.iter().map(|s| s.bbox).collect(),
        categories: image.segments.iter().map(|s| s.category_id).collect(),
        scores: vec![vec![]; pairs.len()],
        pairs,
    }
}
