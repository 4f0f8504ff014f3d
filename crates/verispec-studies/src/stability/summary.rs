//! Means over pairs and tracks, and differences between groups of levels.

use serde::Serialize;
use verispec_stats::Undefined;
use verispec_stats::bootstrap::Replicates;

use super::pairs::{Pair, Selection, count, place, selected};
use super::{Options, TrackStability};
use crate::estimate::Estimate;
use crate::matrix::Matrix;

/// A mean over pairs of levels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Group of levels.
    pub group: String,
    /// Which pairs.
    pub selection: Selection,
    /// Pairs of levels.
    pub pairs: usize,
    /// Mean tau-b; over several tracks the unweighted mean of their means.
    pub tau_b: Estimate,
    /// Mean weighted tau.
    pub weighted_tau: Estimate,
    /// Mean rho.
    pub rho: Estimate,
    /// Pairs in tracks whose tau-b is undefined (level scores); the mean is over the others.
    pub undefined: usize,
}

/// One group minus another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Group that is taken from.
    pub minuend: String,
    /// Group that is taken away.
    pub subtrahend: String,
    /// Which pairs.
    pub selection: Selection,
    /// Difference of the mean tau-b, with a paired interval: the same draws for both.
    pub tau_b: Estimate,
}

/// Mean of what is defined.
fn mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let defined: Vec<f64> = values.flatten().collect();
    (!defined.is_empty()).then(|| defined.iter().sum::<f64>() / defined.len() as f64)
}

fn estimate(value: Option<f64>) -> Estimate {
    Estimate::of(value.ok_or(Undefined::TooFew {
        what: "pairs with a defined correlation",
        found: 0,
        need: 1,
    }))
}

/// Summaries of a track, for groups and selections that have pairs.
pub(super) fn of_track(matrix: &Matrix, pairs: &[Pair]) -> Vec<Summary> {
    let mut summaries = vec![];
    for (group, members) in matrix.groups() {
        for selection in Selection::EACH {
            let wanted = selected(matrix, &members, selection);
            if wanted.is_empty() {
                continue;
            }
            let chosen = || pairs.iter().filter(|p| wanted.contains(&p.levels));
            summaries.push(Summary {
                group: group.clone(),
                selection,
                pairs: wanted.len(),
                tau_b: estimate(mean(chosen().map(|p| p.tau_b.value))),
                weighted_tau: estimate(mean(chosen().map(|p| p.weighted_tau.value))),
                rho: estimate(mean(chosen().map(|p| p.rho.value))),
                undefined: chosen().filter(|p| p.tau_b.value.is_none()).count(),
            });
        }
    }
    summaries
}

/// Means over tracks of the tracks' means.
pub(super) fn overall(
    matrix: &Matrix,
    tracks: &[TrackStability],
    drawn: Option<&Replicates>,
    options: &Options,
) -> Vec<Summary> {
    let mut overall = vec![];
    for (group, members) in matrix.groups() {
        for selection in Selection::EACH {
            let wanted = selected(matrix, &members, selection);
            if wanted.is_empty() {
                continue;
            }
            let of = |s: &&Summary| s.group == group && s.selection == selection;
            let found = || tracks.iter().filter_map(|t| t.summaries.iter().find(of));
            let mut tau_b = estimate(mean(found().map(|s| s.tau_b.value)));
            if let Some(drawn) = drawn {
                let places = defined(drawn.estimate(), &wanted, matrix);
                let sample = drawn.derived(|row| over_tracks(row, &places));
                tau_b = options.intervals.add(tau_b, &sample, options.level);
            }
            overall.push(Summary {
                group: group.clone(),
                selection,
                pairs: wanted.len(),
                tau_b,
                weighted_tau: estimate(mean(found().map(|s| s.weighted_tau.value))),
                rho: estimate(mean(found().map(|s| s.rho.value))),
                undefined: found().map(|s| s.undefined).sum(),
            });
        }
    }
    overall
}

/// Places in a draw of these pairs, track by track, where the data (`known`) define them.
fn defined(known: &[Option<f64>], wanted: &[(usize, usize)], matrix: &Matrix) -> Vec<Vec<usize>> {
    let n = matrix.levels.len();
    let tracks = (0..known.len()).step_by(count(n).max(1));
    let of_track = |start: usize| {
        let places = wanted.iter().map(|(a, b)| start + place(*a, *b, n));
        places.filter(|p| known[*p].is_some()).collect()
    };
    tracks.map(of_track).collect()
}

/// Mean over tracks of the mean over the pairs at these places, in one draw.
fn over_tracks(row: &[Option<f64>], places: &[Vec<usize>]) -> Option<f64> {
    let mut means = vec![];
    for places in places {
        let taus: Option<Vec<f64>> = places.iter().map(|p| row[*p]).collect();
        means.push(mean(taus?.into_iter().map(Some)));
    }
    mean(means.into_iter())
}

/// Every group minus every later one, for each selection that both have.
pub(super) fn differences(
    matrix: &Matrix,
    overall: &[Summary],
    drawn: Option<&Replicates>,
    options: &Options,
) -> Vec<Difference> {
    let groups = matrix.groups();
    let mut differences = vec![];
    for (i, (minuend, first)) in groups.iter().enumerate() {
        for (subtrahend, second) in &groups[i + 1..] {
            for selection in Selection::EACH {
                let value = |group: &str| {
                    let of = |s: &&Summary| s.group == group && s.selection == selection;
                    overall.iter().find(of).and_then(|s| s.tau_b.value)
                };
                let (Some(a), Some(b)) = (value(minuend), value(subtrahend)) else {
                    continue;
                };
                let mut tau_b = Estimate::of(Ok(a - b));
                if let Some(drawn) = drawn {
                    let places = |members| {
                        let wanted = selected(matrix, members, selection);
                        defined(drawn.estimate(), &wanted, matrix)
                    };
                    let (first, second) = (places(first), places(second));
                    let sample = drawn.derived(|row| {
                        Some(over_tracks(row, &first)? - over_tracks(row, &second)?)
                    });
                    tau_b = options.intervals.add(tau_b, &sample, options.level);
                }
                differences.push(Difference {
                    minuend: minuend.clone(),
                    subtrahend: subtrahend.clone(),
                    selection,
                    tau_b,
                });
            }
        }
    }
    differences
}
