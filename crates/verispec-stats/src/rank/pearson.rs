//! Pearson's correlation.

use super::p_value::{Method, PValue};
use crate::{Defined, Undefined, special::t_two_sided, undefined::paired};
use serde::Serialize;

/// A correlation coefficient and the number of objects it rests on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Correlation {
    /// The coefficient, in -1..=1.
    pub value: f64,
    /// Objects.
    pub n: usize,
}

impl Correlation {
    /// Two-sided p-value of "no association" from t = r sqrt((n - 2) / (1 - r^2)) with n - 2
    /// degrees of freedom: exact for normal data, an approximation for Spearman's rho.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] below three objects; [`Undefined::Perfect`] at |r| = 1, where other
    /// tools print 0.
    pub fn p_value(&self) -> Defined<PValue> {
        crate::undefined::at_least("objects", self.n, 3)?;
        let r = self.value;
        if r.abs() >= 1.0 {
            return Err(Undefined::Perfect);
        }
        let df = (self.n - 2) as f64;
        let t = r * (df / ((1.0 + r) * (1.0 - r))).sqrt();
        Ok(PValue {
            value: t_two_sided(t, df)?,
            method: Method::StudentT,
        })
    }
}

/// Pearson's r = sum (x - mx)(y - my) / sqrt(sum (x - mx)^2 sum (y - my)^2), in two passes.
///
/// # Errors
/// Lengths that differ, values that are not finite, fewer than two objects;
/// [`Undefined::Constant`].
pub fn pearson(x: &[f64], y: &[f64]) -> Defined<Correlation> {
    paired(x, y, 2)?;
    let centred_x = centred("x", x)?;
    let centred_y = centred("y", y)?;
    let product: f64 = centred_x.iter().zip(&centred_y).map(|(a, b)| a * b).sum();
    Ok(Correlation {
        value: product.clamp(-1.0, 1.0),
        n: x.len(),
    })
}

/// Deviations from the mean, scaled to length 1. Scaled by the largest first, so that the squares
/// neither overflow nor vanish.
fn centred(input: &'static str, values: &[f64]) -> Defined<Vec<f64>> {
    let first = values[0];
    if values.iter().all(|value| *value == first) {
        return Err(Undefined::Constant { input });
    }
    let n = values.len() as f64;
    // Shifted by the first value: the mean of large close values keeps its digits.
    let shift: f64 = values.iter().map(|value| (value - first) / n).sum();
    let mut deviations: Vec<f64> = values.iter().map(|value| (value - first) - shift).collect();
    let largest = deviations.iter().fold(0.0_f64, |most, d| most.max(d.abs()));
    deviations.iter_mut().for_each(|d| *d /= largest);
    let norm = deviations.iter().map(|d| d * d).sum::<f64>().sqrt();
    deviations.iter_mut().for_each(|d| *d /= norm);
    Ok(deviations)
}
