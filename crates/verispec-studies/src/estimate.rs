//! A number with its interval, or why there is none.

use serde::Serialize;
use verispec_stats::bootstrap::Sample;
use verispec_stats::interval::Interval;
use verispec_stats::{Defined, Undefined};

/// A statistic as it stands in a table or file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// The number; `None` when the data do not determine it.
    pub value: Option<f64>,
    /// Why there is no number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<Undefined>,
    /// Interval, where one was asked for and is defined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// Mean over the draws minus the number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bias: Option<f64>,
    /// Share of the draws inside the interval, 0-1, where the number takes few values: more than
    /// the interval's level means that it cannot be shorter, so that it holds the truth more often
    /// than it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// Draws of the bootstrap in which the number is undefined.
    #[serde(skip_serializing_if = "is_zero")]
    pub undefined_draws: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
const fn is_zero(n: &usize) -> bool {
    *n == 0
}

impl Estimate {
    /// A number without an interval.
    #[must_use]
    pub fn of(value: Defined<f64>) -> Self {
        let (value, undefined) = match value {
            Ok(value) => (Some(value), None),
            Err(why) => (None, Some(why)),
        };
        Self {
            value,
            undefined,
            interval: None,
            bias: None,
            within: None,
            undefined_draws: 0,
        }
    }

    /// Adds the percentile interval of a bootstrap.
    #[must_use]
    pub fn with(mut self, sample: &Sample, level: f64) -> Self {
        self.interval = sample.percentile(level).ok();
        self.bias = sample.bias().ok();
        self.undefined_draws = sample.undefined;
        self
    }

    /// Adds the interval of a number of few values (tau): its ends are values that occur.
    #[must_use]
    pub fn with_outer(mut self, sample: &Sample, level: f64) -> Self {
        self.interval = sample.outer_percentile(level).ok();
        self.within = self.interval.and_then(|i| sample.share_within(&i).ok());
        self.bias = sample.bias().ok();
        self.undefined_draws = sample.undefined;
        self
    }

    /// Whether less than half of what may lie outside the interval does: one of few values is so
    /// frequent that the interval is wider than its level asks.
    #[must_use]
    pub fn coarse(&self) -> bool {
        let share = self.within.zip(self.interval);
        share.is_some_and(|(within, i)| within > 0.5 * (1.0 + i.level))
    }

    /// The number of a bootstrap with its percentile interval.
    #[must_use]
    pub fn sampled(sample: &Sample, level: f64) -> Self {
        let value = sample.estimate.ok_or(Undefined::Degenerate {
            what: "the statistic of the data themselves",
        });
        Self::of(value).with(sample, level)
    }

    /// As [`sampled`](Self::sampled), or why there was nothing to draw from.
    #[must_use]
    pub fn sampled_or(sample: Option<&Sample>, level: f64, missing: Undefined) -> Self {
        match sample {
            Some(sample) => Self::sampled(sample, level),
            None => Self::of(Err(missing)),
        }
    }

    /// The mean of numbers that may be undefined; all must be defined.
    #[must_use]
    pub fn mean(values: &[Option<f64>]) -> Option<f64> {
        let all: Option<Vec<f64>> = values.iter().copied().collect();
        let all = all.filter(|all| !all.is_empty())?;
        Some(all.iter().sum::<f64>() / all.len() as f64)
    }
}
