//! Spearman's rank correlation.

use super::{pearson::Correlation, ranks::doubled_mid_ranks};
use crate::{Defined, Undefined, undefined::paired};

/// Spearman's rho: Pearson's correlation of the mid-ranks, in -1..=1. Ranks are doubled to
/// integers, so that a perfect order gives exactly 1.
///
/// # Errors
/// Lengths that differ, values that are not finite, fewer than two objects;
/// [`Undefined::Constant`].
pub fn spearman(x: &[f64], y: &[f64]) -> Defined<Correlation> {
    paired(x, y, 2)?;
    let n = x.len();
    // Deviation from the mean rank (n + 1) / 2, doubled.
    let centre = n as i128 + 1;
    let deviations = |values: &[f64]| -> Vec<i128> {
        doubled_mid_ranks(values)
            .into_iter()
            .map(|rank| i128::from(rank) - centre)
            .collect()
    };
    let (dx, dy) = (deviations(x), deviations(y));
    let dot = |a: &[i128], b: &[i128]| a.iter().zip(b).map(|(p, q)| p * q).sum::<i128>();
    let (xx, yy) = (dot(&dx, &dx), dot(&dy, &dy));
    if xx == 0 {
        return Err(Undefined::Constant { input: "x" });
    }
    if yy == 0 {
        return Err(Undefined::Constant { input: "y" });
    }
    // Equal sums of squares (no ties, or alike) need no root, whose rounding would miss +-1.
    let scale = if xx == yy {
        xx as f64
    } else {
        (xx as f64).sqrt() * (yy as f64).sqrt()
    };
    let value = dot(&dx, &dy) as f64 / scale;
    Ok(Correlation {
        value: value.clamp(-1.0, 1.0),
        n,
    })
}
