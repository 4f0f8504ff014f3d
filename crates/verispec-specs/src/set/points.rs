//! Ratings as exact numbers.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number from 0 to 10 with at most two decimals, in hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(u16);

impl Points {
    /// The largest.
    pub const MAX: Self = Self(1000);

    /// Whole points.
    #[must_use]
    pub fn whole(points: u16) -> Option<Self> {
        (points <= 10).then(|| Self(points * 100))
    }

    /// From a number; `None` outside of 0 to 10 or with more than two decimals.
    #[must_use]
    pub fn of(value: f64) -> Option<Self> {
        let hundredths = (value * 100.0).round();
        let exact = (hundredths - value * 100.0).abs() < 1e-6;
        (exact && (0.0..=1000.0).contains(&hundredths)).then_some(Self(hundredths as u16))
    }

    /// In hundredths.
    #[must_use]
    pub const fn hundredths(self) -> u32 {
        self.0 as u32
    }

    /// As a number.
    #[must_use]
    pub fn value(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_f64(self.value())
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(d)?;
        let message = || serde::de::Error::custom("a rating is 0 to 10 with at most two decimals");
        Self::of(value).ok_or_else(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_exact_and_bounded() {
        assert_eq!(Points::of(8.5).map(Points::hundredths), Some(850));
        assert_eq!(Points::of(8.33).map(Points::hundredths), Some(833));
        for wrong in [-0.5, 10.5, 8.333, f64::NAN, f64::INFINITY] {
            assert_eq!(Points::of(wrong), None, "{wrong}");
        }
        let points: Points = serde_json::from_str("7").unwrap();
        assert_eq!(serde_json::to_string(&points).unwrap(), "7.0");
        assert!(serde_json::from_str::<Points>("11").is_err());
    }
}
