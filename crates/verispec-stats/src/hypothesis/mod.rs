//! Tests of paired data, and the correction for many tests.

mod equal_rates;
mod mcnemar;
mod multiple;
mod sign_flip;

pub use equal_rates::{EqualRates, equal_rates};
pub use mcnemar::{McNemar, mcnemar};
pub use multiple::{benjamini_hochberg, holm};
pub use sign_flip::{MAX_EXACT_DIFFERENCES, SignFlip, SignFlipMethod, cluster_sums, sign_flip};
