//! Anomalies of task records.

use std::collections::BTreeMap;

use serde_json::Value;
use verispec_model::{Instance, Warning};

use super::task_warning;
use super::text::{contains_sequence, words};
use crate::specv::load::{Loaded, TaskFacts};

pub(super) fn of_instance(instance: &Instance, loaded: &Loaded, found: &mut Vec<Warning>) {
    let prompt = &instance.prompt;
    let mut add = |kind: &str, message: String| {
        found.push(task_warning(kind, instance, loaded, message));
    };
    if prompt.contains("{{") || prompt.contains("}}") {
        add(
            "double-braces",
            "prompt holds double braces; a hazard in templates".to_owned(),
        );
    }
    if prompt.trim() != prompt {
        add(
            "surrounding-whitespace",
            "prompt begins or ends with white space; kept".to_owned(),
        );
    }
    let Some(facts) = loaded.facts_of(instance) else {
        return;
    };
    if let Some(stated) = facts
        .dimension
        .as_ref()
        .filter(|d| **d != instance.dimension)
    {
        let right = &instance.dimension;
        add(
            "wrong-dimension",
            format!("record says `{stated}`, its checklist is in `{right}`"),
        );
    }
    if let Some(text) = stringified_list(facts) {
        add(
            "stringified-list-answer",
            format!("answer is a list written as text: {text}"),
        );
    }
    if let Some(path) = path_not_asked_for(instance, facts) {
        let message = format!("no specification holds the right path ({path}): the judge lacks it");
        add("reference-path-not-in-checklist", message);
    }
}

fn stringified_list(facts: &TaskFacts) -> Option<&str> {
    let text = facts.answer.as_ref()?.as_str()?.trim();
    (text.starts_with('[') && text.ends_with(']')).then_some(text)
}

/// The answer of a maze task, if it is a path of moves that no specification spells out.
fn path_not_asked_for(instance: &Instance, facts: &TaskFacts) -> Option<String> {
    const MOVES: [&str; 4] = ["up", "down", "left", "right"];
    let moves = words(facts.answer.as_ref().and_then(Value::as_str)?);
    let is_path = moves.len() > 1 && moves.iter().all(|word| MOVES.contains(&word.as_str()));
    let spelled_out = || {
        instance
            .specifications
            .iter()
            .any(|s| contains_sequence(&words(&s.question), &moves))
    };
    (is_path && !spelled_out()).then(|| moves.join(", "))
}

/// Tasks of one track that share their whole prompt and differ by image alone.
pub(super) fn identical_prompts(loaded: &Loaded, found: &mut Vec<Warning>) {
    for track in &loaded.suite.tracks {
        let instances = || track.dimensions.iter().flat_map(|d| &d.instances);
        let mut same: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for instance in instances() {
            same.entry(&instance.prompt).or_default().push(&instance.id);
        }
        for instance in instances() {
            let ids = &same[instance.prompt.as_str()];
            if ids.len() > 1 {
                let message = format!("same prompt as {} others, first {}", ids.len() - 1, ids[0]);
                found.push(task_warning("identical-prompt", instance, loaded, message));
            }
        }
    }
}
