//! Scoring `board`: the rule behind every published SpecV table, faults and roundings included.
//!
//! question (two decimals) -> dimension = mean of the rounded questions, rounded -> track = mean
//! of the rounded dimensions, rounded -> average = decimal mean of the tracks, half up. What
//! is missing, unjudged or empty is decided by the policy, as in `uniform`.

mod question;
mod round;

pub(crate) use question::FINAL_ANSWER_CATEGORY;
pub use question::{QuestionScore, question_score};
pub use round::decimal_mean;

use verispec_model::score::{
    DimensionScore, ModelScore, Policy, Score, ScoreTable, TrackScore, uniform,
};
use verispec_model::{
    DimensionResults, InstanceState, ModelResults, Results, TrackResults, parallel,
};

use round::mean2;

/// Scores results by the published rule. Counters, `pooled` and `all_met` do not depend on it and
/// are those of [`uniform`].
#[must_use]
pub fn board(results: &Results, policy: Policy) -> ScoreTable {
    let mut table = uniform(results, policy);
    let models = std::mem::take(&mut table.models).into_iter();
    let models = models.zip(&results.models).collect();
    table.models = parallel::map_into(models, |(mut score, model)| {
        fill_model(&mut score, model, &results.all_tracks, policy);
        score
    });
    table
}

fn fill_model(score: &mut ModelScore, model: &ModelResults, all_tracks: &[String], policy: Policy) {
    for (track_score, track) in score.tracks.iter_mut().zip(&model.tracks) {
        fill_track(track_score, track, policy);
    }
    score.average = average(score, all_tracks);
}

fn fill_track(score: &mut TrackScore, track: &TrackResults, policy: Policy) {
    for (dim_score, dim) in score.dimensions.iter_mut().zip(&track.dimensions) {
        fill_dimension(dim_score, &track.track, dim, policy);
    }
    score.score = track_score(&score.dimensions, track, policy);
    let complete = score.dimensions.iter().all(|d| d.score.is_some());
    score.rankable = complete && score.counters.pending == 0 && !track.partial;
}

fn fill_dimension(score: &mut DimensionScore, track: &str, dim: &DimensionResults, policy: Policy) {
    let questions: Vec<(&str, Option<QuestionScore>)> = dim
        .instances
        .iter()
        .map(|i| (i.id.as_str(), question_score(track, &i.state, policy)))
        .collect();
    score.instances = questions
        .iter()
        .map(|(id, q)| ((*id).to_owned(), q.and_then(|q| q.score)))
        .collect();
    let counted: Vec<QuestionScore> = questions.into_iter().filter_map(|(_, q)| q).collect();
    score.score = if counted.is_empty() && is_published_zero(dim, policy) {
        Some(exactly(0.0))
    } else {
        mean_of(&counted, policy)
    };
}

/// The release gives 0 for a folder without files. What nobody can judge is not such a folder.
fn is_published_zero(dim: &DimensionResults, policy: Policy) -> bool {
    policy.empty_dimension_is_zero && dim.folder_present && only_output_failures(dim)
}

fn only_output_failures(dim: &DimensionResults) -> bool {
    dim.instances
        .iter()
        .all(|i| matches!(i.state, InstanceState::OutputFailed(..)))
}

fn mean_of(questions: &[QuestionScore], policy: Policy) -> Option<Score> {
    let column = |f: fn(&QuestionScore) -> f64| questions.iter().map(f).collect::<Vec<f64>>();
    let values: Vec<f64> = questions.iter().filter_map(|q| q.score).collect();
    Some(Score {
        value: mean2(&values, policy.sum)?,
        exact: None,
        low: mean2(&column(|q| q.low), policy.sum)?,
        high: mean2(&column(|q| q.high), policy.sum)?,
    })
}

fn track_score(
    dimensions: &[DimensionScore],
    track: &TrackResults,
    policy: Policy,
) -> Option<Score> {
    let scores: Vec<&Score> = dimensions.iter().filter_map(|d| d.score.as_ref()).collect();
    let nothing = scores.is_empty() && track.dimensions.iter().all(only_output_failures);
    if nothing && policy.empty_dimension_is_zero {
        return Some(exactly(0.0));
    }
    let mean =
        |f: fn(&Score) -> f64| mean2(&scores.iter().map(|s| f(s)).collect::<Vec<_>>(), policy.sum);
    Some(Score {
        value: mean(|s| s.value)?,
        exact: None,
        low: mean(|s| s.low)?,
        high: mean(|s| s.high)?,
    })
}

/// Mean over all tracks of the suite; a model that lacks one has none.
fn average(model: &ModelScore, all_tracks: &[String]) -> Option<Score> {
    let scores: Vec<&Score> = all_tracks
        .iter()
        .map(|track| model.track(track).and_then(|t| t.score.as_ref()))
        .collect::<Option<_>>()?;
    let mean =
        |f: fn(&Score) -> f64| decimal_mean(&scores.iter().map(|s| f(s)).collect::<Vec<_>>());
    Some(Score {
        value: mean(|s| s.value)?,
        exact: None,
        low: mean(|s| s.low)?,
        high: mean(|s| s.high)?,
    })
}

const fn exactly(value: f64) -> Score {
    Score {
        value,
        exact: None,
        low: value,
        high: value,
    }
}
