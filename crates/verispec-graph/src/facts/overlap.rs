//! Whether two values of an attribute could be taken for each other.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Rule by which two lists of values overlap, so that the attribute does not tell their objects
/// apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overlap {
    /// A value is equal, or a word (letters and digits) of one shares its stem with a word of the
    /// other: `red` and `dark red`, `t-shirt` and `shirt`.
    #[default]
    Tokens,
    /// The released rule: as above with words between blanks, or one value is a substring of the
    /// other (`tan` of `standing`), which suppresses facts that are valid.
    Published,
}

/// A list of values made ready for many comparisons.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Prepared {
    values: BTreeSet<String>,
    stems: BTreeSet<String>,
}

/// Whether two lists of values overlap. Nothing overlaps with nothing, and with nothing else.
#[must_use]
pub fn overlap(a: &[String], b: &[String], rule: Overlap) -> bool {
    if a.is_empty() || b.is_empty() {
        return a.is_empty() && b.is_empty();
    }
    Prepared::new(a, rule).overlaps(&Prepared::new(b, rule), rule)
}

/// A word without its first matching suffix of ing, er, ed, es, s, provided that three letters or
/// more stay.
#[must_use]
pub fn stem(word: &str) -> &str {
    for suffix in ["ing", "er", "ed", "es", "s"] {
        if word.chars().count() > suffix.len() + 2
            && let Some(short) = word.strip_suffix(suffix)
        {
            return short;
        }
    }
    word
}

impl Prepared {
    pub(super) fn new(values: &[String], rule: Overlap) -> Self {
        let lower = values.iter().map(|v| v.trim().to_lowercase());
        let values: BTreeSet<String> = lower.filter(|v| !v.is_empty()).collect();
        let splits = |c: char| match rule {
            Overlap::Tokens => !c.is_alphanumeric(),
            Overlap::Published => c.is_whitespace(),
        };
        let words = values
            .iter()
            .flat_map(|v| v.split(splits))
            .filter(|w| !w.is_empty());
        Self {
            stems: words.map(|w| stem(w).to_owned()).collect(),
            values: values.clone(),
        }
    }

    pub(super) fn overlaps(&self, other: &Self, rule: Overlap) -> bool {
        let equal = !self.values.is_disjoint(&other.values);
        let related = !self.stems.is_disjoint(&other.stems);
        equal || related || (rule == Overlap::Published && self.contains(other))
    }

    fn contains(&self, other: &Self) -> bool {
        let within = |a: &String| other.values.iter().any(|b| a.contains(b) || b.contains(a));
        self.values.iter().any(within)
    }
}
