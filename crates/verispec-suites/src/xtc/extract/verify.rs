//! Whether a relation holds: yes or no, one triple a question.

use std::sync::Arc;

use serde_json::{Value, json};
use verispec_graph::clean::{Candidate, Strictness, Verdict, Verification, read_verdict};
use verispec_graph::scene::RawRelations;
use verispec_graph::vocabulary::{clean_label, clean_predicate};
use verispec_model::{JudgeIdentity, Request};

use super::job::{Picture, pixel_box};
use crate::xtc::ask::Prompt;

const STRICT: Prompt = Prompt {
    protocol: "xtc-verify-strict@1",
    words: include_str!("../prompts/verify_strict.txt"),
};

const LENIENT: Prompt = Prompt {
    protocol: "xtc-verify-lenient@1",
    words: include_str!("../prompts/verify_lenient.txt"),
};

pub(super) fn request(
    picture: &Picture,
    (raw, candidate, label): (&RawRelations, &Candidate, &dyn Fn(usize) -> String),
    rule: Verification,
    judge: &Arc<JudgeIdentity>,
) -> Request {
    let prompt = match rule.strictness(&candidate.predicate) {
        Strictness::Strict => STRICT,
        Strictness::Lenient => LENIENT,
    };
    let boxes = [candidate.subject, candidate.object].map(|at| pixel_box(raw.boxes[at]));
    let [a, b] = boxes.map(|b| format!("{},{},{},{}", b[0], b[1], b[2], b[3]));
    let (subject, object) = (label(candidate.subject), label(candidate.object));
    let (subject, object) = (clean_label(&subject), clean_label(&object));
    let predicate = clean_predicate(&candidate.predicate);
    let data = json!({
        "claim": format!("{subject} {predicate} {object}"),
        "subject": {"label": subject, "box": boxes[0]},
        "predicate": predicate,
        "object": {"label": object, "box": boxes[1]},
    });
    prompt.request(
        judge,
        [picture.view(format!("pair@1;{a};{b}"))],
        &data,
        schema(),
    )
}

fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["answer"],
        "additionalProperties": false,
        "properties": {"answer": {"type": "string", "enum": ["Yes", "No"]}},
    })
}

pub(super) fn read(reply: &str) -> Verdict {
    read_verdict(crate::xtc::ask::object(reply).unwrap_or(reply))
}
