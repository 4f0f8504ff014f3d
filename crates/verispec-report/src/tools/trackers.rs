//! Experiment trackers.

use serde_json::{Map, Value, json};
use verispec_model::score::{ModelScore, Policy};

use super::{made_with, numbers};
use crate::context::Context;

/// Longest value of a parameter that MLflow takes, in characters.
const LONGEST: usize = 6000;

/// Body of MLflow's `runs/log-batch` (REST API 2.0) without the run's id: metrics, params, tags.
/// `moment` is milliseconds since 1970.
#[must_use]
pub fn mlflow(model: &ModelScore, context: &Context, policy: Policy, moment: u64) -> Value {
    let metric = |(name, value): (String, f64)| json!({"key": key(&name), "value": value, "timestamp": moment, "step": 0});
    let pair = |(name, value): (&str, String)| {
        let value: String = value.chars().take(LONGEST).collect();
        json!({"key": name, "value": value})
    };
    let metrics: Vec<Value> = numbers(model).into_iter().map(metric).collect();
    let made = made_with(&model.model, context, policy).into_iter();
    let params: Vec<Value> = made.map(pair).collect();
    let tags = [
        (
            "mlflow.runName",
            format!("{} {}", context.runs.join(" "), model.model),
        ),
        ("verispec.runs", context.runs.join(" ")),
    ];
    let tags: Vec<Value> = tags.map(pair).into();
    json!({"metrics": metrics, "params": params, "tags": tags})
}

/// MLflow takes letters, digits, `_`, `-`, `.`, space, `/` and `:` in a name.
fn key(name: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '/' | ':');
    let replace = |c: char| if fits(c) { c } else { '_' };
    name.chars().map(replace).collect()
}

/// What `wandb.init(name=…, config=…)` and `run.summary.update(…)` take.
#[must_use]
pub fn wandb(model: &ModelScore, context: &Context, policy: Policy) -> Value {
    let made = made_with(&model.model, context, policy).into_iter();
    let config: Map<String, Value> = made.map(|(k, v)| (k.to_owned(), v.into())).collect();
    let summary: Map<String, Value> = numbers(model)
        .into_iter()
        .map(|(k, v)| (k, v.into()))
        .collect();
    let name = format!("{} {}", context.runs.join(" "), model.model);
    json!({"name": name, "config": config, "summary": summary})
}
