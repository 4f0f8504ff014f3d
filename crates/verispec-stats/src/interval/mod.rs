//! Standard errors and intervals of means and shares.

mod mean;
mod wilson;

pub use mean::{Mean, SmallSample, clustered_mean, mean};
pub use wilson::wilson;

use serde::Serialize;

/// A two-sided interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end, in the units of the estimate.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Nominal coverage, in (0, 1).
    pub level: f64,
}

impl Interval {
    /// Whether `value` lies inside, ends included.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The part inside `low..=high` (a share cannot leave 0..=1).
    #[must_use]
    pub fn clipped(&self, low: f64, high: f64) -> Self {
        let clip = |value: f64| value.clamp(low, high);
        Self {
            low: clip(self.low),
            high: clip(self.high),
            level: self.level,
        }
    }
}
