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

use super::{Common, Options, average, too_few_common};
use crate::estimate::Estimate;
use crate::matrix::Matrix;

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

/// A track that the baseline has and the candidate did not enter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lacking {
    /// Track.
    pub track: String,
    /// The baseline's instances in it.
    pub instances: usize,
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
/// A difference that is not defined never passes, nor does a track that the candidate lacks: it is
/// no track of the matrix, so it is named beside.
#[must_use]
pub fn gate(matrix: &Matrix, lacking: &[Lacking], options: GateOptions) -> Gate {
    let single = options.each_track || matrix.tracks.len() < 2;
    let n = if single { matrix.tracks.len() } else { 1 };
    let alpha_each = options.alpha / n.max(1) as f64;
    let draw = Options {
        draws: options.draws,
        seed: options.seed,
        level: 1.0 - 2.0 * alpha_each,
    };
    let parts: Vec<Common> = matrix.tracks.iter().map(Common::of).collect();
    let mut checks: Vec<Check> = if single {
        let tracks = matrix.tracks.iter().zip(&parts);
        tracks
            .map(|(track, common)| {
                let asked = Asked {
                    name: &track.name,
                    parts: std::slice::from_ref(common),
                    instances: track.units.len(),
                };
                let difference = common.difference(draw);
                check(asked, common.scores(track), difference, options, alpha_each)
            })
            .collect()
    } else {
        let asked = Asked {
            name: "average",
            parts: &parts,
            instances: matrix.tracks.iter().map(|t| t.units.len()).sum(),
        };
        // A track without a common instance would silently leave the average.
        let whole = parts.iter().all(|p| !p.values.is_empty());
        let found = whole.then(|| average(&parts, draw)).flatten();
        let difference = found.unwrap_or_else(nothing_common);
        vec![check(asked, (None, None), difference, options, alpha_each)]
    };
    checks.extend(lacking.iter().map(absent));
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

fn nothing_common() -> Estimate {
    Estimate::of(Err(too_few_common(0)))
}

/// The check of a track that the candidate lacks: leaving out what one is bad at is no way to pass.
fn absent(lacking: &Lacking) -> Check {
    Check {
        name: lacking.track.clone(),
        baseline: None,
        candidate: None,
        difference: nothing_common(),
        p_worse: None,
        p_better: None,
        common: 0,
        instances: lacking.instances,
        shown: Shown::Undefined,
        passed: false,
        reason: "the baseline has this track and the candidate did not enter it".to_owned(),
    }
}

/// What a check is about.
struct Asked<'a> {
    name: &'a str,
    parts: &'a [Common],
    /// Instances of either side.
    instances: usize,
}

fn check(
    asked: Asked<'_>,
    (baseline, candidate): (Option<f64>, Option<f64>),
    difference: Estimate,
    options: GateOptions,
    alpha: f64,
) -> Check {
    let Asked {
        name,
        parts,
        instances,
    } = asked;
    let test = test(parts, options);
    let sided = test.map(|t| one_sided(&t));
    let shown = shown(&difference, sided, options.min_delta, alpha);
    let common = parts.iter().map(|p| p.values.len()).sum();
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
fn test(parts: &[Common], options: GateOptions) -> Option<SignFlip> {
    let (mut values, mut clusters) = (vec![], vec![]);
    let mut before = 0;
    for common in parts {
        let units = &common.track.units;
        let dimensions = common.track.dimensions.len();
        let mut sizes = vec![0_usize; dimensions];
        common.values.iter().for_each(|(d, _)| sizes[*d] += 1);
        for (unit, (dimension, value)) in units.iter().zip(&common.values) {
            let weight = (sizes[*dimension] * dimensions * parts.len()) as f64;
            values.push((value.as_ref()? - options.min_delta) / weight);
            clusters.push(before + unit.cluster);
        }
        // Cluster numbers are unique inside a track only.
        before += units.iter().map(|u| u.cluster + 1).max().unwrap_or(0);
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
