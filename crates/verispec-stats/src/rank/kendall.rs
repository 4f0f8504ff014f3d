//! Kendall's tau in its three forms.

use super::{
    p_value::{Method, PValue},
    ranks::{ascending, by_value},
};
use crate::{Defined, Undefined, special::normal_two_sided, undefined::paired};
use serde::Serialize;

/// How the pairs of n objects fall: everything that Kendall's coefficients and their p-value need.
///
/// concordant + discordant + ties_x + ties_y - ties_both = n (n - 1) / 2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PairCounts {
    /// Objects.
    pub n: usize,
    /// Pairs that x and y order alike.
    pub concordant: u64,
    /// Pairs that x and y order oppositely.
    pub discordant: u64,
    /// Pairs tied in x (whatever y says).
    pub ties_x: u64,
    /// Pairs tied in y (whatever x says).
    pub ties_y: u64,
    /// Pairs tied in both.
    pub ties_both: u64,
    /// Sizes of the groups of equal values in x, in ascending order of value.
    #[serde(skip)]
    groups_x: Vec<u64>,
    #[serde(skip)]
    groups_y: Vec<u64>,
}

/// Counts the pairs of `x` and `y` in O(n log n) (Knight, "A Computer Method for Calculating
/// Kendall's Tau with Ungrouped Data", JASA 1966).
///
/// # Errors
/// Lengths that differ, values that are not finite, fewer than two objects.
pub fn pair_counts(x: &[f64], y: &[f64]) -> Defined<PairCounts> {
    paired(x, y, 2)?;
    let n = x.len();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| by_value(x[a], x[b]).then(by_value(y[a], y[b])));
    let both = |a: usize, b: usize| x[a] == x[b] && y[a] == y[b];
    let ties_both = pairs_within(&groups(&order, both));
    let groups_x = groups(&order, |a, b| x[a] == x[b]);
    let groups_y = groups(&ascending(y), |a, b| y[a] == y[b]);
    let (ties_x, ties_y) = (pairs_within(&groups_x), pairs_within(&groups_y));
    let mut by_x: Vec<f64> = order.iter().map(|&i| y[i]).collect();
    let discordant = inversions(&mut by_x, &mut vec![0.0; n]);
    let total = pairs(n as u64);
    let concordant = total + ties_both - ties_x - ties_y - discordant;
    Ok(PairCounts {
        n,
        concordant,
        discordant,
        ties_x,
        ties_y,
        ties_both,
        groups_x,
        groups_y,
    })
}

fn pairs(n: u64) -> u64 {
    n * n.saturating_sub(1) / 2
}

fn pairs_within(groups: &[u64]) -> u64 {
    groups.iter().map(|&size| pairs(size)).sum()
}

/// Sizes of the runs of `order` that `same` joins.
fn groups(order: &[usize], same: impl Fn(usize, usize) -> bool) -> Vec<u64> {
    order
        .chunk_by(|&a, &b| same(a, b))
        .map(|run| run.len() as u64)
        .collect()
}

/// Pairs i < j with values\[i\] > values\[j\]; sorts `values` (merge sort).
fn inversions(values: &mut [f64], scratch: &mut [f64]) -> u64 {
    let n = values.len();
    if n < 2 {
        return 0;
    }
    let (left, right) = values.split_at_mut(n / 2);
    let (scratch_left, scratch_right) = scratch.split_at_mut(n / 2);
    let mut count = inversions(left, scratch_left) + inversions(right, scratch_right);
    let (mut i, mut j) = (0, 0);
    for slot in scratch.iter_mut() {
        if j == right.len() || (i < left.len() && left[i] <= right[j]) {
            *slot = left[i];
            i += 1;
        } else {
            count += (left.len() - i) as u64;
            *slot = right[j];
            j += 1;
        }
    }
    values.copy_from_slice(scratch);
    count
}

impl PairCounts {
    /// concordant - discordant.
    #[must_use]
    pub fn score(&self) -> i64 {
        self.concordant as i64 - self.discordant as i64
    }

    fn total(&self) -> u64 {
        pairs(self.n as u64)
    }

    /// tau-a = (C - D) / (n (n - 1) / 2), in -1..=1. Ties pull it to 0, so that it is 0 for a
    /// constant input.
    #[must_use]
    pub fn tau_a(&self) -> f64 {
        self.score() as f64 / self.total() as f64
    }

    /// tau-b = (C - D) / sqrt((P - Tx) (P - Ty)), with P = n (n - 1) / 2 pairs, in -1..=1 (Kendall
    /// 1945).
    ///
    /// # Errors
    /// [`Undefined::Constant`].
    pub fn tau_b(&self) -> Defined<f64> {
        self.not_constant()?;
        let x = (self.total() - self.ties_x) as f64;
        let y = (self.total() - self.ties_y) as f64;
        Ok((self.score() as f64 / (x * y).sqrt()).clamp(-1.0, 1.0))
    }

    /// tau-c = 2 (C - D) m / (n^2 (m - 1)), with m the smaller number of distinct values, in -1..=1
    /// (Stuart 1953).
    ///
    /// # Errors
    /// [`Undefined::Constant`].
    pub fn tau_c(&self) -> Defined<f64> {
        self.not_constant()?;
        let classes = self.groups_x.len().min(self.groups_y.len()) as f64;
        let square = (self.n * self.n) as f64;
        let tau = 2.0 * self.score() as f64 * classes / (square * (classes - 1.0));
        Ok(tau.clamp(-1.0, 1.0))
    }

    /// Two-sided p-value of "no association", the same for all three forms: exact if there is no
    /// tie and n <= 33 or at most one pair disagrees with a perfect order, else by the normal
    /// approximation (the rule of SciPy's `kendalltau(method="auto")`).
    ///
    /// # Errors
    /// [`Undefined::Constant`].
    pub fn p_value(&self) -> Defined<PValue> {
        let extreme = self.discordant.min(self.concordant);
        if self.ties_x == 0 && self.ties_y == 0 && (self.n <= 33 || extreme <= 1) {
            self.p_exact()
        } else {
            self.p_normal()
        }
    }

    /// p-value from the distribution of discordances over all orders (Kendall, "Rank Correlation
    /// Methods", 4th edition, 1970): the recurrence of the Mahonian numbers.
    ///
    /// # Errors
    /// [`Undefined::Ties`]; [`Undefined::Constant`]; [`Undefined::OutOfRange`] where the distribution
    /// is too large to go through (from about 2,000 objects with a tau near 0).
    pub fn p_exact(&self) -> Defined<PValue> {
        self.not_constant()?;
        if self.ties_x > 0 || self.ties_y > 0 {
            return Err(Undefined::Ties);
        }
        let extreme = self.discordant.min(self.concordant);
        let steps = extreme as f64 * self.n as f64;
        if steps > 1e9 {
            let range = "an exact distribution of at most 1e9 steps";
            return Err(Undefined::OutOfRange {
                input: "objects x discordances",
                found: steps,
                range,
            });
        }
        let value = if 2 * extreme == self.total() {
            1.0
        } else {
            (2.0 * share_with_at_most(extreme, self.n)).min(1.0)
        };
        Ok(PValue {
            value,
            method: Method::Exact,
        })
    }

    /// p-value from z = (C - D) / sqrt(v), v with the correction for ties (Kendall 1970, chapter 4):
    /// v = (n (n-1) (2n+5) - x1 - y1) / 18 + 2 Tx Ty / (n (n-1)) + x0 y0 / (9 n (n-1) (n-2)), with
    /// x0 = sum t (t-1) (t-2) and x1 = sum t (t-1) (2t+5) over groups of t equal values of x.
    ///
    /// # Errors
    /// [`Undefined::Constant`]; [`Undefined::TooFew`] for two objects.
    pub fn p_normal(&self) -> Defined<PValue> {
        self.not_constant()?;
        crate::undefined::at_least("objects", self.n, 3)?;
        let n = self.n as f64;
        let m = n * (n - 1.0);
        let (x0, x1) = tie_terms(&self.groups_x);
        let (y0, y1) = tie_terms(&self.groups_y);
        let variance = (m * (2.0 * n + 5.0) - x1 - y1) / 18.0
            + 2.0 * self.ties_x as f64 * self.ties_y as f64 / m
            + x0 * y0 / (9.0 * m * (n - 2.0));
        let z = self.score() as f64 / variance.sqrt();
        Ok(PValue {
            value: normal_two_sided(z),
            method: Method::Normal,
        })
    }

    fn not_constant(&self) -> Defined<()> {
        if self.groups_x.len() == 1 {
            return Err(Undefined::Constant { input: "x" });
        }
        if self.groups_y.len() == 1 {
            return Err(Undefined::Constant { input: "y" });
        }
        Ok(())
    }
}

fn tie_terms(groups: &[u64]) -> (f64, f64) {
    groups
        .iter()
        .map(|&t| t as f64)
        .fold((0.0, 0.0), |(zero, one), t| {
            let base = t * (t - 1.0);
            (zero + base * (t - 2.0), one + base * (2.0 * t + 5.0))
        })
}

/// Share of the n! orders with at most `most` discordant pairs, `most` below the middle. Shares
/// instead of counts, so that no n overflows: an object more spreads each share evenly over as many
/// places as there are objects. The windows are differences of a cumulated sum; below the middle a
/// window holds the largest terms of its sum, so that little cancels.
fn share_with_at_most(most: u64, n: usize) -> f64 {
    let width = most as usize + 1;
    let mut share = vec![0.0; width];
    share[0] = 1.0;
    for objects in 2..=n {
        let mut sum = 0.0;
        let cumulated: Vec<f64> = share
            .iter()
            .map(|term| {
                sum += term;
                sum
            })
            .collect();
        for (k, slot) in share.iter_mut().enumerate() {
            let before = k.checked_sub(objects).map_or(0.0, |end| cumulated[end]);
            *slot = (cumulated[k] - before).max(0.0) / objects as f64;
        }
    }
    share.iter().sum()
}

/// tau-b of two score vectors; see [`PairCounts::tau_b`].
///
/// # Errors
/// As [`pair_counts`] and [`PairCounts::tau_b`].
pub fn tau_b(x: &[f64], y: &[f64]) -> Defined<f64> {
    pair_counts(x, y)?.tau_b()
}
