//! Weighted Kendall's tau.

use super::ranks::by_value;
use crate::{Defined, Undefined, undefined::paired};

/// Weighted tau: disagreements at the top of an order cost more. Mean of
/// [`weighted_tau_by_first`] with importance by `x` and by `y`; in -1..=1.
///
/// S. Vigna, "A Weighted Correlation Index for Rankings with Ties", WWW 2015; the same as SciPy's
/// `weightedtau(x, y, rank=True)`. Larger scores are the better ones.
///
/// # Errors
/// Lengths that differ, values that are not finite, fewer than two objects;
/// [`Undefined::Constant`].
pub fn weighted_tau(x: &[f64], y: &[f64]) -> Defined<f64> {
    Ok(f64::midpoint(
        weighted_tau_by_first(x, y)?,
        weighted_tau_by_first(y, x)?,
    ))
}

/// Weighted tau with importance by the order of `x` alone, best first, ties in `x` by `y`.
///
/// The pair of the objects with ranks r and s (from 0) weighs 1 / (r + 1) + 1 / (s + 1) (additive
/// hyperbolic). tau = (agreeing - disagreeing weight) / sqrt(weight of pairs not tied in x times
/// weight of pairs not tied in y).
///
/// # Errors
/// As [`weighted_tau`].
pub fn weighted_tau_by_first(x: &[f64], y: &[f64]) -> Defined<f64> {
    paired(x, y, 2)?;
    for (input, values) in [("x", x), ("y", y)] {
        if values.iter().all(|value| *value == values[0]) {
            return Err(Undefined::Constant { input });
        }
    }
    let n = x.len();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| by_value(x[b], x[a]).then(by_value(y[b], y[a])));
    let mut weights = vec![0.0; n];
    for (rank, &object) in order.iter().enumerate() {
        weights[object] = 1.0 / (rank + 1) as f64;
    }
    let same_x = |a: usize, b: usize| x[a] == x[b];
    let same_y = |a: usize, b: usize| y[a] == y[b];
    let total = (n as f64 - 1.0) * order.iter().map(|&i| weights[i]).sum::<f64>();
    let both = tied_weight(&order, &weights, |a, b| same_x(a, b) && same_y(a, b));
    let ties_x = tied_weight(&order, &weights, same_x);
    let mut merged: Vec<usize> = order.clone();
    let discordant = exchanged_weight(&mut merged, &mut order, y, &weights);
    let ties_y = tied_weight(&merged, &weights, same_y);
    let numerator = total - ties_x - ties_y + both - 2.0 * discordant;
    Ok((numerator / ((total - ties_x) * (total - ties_y)).sqrt()).clamp(-1.0, 1.0))
}

/// Weight of the pairs inside the runs of `order` that `same` joins: a run of m objects has
/// (m - 1) times its sum of weights.
fn tied_weight(order: &[usize], weights: &[f64], same: impl Fn(usize, usize) -> bool) -> f64 {
    order
        .chunk_by(|&a, &b| same(a, b))
        .map(|run| (run.len() - 1) as f64 * run.iter().map(|&i| weights[i]).sum::<f64>())
        .sum()
}

/// Weight of the pairs that `y` orders against `order` (descending); sorts `order` by descending
/// y (merge sort).
fn exchanged_weight(order: &mut [usize], scratch: &mut [usize], y: &[f64], weights: &[f64]) -> f64 {
    let n = order.len();
    if n < 2 {
        return 0.0;
    }
    let (left, right) = order.split_at_mut(n / 2);
    let (scratch_left, scratch_right) = scratch.split_at_mut(n / 2);
    let mut sum = exchanged_weight(left, scratch_left, y, weights)
        + exchanged_weight(right, scratch_right, y, weights);
    let mut waiting: f64 = left.iter().map(|&i| weights[i]).sum();
    let (mut i, mut j) = (0, 0);
    for slot in scratch.iter_mut() {
        if j == right.len() || (i < left.len() && y[left[i]] >= y[right[j]]) {
            *slot = left[i];
            waiting -= weights[left[i]];
            i += 1;
        } else {
            sum += waiting + (left.len() - i) as f64 * weights[right[j]];
            *slot = right[j];
            j += 1;
        }
    }
    order.copy_from_slice(scratch);
    sum
}
