//! Ranks with ties shared.

use crate::{Defined, undefined::finite};
use std::cmp::Ordering;

/// Order of finite values; -0.0 and 0.0 are the same score, which `total_cmp` denies.
pub(crate) fn by_value(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// Positions of `values` in ascending order of value; equal values in ascending position.
pub(crate) fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| by_value(values[a], values[b]));
    order
}

/// Twice the mid-rank of each value: integers, so that sums of ranks stay exact.
pub(crate) fn doubled_mid_ranks(values: &[f64]) -> Vec<u64> {
    let order = ascending(values);
    let mut ranks = vec![0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let mut end = start + 1;
        while end < order.len() && values[order[end]] == values[order[start]] {
            end += 1;
        }
        // Ranks start + 1 ..= end, their mean doubled.
        for &position in &order[start..end] {
            ranks[position] = (start + 1 + end) as u64;
        }
        start = end;
    }
    ranks
}

/// Ranks from 1 (smallest value) to n; tied values share the mean of their ranks.
///
/// # Errors
/// [`Undefined::NotFinite`](crate::Undefined::NotFinite).
pub fn mid_ranks(values: &[f64]) -> Defined<Vec<f64>> {
    finite("values", values)?;
    Ok(doubled_mid_ranks(values)
        .into_iter()
        .map(|rank| rank as f64 / 2.0)
        .collect())
}

/// Makes scores equal that follow each other within `tie` in ascending order (each to the smallest
/// of its run), so that rounding noise of sums does not break ties. `values` must be finite.
pub fn merge_ties(values: &mut [f64], tie: f64) {
    let order = ascending(values);
    for pair in 1..order.len() {
        let (before, here) = (order[pair - 1], order[pair]);
        if values[here] - values[before] <= tie {
            values[here] = values[before];
        }
    }
}
