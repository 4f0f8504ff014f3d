//! Amounts of money, exact to a millionth of a millionth of a dollar.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

use serde::{Serialize, Serializer};

/// Picodollars in a dollar.
const PICO: f64 = 1e12;

/// An amount in US dollars, in whole picodollars: one token at $0.000001 a million is one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(u128);

impl Money {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// An amount in dollars, to the nearest picodollar; `None` unless finite and not negative.
    #[must_use]
    pub fn dollars(amount: f64) -> Option<Self> {
        (amount.is_finite() && amount >= 0.0).then(|| Self((amount * PICO).round() as u128))
    }

    /// The amount in dollars.
    #[must_use]
    pub fn as_dollars(self) -> f64 {
        self.0 as f64 / PICO
    }

    /// `tokens` at `per_million` dollars a million.
    #[must_use]
    pub(super) fn of_tokens(tokens: u64, per_million: f64) -> Self {
        // A dollar a million is a million picodollars a token.
        Self(u128::from(tokens) * (per_million * 1e6).round() as u128)
    }

    /// This amount times a factor that is not negative, to the nearest picodollar.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self((self.0 as f64 * factor.max(0.0)).round() as u128)
    }
}

impl Add for Money {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self(self.0.saturating_add(more.0))
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, more: Self) {
        *self = *self + more;
    }
}

impl Sub for Money {
    type Output = Self;

    /// Never below nothing.
    fn sub(self, less: Self) -> Self {
        Self(self.0.saturating_sub(less.0))
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Money {
    /// `$12.34`; four digits below a dollar, so that small runs do not read as free.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dollars = self.as_dollars();
        if self.0 == 0 || dollars >= 1.0 {
            write!(f, "${dollars:.2}")
        } else if dollars < 0.0001 {
            f.write_str("under $0.0001")
        } else {
            write!(f, "${dollars:.4}")
        }
    }
}

impl Serialize for Money {
    /// As a number of dollars.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_dollars())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_amounts_do_not_vanish() {
        let one = Money::of_tokens(1, 0.0375);
        let million: Money = std::iter::repeat_n(one, 1_000_000).sum();
        assert_eq!(million, Money::dollars(0.0375).unwrap());
        assert_ne!(one.to_string(), "$0.00");
        assert_eq!(Money::ZERO.to_string(), "$0.00");
        assert_eq!(Money::dollars(12.345).unwrap().to_string(), "$12.35");
        assert_eq!(Money::dollars(0.25).unwrap().to_string(), "$0.2500");
    }

    #[test]
    fn only_amounts_are_taken() {
        for bad in [-0.01, f64::NAN, f64::INFINITY] {
            assert_eq!(Money::dollars(bad), None);
        }
    }
}
