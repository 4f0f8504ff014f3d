//! How readings become numbers.
//!
//! [`uniform`] is the default rule, in exact arithmetic; a suite may bring a rule of its own
//! (SpecV's `board`) that fills the same [`ScoreTable`]. [`Rules`] say what the specifications of
//! one instance mean to each other: dependencies, weights, critical ones.

mod category;
mod count;
mod opinion;
mod profile;
mod rank;
mod ratio;
mod rules;
mod table;
mod uniform;

#[cfg(test)]
mod tests;

pub use category::{CategoryScore, by_category};
pub use count::Counters;
pub use profile::{ComplexityCurve, ComplexityPoint, Contrast, complexity, contrast};
pub use rank::{RankEntry, rank_by};
pub use ratio::Ratio;
pub use rules::{CriticalRule, DependencyRule, Rules, WeightRule, outcomes};
pub use table::{
    DimensionScore, MissingRule, ModelScore, Policy, Score, ScoreTable, Scoring, SumRule,
    TrackScore, UnjudgedRule,
};
pub use uniform::uniform;
