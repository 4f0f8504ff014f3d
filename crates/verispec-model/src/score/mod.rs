//! How readings become numbers.
//!
//! [`uniform`] is the default rule, in exact arithmetic; a suite may bring a rule of its own
//! (SpecV's `board`) that fills the same [`ScoreTable`].

mod count;
mod opinion;
mod rank;
mod ratio;
mod table;
mod uniform;

#[cfg(test)]
mod tests;

pub use count::Counters;
pub use rank::{RankEntry, rank_by};
pub use ratio::Ratio;
pub use table::{
    DimensionScore, MissingRule, ModelScore, Policy, Score, ScoreTable, Scoring, SumRule,
    TrackScore, UnjudgedRule,
};
pub use uniform::uniform;
