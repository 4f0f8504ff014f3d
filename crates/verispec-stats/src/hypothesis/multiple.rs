//! p-values adjusted for many tests.

use crate::{Defined, rank::ascending, undefined::closed_unit};

/// Holm's adjusted p-values, in the order given and in 0..=1: the k-th smallest of m is multiplied
/// by m - k + 1, then made monotone (S. Holm, Scandinavian Journal of Statistics 1979). Rejecting
/// those <= alpha keeps the chance of any false rejection <= alpha, whatever the dependence.
///
/// # Errors
/// [`Undefined::OutOfRange`](crate::Undefined::OutOfRange) for a value outside 0..=1.
pub fn holm(p: &[f64]) -> Defined<Vec<f64>> {
    p.iter().try_for_each(|&value| closed_unit("p", value))?;
    let mut adjusted = vec![0.0; p.len()];
    let mut floor = 0.0_f64;
    for (k, position) in ascending(p).into_iter().enumerate() {
        floor = floor.max((p.len() - k) as f64 * p[position]).min(1.0);
        adjusted[position] = floor;
    }
    Ok(adjusted)
}

/// Benjamini and Hochberg's adjusted p-values, in the order given and in 0..=1: the k-th smallest
/// of m is multiplied by m / k, then made monotone from above (JRSS B 1995). Rejecting those <= q
/// keeps the expected share of false rejections <= q for independent or positively dependent tests.
///
/// # Errors
/// [`Undefined::OutOfRange`](crate::Undefined::OutOfRange) for a value outside 0..=1.
pub fn benjamini_hochberg(p: &[f64]) -> Defined<Vec<f64>> {
    p.iter().try_for_each(|&value| closed_unit("p", value))?;
    let mut adjusted = vec![0.0; p.len()];
    let mut ceiling = 1.0_f64;
    for (k, position) in ascending(p).into_iter().enumerate().rev() {
        ceiling = ceiling.min(p.len() as f64 * p[position] / (k + 1) as f64);
        adjusted[position] = ceiling;
    }
    Ok(adjusted)
}
