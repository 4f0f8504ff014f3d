//! Instances as JUnit cases.

use verispec_model::{InstanceState, ModelResults, SpecResult};

use crate::junit::{Case, Outcome, Suite};

/// Specifications that a message names; all are counted.
const NAMED: usize = 5;

/// One model's instances as cases: passed where every specification is met, failed where one is
/// not or there is no output, an error where something could not be judged, skipped while pending.
#[must_use]
pub fn junit_suite(model: &ModelResults, run: &str) -> Suite {
    let mut cases = vec![];
    for track in &model.tracks {
        for dimension in &track.dimensions {
            cases.extend(dimension.instances.iter().map(|instance| Case {
                class: format!("{}.{}.{}", model.model, track.track, dimension.name),
                name: instance.id.clone(),
                outcome: outcome(&instance.state),
                text: String::new(),
            }));
        }
    }
    Suite {
        name: format!("{run}: {}", model.model),
        cases,
    }
}

fn outcome(state: &InstanceState) -> Outcome {
    let specs = match state {
        InstanceState::Generated(specs) => specs,
        InstanceState::OutputFailed(why, _) => {
            return Outcome::Failed(format!("no output of the model: {why}"));
        }
        InstanceState::Unjudgeable(..) => {
            return Outcome::Error("nobody can judge it: the data failed".to_owned());
        }
    };
    let unmet: Vec<&SpecResult> = specs.iter().filter(|s| s.met() == Some(false)).collect();
    let open: Vec<&SpecResult> = specs.iter().filter(|s| s.met().is_none()).collect();
    if !unmet.is_empty() {
        Outcome::Failed(named("unmet", &unmet, specs.len()))
    } else if open.iter().any(|s| s.reading.is_some()) {
        Outcome::Error(named("without a verdict", &open, specs.len()))
    } else if !open.is_empty() || specs.is_empty() {
        Outcome::Skipped("not judged yet".to_owned())
    } else {
        Outcome::Passed
    }
}

fn named(what: &str, specs: &[&SpecResult], all: usize) -> String {
    let questions = specs.iter().take(NAMED);
    let list: Vec<&str> = questions.map(|s| s.spec.question.as_str()).collect();
    let more = specs.len().saturating_sub(NAMED);
    let rest = if more > 0 {
        format!("\nand {more} more")
    } else {
        String::new()
    };
    format!(
        "{} of {all} {what}:\n{}{rest}",
        specs.len(),
        list.join("\n")
    )
}
