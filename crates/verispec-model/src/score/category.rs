//! Scores by the category of specifications.

use std::collections::BTreeSet;

use serde::Serialize;

use super::opinion::{Rate, each, mean, ruled};
use super::table::{Policy, Score};
use super::uniform::score;
use crate::results::{InstanceState, Results, SpecResult, TrackResults};

/// A model's score on the specifications of one category.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CategoryScore {
    /// Model.
    pub model: String,
    /// Track.
    pub track: String,
    /// Category as the data name it; empty for specifications without one.
    pub category: String,
    /// Mean over instances that have the category of the rate among its specifications; `None`
    /// when nothing is decided. Dimensions do not enter.
    pub score: Option<Score>,
    /// Instances behind the score.
    pub instances: usize,
    /// Specifications of the category in them, decided or not.
    pub specifications: usize,
}

/// Scores of every model in every track on each category, sorted by category.
///
/// Dependencies and critical specifications gate across categories; weights count inside one. An
/// output that a model failed to make has no categories and is left out: read these beside the
/// track's own score, which counts it. Where an instance has several opinions, their mean counts.
#[must_use]
pub fn by_category(results: &Results, policy: Policy) -> Vec<CategoryScore> {
    let tracks = results
        .models
        .iter()
        .flat_map(|m| m.tracks.iter().map(|t| (m.model.as_str(), t)));
    tracks
        .flat_map(|(model, track)| {
            let named = categories(track).into_iter();
            named.map(|category| of_category(model, track, category, policy))
        })
        .collect()
}

fn judged(track: &TrackResults) -> impl Iterator<Item = &[SpecResult]> {
    let instances = track.dimensions.iter().flat_map(|d| &d.instances);
    instances.filter_map(|i| match &i.state {
        InstanceState::Generated(specs) => Some(specs.as_slice()),
        InstanceState::OutputFailed(..) | InstanceState::Unjudgeable(..) => None,
    })
}

fn categories(track: &TrackResults) -> BTreeSet<&str> {
    let specs = judged(track).flatten();
    specs.map(|s| s.spec.category.as_str()).collect()
}

fn of_category(model: &str, track: &TrackResults, category: &str, policy: Policy) -> CategoryScore {
    let belongs = |s: &SpecResult| s.spec.category == category;
    let rates: Vec<Rate> = judged(track)
        .filter_map(|specs| {
            let opinions = each(specs).filter_map(|o| ruled(o, policy, belongs));
            mean(opinions.collect())
        })
        .collect();
    let (instances, specifications) = (
        rates.iter().filter(|r| r.value.is_some()).count(),
        judged(track).flatten().filter(|s| belongs(s)).count(),
    );
    CategoryScore {
        model: model.to_owned(),
        track: track.track.clone(),
        category: category.to_owned(),
        score: mean(rates).as_ref().and_then(score),
        instances,
        specifications,
    }
}
