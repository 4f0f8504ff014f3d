//! Student's t distribution.

use super::{normal_quantile, regularised_beta};
use crate::{Defined, Undefined, undefined::open_unit};

fn check(df: f64) -> Defined<()> {
    if df > 0.0 && df.is_finite() {
        Ok(())
    } else {
        Err(Undefined::OutOfRange {
            input: "degrees of freedom",
            found: df,
            range: "(0, infinity)",
        })
    }
}

/// P(|T| >= |t|) for `df` degrees of freedom = I_{df / (df + t^2)}(df / 2, 1 / 2) (DLMF 8.17 and
/// Abramowitz and Stegun 26.7.1), in 0..=1.
///
/// # Errors
/// [`Undefined::OutOfRange`] unless `df` is positive and finite.
pub fn t_two_sided(t: f64, df: f64) -> Defined<f64> {
    check(df)?;
    let square = t * t;
    if square.is_infinite() {
        return Ok(0.0);
    }
    let total = df + square;
    Ok(regularised_beta(0.5 * df, 0.5, df / total, square / total))
}

/// The t with P(T <= t) = `p` for `df` degrees of freedom.
///
/// Bracketed from the normal quantile outwards, then safeguarded Newton steps on the tail.
///
/// # Errors
/// [`Undefined::OutOfRange`] unless 0 < `p` < 1 and `df` is positive and finite;
/// [`Undefined::NoConvergence`] if the bracket does not close.
pub fn t_quantile(p: f64, df: f64) -> Defined<f64> {
    open_unit("p", p)?;
    check(df)?;
    let tail = 2.0 * p.min(1.0 - p);
    let sign = if p < 0.5 { -1.0 } else { 1.0 };
    if tail >= 1.0 {
        return Ok(0.0);
    }
    let mut high = normal_quantile(1.0 - 0.5 * tail).unwrap_or(1.0).max(0.5);
    while t_two_sided(high, df)? > tail {
        high *= 2.0;
    }
    let mut low = 0.0;
    let mut t = 0.5 * high;
    for _ in 0..200 {
        let excess = t_two_sided(t, df)? - tail;
        if excess > 0.0 {
            low = t;
        } else {
            high = t;
        }
        let newton = t + excess / (2.0 * density(t, df));
        let next = if newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        if (next - t).abs() <= 1e-15 * next {
            return Ok(sign * next);
        }
        t = next;
    }
    Err(Undefined::NoConvergence {
        what: "t quantile",
        iterations: 200,
    })
}

/// Density of t, to the accuracy that a Newton step needs.
fn density(t: f64, df: f64) -> f64 {
    let log = libm::lgamma(0.5 * (df + 1.0))
        - libm::lgamma(0.5 * df)
        - 0.5 * (df * std::f64::consts::PI).ln()
        - 0.5 * (df + 1.0) * (t * t / df).ln_1p();
    log.exp()
}
