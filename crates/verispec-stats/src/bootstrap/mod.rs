//! The bootstrap: what would the numbers be with other instances of the same kind?
//!
//! A [`Plan`] says how units (instances) are drawn: within strata, and as whole clusters. A draw is
//! how often each unit occurs in it, the same for every model and judge, because it depends on the
//! seed and the number of the draw alone. A [`Statistic`] turns a draw into numbers. [`bootstrap`]
//! runs the draws on all threads, with the same result for any number of them.

mod interval;
mod jackknife;
mod plan;
mod run;
mod scores;
mod shrinkage;
mod taus;
mod true_taus;

pub use interval::{Sample, quantile};
pub use jackknife::{Jackknife, jackknife};
pub use plan::{Plan, Variety, merged_strata};
pub use run::{Function, Replicates, Statistic, bootstrap};
pub use scores::{MeanScratch, ScoreTable};
pub use taus::{Coefficient, PairwiseTau, SCORE_TIE, TauScratch, TauTable};
pub use true_taus::{LEAST_ITEMS, true_taus};
