//! Pairwise accuracy with ties, and the choice of a tie threshold.
//!
//! D. Deutsch, G. Foster, M. Freitag, "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise
//! Accuracy and Tie Calibration", EMNLP 2023 (arXiv 2305.14324).

use super::ranks::by_value;
use crate::{Defined, Undefined, undefined::paired};
use serde::Serialize;

/// How the pairs of objects fall when a metric is held against gold scores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PairTable {
    /// Ordered by both, alike.
    pub concordant: u64,
    /// Ordered by both, oppositely.
    pub discordant: u64,
    /// Tied by gold only.
    pub tied_gold: u64,
    /// Tied by the metric only.
    pub tied_metric: u64,
    /// Tied by both.
    pub tied_both: u64,
}

impl PairTable {
    /// All pairs.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.concordant + self.discordant + self.tied_gold + self.tied_metric + self.tied_both
    }

    /// acc_eq = (concordant + tied by both) / all pairs, in 0..=1 (equation 6 of the paper).
    ///
    /// # Errors
    /// [`Undefined::NoPairs`].
    pub fn accuracy(&self) -> Defined<f64> {
        match self.total() {
            0 => Err(Undefined::NoPairs),
            total => Ok((self.concordant + self.tied_both) as f64 / total as f64),
        }
    }
}

/// Compares all pairs, O(n^2). Gold scores tie when equal; metric scores tie when they differ by
/// at most `epsilon`.
///
/// # Errors
/// Lengths that differ, values that are not finite, a negative `epsilon`.
pub fn pair_table(gold: &[f64], metric: &[f64], epsilon: f64) -> Defined<PairTable> {
    paired(gold, metric, 0)?;
    if !(epsilon >= 0.0 && epsilon.is_finite()) {
        return Err(Undefined::OutOfRange {
            input: "epsilon",
            found: epsilon,
            range: "[0, inf)",
        });
    }
    let mut table = PairTable::default();
    for (i, j) in pairs(gold.len()) {
        let by_gold = gold[i] - gold[j];
        let by_metric = metric[i] - metric[j];
        let counter = match (by_gold == 0.0, by_metric.abs() <= epsilon) {
            (true, true) => &mut table.tied_both,
            (true, false) => &mut table.tied_gold,
            (false, true) => &mut table.tied_metric,
            (false, false) if (by_gold > 0.0) == (by_metric > 0.0) => &mut table.concordant,
            (false, false) => &mut table.discordant,
        };
        *counter += 1;
    }
    Ok(table)
}

fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)))
}

/// A tie threshold and the accuracy it gives.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Calibrated {
    /// The smallest threshold with the best accuracy, in units of the metric.
    pub epsilon: f64,
    /// Mean accuracy over groups at that threshold, in 0..=1. Chosen on the same data, so that it
    /// flatters the metric; calibrate on one part and measure on another where that matters.
    pub accuracy: f64,
    /// Mean accuracy over groups without a threshold (ties are equal scores).
    pub uncalibrated: f64,
    /// Groups that have a pair.
    pub groups: usize,
    /// Pairs in all groups.
    pub pairs: u64,
}

/// Chooses the tie threshold of a metric: acc*_eq of the paper, pairs compared within groups (one
/// group per instance: "group by item") and accuracy averaged over the groups that have a pair.
/// Each group is (gold, metric). O(P log P) for P pairs.
///
/// # Errors
/// As [`pair_table`]; [`Undefined::NoPairs`].
pub fn calibrate_ties(groups: &[(&[f64], &[f64])]) -> Defined<Calibrated> {
    let mut used = Vec::new();
    let mut total = 0;
    for &(gold, metric) in groups {
        let pairs = pair_table(gold, metric, 0.0)?.total();
        total += pairs;
        if pairs > 0 {
            used.push((gold, metric));
        }
    }
    if used.is_empty() {
        return Err(Undefined::NoPairs);
    }
    let mean = |epsilon: f64| -> Defined<f64> {
        let mut sum = 0.0;
        for &(gold, metric) in &used {
            sum += pair_table(gold, metric, epsilon)?.accuracy()?;
        }
        Ok(sum / used.len() as f64)
    };
    let epsilon = best_threshold(&used);
    Ok(Calibrated {
        epsilon,
        accuracy: mean(epsilon)?,
        uncalibrated: mean(0.0)?,
        groups: used.len(),
        pairs: total,
    })
}

/// Walks the threshold through all differences of the metric. A pair that becomes tied turns right
/// if gold ties it, wrong if it was concordant, and stays wrong if it was discordant.
fn best_threshold(groups: &[(&[f64], &[f64])]) -> f64 {
    let mut changes: Vec<(f64, f64)> = Vec::new();
    for (gold, metric) in groups {
        let n = gold.len();
        let weight = 2.0 / (n * (n - 1)) as f64;
        for (i, j) in pairs(n) {
            let by_gold = gold[i] - gold[j];
            let by_metric = metric[i] - metric[j];
            if by_metric == 0.0 {
                continue;
            }
            if by_gold == 0.0 {
                changes.push((by_metric.abs(), weight));
            } else if (by_gold > 0.0) == (by_metric > 0.0) {
                changes.push((by_metric.abs(), -weight));
            }
        }
    }
    changes.sort_by(|a, b| by_value(a.0, b.0));
    // Sums of weights carry rounding noise: a later threshold must be better by more than that.
    let noise = 1e-12 * groups.len() as f64;
    let (mut best, mut best_gain, mut gain) = (0.0, 0.0, 0.0);
    for run in changes.chunk_by(|a, b| a.0 == b.0) {
        gain += run.iter().map(|change| change.1).sum::<f64>();
        if gain > best_gain + noise {
            (best, best_gain) = (run[0].0, gain);
        }
    }
    best
}
