//! The names that may be meant by one that is not there, for error texts.

use std::cmp::Reverse;

use strsim::damerau_levenshtein;

/// The candidates, likeliest first and case aside: those that begin with the name, then those that
/// take the fewest edits, then those with the longest common start; of equals as they came.
pub fn nearest_first<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Vec<&'a str> {
    let name = name.to_lowercase();
    let mut found: Vec<&str> = candidates.into_iter().collect();
    found.sort_by_cached_key(|candidate| unlikeness(&name, candidate));
    found
}

/// The likeliest candidate.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let name = name.to_lowercase();
    let candidates = candidates.into_iter();
    candidates.min_by_key(|candidate| unlikeness(&name, candidate))
}

/// The likeliest candidate among those for which no more than a third of the name would have to
/// change.
pub(crate) fn near<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let most = name.chars().count() / 3;
    let name = name.to_lowercase();
    let edits = |c: &&str| damerau_levenshtein(&name, &c.to_lowercase());
    nearest(&name, candidates.into_iter().filter(|c| edits(c) <= most))
}

/// Small for what may be meant; `name` in lower case.
fn unlikeness(name: &str, candidate: &str) -> (bool, usize, Reverse<usize>) {
    let candidate = candidate.to_lowercase();
    let pairs = name.chars().zip(candidate.chars());
    (
        name.is_empty() || !candidate.starts_with(name),
        damerau_levenshtein(name, &candidate),
        Reverse(pairs.take_while(|(a, b)| a == b).count()),
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn fewest_edits_win() {
        let ids = ["attr_001", "attr_003", "text_003"];
        assert_eq!(super::nearest("attr_003 (1)", ids), Some("attr_003"));
        assert_eq!(super::nearest("ATTR_001", ids), Some("attr_001"));
        assert_eq!(super::nearest("x", []), None);
    }

    #[test]
    fn what_begins_alike_stands_first() {
        let runs = ["gpt", "specv-long-name", "spec", "speed"];
        let found = super::nearest_first("spec", runs);
        assert_eq!(found, ["spec", "specv-long-name", "speed", "gpt"]);
    }

    #[test]
    fn near_names_need_few_edits() {
        let ids = ["attr_001", "comp_hard_001"];
        assert_eq!(super::near("atr_001", ids), Some("attr_001"));
        assert_eq!(super::near("readme", ids), None);
        assert_eq!(super::near("", ids), None);
    }
}
