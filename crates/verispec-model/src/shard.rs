//! One of several equal shares of a run, so that many machines can work on it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::key::KeyBuilder;

/// Share `index` of `of`, counted from 1, written `index/of`.
///
/// What belongs to a share follows from names alone, so every machine finds the same split
/// without asking another, and one more output moves nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    index: u32,
    of: u32,
}

/// The text is no share.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no share; write I/N with 1 <= I <= N, for instance 2/8")]
pub struct ParseShardError(String);

impl Shard {
    /// Share `index` of `of`; `None` unless `1 <= index <= of`.
    #[must_use]
    pub const fn new(index: u32, of: u32) -> Option<Self> {
        if index >= 1 && index <= of {
            Some(Self { index, of })
        } else {
            None
        }
    }

    /// Which share, from 1.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How many shares there are.
    #[must_use]
    pub const fn of(self) -> u32 {
        self.of
    }

    /// Whether a model's output for an instance belongs to this share: BLAKE3 over the four
    /// names, its first 64 bits (big endian) modulo the number of shares.
    #[must_use]
    pub fn holds(self, suite: &str, track: &str, instance: &str, model: &str) -> bool {
        let mut key = KeyBuilder::new("verispec/shard");
        key.field("suite", suite.as_bytes())
            .field("track", track.as_bytes())
            .field("instance", instance.as_bytes())
            .field("model", model.as_bytes());
        let [a, b, c, d, e, f, g, h, ..] = *key.finish().as_bytes();
        let number = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
        number % u64::from(self.of) == u64::from(self.index - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (index, of) = text.split_once('/')?;
            Self::new(index.trim().parse().ok()?, of.trim().parse().ok()?)
        };
        parse().ok_or_else(|| ParseShardError(text.to_owned()))
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = ParseShardError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shards(n: u32) -> Vec<Shard> {
        (1..=n).map(|i| Shard::new(i, n).unwrap()).collect()
    }

    #[test]
    fn text_round_trips_and_nonsense_is_refused() {
        let shard: Shard = "2/8".parse().unwrap();
        assert_eq!((shard.index(), shard.of()), (2, 8));
        assert_eq!(shard.to_string(), "2/8");
        for bad in ["0/4", "5/4", "1/0", "1", "a/b", "-1/2", ""] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn every_output_belongs_to_exactly_one_share_and_shares_are_even() {
        let shares = shards(7);
        let mut sizes = [0_u32; 7];
        for i in 0..7_000 {
            let id = format!("id_{i:04}");
            let holders: Vec<usize> = (0..7)
                .filter(|s| shares[*s].holds("specv", "t2i", &id, "m"))
                .collect();
            assert_eq!(holders.len(), 1, "{id}");
            sizes[holders[0]] += 1;
        }
        // Standard deviation of a share is 29; five of them are never left by chance.
        assert!(sizes.iter().all(|n| n.abs_diff(1_000) < 146), "{sizes:?}");
    }

    #[test]
    fn the_split_is_pinned() {
        // A change here makes shards of two versions overlap or leave gaps.
        let held: Vec<u32> = (0..12)
            .filter(|i| {
                Shard::new(1, 3)
                    .unwrap()
                    .holds("s", "t", &i.to_string(), "m")
            })
            .collect();
        assert_eq!(held, PINNED);
    }
    const PINNED: [u32; 5] = [0, 2, 4, 5, 6];

    #[test]
    fn the_model_decides_too() {
        let one = Shard::new(1, 2).unwrap();
        let held = |model, i: u32| one.holds("s", "t", &i.to_string(), model);
        assert!((0..64).any(|i| held("a", i) != held("b", i)));
    }
}
