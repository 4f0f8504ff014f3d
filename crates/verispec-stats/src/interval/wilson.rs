//! Wilson's interval of a share.

use super::Interval;
use crate::{
    Defined, Undefined,
    special::normal_quantile,
    undefined::{at_least, open_unit},
};

/// Wilson's score interval of `successes` out of `n` independent trials:
/// (p + z^2 / 2n -+ z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n), inside 0..=1 (E. Wilson,
/// JASA 1927). Also right at 0 and n successes, where the normal interval has no width.
///
/// # Errors
/// [`Undefined::TooFew`] without trials; [`Undefined::OutOfRange`] for more successes than trials
/// or a `level` outside (0, 1).
pub fn wilson(successes: u64, n: u64, level: f64) -> Defined<Interval> {
    open_unit("level", level)?;
    at_least("trials", n as usize, 1)?;
    if successes > n {
        let range = "0..=number of trials";
        return Err(Undefined::OutOfRange {
            input: "successes",
            found: successes as f64,
            range,
        });
    }
    let z = normal_quantile(0.5 * (1.0 + level))?;
    let (n_f, p) = (n as f64, successes as f64 / n as f64);
    let scale = 1.0 + z * z / n_f;
    let centre = (p + z * z / (2.0 * n_f)) / scale;
    let half = z * (p * (1.0 - p) / n_f + z * z / (4.0 * n_f * n_f)).sqrt() / scale;
    // At the ends the bound is 0 or 1 exactly; rounding would miss it.
    let low = if successes == 0 { 0.0 } else { centre - half };
    let high = if successes == n { 1.0 } else { centre + half };
    Ok(Interval { low, high, level })
}
