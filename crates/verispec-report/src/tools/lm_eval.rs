//! Results and samples as lm-evaluation-harness and lmms-eval write them.
//!
//! Tracks are tasks `<suite>_<track>`, the suite is their group. Scores are shares (0-1). There is
//! no standard error of the kind that they write, so it is "N/A" as theirs is where they have none.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use verispec_model::score::{ModelScore, Policy, TrackScore};

use super::made_with;
use crate::context::Context;

/// One model's files.
#[derive(Debug, Clone, PartialEq)]
pub struct LmEval {
    /// The results file.
    pub results: Value,
    /// Samples by task, one object a line.
    pub samples: BTreeMap<String, String>,
}

/// Name of a track as a task.
#[must_use]
pub fn lm_eval_task(suite: &str, track: &str) -> String {
    format!("{suite}_{track}")
}

/// Files of one model. `moment` is seconds since 1970.
#[must_use]
pub fn lm_eval(model: &ModelScore, context: &Context, policy: Policy, moment: u64) -> LmEval {
    let suite = &context.suite;
    let made: Map<String, Value> = made_with(&model.model, context, policy)
        .into_iter()
        .map(|(k, v)| (k.to_owned(), v.into()))
        .collect();
    let mut parts: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    let mut samples = BTreeMap::new();
    let mut undefined = vec![];
    for track in &model.tracks {
        let task = lm_eval_task(suite, &track.track);
        let mut put = |part, value| {
            let part = parts.entry(part).or_default();
            part.insert(task.clone(), value);
        };
        put("results", scores(track));
        put("n-samples", counts(track));
        put("n-shot", 0.into());
        put("higher_is_better", json!({"score": true}));
        put(
            "versions",
            context.revision.clone().map_or(Value::Null, Value::from),
        );
        put(
            "configs",
            json!({"task": task, "dataset_name": suite, "metadata": made}),
        );
        if track.score.is_none() {
            undefined.push(task.clone());
        }
        samples.insert(task, lines(track));
    }
    let tasks: Vec<&String> = samples.keys().collect();
    let mut results = json!({
        "group_subtasks": {suite.as_str(): tasks},
        "config": {"model": "verispec", "model_args": format!("model={}", model.model)},
        "model_source": "verispec",
        "model_name": model.model,
        "date": moment,
        "verispec": {"made_with": made, "undefined": undefined},
    });
    for (name, part) in parts {
        results[name] = part.into();
    }
    if let Some(average) = &model.average {
        let group = json!({"alias": suite, "score,none": average.value / 100.0});
        results["groups"] = json!({suite.as_str(): group});
    }
    LmEval { results, samples }
}

fn scores(track: &TrackScore) -> Value {
    let mut scores = json!({"alias": track.track});
    if let Some(score) = &track.score {
        scores["score,none"] = (score.value / 100.0).into();
        scores["score_stderr,none"] = "N/A".into();
        scores["low,none"] = (score.low / 100.0).into();
        scores["high,none"] = (score.high / 100.0).into();
    }
    if let Some(share) = track.counters.coverage() {
        scores["coverage,none"] = share.into();
    }
    scores
}

fn counts(track: &TrackScore) -> Value {
    let instances = track.dimensions.iter().flat_map(|d| &d.instances);
    let effective = instances.clone().filter(|(_, score)| score.is_some());
    json!({"original": instances.count(), "effective": effective.count()})
}

fn lines(track: &TrackScore) -> String {
    let mut lines = String::new();
    for dimension in &track.dimensions {
        for (id, score) in &dimension.instances {
            let line = json!({
                "doc_id": id,
                "dimension": dimension.name,
                "target": "",
                "filtered_resps": [],
                "score": score.map(|s| s / 100.0),
            });
            lines.push_str(&line.to_string());
            lines.push('\n');
        }
    }
    lines
}
