//! tau-b of many short vectors against each other, for use inside a bootstrap.

use crate::{Defined, Undefined};

/// The order of n objects as one bit per pair: "first above second" and "first below second".
///
/// Two orders are then compared by and + popcount, 64 pairs a step. For vectors of tens of models
/// compared all with all this beats sorting by far, and the memory is reused from draw to draw.
#[derive(Debug, Clone, Default)]
pub struct PairSigns {
    n: usize,
    above: Vec<u64>,
    below: Vec<u64>,
    ordered: u32,
}

impl PairSigns {
    /// An empty order, to be filled by [`PairSigns::set`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the order of `scores`, O(n^2); only equal scores tie. Scores that are not numbers tie
    /// with everything; pass finite ones.
    pub fn set(&mut self, scores: &[f64]) {
        self.set_with_ties(scores, 0.0);
    }

    /// As [`PairSigns::set`], but scores that differ by at most `tie` tie.
    pub fn set_with_ties(&mut self, scores: &[f64], tie: f64) {
        self.n = scores.len();
        let words = (self.n * self.n.saturating_sub(1) / 2).div_ceil(64);
        self.above.clear();
        self.below.clear();
        self.above.reserve(words);
        self.below.reserve(words);
        let (mut above, mut below, mut bit) = (0_u64, 0_u64, 0_u32);
        for (i, first) in scores.iter().enumerate() {
            for second in &scores[i + 1..] {
                above |= u64::from(first - second > tie) << bit;
                below |= u64::from(second - first > tie) << bit;
                bit += 1;
                if bit == 64 {
                    self.above.push(above);
                    self.below.push(below);
                    (above, below, bit) = (0, 0, 0);
                }
            }
        }
        if bit > 0 {
            self.above.push(above);
            self.below.push(below);
        }
        let ones = |words: &[u64]| words.iter().map(|word| word.count_ones()).sum::<u32>();
        self.ordered = ones(&self.above) + ones(&self.below);
    }

    /// Number of objects.
    #[must_use]
    pub fn objects(&self) -> usize {
        self.n
    }

    /// tau-b against another order of the same objects; see
    /// [`PairCounts::tau_b`](super::PairCounts::tau_b), whose value it equals to the last bit.
    ///
    /// # Errors
    /// [`Undefined::Lengths`]; [`Undefined::TooFew`] below two objects; [`Undefined::Constant`].
    pub fn tau_b(&self, other: &Self) -> Defined<f64> {
        crate::undefined::same_length(self.n, other.n)?;
        crate::undefined::at_least("observations", self.n, 2)?;
        if self.ordered == 0 {
            return Err(Undefined::Constant { input: "x" });
        }
        if other.ordered == 0 {
            return Err(Undefined::Constant { input: "y" });
        }
        let (mut concordant, mut discordant) = (0, 0);
        let words = self
            .above
            .iter()
            .zip(&self.below)
            .zip(other.above.iter().zip(&other.below));
        for ((a, b), (c, d)) in words {
            concordant += ((a & c) | (b & d)).count_ones();
            discordant += ((a & d) | (b & c)).count_ones();
        }
        let score = f64::from(concordant) - f64::from(discordant);
        Ok((score / (f64::from(self.ordered) * f64::from(other.ordered)).sqrt()).clamp(-1.0, 1.0))
    }
}
