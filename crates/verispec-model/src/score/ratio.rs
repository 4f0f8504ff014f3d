//! Exact fractions.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Sub};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use serde::{Serialize, Serializer};

/// An exact fraction in lowest terms. Displays and serialises as `p/q`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ratio(BigRational);

impl Ratio {
    /// `numerator / denominator`; `None` for a zero denominator: 0/0 is undefined, not 0.
    #[must_use]
    pub fn new(numerator: usize, denominator: usize) -> Option<Self> {
        (denominator != 0).then(|| {
            Self(BigRational::new(
                BigInt::from(numerator),
                BigInt::from(denominator),
            ))
        })
    }

    /// Where `value` lies between `from` (0) and `to` (1), exact in the shortest decimals of all
    /// three; `None` for an empty scale, a value outside of it, or a number that is not finite.
    #[must_use]
    pub fn share_of(value: f64, from: f64, to: f64) -> Option<Self> {
        let (value, from, to) = (decimal(value)?, decimal(from)?, decimal(to)?);
        let inside = from < to && from <= value && value <= to;
        inside.then(|| Self((value - from.clone()) / (to - from)))
    }

    /// A number above 0, exact in its shortest decimals; `None` for any other.
    #[must_use]
    pub fn positive(value: f64) -> Option<Self> {
        (value > 0.0).then(|| decimal(value).map(Self)).flatten()
    }

    /// This over `other`; `None` when that is 0.
    #[must_use]
    pub fn over(&self, other: &Self) -> Option<Self> {
        (!other.0.is_zero()).then(|| Self(self.0.clone() / other.0.clone()))
    }

    /// The fraction 0.
    #[must_use]
    pub fn zero() -> Self {
        Self(BigRational::zero())
    }

    /// A whole number.
    #[must_use]
    pub fn whole(n: usize) -> Self {
        Self(BigRational::from_integer(BigInt::from(n)))
    }

    /// Unweighted mean; `None` for no values.
    #[must_use]
    pub fn mean(values: &[Self]) -> Option<Self> {
        let n = Self::new(1, values.len())?;
        Some(values.iter().cloned().sum::<Self>() * n)
    }

    /// Nearest `f64`.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }

    /// 100 times the fraction with this many decimals, halves away from 0, exactly: 1/400 with one
    /// decimal is `0.3`, which rounding a binary number would miss.
    #[must_use]
    pub fn percent_half_up(&self, decimals: u32) -> String {
        let scale = BigInt::from(10).pow(decimals);
        let scaled = self.0.clone() * BigRational::from_integer(scale * 100);
        let digits = scaled.round().to_integer();
        let sign = if digits < BigInt::zero() { "-" } else { "" };
        let width = decimals as usize + 1;
        let digits = format!("{:0>width$}", digits.magnitude().to_string());
        let (whole, fraction) = digits.split_at(digits.len() + 1 - width);
        let point = if decimals == 0 { "" } else { "." };
        format!("{sign}{whole}{point}{fraction}")
    }

    /// 100 times the fraction, as the nearest `f64`.
    #[must_use]
    pub fn percent(&self) -> f64 {
        (self.clone() * Self::whole(100)).to_f64()
    }
}

impl Add for Ratio {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

/// The difference, which may be negative.
impl Sub for Ratio {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul for Ratio {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Sum for Ratio {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::zero(), Add::add)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.0.numer(), self.0.denom())
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

/// The decimal number that prints as `value` does in shortest form.
fn decimal(value: f64) -> Option<BigRational> {
    let text = value.is_finite().then(|| format!("{value}"))?;
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let scale = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
    Some(BigRational::new(digits, scale))
}

#[cfg(test)]
mod tests {
    use super::Ratio;

    #[test]
    fn percentages_round_half_up() {
        let percent = |n, d, k| Ratio::new(n, d).unwrap().percent_half_up(k);
        assert_eq!(
            percent(101, 400, 1),
            "25.3",
            "25.25; binary rounding gives 25.2"
        );
        assert_eq!(percent(117, 400, 1), "29.3", "29.25");
        assert_eq!(percent(353, 1000, 1), "35.3");
        assert_eq!(percent(1, 1, 1), "100.0");
        assert_eq!(percent(0, 7, 1), "0.0");
        assert_eq!(percent(1, 3, 2), "33.33");
        assert_eq!(percent(1, 200, 0), "1");
        assert_eq!(percent(1, 20_000, 1), "0.0");
        assert_eq!(percent(1, 2_000, 1), "0.1", "0.05");
        let less = Ratio::new(1, 8).unwrap() - Ratio::new(1, 4).unwrap();
        assert_eq!(less.percent_half_up(1), "-12.5");
    }
}
