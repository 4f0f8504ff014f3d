//! McNemar's exact test.

use crate::special::half_binomial;
use serde::Serialize;

/// McNemar's test of two paired yes/no outcomes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct McNemar {
    /// Pairs where only the first is yes.
    pub only_first: u64,
    /// Pairs where only the second is yes.
    pub only_second: u64,
    /// Exact two-sided p-value min(1, 2 P(X <= min)), X binomial over the discordant pairs with
    /// probability 1/2; in 0..=1. 1 without discordant pairs: no outcome could be less extreme.
    pub exact: f64,
    /// Mid-p-value 2 P(X < min) + P(X = min), less conservative (Fagerland, Lydersen, Laake, BMC
    /// Medical Research Methodology 2013); in 0..=1.
    pub mid_p: f64,
}

/// McNemar's exact conditional test (Q. McNemar 1947) from the two discordant counts. Pairs must be
/// independent: instances, not the specifications of one instance.
#[must_use]
pub fn mcnemar(only_first: u64, only_second: u64) -> McNemar {
    let least = only_first.min(only_second);
    let (tail, mass) = half_binomial(least, only_first + only_second);
    let exact = (2.0 * tail).min(1.0);
    McNemar {
        only_first,
        only_second,
        exact,
        mid_p: (2.0 * tail - mass).min(1.0),
    }
}
