//! Predicates of which an object can be in one only.

use std::collections::BTreeMap;

use crate::scene::CleanedRelation;

/// A thing is carried, held, worn, eaten, drunk, ridden or driven by one subject.
pub const EXCLUSIVE: [&str; 7] = [
    "carrying", "holding", "wearing", "eating", "drinking", "riding", "driving",
];

/// Whether a predicate is one of [`EXCLUSIVE`].
#[must_use]
pub fn is_exclusive(predicate: &str) -> bool {
    EXCLUSIVE.contains(&predicate)
}

/// For each object keeps the best-scoring exclusive predicate over all subjects, the first of
/// equals, and removes the others, and pairs that are empty then. Returns how many were removed.
pub(super) fn enforce(relations: &mut Vec<CleanedRelation>) -> usize {
    // Object -> (relation, predicate, score) of the best so far.
    let mut best: BTreeMap<usize, (usize, usize, f64)> = BTreeMap::new();
    for (r, relation) in relations.iter().enumerate() {
        for (p, scored) in relation.predicates.iter().enumerate() {
            if !is_exclusive(&scored.predicate) {
                continue;
            }
            let found = best.entry(relation.object).or_insert((r, p, scored.score));
            if scored.score > found.2 {
                *found = (r, p, scored.score);
            }
        }
    }
    let mut removed = 0;
    for (r, relation) in relations.iter_mut().enumerate() {
        let kept = best.get(&relation.object).map(|(r, p, _)| (*r, *p));
        let mut position = 0;
        relation.predicates.retain(|scored| {
            let keep = !is_exclusive(&scored.predicate) || kept == Some((r, position));
            position += 1;
            removed += usize::from(!keep);
            keep
        });
    }
    relations.retain(|r| !r.predicates.is_empty());
    removed
}
