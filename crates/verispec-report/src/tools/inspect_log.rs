//! A log as inspect_ai writes it, version 2, so that its viewer and its data frames read results.
//!
//! A track is a task, an instance a sample with one score in shares (0-1). Nothing of how the
//! model was asked is in a run, so messages and outputs are empty.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value, json};
use verispec_model::score::{Policy, TrackScore};
use verispec_model::{InstanceState, Reading, SpecResult, TrackResults};

use super::{lm_eval_task, made_with};
use crate::context::Context;

/// Version of inspect_ai's log format.
const VERSION: u32 = 2;
/// Name of the only score.
const SCORER: &str = "verispec";

/// The log of one model and track; `created` is an RFC 3339 moment, `prompt` what an instance asks
/// of the model, where that is known.
#[must_use]
pub fn inspect_log(
    model: &str,
    (scores, results): (&TrackScore, &TrackResults),
    (context, policy): (&Context, Policy),
    created: &str,
    prompt: &dyn Fn(&str) -> Option<String>,
) -> Value {
    let task = lm_eval_task(&context.suite, &scores.track);
    let made: BTreeMap<&str, String> = made_with(model, context, policy).into_iter().collect();
    let states: HashMap<&str, &InstanceState> = results
        .dimensions
        .iter()
        .flat_map(|d| &d.instances)
        .map(|i| (i.id.as_str(), &i.state))
        .collect();
    let mut samples = vec![];
    for dimension in &scores.dimensions {
        for (id, score) in &dimension.instances {
            let state = states.get(id.as_str()).copied();
            let mut sample = sample(id, score.map(|s| s / 100.0), state);
            sample["input"] = prompt(id).unwrap_or_default().into();
            sample["metadata"]["dimension"] = dimension.name.as_str().into();
            samples.push(sample);
        }
    }
    let ids: Vec<&Value> = samples.iter().map(|s| &s["id"]).collect();
    // The same export of the same run is the same evaluation to inspect's tools.
    // Ids are plain, since names of files end in one behind other parts.
    let id = |what: &str| {
        let text = format!("{what} {made:?} {task} {created}");
        verispec_model::Hash::of(text.as_bytes()).short()
    };
    // Once a run is complete it gets other numbers.
    let status = match scores.counters.pending {
        0 => "success",
        _ => "cancelled",
    };
    json!({
        "version": VERSION,
        "status": status,
        "eval": {
            "eval_id": id("eval"),
            "run_id": id("run"),
            "created": created,
            "task": task,
            "task_id": id("task"),
            "task_version": context.revision.as_deref().unwrap_or("0"),
            "dataset": {"name": context.suite, "samples": samples.len(), "sample_ids": ids},
            "model": model,
            "config": {"epochs": 1},
            "packages": {"verispec": env!("CARGO_PKG_VERSION")},
            "metadata": made,
        },
        "plan": {"name": "plan", "steps": []},
        "results": totals(scores, &samples),
        "stats": {"started_at": created, "completed_at": created},
        "samples": samples,
    })
}

/// Counts and metrics: `mean` is that of the samples, as inspect computes it; `score`, `low` and
/// `high` are the track's, whose dimensions count alike.
fn totals(scores: &TrackScore, samples: &[Value]) -> Value {
    let values = samples
        .iter()
        .filter_map(|s| s["scores"][SCORER]["value"].as_f64());
    let (n, sum) = values.fold((0_usize, 0.0), |(n, sum), v| (n + 1, sum + v));
    let mut metrics = Map::new();
    let mut put = |name: &str, value: f64| {
        metrics.insert(name.to_owned(), json!({"name": name, "value": value}));
    };
    if n > 0 {
        put("mean", sum / n as f64);
    }
    if let Some(score) = &scores.score {
        put("score", score.value / 100.0);
        put("low", score.low / 100.0);
        put("high", score.high / 100.0);
    }
    if let Some(share) = scores.counters.coverage() {
        put("coverage", share);
    }
    json!({
        "total_samples": samples.len(),
        "completed_samples": samples.len(),
        "scores": [{
            "name": SCORER,
            "scorer": SCORER,
            "scored_samples": n,
            "unscored_samples": samples.len() - n,
            "metrics": metrics,
        }],
    })
}

/// A sample; without a score it has none, since a 0 would be averaged.
fn sample(id: &str, score: Option<f64>, state: Option<&InstanceState>) -> Value {
    let (said, specs) = match state {
        Some(InstanceState::Generated(specs)) => (summary(specs), list(specs)),
        Some(InstanceState::OutputFailed(why, _)) => {
            (format!("no output of the model: {why}"), vec![])
        }
        Some(InstanceState::Unjudgeable(..)) => {
            ("nobody can judge it: the data failed".to_owned(), vec![])
        }
        None => (String::new(), vec![]),
    };
    let mut scores = Map::new();
    if let Some(value) = score {
        scores.insert(
            SCORER.to_owned(),
            json!({"value": value, "explanation": said}),
        );
    }
    json!({
        "id": id,
        "epoch": 1,
        "input": "",
        "target": "",
        "messages": [],
        "output": {"model": "", "choices": []},
        "scores": scores,
        "metadata": {"state": said, "specifications": specs},
    })
}

/// What became of each specification.
fn list(specs: &[SpecResult]) -> Vec<Value> {
    let one = |s: &SpecResult| {
        let unjudged = s.reading.as_ref().and_then(|r| match r {
            Reading::Unjudged(why) => Some(*why),
            Reading::Answer(_) => None,
        });
        json!({
            "id": s.id(),
            "question": s.spec.question,
            "expected": s.spec.expected,
            "answer": s.verdict(),
            "met": s.met(),
            "unjudged": unjudged.map(|why| why.as_str()),
            "note": s.provenance.note,
        })
    };
    specs.iter().map(one).collect()
}

fn summary(specs: &[SpecResult]) -> String {
    let met = specs.iter().filter(|s| s.met() == Some(true)).count();
    let unmet: Vec<&str> = specs
        .iter()
        .filter(|s| s.met() == Some(false))
        .map(|s| s.spec.question.as_str())
        .collect();
    let open = specs.len() - met - unmet.len();
    let mut text = format!("{met} met, {} unmet, {open} without a verdict", unmet.len());
    for question in unmet {
        text.push_str("\nunmet: ");
        text.push_str(question);
    }
    text
}
