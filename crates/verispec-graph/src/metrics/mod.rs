//! Cross-task consistency: G, U, CCTA, AW-CCTA and what goes with them.

mod chance;
mod coverage;
mod dataset;
mod fact;
mod grades;
mod interval;
mod join;
mod matched;
mod models;
mod tally;

pub use chance::{Chance, ChanceTest, chance_test};
pub use coverage::{Coverage, ImageCoverage, ImageOutcome};
pub use dataset::{DatasetMeans, dataset_means};
pub use fact::{
    Dropped, FactScore, GenScore, Grade, MetricPolicy, MissingU, UndScore, Variant, graded,
};
pub use grades::{Consistency, GradeTable, Quadrant, Quadrants};
pub use interval::{IntervalPlan, Intervals, intervals};
pub use join::{JoinError, Joined, Released, join};
pub use matched::{IdMatch, is_matched};
pub use models::{ModelRow, RowCorrelations, correlations, mean_row};
pub use tally::{Stratum, Tally};

#[cfg(test)]
mod tests;
