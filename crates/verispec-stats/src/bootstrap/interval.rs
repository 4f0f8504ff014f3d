//! Standard error, bias and intervals from draws.

use super::plan::Variety;
use crate::{
    Defined, Undefined,
    interval::Interval,
    rank::ascending,
    special::{normal_cdf, normal_quantile},
    undefined::{at_least, closed_unit, open_unit},
};
use serde::Serialize;

/// One statistic over the draws of a bootstrap.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sample {
    /// The statistic of the data; `None` if undefined.
    pub estimate: Option<f64>,
    /// Its value in the draws where it is defined, in the order of the draws.
    #[serde(skip)]
    pub values: Vec<f64>,
    /// Draws in which it is undefined (a tau of level scores). Everything below speaks of the
    /// others only; print this number beside it.
    pub undefined: usize,
    /// How much independent data the draws rest on.
    pub variety: Variety,
}

impl Sample {
    fn needed(&self) -> Defined<()> {
        at_least("draws with a value", self.values.len(), 2)
    }

    fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    fn data(&self) -> Defined<f64> {
        self.estimate.ok_or(Undefined::Degenerate {
            what: "the statistic of the data themselves",
        })
    }

    /// Standard deviation over the draws (n - 1), in the units of the statistic.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] below two draws with a value.
    pub fn se(&self) -> Defined<f64> {
        self.needed()?;
        let mean = self.mean();
        let square: f64 = self.values.iter().map(|value| (value - mean).powi(2)).sum();
        Ok((square / (self.values.len() - 1) as f64).sqrt())
    }

    /// Mean over the draws minus the estimate. For tau between noisy scores it is negative: a draw
    /// is noisier than the data.
    ///
    /// # Errors
    /// [`Undefined::TooFew`]; [`Undefined::Degenerate`] if the data give no estimate.
    pub fn bias(&self) -> Defined<f64> {
        self.needed()?;
        Ok(self.mean() - self.data()?)
    }

    /// Percentile interval: the (1 -+ level) / 2 quantiles of the draws (B. Efron 1979).
    ///
    /// # Errors
    /// [`Undefined::TooFew`]; [`Undefined::OutOfRange`] unless `level` is in (0, 1).
    pub fn percentile(&self, level: f64) -> Defined<Interval> {
        open_unit("level", level)?;
        self.between(0.5 * (1.0 - level), 0.5 * (1.0 + level), level)
    }

    /// Percentile interval between values that occur: each end leaves at most (1 - level) / 2 of the
    /// draws outside. For a statistic of few values (tau over few models), where interpolation would
    /// put an end between two of them. It holds more than `level` of the draws as soon as one value
    /// is frequent; [`Sample::share_within`] says how many.
    ///
    /// # Errors
    /// As [`Sample::percentile`].
    pub fn outer_percentile(&self, level: f64) -> Defined<Interval> {
        open_unit("level", level)?;
        self.needed()?;
        let order = ascending(&self.values);
        // Rounding must not turn 2.4999999 into another draw left out.
        let outside = (0.5 * (1.0 - level) * order.len() as f64 + 1e-9).floor() as usize;
        Ok(Interval {
            low: self.values[order[outside]],
            high: self.values[order[order.len() - 1 - outside]],
            level,
        })
    }

    /// Share of the draws inside `interval`, ends included, 0..=1.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] below two draws with a value.
    pub fn share_within(&self, interval: &Interval) -> Defined<f64> {
        self.needed()?;
        let within = self.values.iter().filter(|v| interval.contains(**v));
        Ok(within.count() as f64 / self.values.len() as f64)
    }

    /// Percentile interval widened for few instances (Hesterberg 2015, section 3.5): its ends are at
    /// Phi(-+ z'), z' the t quantile of clusters - strata degrees of freedom times the root of
    /// clusters / (clusters - strata). For dimensions of 20 to 50 instances the one to take; for
    /// many it equals [`Sample::percentile`].
    ///
    /// # Errors
    /// As [`Sample::percentile`]; [`Undefined::TooFew`] when nothing can vary.
    pub fn expanded_percentile(&self, level: f64) -> Defined<Interval> {
        open_unit("level", level)?;
        let z = self
            .variety
            .widened(normal_quantile(0.5 * (1.0 + level))?)?;
        self.between(normal_cdf(-z), normal_cdf(z), level)
    }

    /// Bias-corrected and accelerated interval (B. Efron, "Better Bootstrap Confidence Intervals",
    /// JASA 1987): quantiles at Phi(z0 + (z0 + z) / (1 - a (z0 + z))), with z0 from the share of
    /// draws below the estimate (ties count half) and the `acceleration` a from
    /// [`Jackknife::acceleration`](super::Jackknife::acceleration).
    ///
    /// # Errors
    /// As [`Sample::percentile`]; [`Undefined::Degenerate`] if the data give no estimate, all draws
    /// lie on one side of it, or the correction overshoots.
    pub fn bca(&self, level: f64, acceleration: f64) -> Defined<Interval> {
        open_unit("level", level)?;
        self.needed()?;
        let estimate = self.data()?;
        let below = self
            .values
            .iter()
            .filter(|value| **value < estimate)
            .count() as f64;
        let level_with = self
            .values
            .iter()
            .filter(|value| **value == estimate)
            .count() as f64;
        let share = (below + 0.5 * level_with) / self.values.len() as f64;
        let one_side = Undefined::Degenerate {
            what: "the bias correction: draws on one side only",
        };
        let z0 = normal_quantile(share).map_err(|_| one_side)?;
        let z = normal_quantile(0.5 * (1.0 + level))?;
        let corrected = |z: f64| -> Defined<f64> {
            let scale = 1.0 - acceleration * (z0 + z);
            if scale <= 0.0 {
                return Err(Undefined::Degenerate {
                    what: "the acceleration: it overshoots",
                });
            }
            Ok(normal_cdf(z0 + (z0 + z) / scale))
        };
        self.between(corrected(-z)?, corrected(z)?, level)
    }

    fn between(&self, low: f64, high: f64, level: f64) -> Defined<Interval> {
        self.needed()?;
        let order = ascending(&self.values);
        let sorted: Vec<f64> = order.into_iter().map(|i| self.values[i]).collect();
        Ok(Interval {
            low: sorted_quantile(&sorted, low),
            high: sorted_quantile(&sorted, high),
            level,
        })
    }
}

/// Quantile `p` of `values`: linear between the order statistics at p (n - 1) (type 7 of Hyndman
/// and Fan 1996; the default of NumPy and R), in the units of the values.
///
/// # Errors
/// [`Undefined::TooFew`] without values; [`Undefined::OutOfRange`] unless `p` is in 0..=1.
pub fn quantile(values: &[f64], p: f64) -> Defined<f64> {
    at_least("values", values.len(), 1)?;
    closed_unit("p", p)?;
    let sorted: Vec<f64> = ascending(values).into_iter().map(|i| values[i]).collect();
    Ok(sorted_quantile(&sorted, p))
}

fn sorted_quantile(sorted: &[f64], p: f64) -> f64 {
    let position = p * (sorted.len() - 1) as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (position - below as f64) * (sorted[above] - sorted[below])
}
