//! Correlation of two orders of the same objects.
//!
//! Objects are usually models (scores by judge a against scores by judge b) or cells (score
//! against human rating). Every function takes the *scores*, not ranks; larger means better, and
//! only equal numbers are tied.

mod kendall;
mod p_value;
mod pairwise;
mod pearson;
mod ranks;
mod signs;
mod spearman;
mod weighted;

pub use kendall::{PairCounts, pair_counts, tau_b};
pub use p_value::{Method, PValue};
pub use pairwise::{Calibrated, PairTable, calibrate_ties, pair_table};
pub use pearson::{Correlation, pearson};
pub(crate) use ranks::ascending;
pub use ranks::{merge_ties, mid_ranks};
pub use signs::PairSigns;
pub use spearman::spearman;
pub use weighted::{weighted_tau, weighted_tau_by_first};
