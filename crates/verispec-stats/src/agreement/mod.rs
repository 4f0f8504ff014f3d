//! Agreement of raters on categories, beyond chance.
//!
//! Categories are numbered from 0. With most answers in one category the kappas fall to 0 although
//! nearly all ratings agree; show observed agreement, prevalence and Gwet's AC1 beside them.

mod confusion;
mod krippendorff;
mod table;

pub use confusion::{Confusion, Weighting};
pub use krippendorff::Scale;
pub use table::RatingTable;

use crate::{Defined, Undefined};
use serde::Serialize;

/// A coefficient of agreement and what it is made of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Agreement {
    /// The coefficient: 1 for full agreement, 0 for agreement as by chance, at most 1.
    pub value: f64,
    /// Observed agreement, in 0..=1 (weighted where the coefficient is).
    pub observed: f64,
    /// Agreement expected by chance, in 0..=1, by the coefficient's own model of chance.
    pub expected: f64,
}

impl Agreement {
    /// (observed - expected) / (1 - expected), from the disagreements, which keep their digits.
    fn beyond_chance(observed_disagreement: f64, expected_disagreement: f64) -> Defined<Self> {
        if expected_disagreement <= 0.0 {
            return Err(Undefined::NoChanceDisagreement);
        }
        Ok(Self {
            value: 1.0 - observed_disagreement / expected_disagreement,
            observed: 1.0 - observed_disagreement,
            expected: 1.0 - expected_disagreement,
        })
    }
}
