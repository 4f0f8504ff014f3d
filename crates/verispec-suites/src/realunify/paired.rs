//! Two outcomes of the same items side by side.

use std::collections::BTreeMap;

use serde::Serialize;
use verispec_stats::Defined;
use verispec_stats::hypothesis::{McNemar, mcnemar};
use verispec_stats::interval::{Interval, wilson};

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
    /// Interval of the difference (Newcombe's for paired shares), inside -1..=1, or why there is
    /// none. It has a width also where no item differs.
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
    Paired {
        items: differences.len() as u64,
        left_out,
        quadrants,
        difference,
        interval: newcombe(&quadrants),
        test: mcnemar(quadrants.only_first, quadrants.only_second),
    }
}

impl Quadrants {
    const fn items(&self) -> u64 {
        self.both + self.only_first + self.only_second + self.neither
    }
}

/// Interval of the second share less the first one: Wilson's intervals of both, put together with
/// their correlation (R. Newcombe, Statistics in Medicine 17, 1998, method 10).
///
/// # Errors
/// As [`wilson`]: no items.
fn newcombe(q: &Quadrants) -> Defined<Interval> {
    let n = q.items();
    let (first, second) = (q.both + q.only_first, q.both + q.only_second);
    let (w1, w2) = (wilson(first, n, LEVEL)?, wilson(second, n, LEVEL)?);
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    let (p1, p2) = (first as f64 / n as f64, second as f64 / n as f64);
    let phi = correlation(q);
    let join = |a: f64, b: f64| (a * a - 2.0 * phi * a * b + b * b).max(0.0).sqrt();
    let interval = Interval {
        low: p2 - p1 - join(p2 - w2.low, w1.high - p1),
        high: p2 - p1 + join(w2.high - p2, p1 - w1.low),
        level: LEVEL,
    };
    Ok(interval.clipped(-1.0, 1.0))
}

/// Correlation of the two outcomes, nearer to 0 by half an item where it is positive; 0 where one
/// side is all right or all wrong.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn correlation(q: &Quadrants) -> f64 {
    let n = q.items() as f64;
    let [both, first, second, neither] =
        [q.both, q.only_first, q.only_second, q.neither].map(|c| c as f64);
    let margins = (both + first) * (second + neither) * (both + second) * (first + neither);
    if margins == 0.0 {
        return 0.0;
    }
    let covariance = both * neither - first * second;
    let corrected = if covariance > 0.0 {
        (covariance - n / 2.0).max(0.0)
    } else {
        covariance
    };
    corrected / margins.sqrt()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of 20 items with their probabilities, for shares both, only first, only second.
    fn coverage([both, first, second]: [f64; 3]) -> f64 {
        let n = 20_u64;
        let ln_factorial = |k: u64| (1..=k).map(|i| (i as f64).ln()).sum::<f64>();
        let neither = 1.0 - both - first - second;
        let truth = second - first;
        let mut covered = 0.0;
        for a in 0..=n {
            for b in 0..=n - a {
                for c in 0..=n - a - b {
                    let d = n - a - b - c;
                    let counts = [(a, both), (b, first), (c, second), (d, neither)];
                    let ln: f64 = counts
                        .iter()
                        .map(|(k, p)| *k as f64 * p.ln() - ln_factorial(*k))
                        .sum();
                    let table = Quadrants {
                        both: a,
                        only_first: b,
                        only_second: c,
                        neither: d,
                    };
                    if newcombe(&table).unwrap().contains(truth) {
                        covered += (ln + ln_factorial(n)).exp();
                    }
                }
            }
        }
        covered
    }

    /// Exact, by all tables of 20 items.
    #[test]
    fn intervals_cover_what_they_say() {
        for shares in [
            [0.4, 0.1, 0.1],
            [0.3, 0.02, 0.02],
            [0.2, 0.05, 0.3],
            [0.6, 0.01, 0.15],
            [0.05, 0.1, 0.4],
        ] {
            let covered = coverage(shares);
            assert!(
                (0.92..=1.0 + 1e-9).contains(&covered),
                "{shares:?}: {covered}"
            );
        }
    }

    #[test]
    fn no_difference_is_no_certainty_and_sides_are_mirrored() {
        let same = Quadrants {
            both: 7,
            neither: 1,
            ..Quadrants::default()
        };
        let interval = newcombe(&same).unwrap();
        assert!(interval.low < -0.05 && interval.high > 0.05, "{interval:?}");
        let one = Quadrants {
            both: 4,
            only_first: 1,
            only_second: 6,
            neither: 1,
        };
        let other = Quadrants {
            only_first: 6,
            only_second: 1,
            ..one
        };
        let (one, other) = (newcombe(&one).unwrap(), newcombe(&other).unwrap());
        assert!((one.low + other.high).abs() < 1e-12 && (one.high + other.low).abs() < 1e-12);
        assert!(newcombe(&Quadrants::default()).is_err());
    }
}
