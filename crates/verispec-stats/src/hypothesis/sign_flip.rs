//! The paired sign-flip test.

use crate::{
    Defined, Undefined,
    random::{Purpose, Stream},
    undefined::{at_least, finite, same_length},
};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;

/// Up to this many differences other than 0 all sign patterns are counted, 2^20 at most.
pub const MAX_EXACT_DIFFERENCES: usize = 20;

/// How the p-value of a sign-flip test was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "method")]
pub enum SignFlipMethod {
    /// All sign patterns were counted.
    Exact {
        /// Patterns at least as extreme as the data.
        as_extreme: u64,
        /// All patterns.
        patterns: u64,
    },
    /// Random patterns were drawn.
    MonteCarlo {
        /// Draws at least as extreme as the data.
        as_extreme: u64,
        /// All draws.
        draws: u64,
        /// The seed that repeats them.
        seed: u64,
    },
}

/// Result of a sign-flip test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SignFlip {
    /// Mean difference, in the units of the data.
    pub mean: f64,
    /// Two-sided p-value in (0, 1].
    pub p: f64,
    /// Differences.
    pub n: usize,
    /// Differences that are not 0, the only ones that tell anything.
    pub nonzero: usize,
    /// How `p` was made.
    pub method: SignFlipMethod,
}

/// Tests that paired differences are symmetric around 0 (R. Fisher 1935, E. Pitman 1937): the share
/// of sign patterns whose |sum| is at least the observed one.
///
/// Exact up to [`MAX_EXACT_DIFFERENCES`] differences other than 0; beyond that `draws` random
/// patterns and p = (as extreme + 1) / (draws + 1) (Phipson and Smyth, 2010), which is never 0 and
/// the same for any number of threads. Sums within 1e-12 of the observed one (relative to the sum
/// of |differences|) count as equal, because rounding must not break ties.
///
/// If differences are dependent within clusters, pass [`cluster_sums`] of them.
///
/// # Errors
/// [`Undefined::NotFinite`]; [`Undefined::TooFew`] without differences or without draws where they
/// are needed.
pub fn sign_flip(differences: &[f64], draws: u64, seed: u64) -> Defined<SignFlip> {
    finite("differences", differences)?;
    at_least("differences", differences.len(), 1)?;
    let sizes: Vec<f64> = differences
        .iter()
        .map(|d| d.abs())
        .filter(|d| *d > 0.0)
        .collect();
    let observed = differences.iter().sum::<f64>();
    let noise = 1e-12 * sizes.iter().sum::<f64>();
    let threshold = observed.abs() - noise;
    let (p, method) = if sizes.len() <= MAX_EXACT_DIFFERENCES {
        let patterns = 1 << sizes.len();
        let as_extreme = count_patterns(&sizes, 0.0, threshold);
        (
            as_extreme as f64 / patterns as f64,
            SignFlipMethod::Exact {
                as_extreme,
                patterns,
            },
        )
    } else {
        at_least("draws", draws as usize, 1)?;
        let as_extreme = count_draws(&sizes, threshold, draws, seed);
        let p = (as_extreme + 1) as f64 / (draws + 1) as f64;
        (
            p,
            SignFlipMethod::MonteCarlo {
                as_extreme,
                draws,
                seed,
            },
        )
    };
    let n = differences.len();
    Ok(SignFlip {
        mean: observed / n as f64,
        p,
        n,
        nonzero: sizes.len(),
        method,
    })
}

/// Sums of `differences` by cluster, in ascending order of the label.
///
/// # Errors
/// [`Undefined::Lengths`].
pub fn cluster_sums(differences: &[f64], clusters: &[u32]) -> Result<Vec<f64>, Undefined> {
    same_length(differences.len(), clusters.len())?;
    let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
    for (difference, cluster) in differences.iter().zip(clusters) {
        *sums.entry(*cluster).or_default() += difference;
    }
    Ok(sums.into_values().collect())
}

/// Sign patterns of `sizes` that bring |sum| to the threshold or beyond.
fn count_patterns(sizes: &[f64], sum: f64, threshold: f64) -> u64 {
    match sizes.split_first() {
        None => u64::from(sum.abs() >= threshold),
        Some((size, rest)) => {
            count_patterns(rest, sum + size, threshold)
                + count_patterns(rest, sum - size, threshold)
        }
    }
}

fn count_draws(sizes: &[f64], threshold: f64, draws: u64, seed: u64) -> u64 {
    let extreme = |draw: u64| {
        let mut stream = Stream::of(Purpose::SignFlip, seed, draw);
        let mut sum = 0.0;
        for chunk in sizes.chunks(32) {
            let mut bits = stream.bits();
            for size in chunk {
                sum += if bits & 1 == 1 { *size } else { -size };
                bits >>= 1;
            }
        }
        u64::from(f64::abs(sum) >= threshold)
    };
    (0..draws).into_par_iter().map(extreme).sum()
}
