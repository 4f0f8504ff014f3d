//! Document of one instance.

use serde_json::{Value, json};
use verispec_model::{InstanceState, SpecResult, Vote};

use super::{document, into_map};
use crate::context::Context;
use crate::input::{InstanceView, OutputPart, SpecState, data_failure, grade};

/// One model's result for one instance, kind `show`.
#[must_use]
pub fn show(view: &InstanceView<'_>, context: &Context) -> Value {
    let references: Vec<String> = view
        .references
        .iter()
        .map(|p| p.to_string_lossy().into_owned())
        .collect();
    let output: Vec<Value> = view.output.iter().map(part).collect();
    let (state, why, specifications) = state(view.state);
    let body = json!({
        "context": context,
        "model": view.model,
        "track": view.track,
        "dimension": view.dimension,
        "instance": view.id,
        "score": view.score,
        "state": state,
        "why": why,
        "prompt": view.prompt,
        "references": references,
        "output": output,
        "specifications": specifications,
    });
    document("show", into_map(body))
}

fn part(part: &OutputPart) -> Value {
    match part {
        OutputPart::Image(path) => json!({"kind": "image", "path": path.to_string_lossy()}),
        OutputPart::Text(text) => json!({"kind": "text", "text": text}),
    }
}

fn state(state: &InstanceState) -> (&'static str, Option<String>, Vec<Value>) {
    match state {
        InstanceState::Generated(specs) => ("generated", None, specs.iter().map(spec).collect()),
        InstanceState::OutputFailed(why, _) => ("output-failed", Some(why.to_string()), vec![]),
        InstanceState::Unjudgeable(why, _) => ("unjudgeable", Some(data_failure(why)), vec![]),
    }
}

fn spec(result: &SpecResult) -> Value {
    let state = SpecState::of(result);
    let mut object = json!({
        "id": result.id(),
        "question": result.spec.question,
        "category": result.spec.category,
        "subcategory": result.spec.subcategory,
        "expected": Some(result.spec.expected).filter(|_| !result.spec.is_holistic()),
        "state": state.word(),
        "answer": result.verdict(),
        "why": state.reason(),
        "note": result.provenance.note,
        "stage": result.provenance.stage,
        "asked_with": result.provenance.asked_with,
        "request": result.provenance.request,
        "raw_answer": result.provenance.raw_answer,
    });
    let votes: Vec<Value> = result.provenance.votes.iter().map(vote).collect();
    let extras = [
        (
            "grade",
            grade(result).map(|(value, most)| json!({"value": value, "of": most})),
        ),
        (
            "member",
            result.provenance.judge.as_deref().map(|j| json!(j)),
        ),
        (
            "repeat",
            (result.provenance.repeat > 0).then(|| json!(result.provenance.repeat)),
        ),
        ("soft", result.provenance.soft.map(|s| json!(s))),
        ("votes", (!votes.is_empty()).then(|| json!(votes))),
    ];
    for (name, value) in extras {
        if let Some(value) = value {
            object[name] = value;
        }
    }
    object
}

fn vote(vote: &Vote) -> Value {
    json!({
        "member": vote.judge.as_deref(),
        "repeat": vote.repeat,
        "reading": vote.reading,
        "stage": vote.stage,
        "request": vote.request,
        "note": vote.note,
        "soft": vote.soft,
    })
}
