//! Two outcomes of the same items side by side.

use std::collections::BTreeMap;

use serde::Serialize;
use verispec_stats::Defined;
use verispec_stats::hypothesis::{McNemar, mcnemar};
use verispec_stats::interval::{Interval, mean};

use super::state::ItemResult;

/// Nominal coverage of intervals.
pub const LEVEL: f64 = 0.95;

/// Items by what both come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Quadrants {
    /// Right in both.
    pub both: u64,
    /// Right in the first only.
    pub only_first: u64,
    /// Right in the second only.
    pub only_second: u64,
    /// Right in neither.
    pub neither: u64,
}

/// The second minus the first, item by item.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Paired {
    /// Items with an outcome in both.
    pub items: u64,
    /// Pairs that lack an outcome in one of them.
    pub left_out: usize,
    /// Items by what both come to.
    pub quadrants: Quadrants,
    /// Share right in the second less that in the first, -1..=1; `None` without items.
    pub difference: Option<f64>,
    /// Interval of the difference (t of the paired differences), inside -1..=1, or why there is
    /// none.
    pub interval: Defined<Interval>,
    /// McNemar's exact test.
    pub test: McNemar,
}

impl Paired {
    /// Whether the exact two-sided p-value is below 0.05.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.test.exact < 0.05
    }
}

/// Compares two sets of results over pairs of ids. A pair counts if both sides are decided; the
/// model's failures are wrong.
#[must_use]
pub fn paired(first: &[ItemResult], second: &[ItemResult], pairs: &[(String, String)]) -> Paired {
    let outcomes = |results: &[ItemResult]| -> BTreeMap<String, Option<bool>> {
        let one = |r: &ItemResult| (r.id.clone(), r.outcome.correct());
        results.iter().map(one).collect()
    };
    let (first, second) = (outcomes(first), outcomes(second));
    let mut quadrants = Quadrants::default();
    let (mut differences, mut left_out) = (vec![], 0);
    for (a, b) in pairs {
        let a = first.get(a).copied().flatten();
        let b = second.get(b).copied().flatten();
        let Some((a, b)) = a.zip(b) else {
            left_out += 1;
            continue;
        };
        let count = match (a, b) {
            (true, true) => &mut quadrants.both,
            (true, false) => &mut quadrants.only_first,
            (false, true) => &mut quadrants.only_second,
            (false, false) => &mut quadrants.neither,
        };
        *count += 1;
        differences.push(f64::from(u8::from(b)) - f64::from(u8::from(a)));
    }
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    let difference = (!differences.is_empty())
        .then(|| differences.iter().sum::<f64>() / differences.len() as f64);
    let interval = mean(&differences).and_then(|m| m.interval(LEVEL));
    Paired {
        items: differences.len() as u64,
        left_out,
        quadrants,
        difference,
        interval: interval.map(|i| i.clipped(-1.0, 1.0)),
        test: mcnemar(quadrants.only_first, quadrants.only_second),
    }
}

/// Pairs of equal ids, for two results on the same file.
#[must_use]
pub fn same_ids(first: &[ItemResult], second: &[ItemResult]) -> Vec<(String, String)> {
    let there: BTreeMap<&str, ()> = second.iter().map(|r| (r.id.as_str(), ())).collect();
    first
        .iter()
        .filter(|r| there.contains_key(r.id.as_str()))
        .map(|r| (r.id.clone(), r.id.clone()))
        .collect()
}
