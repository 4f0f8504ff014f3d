//! Ratings of many units by any number of raters; Fleiss' kappa and Gwet's AC1.

use super::Agreement;
use crate::{
    Defined, Undefined,
    undefined::{at_least, same_length},
};

/// How many raters put each unit into each category. Who rated what does not matter to the
/// coefficients here, and a missing rating is simply not counted.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingTable {
    pub(super) categories: usize,
    /// Units x categories.
    pub(super) counts: Vec<f64>,
    /// How often each unit counts: 1, or its multiplicity in a bootstrap draw.
    pub(super) times: Vec<f64>,
}

/// One unit: its counts, their sum, and how often it counts.
pub(super) struct Unit<'a> {
    pub(super) counts: &'a [f64],
    pub(super) ratings: f64,
    pub(super) times: f64,
}

impl Unit<'_> {
    /// Ordered pairs of ratings of this unit that disagree.
    fn disagreeing_pairs(&self) -> f64 {
        self.counts
            .iter()
            .map(|count| count * (self.ratings - count))
            .sum()
    }
}

impl RatingTable {
    /// A table from each unit's counts per category.
    ///
    /// # Errors
    /// [`Undefined::Lengths`] when a unit does not have `categories` counts.
    pub fn from_counts<'a>(
        categories: usize,
        units: impl IntoIterator<Item = &'a [u32]>,
    ) -> Defined<Self> {
        let mut counts = Vec::new();
        for unit in units {
            same_length(unit.len(), categories)?;
            counts.extend(unit.iter().map(|&count| f64::from(count)));
        }
        Ok(Self::counting_once(categories, counts))
    }

    /// A table from each unit's ratings, one place a rater; `None` is missing.
    ///
    /// # Errors
    /// [`Undefined::OutOfRange`] for a category that is not below `categories`.
    pub fn from_ratings<'a>(
        categories: usize,
        units: impl IntoIterator<Item = &'a [Option<usize>]>,
    ) -> Defined<Self> {
        let mut counts = Vec::new();
        for unit in units {
            let start = counts.len();
            counts.resize(start + categories, 0.0);
            for &category in unit.iter().flatten() {
                if category >= categories {
                    let range = "the categories of the table";
                    let found = category as f64;
                    return Err(Undefined::OutOfRange {
                        input: "rating",
                        found,
                        range,
                    });
                }
                counts[start + category] += 1.0;
            }
        }
        Ok(Self::counting_once(categories, counts))
    }

    fn counting_once(categories: usize, counts: Vec<f64>) -> Self {
        let units = counts.len() / categories.max(1);
        Self {
            categories,
            counts,
            times: vec![1.0; units],
        }
    }

    /// Number of units, rated or not.
    #[must_use]
    pub fn units(&self) -> usize {
        self.times.len()
    }

    /// Lets each unit count as often as a bootstrap draw has it.
    ///
    /// # Errors
    /// [`Undefined::Lengths`].
    pub fn set_multiplicity(&mut self, times: &[u32]) -> Defined<()> {
        same_length(times.len(), self.units())?;
        self.times.clear();
        self.times
            .extend(times.iter().map(|&count| f64::from(count)));
        Ok(())
    }

    /// Units with at least `ratings` ratings that count at least once.
    pub(super) fn rated(&self, ratings: f64) -> impl Iterator<Item = Unit<'_>> {
        let rows = self.counts.chunks_exact(self.categories.max(1));
        rows.zip(&self.times).filter_map(move |(counts, &times)| {
            let unit = Unit {
                counts,
                ratings: counts.iter().sum(),
                times,
            };
            (times > 0.0 && unit.ratings >= ratings).then_some(unit)
        })
    }

    /// Mean over the units with a rating of the share of their ratings in each category.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] when no unit is rated.
    pub fn prevalence(&self) -> Defined<Vec<f64>> {
        let mut shares = vec![0.0; self.categories];
        let mut units = 0.0;
        for unit in self.rated(1.0) {
            units += unit.times;
            for (share, count) in shares.iter_mut().zip(unit.counts) {
                *share += unit.times * count / unit.ratings;
            }
        }
        at_least("rated units", units as usize, 1)?;
        shares.iter_mut().for_each(|share| *share /= units);
        Ok(shares)
    }

    /// Mean over the units with two ratings or more of the share of rater pairs that disagree.
    fn disagreement(&self) -> Defined<f64> {
        let (mut sum, mut units) = (0.0, 0.0);
        for unit in self.rated(2.0) {
            sum += unit.times * unit.disagreeing_pairs() / (unit.ratings * (unit.ratings - 1.0));
            units += unit.times;
        }
        at_least("units with two ratings", units as usize, 1)?;
        Ok(sum / units)
    }

    /// Raw agreement: share of rater pairs that agree, mean over the units with two ratings or
    /// more; in 0..=1.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] when no unit has two ratings.
    pub fn observed(&self) -> Defined<f64> {
        Ok(1.0 - self.disagreement()?)
    }

    /// Fleiss' kappa, chance agreement sum p_k^2 with p_k the share of category k (J. Fleiss,
    /// Psychological Bulletin 1971); at most 1. Every rated unit must have the same number of
    /// ratings; with missing ratings take [`RatingTable::alpha`].
    ///
    /// # Errors
    /// [`Undefined::TooFew`]; [`Undefined::OutOfRange`] for numbers of ratings that differ;
    /// [`Undefined::NoChanceDisagreement`].
    pub fn fleiss_kappa(&self) -> Defined<Agreement> {
        let observed = self.disagreement()?;
        let raters = self.rated(1.0).map(|unit| unit.ratings).fold(0.0, f64::max);
        if let Some(unit) = self.rated(1.0).find(|unit| unit.ratings < raters) {
            return Err(Undefined::OutOfRange {
                input: "ratings of a unit",
                found: unit.ratings,
                range: "one fixed number for all units",
            });
        }
        let squares: f64 = self
            .prevalence()?
            .iter()
            .map(|share| share * (1.0 - share))
            .sum();
        Agreement::beyond_chance(observed, squares)
    }

    /// Gwet's AC1, chance agreement sum p_k (1 - p_k) / (q - 1) over q categories (K. Gwet, British
    /// Journal of Mathematical and Statistical Psychology 2008; missing ratings as in his Handbook
    /// of Inter-Rater Reliability, 4th edition 2014); at most 1. Holds where most ratings fall in
    /// one category. q counts all categories of the table, used or not.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] when no unit has two ratings or there are fewer than two categories.
    pub fn gwet_ac1(&self) -> Defined<Agreement> {
        at_least("categories", self.categories, 2)?;
        let observed = self.disagreement()?;
        let spread: f64 = self
            .prevalence()?
            .iter()
            .map(|share| share * (1.0 - share))
            .sum();
        let expected = spread / (self.categories - 1) as f64;
        Agreement::beyond_chance(observed, 1.0 - expected)
    }
}
