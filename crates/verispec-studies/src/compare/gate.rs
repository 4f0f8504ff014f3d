//! May this go on? A verdict on the paired difference: is it at least so much?
//!
//! With difference d (candidate minus baseline, percent points), limit D and error rate a:
//!
//! ```text
//! worse:  the 1-a upper bound of d is below D, and the sign-flip test of d = D says so at a
//! better: the 1-a lower bound of d is at least D, and the test says so at a
//! unsure: everything else
//! ```
//!
//! Both have to agree: the bootstrap alone is too sure with few instances, where the test cannot
//! reject. The test is on the same statistic as the interval: differences minus D, weighted as in
//! the score, summed over instances that share a source image.

use serde::Serialize;
use verispec_stats::hypothesis::{SignFlip, cluster_sums, sign_flip};

use super::{Common, Options, average, track};
use crate::estimate::Estimate;
use crate::matrix::{Matrix, TrackMatrix};

/// What has to hold to pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Require {
    /// Nothing shows that the difference is below the limit.
    #[default]
    NotWorse,
    /// The difference is shown to be at least the limit.
    Better,
}

/// What a gate asks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GateOptions {
    /// What has to hold.
    pub require: Require,
    /// Limit D on candidate minus baseline, percent points (-100 to 100).
    pub min_delta: f64,
    /// One-sided error rate in (0, 0.5), over all checks together (Bonferroni).
    pub alpha: f64,
    /// Smallest share of the instances of either side that both have a score on, 0-1.
    pub min_common: f64,
    /// Check each track instead of their average.
    pub each_track: bool,
    /// Draws of the bootstrap and of the test.
    pub draws: usize,
    /// Seed of both.
    pub seed: u64,
}

/// What the data show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// The difference is below the limit.
    Worse,
    /// The difference is at least the limit.
    Better,
    /// Neither is shown.
    Unsure,
    /// There is no difference to look at.
    Undefined,
}

/// One check: a track, or the average over tracks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    /// Track, or `average`.
    pub name: String,
    /// Score of the baseline on the common instances, percent; `None` for the average.
    pub baseline: Option<f64>,
    /// Score of the candidate on the same instances.
    pub candidate: Option<f64>,
    /// Candidate minus baseline in percent points; the ends of its interval are the two one-sided
    /// bounds, so its coverage is 1 - 2 alpha.
    pub difference: Estimate,
    /// One-sided p that the difference is not below the limit (small: it is worse).
    pub p_worse: Option<f64>,
    /// One-sided p that the difference is not above the limit (small: it is better).
    pub p_better: Option<f64>,
    /// Instances that both have a score on.
    pub common: usize,
    /// Instances of either side.
    pub instances: usize,
    /// What the data show.
    pub shown: Shown,
    /// Whether the check passes.
    pub passed: bool,
    /// Why it does, or does not, in words.
    pub reason: String,
}

/// A gate with its checks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gate {
    /// Whether all checks pass; there is at least one.
    pub passed: bool,
    /// What had to hold.
    pub require: Require,
    /// The limit, percent points.
    pub min_delta: f64,
    /// Error rate over all checks together.
    pub alpha: f64,
    /// Error rate of each check.
    pub alpha_each: f64,
    /// Smallest share of common instances that was asked for.
    pub min_common: f64,
    /// The checks.
    pub checks: Vec<Check>,
}

/// Runs a gate on the only model of a matrix whose first level is the baseline and whose second is
/// the candidate. Build the matrix with both models under one name.
///
/// A difference that is not defined never passes.
#[must_use]
pub fn gate(matrix: &Matrix, options: GateOptions) -> Gate {
    let single = options.each_track || matrix.tracks.len() < 2;
    let n = if single { matrix.tracks.len() } else { 1 };
    let alpha_each = options.alpha / n.max(1) as f64;
    let draw = Options {
        draws: options.draws,
        seed: options.seed,
        level: 1.0 - 2.0 * alpha_each,
    };
    let checks: Vec<Check> = if single {
        let tracks = matrix.tracks.iter();
        tracks
            .map(|t| {
                let found = track(t, draw);
                let scores = (found.first, found.second);
                let parts = std::slice::from_ref(t);
                check(
                    &t.name,
                    parts,
                    scores,
                    found.difference,
                    options,
                    alpha_each,
                )
            })
            .collect()
    } else {
        let missing = verispec_stats::Undefined::TooFew {
            what: "common instances",
            found: 0,
            need: 1,
        };
        // A track without a common instance would silently leave the average.
        let whole = matrix
            .tracks
            .iter()
            .all(|t| !Common::of(t).values.is_empty());
        let found = whole.then(|| average(matrix, draw)).flatten();
        let difference = found.unwrap_or_else(|| Estimate::of(Err(missing)));
        let none = (None, None);
        vec![check(
            "average",
            &matrix.tracks,
            none,
            difference,
            options,
            alpha_each,
        )]
    };
    Gate {
        passed: !checks.is_empty() && checks.iter().all(|c| c.passed),
        require: options.require,
        min_delta: options.min_delta,
        alpha: options.alpha,
        alpha_each,
        min_common: options.min_common,
        checks,
    }
}

fn check(
    name: &str,
    tracks: &[TrackMatrix],
    (baseline, candidate): (Option<f64>, Option<f64>),
    difference: Estimate,
    options: GateOptions,
    alpha: f64,
) -> Check {
    let test = test(tracks, options);
    let sided = test.map(|t| one_sided(&t));
    let shown = shown(&difference, sided, options.min_delta, alpha);
    let common = tracks.iter().map(|t| Common::of(t).values.len()).sum();
    let instances = tracks.iter().map(|t| t.units.len()).sum();
    let enough = common as f64 >= options.min_common * instances as f64;
    let passed = enough
        && match options.require {
            Require::NotWorse => matches!(shown, Shown::Better | Shown::Unsure),
            Require::Better => shown == Shown::Better,
        };
    let mut found = Check {
        name: name.to_owned(),
        baseline,
        candidate,
        difference,
        p_worse: sided.map(|(worse, _)| worse),
        p_better: sided.map(|(_, better)| better),
        common,
        instances,
        shown,
        passed,
        reason: String::new(),
    };
    found.reason = reason(&found, enough, options);
    found
}

/// Test that the differences are symmetric around the limit, each weighted as in the score, so
/// that their sum is the difference minus the limit.
fn test(tracks: &[TrackMatrix], options: GateOptions) -> Option<SignFlip> {
    let (mut values, mut clusters) = (vec![], vec![]);
    let mut before = 0;
    for track in tracks {
        let common = Common::of(track);
        let dimensions = common.track.dimensions.len();
        let mut sizes = vec![0_usize; dimensions];
        common.values.iter().for_each(|(d, _)| sizes[*d] += 1);
        for (unit, (dimension, value)) in common.track.units.iter().zip(&common.values) {
            let weight = (sizes[*dimension] * dimensions * tracks.len()) as f64;
            values.push((value.as_ref()? - options.min_delta) / weight);
            clusters.push(before + unit.cluster);
        }
        // Cluster numbers are unique inside a track only.
        before += track.units.iter().map(|u| u.cluster + 1).max().unwrap_or(0);
    }
    let sums = cluster_sums(&values, &clusters).ok()?;
    sign_flip(&sums, options.draws as u64, options.seed).ok()
}

/// One-sided p-values, for worse and for better than the limit. The distribution under sign flips
/// is symmetric, so the side that the data lean to has half the two-sided p.
fn one_sided(test: &SignFlip) -> (f64, f64) {
    let half = test.p / 2.0;
    if test.mean < 0.0 {
        (half, 1.0 - half)
    } else if test.mean > 0.0 {
        (1.0 - half, half)
    } else {
        (0.5, 0.5)
    }
}

fn shown(difference: &Estimate, sided: Option<(f64, f64)>, limit: f64, alpha: f64) -> Shown {
    let (Some(_), Some(interval), Some((worse, better))) =
        (difference.value, difference.interval, sided)
    else {
        return Shown::Undefined;
    };
    if interval.high < limit && worse <= alpha {
        Shown::Worse
    } else if interval.low >= limit && better <= alpha {
        Shown::Better
    } else {
        Shown::Unsure
    }
}

fn reason(check: &Check, enough: bool, options: GateOptions) -> String {
    if !enough {
        return format!(
            "only {} of {} instances have a score on both sides; at least {} are asked for",
            check.common, check.instances, options.min_common
        );
    }
    let limit = options.min_delta;
    match (check.shown, options.require) {
        (Shown::Worse, _) => format!("the difference is shown to be below {limit}"),
        (Shown::Better, _) => format!("the difference is shown to be at least {limit}"),
        (Shown::Unsure, Require::NotWorse) => {
            format!("nothing shows that the difference is below {limit}")
        }
        (Shown::Unsure, Require::Better) => {
            format!("the difference is not shown to be at least {limit}")
        }
        (Shown::Undefined, _) => "there is no difference: no common instances".to_owned(),
    }
}

#[cfg(test)]
mod tests;
