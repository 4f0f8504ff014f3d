//! The nearest of several names, for error texts.

use std::cmp::Reverse;

use strsim::damerau_levenshtein;

/// The candidate that takes the fewest edits, case aside; of equals the one with the longest
/// common start.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let name = name.to_lowercase();
    candidates.into_iter().min_by_key(|candidate| {
        let candidate = candidate.to_lowercase();
        let common = name
            .chars()
            .zip(candidate.chars())
            .take_while(|(a, b)| a == b)
            .count();
        (damerau_levenshtein(&name, &candidate), Reverse(common))
    })
}

/// The nearest candidate, if no more than a third of the name would have to change.
pub(crate) fn near<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let most = name.chars().count() / 3;
    let lower = name.to_lowercase();
    let edits = |c: &str| damerau_levenshtein(&lower, &c.to_lowercase());
    nearest(name, candidates).filter(|candidate| edits(candidate) <= most)
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
    fn near_names_need_few_edits() {
        let ids = ["attr_001", "comp_hard_001"];
        assert_eq!(super::near("atr_001", ids), Some("attr_001"));
        assert_eq!(super::near("readme", ids), None);
        assert_eq!(super::near("", ids), None);
    }
}
