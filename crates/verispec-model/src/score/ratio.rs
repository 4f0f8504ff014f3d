//! Exact fractions.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Sub};

use num_bigint::BigInt;
use num_rational::{BigRational, Rational64};
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, ToPrimitive, Zero};
use serde::{Serialize, Serializer};

/// An exact fraction in lowest terms. Displays and serialises as `p/q`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Ratio(Exact);

/// `Small` wherever both terms fit, so that equal fractions are equal values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Exact {
    Small(Rational64),
    Big(BigRational),
}

/// An operation on machine words, `None` on overflow, and the same without bounds.
type Operation = (
    fn(&Rational64, &Rational64) -> Option<Rational64>,
    fn(BigRational, BigRational) -> BigRational,
);

impl Ratio {
    /// `numerator / denominator`; `None` for a zero denominator: 0/0 is undefined, not 0.
    #[must_use]
    pub fn new(numerator: usize, denominator: usize) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let small = i64::try_from(numerator)
            .ok()
            .zip(i64::try_from(denominator).ok());
        Some(match small {
            Some((p, q)) => Self(Exact::Small(Rational64::new(p, q))),
            None => Self::of(BigRational::new(numerator.into(), denominator.into())),
        })
    }

    fn of(value: BigRational) -> Self {
        let terms = value.numer().to_i64().zip(value.denom().to_i64());
        Self(match terms {
            // The smallest word has no opposite; keeping it out keeps word arithmetic simple.
            Some((p, q)) if p != i64::MIN => Exact::Small(Rational64::new_raw(p, q)),
            _ => Exact::Big(value),
        })
    }

    fn big(&self) -> BigRational {
        match &self.0 {
            Exact::Small(value) => {
                BigRational::new_raw(BigInt::from(*value.numer()), BigInt::from(*value.denom()))
            }
            Exact::Big(value) => value.clone(),
        }
    }

    fn apply(&self, other: &Self, (words, unbounded): Operation) -> Self {
        if let (Exact::Small(a), Exact::Small(b)) = (&self.0, &other.0)
            && let Some(value) = words(a, b).filter(|v| *v.numer() != i64::MIN)
        {
            return Self(Exact::Small(value));
        }
        Self::of(unbounded(self.big(), other.big()))
    }

    fn is_zero(&self) -> bool {
        matches!(&self.0, Exact::Small(value) if value.is_zero())
    }

    /// Where `value` lies between `from` (0) and `to` (1), exact in the shortest decimals of all
    /// three; `None` for an empty scale, a value outside of it, or a number that is not finite.
    #[must_use]
    pub fn share_of(value: f64, from: f64, to: f64) -> Option<Self> {
        let (value, from, to) = (decimal(value)?, decimal(from)?, decimal(to)?);
        let inside = from < to && from <= value && value <= to;
        inside.then(|| Self::of((value - from.clone()) / (to - from)))
    }

    /// A number above 0, exact in its shortest decimals; `None` for any other.
    #[must_use]
    pub fn positive(value: f64) -> Option<Self> {
        (value > 0.0)
            .then(|| decimal(value).map(Self::of))
            .flatten()
    }

    /// This over `other`; `None` when that is 0.
    #[must_use]
    pub fn over(&self, other: &Self) -> Option<Self> {
        (!other.is_zero()).then(|| self.apply(other, (CheckedDiv::checked_div, |a, b| a / b)))
    }

    /// The fraction 0.
    #[must_use]
    pub fn zero() -> Self {
        Self(Exact::Small(Rational64::zero()))
    }

    /// A whole number.
    #[must_use]
    pub fn whole(n: usize) -> Self {
        match i64::try_from(n) {
            Ok(n) => Self(Exact::Small(Rational64::from_integer(n))),
            Err(_) => Self::of(BigRational::from_integer(n.into())),
        }
    }

    /// Unweighted mean; `None` for no values.
    #[must_use]
    pub fn mean(values: &[Self]) -> Option<Self> {
        let n = Self::new(1, values.len())?;
        Some(values.iter().sum::<Self>() * n)
    }

    /// Nearest `f64`.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        let value = match &self.0 {
            Exact::Small(value) => value.to_f64(),
            Exact::Big(value) => value.to_f64(),
        };
        value.unwrap_or(f64::NAN)
    }

    /// 100 times the fraction with this many decimals, halves away from 0, exactly: 1/400 with one
    /// decimal is `0.3`, which rounding a binary number would miss.
    #[must_use]
    pub fn percent_half_up(&self, decimals: u32) -> String {
        let scale = BigInt::from(10).pow(decimals);
        let scaled = self.big() * BigRational::from_integer(scale * 100);
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

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Exact::Small(a), Exact::Small(b)) => a.cmp(b),
            _ => self.big().cmp(&other.big()),
        }
    }
}

impl Add for Ratio {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.apply(&other, (CheckedAdd::checked_add, |a, b| a + b))
    }
}

/// The difference, which may be negative.
impl Sub for Ratio {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.apply(&other, (CheckedSub::checked_sub, |a, b| a - b))
    }
}

impl Mul for Ratio {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.apply(&other, (CheckedMul::checked_mul, |a, b| a * b))
    }
}

impl Sum for Ratio {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::zero(), Add::add)
    }
}

/// Numerators of one denominator first: shares of many instances have few denominators.
impl<'a> Sum<&'a Self> for Ratio {
    fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        let mut numerators: BTreeMap<i64, i64> = BTreeMap::new();
        let mut rest = Self::zero();
        for value in iter {
            let Exact::Small(small) = &value.0 else {
                rest = rest + value.clone();
                continue;
            };
            let sum = numerators.entry(*small.denom()).or_default();
            match sum.checked_add(*small.numer()) {
                Some(total) => *sum = total,
                None => rest = rest + value.clone(),
            }
        }
        let sums = numerators.into_iter();
        sums.map(|(q, p)| Self::of(BigRational::new(p.into(), q.into())))
            .fold(rest, Add::add)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.big();
        write!(f, "{}/{}", value.numer(), value.denom())
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
    use num_rational::BigRational;
    use num_traits::Zero;
    use proptest::prelude::*;

    use super::{Exact, Ratio};

    fn same(ratio: &Ratio, big: &BigRational) -> bool {
        ratio.big() == *big && matches!(ratio.0, Exact::Small(_)) == ratio.is_small_enough()
    }

    impl Ratio {
        fn is_small_enough(&self) -> bool {
            let big = self.big();
            let fits =
                |n: &num_bigint::BigInt| i64::try_from(n.clone()).is_ok_and(|n| n != i64::MIN);
            fits(big.numer()) && fits(big.denom())
        }
    }

    proptest! {
        /// Words and numbers without bounds give the same, also where words overflow.
        #[test]
        fn words_are_exact(
            terms in proptest::collection::vec(
                (prop_oneof![0..50_usize, Just(usize::MAX), 0..usize::MAX / 2],
                 prop_oneof![1..44_usize, Just(usize::MAX), 1..usize::MAX / 2]),
                1..12,
            )
        ) {
            let ratios: Vec<Ratio> =
                terms.iter().map(|(p, q)| Ratio::new(*p, *q).unwrap()).collect();
            let bigs: Vec<BigRational> = terms
                .iter()
                .map(|(p, q)| BigRational::new((*p).into(), (*q).into()))
                .collect();
            let sum = bigs.iter().fold(BigRational::zero(), |a, b| a + b);
            prop_assert!(same(&ratios.iter().sum(), &sum));
            prop_assert!(same(&ratios.iter().cloned().sum(), &sum));
            let (a, b) = (&ratios[0], ratios.last().unwrap());
            let (x, y) = (&bigs[0], bigs.last().unwrap());
            prop_assert!(same(&(a.clone() - b.clone()), &(x - y)));
            prop_assert!(same(&(a.clone() * b.clone()), &(x * y)));
            prop_assert_eq!(a.cmp(b), x.cmp(y));
            if !y.is_zero() {
                prop_assert!(same(&a.over(b).unwrap(), &(x / y)));
            }
        }
    }

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
