//! Results in the formats that other tools read.
//!
//! A number that is not defined is absent, with its reason beside it; it is never 0 or NaN, which
//! these tools would average.

mod inspect_log;
mod junit_cases;
mod lm_eval;
mod trackers;

pub use inspect_log::inspect_log;
pub use junit_cases::junit_suite;
pub use lm_eval::{LmEval, lm_eval, lm_eval_task};
pub use trackers::{mlflow, wandb};

use verispec_model::score::{ModelScore, Policy};

use crate::context::Context;

/// Names and values of one model's numbers, in percent: `<track>/score`, `<track>/<dimension>`,
/// `<track>/coverage` (0-100), `average`.
fn numbers(model: &ModelScore) -> Vec<(String, f64)> {
    let mut all = vec![];
    for track in &model.tracks {
        let name = &track.track;
        if let Some(score) = &track.score {
            all.push((format!("{name}/score"), score.value));
            all.push((format!("{name}/low"), score.low));
            all.push((format!("{name}/high"), score.high));
        }
        if let Some(share) = track.counters.coverage() {
            all.push((format!("{name}/coverage"), 100.0 * share));
        }
        for dimension in &track.dimensions {
            if let Some(score) = &dimension.score {
                all.push((format!("{name}/dimension/{}", dimension.name), score.value));
            }
        }
    }
    if let Some(average) = &model.average {
        all.push(("average".to_owned(), average.value));
    }
    all
}

/// What one model's numbers were made with, as names and texts.
fn made_with(model: &str, context: &Context, policy: Policy) -> Vec<(&'static str, String)> {
    let fields = [
        ("model", Some(model.to_owned())),
        ("suite", Some(context.suite.clone())),
        ("suite_revision", context.revision.clone()),
        (
            "judge",
            context.judge.clone().or_else(|| context.ensemble.clone()),
        ),
        ("protocol", context.protocol.clone()),
        ("reader", context.reader.clone()),
        ("repeats", context.repeats.clone()),
        ("source", context.source.clone()),
        ("partial", context.partial.clone()),
        ("policy", Some(policy.to_string())),
        ("verispec", Some(env!("CARGO_PKG_VERSION").to_owned())),
    ];
    let known = fields.into_iter();
    known
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}
