//! The default rule: every specification weighs 1/K in its instance.
//!
//! Source: SpecV's paper, score = (1/K) sum of v_k. One changed verdict moves an instance by
//! exactly 1/K. Dimension = mean of instances, track = mean of dimensions, average = mean of
//! tracks, all unweighted and all in exact fractions.

use super::count::Counters;
use super::opinion::{Rate, each, instance, mean};
use super::ratio::Ratio;
use super::table::{
    DimensionScore, MissingRule, ModelScore, Policy, Score, ScoreTable, Scoring, TrackScore,
    UnjudgedRule,
};
use crate::parallel;
use crate::results::{DimensionResults, InstanceState, ModelResults, Results, TrackResults};
use crate::vote::Measure;

/// Scores results by the default rule. Grades of whole instances are always scored, and named, as
/// [`Scoring::Holistic`]: instance = grade as a share of its scale, means above that.
#[must_use]
pub fn uniform(results: &Results, mut policy: Policy) -> ScoreTable {
    if results.measure == Measure::Holistic {
        policy.scoring = Scoring::Holistic;
    }
    ScoreTable {
        suite: results.suite.clone(),
        policy,
        all_tracks: results.all_tracks.clone(),
        models: parallel::map(&results.models, |m| model(m, &results.all_tracks, policy)),
    }
}

fn dimension(dim: &DimensionResults, policy: Policy) -> (DimensionScore, Option<Rate>) {
    let mut counters = Counters::default();
    let (mut values, mut lows, mut highs) = (vec![], vec![], vec![]);
    let mut instances = vec![];
    for item in &dim.instances {
        counters += &Counters::of(&item.state);
        let rate = instance(&item.state, policy);
        let value = rate
            .as_ref()
            .and_then(|r| r.value.as_ref())
            .map(Ratio::percent);
        instances.push((item.id.clone(), value));
        if let Some(rate) = rate {
            values.extend(rate.value);
            lows.push(rate.low);
            highs.push(rate.high);
        }
    }
    let rate = Ratio::mean(&lows)
        .zip(Ratio::mean(&highs))
        .map(|(low, high)| Rate {
            value: Ratio::mean(&values),
            low,
            high,
        });
    let score = rate.as_ref().and_then(score);
    (
        DimensionScore {
            name: dim.name.clone(),
            score,
            counters,
            instances,
        },
        rate,
    )
}

pub(super) fn score(rate: &Rate) -> Option<Score> {
    let exact = rate.value.clone()?;
    Some(Score {
        value: exact.percent(),
        low: rate.low.percent(),
        high: rate.high.percent(),
        exact: Some(exact),
    })
}

fn track(results: &TrackResults, policy: Policy) -> (TrackScore, Option<Rate>) {
    let mut counters = Counters::default();
    let (mut rates, mut dimensions) = (vec![], vec![]);
    for dim in &results.dimensions {
        let (dim_score, rate) = dimension(dim, policy);
        counters += &dim_score.counters;
        rates.extend(rate);
        dimensions.push(dim_score);
    }
    let rate = mean(rates);
    let complete = dimensions.iter().all(|d| d.score.is_some()) && counters.pending == 0;
    let pooled = pooled(&counters, policy);
    let track = TrackScore {
        track: results.track.clone(),
        score: rate.as_ref().and_then(score),
        pooled: pooled.as_ref().map(Ratio::percent),
        all_met: all_met(results, policy).as_ref().map(Ratio::percent),
        dimensions,
        counters,
        rankable: complete && !results.partial,
    };
    (track, rate)
}

/// Met over judged, over all specifications of a track; with what a policy adds to the
/// denominator. Where specifications after the first miss were not asked, what is judged is no
/// sample of all: nothing is pooled.
pub(crate) fn pooled(c: &Counters, policy: Policy) -> Option<Ratio> {
    if policy.scoring == Scoring::Holistic || c.not_asked > 0 {
        return None;
    }
    let failed = if policy.missing == MissingRule::Zero {
        c.output_failed
    } else {
        0
    };
    let na = if policy.unjudged == UnjudgedRule::Na {
        c.unjudged
    } else {
        0
    };
    Ratio::new(c.met, c.judged + failed + na)
}

/// Share of decided instances with everything met. One unmet specification decides an instance;
/// else one undecided specification leaves it undecided. Where an instance has several opinions,
/// each counts.
pub(crate) fn all_met(results: &TrackResults, policy: Policy) -> Option<Ratio> {
    if policy.scoring == Scoring::Holistic {
        return None;
    }
    let decided = results
        .dimensions
        .iter()
        .flat_map(|d| &d.instances)
        .filter_map(|i| all_met_instance(&i.state, policy))
        .collect::<Vec<Ratio>>();
    Ratio::mean(&decided)
}

fn all_met_instance(state: &InstanceState, policy: Policy) -> Option<Ratio> {
    match state {
        InstanceState::Unjudgeable(..) => None,
        InstanceState::OutputFailed(..) => (policy.missing == MissingRule::Zero).then(Ratio::zero),
        InstanceState::Generated(specs) => {
            let decided: Vec<bool> = each(specs)
                .filter_map(|o| all_met_opinion(&Counters::of_specs(o), o.len(), policy))
                .collect();
            Ratio::new(decided.iter().filter(|m| **m).count(), decided.len())
        }
    }
}

pub(super) fn all_met_opinion(c: &Counters, k: usize, policy: Policy) -> Option<bool> {
    let na = c.unjudged > 0 && policy.unjudged == UnjudgedRule::Na;
    if c.judged > c.met || na {
        return Some(false);
    }
    (c.judged == k).then_some(true)
}

fn model(results: &ModelResults, all_tracks: &[String], policy: Policy) -> ModelScore {
    let mut counters = Counters::default();
    let (mut rates, mut tracks) = (vec![], vec![]);
    for t in &results.tracks {
        let (track_score, rate) = track(t, policy);
        counters += &track_score.counters;
        rates.extend(rate);
        tracks.push(track_score);
    }
    let entered_all = all_tracks.iter().all(|t| {
        tracks
            .iter()
            .any(|s: &TrackScore| s.track == *t && s.score.is_some())
    });
    let average = if entered_all {
        mean(rates).as_ref().and_then(score)
    } else {
        None
    };
    ModelScore {
        model: results.model.clone(),
        tracks,
        average,
        counters,
    }
}
