//! Whether several groups share one rate.

use crate::{
    Defined, Undefined,
    random::{Purpose, Stream},
    undefined::{at_least, same_length},
};
use rayon::prelude::*;
use serde::Serialize;

/// Result of a test of equal rates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EqualRates {
    /// Pearson's chi-square, at least 0: sum of (observed - expected)^2 / expected over groups and
    /// outcomes.
    pub chi_square: f64,
    /// p-value in (0, 1]: (draws at least as large + 1) / (draws + 1).
    pub p: f64,
    /// Random assignments drawn.
    pub draws: u64,
    /// The seed that repeats them.
    pub seed: u64,
}

/// Tests that all groups (models) share one rate (a judge's error rate): Pearson's chi-square
/// against its distribution when the outcomes are dealt to the groups at random, both margins kept
/// (R. Fisher 1935; Monte Carlo p of Phipson and Smyth 2010). Right for small groups, where the
/// chi-square approximation is not. Outcomes must be independent: one label an instance.
///
/// # Errors
/// [`Undefined::Lengths`]; [`Undefined::OutOfRange`] for more successes than trials;
/// [`Undefined::TooFew`] below two groups, for an empty group or without draws;
/// [`Undefined::Constant`] when all outcomes are the same.
pub fn equal_rates(
    successes: &[u32],
    trials: &[u32],
    draws: u64,
    seed: u64,
) -> Defined<EqualRates> {
    same_length(successes.len(), trials.len())?;
    at_least("groups", trials.len(), 2)?;
    at_least("draws", draws as usize, 1)?;
    for (&yes, &n) in successes.iter().zip(trials) {
        at_least("outcomes of a group", n as usize, 1)?;
        if yes > n {
            let range = "0..=trials of the group";
            return Err(Undefined::OutOfRange {
                input: "successes",
                found: f64::from(yes),
                range,
            });
        }
    }
    let yes: u32 = successes.iter().sum();
    let total: u32 = trials.iter().sum();
    if yes == 0 || yes == total {
        return Err(Undefined::Constant {
            input: "the outcomes",
        });
    }
    let rate = f64::from(yes) / f64::from(total);
    let statistic = |counts: &[u32]| -> f64 {
        let squares = counts.iter().zip(trials).map(|(&k, &n)| {
            let n = f64::from(n);
            (f64::from(k) - n * rate).powi(2) / (n * rate * (1.0 - rate))
        });
        squares.sum()
    };
    let observed = statistic(successes);
    // Rounding must not break ties with the observed table.
    let threshold = observed * (1.0 - 1e-12);
    let as_large = (0..draws)
        .into_par_iter()
        .map_init(
            || vec![0; trials.len()],
            |counts, draw| {
                deal(
                    counts,
                    trials,
                    yes,
                    &mut Stream::of(Purpose::EqualRates, seed, draw),
                );
                u64::from(statistic(counts) >= threshold)
            },
        )
        .sum::<u64>();
    let p = (as_large + 1) as f64 / (draws + 1) as f64;
    Ok(EqualRates {
        chi_square: observed,
        p,
        draws,
        seed,
    })
}

/// Deals `yes` successes to the groups: each trial in turn is one with the probability of those
/// left among the trials left.
fn deal(counts: &mut [u32], trials: &[u32], yes: u32, stream: &mut Stream) {
    let mut left = yes;
    let mut open: u32 = trials.iter().sum();
    for (count, &n) in counts.iter_mut().zip(trials) {
        *count = 0;
        for _ in 0..n {
            if stream.below(open) < left {
                left -= 1;
                *count += 1;
            }
            open -= 1;
        }
    }
}
