//! Relations between groups, from verified relations between boxes.

use std::collections::BTreeMap;

use super::groups::SegmentGroups;
use crate::scene::{CleanedGraph, GroupRelation, MemberRelation, ScoredPredicate, SegmentId};

/// Relations between groups and what has no place among them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MergedRelations {
    /// In the order in which a pair of groups first appears. `subject` and `object` are positions
    /// among the groups sorted by number.
    pub relations: Vec<GroupRelation>,
    /// Relations between members of one group.
    pub inside_groups: usize,
    /// Relations of a box that is no segment of the image.
    pub without_segment: usize,
}

/// Collects verified relations by pair of groups: the best score of each predicate, the mean of
/// "no relation", and every member pair with what was seen of it; the pair with the single best
/// score comes first.
///
/// A box belongs to the group of its segment. (The released scripts guess the group from the
/// overlap of boxes, and so lose every relation of a member of a wide group.)
#[must_use]
pub fn merge_relations(cleaned: &CleanedGraph, groups: &SegmentGroups) -> MergedRelations {
    let mut order: Vec<SegmentId> = groups.group_of.values().copied().collect();
    order.sort_unstable();
    order.dedup();
    let position = |group: SegmentId| order.binary_search(&group).ok();
    let mut merged = MergedRelations::default();
    let mut collected: Vec<((usize, usize), Vec<MemberRelation>)> = Vec::new();
    for relation in &cleaned.relations {
        let end = |at: usize| {
            let segment = cleaned.boxes.get(at)?.segment?;
            Some((segment, position(*groups.group_of.get(&segment)?)?))
        };
        let Some(((subject, from), (object, to))) = end(relation.subject).zip(end(relation.object))
        else {
            merged.without_segment += 1;
            continue;
        };
        if from == to {
            merged.inside_groups += 1;
            continue;
        }
        let pair = MemberRelation {
            subject,
            object,
            predicates: relation.predicates.clone(),
            no_relation: Some(relation.no_relation),
        };
        match collected.iter_mut().find(|(ends, _)| *ends == (from, to)) {
            Some((_, pairs)) => pairs.push(pair),
            None => collected.push(((from, to), vec![pair])),
        }
    }
    merged.relations = collected
        .into_iter()
        .map(|(ends, pairs)| group_relation(ends, pairs))
        .collect();
    merged
}

fn group_relation(ends: (usize, usize), mut pairs: Vec<MemberRelation>) -> GroupRelation {
    let mut best: BTreeMap<&str, f64> = BTreeMap::new();
    let mut names: Vec<&str> = Vec::new();
    for scored in pairs.iter().flat_map(|p| &p.predicates) {
        let slot = best.entry(&scored.predicate).or_insert_with(|| {
            names.push(&scored.predicate);
            scored.score
        });
        *slot = slot.max(scored.score);
    }
    let mut predicates: Vec<ScoredPredicate> = names
        .iter()
        .map(|name| ScoredPredicate {
            predicate: (*name).to_owned(),
            score: best[name],
        })
        .collect();
    predicates.sort_by(|a, b| b.score.total_cmp(&a.score));
    let scores: Vec<f64> = pairs.iter().filter_map(|p| p.no_relation).collect();
    let no_relation =
        (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64);
    let top = |p: &MemberRelation| {
        p.predicates
            .iter()
            .map(|s| s.score)
            .fold(f64::NEG_INFINITY, f64::max)
    };
    // Stable, so that the first of equals stays first.
    pairs.sort_by(|a, b| top(b).total_cmp(&top(a)));
    GroupRelation {
        subject: ends.0,
        object: ends.1,
        predicates,
        no_relation,
        pairs,
    }
}
