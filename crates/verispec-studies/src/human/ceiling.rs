//! How well people agree with each other: what a judge can be expected to reach.

use serde::Serialize;

use super::levels::{Correlations, correlations};
use super::{Ratings, mean};

/// One person against the mean of the others, over outputs that both rated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RaterCeiling {
    /// The person.
    pub rater: String,
    /// Pooled over outputs.
    #[serde(flatten)]
    pub correlations: Correlations,
}

/// Leave-one-rater-out: every person against the mean of all others, sorted by name. An output
/// that nobody else rated does not enter.
#[must_use]
pub fn ceiling(ratings: &Ratings) -> Vec<RaterCeiling> {
    let raters = ratings.raters().into_iter();
    raters
        .map(|rater| {
            let pairs = ratings.0.values().filter_map(|given| {
                let others = given.iter().filter(|(name, _)| *name != rater);
                Some((*given.get(rater)?, mean(others.map(|(_, v)| *v))?))
            });
            let (own, others): (Vec<f64>, Vec<f64>) = pairs.unzip();
            RaterCeiling {
                rater: rater.to_owned(),
                correlations: correlations(&own, &others),
            }
        })
        .collect()
}
