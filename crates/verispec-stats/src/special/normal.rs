//! The standard normal distribution.

use crate::{Defined, undefined::open_unit};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// P(Z <= z) = erfc(-z / sqrt 2) / 2, in 0..=1; relative error about 1e-15 in both tails.
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
}

/// P(|Z| >= |z|) = erfc(|z| / sqrt 2), in 0..=1.
#[must_use]
pub fn normal_two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() * FRAC_1_SQRT_2)
}

/// The z with P(Z <= z) = `p`.
///
/// Starting value: Abramowitz and Stegun 26.2.23 (error 4.5e-4); then Halley steps on the
/// distribution function itself, which triple the correct digits.
///
/// # Errors
/// [`Undefined::OutOfRange`](crate::Undefined::OutOfRange) unless 0 < `p` < 1.
pub fn normal_quantile(p: f64) -> Defined<f64> {
    open_unit("p", p)?;
    if p == 0.5 {
        return Ok(0.0);
    }
    // The lower tail keeps the relative accuracy of small p.
    let (tail, sign) = if p <= 0.5 { (p, -1.0) } else { (1.0 - p, 1.0) };
    let t = (-2.0 * tail.ln()).sqrt();
    let numerator = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let denominator = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut z = -(t - numerator / denominator);
    for _ in 0..4 {
        let density = (-0.5 * z * z).exp() / (2.0 * PI).sqrt();
        let step = (normal_cdf(z) - tail) / density;
        z -= step / (1.0 + 0.5 * z * step);
    }
    Ok(-sign * z)
}
