//! How scores go with the size of a task, and how two kinds of tracks go together: plain means,
//! no test and no fit.

use std::collections::HashMap;

use serde::Serialize;

use super::table::{ModelScore, ScoreTable};
use crate::results::Results;

/// Most groups of K that a track is cut into.
const GROUPS: usize = 6;

/// Mean score of a model's instances that have `from..=to` specifications.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComplexityPoint {
    /// Smallest number of specifications K in the group.
    pub from: usize,
    /// Largest K in the group.
    pub to: usize,
    /// Unweighted mean of K over the instances behind `score`.
    pub mean_k: f64,
    /// Unweighted mean of instance scores, percent.
    pub score: f64,
    /// Instances behind it, those with a defined score.
    pub instances: usize,
}

/// A model's scores against K in one track.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComplexityCurve {
    /// Track.
    pub track: String,
    /// Model.
    pub model: String,
    /// Points by rising K; groups without a defined score are left out.
    pub points: Vec<ComplexityPoint>,
}

/// Scores against the number of specifications K (SpecV's constraint complexity), a curve for each
/// track and model.
///
/// The groups are the same for all models of a track: at most six runs of neighbouring K that hold
/// about equally many tasks. A track whose tasks all have the same K has no curve.
#[must_use]
pub fn complexity(results: &Results, table: &ScoreTable) -> Vec<ComplexityCurve> {
    let sizes = sizes(results);
    let mut curves = vec![];
    for track in &table.all_tracks {
        let Some(sizes) = sizes.get(track.as_str()) else {
            continue;
        };
        let groups = groups(sizes.values().copied().collect());
        if groups.len() < 2 {
            continue;
        }
        for model in &table.models {
            let points = points(model, track, sizes, &groups);
            if !points.is_empty() {
                curves.push(ComplexityCurve {
                    track: track.clone(),
                    model: model.model.clone(),
                    points,
                });
            }
        }
    }
    curves
}

/// K of each task by track and id: the largest that any model's result has, since a repeated or
/// pooled result holds a specification more than once.
fn sizes(results: &Results) -> HashMap<&str, HashMap<&str, usize>> {
    let mut sizes: HashMap<&str, HashMap<&str, usize>> = HashMap::new();
    for track in results.models.iter().flat_map(|m| &m.tracks) {
        let known = sizes.entry(track.track.as_str()).or_default();
        for item in track.dimensions.iter().flat_map(|d| &d.instances) {
            let k = item.state.distinct_specs();
            let slot = known.entry(item.id.as_str()).or_default();
            *slot = k.max(*slot);
        }
    }
    sizes
}

/// Cuts the values into at most [`GROUPS`] ranges of about equally many; equal values stay
/// together.
fn groups(mut sizes: Vec<usize>) -> Vec<(usize, usize)> {
    sizes.sort_unstable();
    let wanted = sizes.len().div_ceil(GROUPS).max(1);
    let mut groups: Vec<(usize, usize)> = vec![];
    let mut held = 0;
    for k in sizes {
        match groups.last_mut() {
            Some(last) if last.1 == k || held < wanted => {
                last.1 = k;
                held += 1;
            }
            _ => {
                groups.push((k, k));
                held = 1;
            }
        }
    }
    groups
}

fn points(
    model: &ModelScore,
    track: &str,
    sizes: &HashMap<&str, usize>,
    groups: &[(usize, usize)],
) -> Vec<ComplexityPoint> {
    let dimensions = model.track(track).into_iter().flat_map(|t| &t.dimensions);
    let scored: Vec<(usize, f64)> = dimensions
        .flat_map(|d| &d.instances)
        .filter_map(|(id, score)| Some((*sizes.get(id.as_str())?, (*score)?)))
        .collect();
    let point = |&(from, to): &(usize, usize)| {
        let inside = || scored.iter().filter(|(k, _)| (from..=to).contains(k));
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        let (n, k) = (
            inside().count() as f64,
            inside().map(|(k, _)| *k).sum::<usize>() as f64,
        );
        (n > 0.0).then(|| ComplexityPoint {
            from,
            to,
            mean_k: k / n,
            score: inside().map(|(_, s)| s).sum::<f64>() / n,
            instances: inside().count(),
        })
    };
    groups.iter().filter_map(point).collect()
}

/// Two numbers of each model side by side, for instance understanding and generation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contrast {
    /// What the first number is: tracks, joined by ` + `.
    pub x: String,
    /// What the second number is.
    pub y: String,
    /// Model, first and second number, percent; models that lack one are left out.
    pub points: Vec<(String, f64, f64)>,
}

/// Means over two groups of tracks. Of each group, only the tracks count that every model with a
/// number in both groups has a score in, so that all points mean the same. `None` when that leaves
/// a group empty or there is no such model.
#[must_use]
pub fn contrast(table: &ScoreTable, x: &[&str], y: &[&str]) -> Option<Contrast> {
    let value = |m: &ModelScore, t: &str| m.track(t)?.score.as_ref().map(|s| s.value);
    let has_any = |m: &ModelScore, tracks: &[&str]| tracks.iter().any(|t| value(m, t).is_some());
    let models: Vec<&ModelScore> = table
        .models
        .iter()
        .filter(|m| has_any(m, x) && has_any(m, y))
        .collect();
    let common = |tracks: &[&str]| -> Vec<String> {
        let all_have = |t: &&&str| models.iter().all(|m| value(m, t).is_some());
        tracks
            .iter()
            .filter(all_have)
            .map(|t| (*t).to_owned())
            .collect()
    };
    let (x, y) = (common(x), common(y));
    if models.is_empty() || x.is_empty() || y.is_empty() {
        return None;
    }
    let mean = |m: &ModelScore, tracks: &[String]| {
        let sum: f64 = tracks.iter().filter_map(|t| value(m, t)).sum();
        #[expect(clippy::cast_precision_loss, reason = "a handful of tracks")]
        let n = tracks.len() as f64;
        sum / n
    };
    let points = models
        .iter()
        .map(|m| (m.model.clone(), mean(m, &x), mean(m, &y)))
        .collect();
    Some(Contrast {
        x: x.join(" + "),
        y: y.join(" + "),
        points,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{Counters, DimensionScore, Policy, Score, TrackScore};
    use crate::{
        DimensionResults, InstanceResult, InstanceState, Measure, ModelResults, OutputFailure,
        TrackResults,
    };

    fn score(value: f64) -> Score {
        Score {
            value,
            exact: None,
            low: value,
            high: value,
        }
    }

    fn track(name: &str, value: f64, instances: Vec<(String, Option<f64>)>) -> TrackScore {
        TrackScore {
            track: name.into(),
            score: Some(score(value)),
            pooled: None,
            all_met: None,
            dimensions: vec![DimensionScore {
                name: "d".into(),
                score: None,
                counters: Counters::default(),
                instances,
            }],
            counters: Counters::default(),
            rankable: true,
        }
    }

    fn model(name: &str, tracks: Vec<TrackScore>) -> ModelScore {
        ModelScore {
            model: name.into(),
            tracks,
            average: None,
            counters: Counters::default(),
        }
    }

    fn table(models: Vec<ModelScore>) -> ScoreTable {
        ScoreTable {
            suite: "s".into(),
            policy: Policy::default(),
            all_tracks: vec!["u".into(), "g".into(), "h".into()],
            models,
        }
    }

    #[test]
    fn groups_hold_equal_values_together() {
        assert_eq!(groups(vec![3; 10]), [(3, 3)]);
        assert_eq!(groups((1..=6).collect()).len(), 6);
        assert_eq!(
            groups((1..=12).collect()),
            [(1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12)]
        );
        assert_eq!(groups(vec![1, 1, 1, 9]), [(1, 1), (9, 9)]);
        assert!(groups(vec![]).is_empty());
    }

    #[test]
    fn a_point_is_the_mean_of_defined_scores() {
        let ks = [2, 2, 2, 8, 8, 8];
        let instances = ks.iter().enumerate().map(|(i, k)| InstanceResult {
            id: format!("i{i}"),
            state: InstanceState::OutputFailed(OutputFailure::Missing, *k),
        });
        let results = Results {
            suite: "s".into(),
            all_tracks: vec!["u".into()],
            models: vec![ModelResults {
                model: "m".into(),
                tracks: vec![TrackResults {
                    track: "u".into(),
                    dimensions: vec![DimensionResults {
                        name: "d".into(),
                        instances: instances.collect(),
                        folder_present: true,
                    }],
                    partial: false,
                }],
            }],
            measure: Measure::Specifications,
            warnings: vec![],
        };
        let scores = [Some(100.0), Some(50.0), None, Some(25.0), None, None];
        let scores = scores.iter().enumerate();
        let scores = scores.map(|(i, s)| (format!("i{i}"), *s)).collect();
        let table = table(vec![model("m", vec![track("u", 50.0, scores)])]);
        let curves = complexity(&results, &table);
        assert_eq!(curves.len(), 1);
        let point = |k: usize, score, instances| ComplexityPoint {
            from: k,
            to: k,
            #[expect(clippy::cast_precision_loss, reason = "small")]
            mean_k: k as f64,
            score,
            instances,
        };
        assert_eq!(curves[0].points, [point(2, 75.0, 2), point(8, 25.0, 1)]);
    }

    #[test]
    fn a_contrast_uses_tracks_that_all_its_models_have() {
        let t = |name: &str, value| track(name, value, vec![]);
        let table = table(vec![
            model("a", vec![t("u", 80.0), t("g", 60.0), t("h", 20.0)]),
            model("b", vec![t("u", 70.0), t("g", 50.0)]),
            model("c", vec![t("g", 10.0)]),
        ]);
        let found = contrast(&table, &["u"], &["g", "h"]).unwrap();
        assert_eq!((found.x.as_str(), found.y.as_str()), ("u", "g"));
        assert_eq!(
            found.points,
            [("a".into(), 80.0, 60.0), ("b".into(), 70.0, 50.0)]
        );
        assert_eq!(contrast(&table, &["x"], &["g"]), None);
    }
}
