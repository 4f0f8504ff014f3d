//! Cohen's kappa of two raters.

use super::Agreement;
use crate::{
    Defined, Undefined,
    undefined::{at_least, same_length},
};
use serde::Serialize;

/// How much a disagreement of two categories costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Weighting {
    /// Every disagreement alike (Cohen 1960).
    Nominal,
    /// In proportion to the distance of the categories (Cicchetti and Allison 1971).
    Linear,
    /// In proportion to the square of the distance (Cohen 1968).
    Quadratic,
}

/// Counts of how two raters answered the same questions: `categories` x `categories`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Confusion {
    categories: usize,
    counts: Vec<u64>,
}

impl Confusion {
    /// An empty table.
    #[must_use]
    pub fn new(categories: usize) -> Self {
        Self {
            categories,
            counts: vec![0; categories * categories],
        }
    }

    /// The table of two raters' answers, category numbers below `categories`.
    ///
    /// # Errors
    /// [`Undefined::Lengths`]; [`Undefined::OutOfRange`].
    pub fn of(first: &[usize], second: &[usize], categories: usize) -> Defined<Self> {
        same_length(first.len(), second.len())?;
        let mut table = Self::new(categories);
        for (&a, &b) in first.iter().zip(second) {
            table.add(a, b, 1)?;
        }
        Ok(table)
    }

    /// Adds `times` questions answered `first` by one rater and `second` by the other (`times` is
    /// the multiplicity of a bootstrap draw).
    ///
    /// # Errors
    /// [`Undefined::OutOfRange`] for a category that the table does not have.
    pub fn add(&mut self, first: usize, second: usize, times: u64) -> Defined<()> {
        for (input, category) in [("first", first), ("second", second)] {
            if category >= self.categories {
                let range = "the categories of the table";
                return Err(Undefined::OutOfRange {
                    input,
                    found: category as f64,
                    range,
                });
            }
        }
        self.counts[first * self.categories + second] += times;
        Ok(())
    }

    /// Questions counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How often the first rater said `first` while the second said `second`; 0 outside the table.
    #[must_use]
    pub fn count(&self, first: usize, second: usize) -> u64 {
        if first < self.categories && second < self.categories {
            self.counts[first * self.categories + second]
        } else {
            0
        }
    }

    /// Share of each category among all answers of both raters; sums to 1.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] for an empty table.
    pub fn prevalence(&self) -> Defined<Vec<f64>> {
        at_least("questions", self.total() as usize, 1)?;
        let twice = 2.0 * self.total() as f64;
        let (rows, columns) = self.margins();
        Ok(rows
            .iter()
            .zip(&columns)
            .map(|(row, column)| (row + column) / twice)
            .collect())
    }

    fn margins(&self) -> (Vec<f64>, Vec<f64>) {
        let side = 0..self.categories;
        let row = |i: usize| side.clone().map(|j| self.count(i, j) as f64).sum();
        let column = |j: usize| side.clone().map(|i| self.count(i, j) as f64).sum();
        (
            side.clone().map(row).collect(),
            side.clone().map(column).collect(),
        )
    }

    /// Cohen's kappa = 1 - sum w o / sum w e: o the shares observed, e the products of both raters'
    /// own shares, w the cost of a disagreement (J. Cohen, Educational and Psychological
    /// Measurement 1960; Psychological Bulletin 1968). In -1..=1. `observed` and `expected` are
    /// 1 - sum w o and 1 - sum w e with the largest cost scaled to 1.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] for an empty table; [`Undefined::NoChanceDisagreement`] when both
    /// raters use one and the same category throughout.
    pub fn kappa(&self, weighting: Weighting) -> Defined<Agreement> {
        at_least("questions", self.total() as usize, 1)?;
        let n = self.total() as f64;
        let (rows, columns) = self.margins();
        let (mut observed, mut expected) = (0.0, 0.0);
        for (i, row) in rows.iter().enumerate() {
            for (j, column) in columns.iter().enumerate() {
                let cost = weighting.cost(i.abs_diff(j), self.categories);
                observed += cost * self.count(i, j) as f64 / n;
                expected += cost * (row / n) * (column / n);
            }
        }
        Agreement::beyond_chance(observed, expected)
    }
}

impl Weighting {
    /// Cost of a disagreement by `distance` categories, at most 1.
    fn cost(self, distance: usize, categories: usize) -> f64 {
        let share = distance as f64 / categories.saturating_sub(1).max(1) as f64;
        match self {
            Self::Nominal => f64::from(u8::from(distance > 0)),
            Self::Linear => share,
            Self::Quadratic => share * share,
        }
    }
}
