//! Results of a judge that follows a rule instead of looking: baselines and checks.

use verispec_model::{
    DimensionResults, InstanceResult, InstanceState, ModelResults, Reading, Results, SpecResult,
    Suite, Track, TrackResults, YesNo,
};
use verispec_model::{Instance, Specification};

/// What a rule says about one specification; `None` leaves it pending.
pub type AnswerRule<'a> = &'a dyn Fn(&Instance, &Specification) -> Option<Reading>;

/// Results of one model per rule, each with an output for every instance of the suite.
#[must_use]
pub fn answered_by(suite: &Suite, rules: &[(&str, AnswerRule<'_>)]) -> Results {
    let mut models: Vec<ModelResults> = rules
        .iter()
        .map(|(name, rule)| ModelResults {
            model: (*name).to_owned(),
            tracks: suite.tracks.iter().map(|t| track(t, *rule)).collect(),
        })
        .collect();
    models.sort_by(|a, b| a.model.cmp(&b.model));
    Results {
        suite: suite.name.clone(),
        all_tracks: suite.tracks.iter().map(|t| t.name.clone()).collect(),
        models,
        measure: verispec_model::Measure::Specifications,
        warnings: vec![],
    }
}

fn track(track: &Track, rule: AnswerRule<'_>) -> TrackResults {
    let dimensions = track.dimensions.iter().map(|dimension| DimensionResults {
        name: dimension.name.clone(),
        instances: dimension
            .instances
            .iter()
            .map(|i| instance(i, rule))
            .collect(),
        folder_present: true,
    });
    TrackResults {
        track: track.name.clone(),
        dimensions: dimensions.collect(),
        partial: false,
    }
}

fn instance(instance: &Instance, rule: AnswerRule<'_>) -> InstanceResult {
    let specs = instance.specifications.iter().map(|spec| SpecResult {
        reading: rule(instance, spec),
        ..SpecResult::pending(spec.clone())
    });
    InstanceResult {
        id: instance.id.clone(),
        state: InstanceState::Generated(specs.collect()),
    }
}

/// The rule that gives one answer to everything.
pub fn always(answer: YesNo) -> impl Fn(&Instance, &Specification) -> Option<Reading> {
    move |_, _| Some(Reading::yes_no(answer))
}
