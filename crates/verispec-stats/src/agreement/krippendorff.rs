//! Krippendorff's alpha.

use super::{Agreement, table::RatingTable};
use crate::{
    Defined, Undefined,
    undefined::{at_least, finite, same_length},
};

/// What the categories mean, which decides how far apart two of them are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale<'a> {
    /// Different or not.
    Nominal,
    /// In ascending order.
    Ordinal,
    /// Numbers, one a category; the distance is their squared difference.
    Interval(&'a [f64]),
}

impl RatingTable {
    /// Krippendorff's alpha = 1 - D_o / D_e, at most 1; any number of raters, missing ratings
    /// allowed (K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011). Units with
    /// fewer than two ratings do not enter. `observed` and `expected` are 1 - D_o and 1 - D_e,
    /// with the distance of the scale itself: only for the nominal scale are they shares.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] when no unit has two ratings; [`Undefined::NoChanceDisagreement`] when
    /// all paired ratings fall in one category; [`Undefined::Lengths`] when the scale has not one
    /// number a category.
    pub fn alpha(&self, scale: Scale<'_>) -> Defined<Agreement> {
        if let Scale::Interval(values) = scale {
            same_length(values.len(), self.categories)?;
            finite("values of the categories", values)?;
        }
        let q = self.categories;
        let mut totals = vec![0.0; q];
        let mut coincidences = vec![0.0; q * q];
        for unit in self.rated(2.0) {
            let weight = unit.times / (unit.ratings - 1.0);
            for (c, &first) in unit
                .counts
                .iter()
                .enumerate()
                .filter(|(_, count)| **count > 0.0)
            {
                totals[c] += unit.times * first;
                for (k, &second) in unit.counts.iter().enumerate() {
                    coincidences[c * q + k] += weight * first * second;
                }
            }
        }
        let n: f64 = totals.iter().sum();
        at_least("paired ratings", n as usize, 2)?;
        if totals.iter().filter(|total| **total > 0.0).count() < 2 {
            return Err(Undefined::NoChanceDisagreement);
        }
        let (mut observed, mut expected) = (0.0, 0.0);
        for c in 0..q {
            for k in (0..q).filter(|&k| k != c) {
                let distance = scale.distance(c, k, &totals);
                observed += coincidences[c * q + k] * distance / n;
                expected += totals[c] * totals[k] * distance / (n * (n - 1.0));
            }
        }
        Agreement::beyond_chance(observed, expected)
    }
}

impl Scale<'_> {
    /// Squared distance of two categories; for the ordinal scale half of each end and all between
    /// them, counted in ratings.
    fn distance(self, c: usize, k: usize, totals: &[f64]) -> f64 {
        match self {
            Self::Nominal => 1.0,
            Self::Ordinal => {
                let (low, high) = (c.min(k), c.max(k));
                let between: f64 = totals[low..=high].iter().sum();
                (between - f64::midpoint(totals[low], totals[high])).powi(2)
            }
            Self::Interval(values) => (values[c] - values[k]).powi(2),
        }
    }
}
