//! How well probabilities foretell yes/no outcomes.

use crate::{
    Defined,
    rank::ascending,
    undefined::{at_least, closed_unit, same_length},
};
use serde::Serialize;

/// How probabilities are put into bins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Binning {
    /// Equal widths: bin k of m holds k/m < p <= (k+1)/m, the first also 0 (Guo et al. 2017).
    EqualWidth,
    /// Equal numbers: position i of n in ascending order goes to bin floor(i m / n); equal
    /// probabilities all go where their first one does, so that the order of the input does not
    /// matter (Nixon et al. 2019, "adaptive").
    EqualMass,
}

/// One bin.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// Forecasts in the bin, at least 1.
    pub n: usize,
    /// Mean probability, in 0..=1.
    pub forecast: f64,
    /// Share of outcomes that are yes, in 0..=1.
    pub outcome: f64,
}

/// Calibration error and its bins.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibration {
    /// Expected calibration error: sum over bins of n_b / n |outcome - forecast|, in 0..=1. It grows
    /// with the number of bins by chance alone; give that number with it.
    pub ece: f64,
    /// Largest |outcome - forecast| of a bin, in 0..=1.
    pub largest: f64,
    /// The bins that hold a forecast, in ascending order.
    pub bins: Vec<Bin>,
}

fn check(p: &[f64], outcomes: &[bool]) -> Defined<()> {
    same_length(p.len(), outcomes.len())?;
    at_least("forecasts", p.len(), 1)?;
    p.iter().try_for_each(|&value| closed_unit("p", value))
}

/// Expected calibration error of the probabilities `p` of "yes" (C. Guo et al., "On Calibration of
/// Modern Neural Networks", ICML 2017).
///
/// # Errors
/// [`Undefined::Lengths`](crate::Undefined::Lengths);
/// [`Undefined::OutOfRange`](crate::Undefined::OutOfRange) for a probability outside 0..=1;
/// [`Undefined::TooFew`](crate::Undefined::TooFew) without forecasts or bins.
pub fn calibration(
    p: &[f64],
    outcomes: &[bool],
    bins: usize,
    binning: Binning,
) -> Defined<Calibration> {
    check(p, outcomes)?;
    at_least("bins", bins, 1)?;
    let order = ascending(p);
    let mut sums = vec![(0_usize, 0.0, 0_usize); bins];
    let mut current = 0;
    for (position, &i) in order.iter().enumerate() {
        current = match binning {
            Binning::EqualWidth => width_bin(p[i], bins),
            Binning::EqualMass if position > 0 && p[order[position - 1]] == p[i] => current,
            Binning::EqualMass => position * bins / p.len(),
        };
        let (n, forecast, yes) = &mut sums[current];
        *n += 1;
        *forecast += p[i];
        *yes += usize::from(outcomes[i]);
    }
    let bins: Vec<Bin> = sums
        .into_iter()
        .filter(|(n, ..)| *n > 0)
        .map(|(n, forecast, yes)| Bin {
            n,
            forecast: forecast / n as f64,
            outcome: yes as f64 / n as f64,
        })
        .collect();
    let gap = |bin: &Bin| (bin.outcome - bin.forecast).abs();
    Ok(Calibration {
        ece: bins
            .iter()
            .map(|bin| bin.n as f64 / p.len() as f64 * gap(bin))
            .sum(),
        largest: bins.iter().map(gap).fold(0.0, f64::max),
        bins,
    })
}

/// As [`calibration`] in bins of equal width, with weights, for instance one over the probability
/// with which each case was drawn: shares and means are weighted, [`Bin::n`] still counts.
///
/// # Errors
/// As [`calibration`]; [`Undefined::OutOfRange`](crate::Undefined::OutOfRange) for a weight that is
/// not above 0 and finite.
pub fn calibration_weighted(
    p: &[f64],
    outcomes: &[bool],
    weights: &[f64],
    bins: usize,
) -> Defined<Calibration> {
    check(p, outcomes)?;
    check_weights(p, weights)?;
    at_least("bins", bins, 1)?;
    let mut sums = vec![(0_usize, 0.0, 0.0, 0.0); bins];
    for ((p, yes), weight) in p.iter().zip(outcomes).zip(weights) {
        let (n, total, forecast, outcome) = &mut sums[width_bin(*p, bins)];
        *n += 1;
        *total += weight;
        *forecast += weight * p;
        *outcome += if *yes { *weight } else { 0.0 };
    }
    let all: f64 = sums.iter().map(|s| s.1).sum();
    let mut found = Calibration {
        ece: 0.0,
        largest: 0.0,
        bins: vec![],
    };
    for (n, total, forecast, outcome) in sums.into_iter().filter(|s| s.0 > 0) {
        let bin = Bin {
            n,
            forecast: forecast / total,
            outcome: outcome / total,
        };
        let gap = (bin.outcome - bin.forecast).abs();
        found.ece += total / all * gap;
        found.largest = found.largest.max(gap);
        found.bins.push(bin);
    }
    Ok(found)
}

/// As [`brier`], with weights.
///
/// # Errors
/// As [`calibration_weighted`].
pub fn brier_weighted(p: &[f64], outcomes: &[bool], weights: &[f64]) -> Defined<f64> {
    check(p, outcomes)?;
    check_weights(p, weights)?;
    let loss = |((p, yes), w): ((&f64, &bool), &f64)| w * (p - f64::from(u8::from(*yes))).powi(2);
    let sum: f64 = p.iter().zip(outcomes).zip(weights).map(loss).sum();
    Ok(sum / weights.iter().sum::<f64>())
}

fn check_weights(p: &[f64], weights: &[f64]) -> Defined<()> {
    same_length(p.len(), weights.len())?;
    match weights.iter().find(|w| !(**w > 0.0 && w.is_finite())) {
        None => Ok(()),
        Some(found) => Err(crate::Undefined::OutOfRange {
            input: "weight",
            found: *found,
            range: "(0, inf)",
        }),
    }
}

/// The bin with k/m < p <= (k+1)/m. The edges are compared as they are computed: p * m would put
/// 0.3 of ten bins into the next one.
fn width_bin(p: f64, bins: usize) -> usize {
    let edge = |k: usize| k as f64 / bins as f64;
    let mut k = ((p * bins as f64) as usize).min(bins - 1);
    while k > 0 && p <= edge(k) {
        k -= 1;
    }
    while k + 1 < bins && p > edge(k + 1) {
        k += 1;
    }
    k
}

/// Brier score: mean of (p - outcome)^2 with outcome 0 or 1, in 0..=1; smaller is better (G. Brier,
/// Monthly Weather Review 1950, in the form for one event).
///
/// # Errors
/// As [`calibration`].
pub fn brier(p: &[f64], outcomes: &[bool]) -> Defined<f64> {
    check(p, outcomes)?;
    let loss = |(p, yes): (&f64, &bool)| (p - f64::from(u8::from(*yes))).powi(2);
    Ok(p.iter().zip(outcomes).map(loss).sum::<f64>() / p.len() as f64)
}
