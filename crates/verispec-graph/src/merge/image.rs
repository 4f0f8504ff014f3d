//! The merged graph of an image.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::edges::{MergedRelations, merge_relations};
use super::groups::{GroupRule, SegmentGroups, merge_groups};
use crate::scene::{
    CleanedGraph, Group, GroupRelation, Image, Member, MemberRelation, MergedGraph, Segment,
    SegmentId, best_predicate,
};

/// Predicates that a pair keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PredicateKeep {
    /// All that were verified: a gold answer may name several.
    #[default]
    All,
    /// The best of each pair of groups, on the member pair that has it; the released way.
    Best,
}

/// Why an image has no merged graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// No verified relations: cleaning did not run or failed. Raw scores are no substitute.
    #[error("image {image}: no verified relations; clean its relations first")]
    NotCleaned {
        /// Number of the image.
        image: u64,
    },
    /// The two files are of different images.
    #[error("image {image}: the verified relations are those of image {other}")]
    OtherImage {
        /// Number of the image.
        image: u64,
        /// Number in the cleaned graph.
        other: u64,
    },
    /// A segment's category has no label.
    #[error("image {image}: segment {segment} has category {category}, which has no label")]
    Category {
        /// Number of the image.
        image: u64,
        /// Number of the segment.
        segment: u64,
        /// Its category.
        category: u32,
    },
    /// Two segments have the same number.
    #[error("image {image}: two segments have the number {segment}")]
    Duplicate {
        /// Number of the image.
        image: u64,
        /// Number of the segments.
        segment: u64,
    },
}

/// A merged graph and what has no place in it.
#[derive(Debug, Clone, PartialEq)]
pub struct MergeReport {
    /// The graph; groups sorted by number.
    pub graph: MergedGraph,
    /// The exact map from segment to group.
    pub segments: SegmentGroups,
    /// Relations between members of one group.
    pub inside_groups: usize,
    /// Relations of a box that is no segment.
    pub without_segment: usize,
}

/// Merges the segments and verified relations of an image.
///
/// # Errors
/// See [`MergeError`].
pub fn merge_image(
    image: &Image,
    cleaned: Option<&CleanedGraph>,
    labels: &[String],
    rule: GroupRule,
    keep: PredicateKeep,
) -> Result<MergeReport, MergeError> {
    let number = image.image_id;
    let cleaned = cleaned.ok_or(MergeError::NotCleaned { image: number })?;
    if cleaned.image_id != number {
        return Err(MergeError::OtherImage {
            image: number,
            other: cleaned.image_id,
        });
    }
    let segments = merge_groups(image, rule);
    let groups = groups(image, &segments, labels)?;
    let MergedRelations {
        mut relations,
        inside_groups,
        without_segment,
    } = merge_relations(cleaned, &segments);
    if keep == PredicateKeep::Best {
        relations.iter_mut().for_each(keep_best);
    }
    Ok(MergeReport {
        graph: MergedGraph {
            image_id: number,
            file_name: image.file_name.clone(),
            groups,
            relations,
        },
        segments,
        inside_groups,
        without_segment,
    })
}

fn groups(
    image: &Image,
    segments: &SegmentGroups,
    labels: &[String],
) -> Result<Vec<Group>, MergeError> {
    let mut by_id: BTreeMap<SegmentId, &Segment> = BTreeMap::new();
    for segment in &image.segments {
        if by_id.insert(segment.id, segment).is_some() {
            return Err(MergeError::Duplicate {
                image: image.image_id,
                segment: segment.id.0,
            });
        }
    }
    let members = segments.members(image);
    members
        .iter()
        .map(|(id, members)| group(image, *id, members, &by_id, labels))
        .collect()
}

fn group(
    image: &Image,
    id: SegmentId,
    members: &[SegmentId],
    by_id: &BTreeMap<SegmentId, &Segment>,
    labels: &[String],
) -> Result<Group, MergeError> {
    let first = by_id[&id];
    let known = usize::try_from(first.category_id)
        .ok()
        .and_then(|c| labels.get(c));
    let label = known.ok_or(MergeError::Category {
        image: image.image_id,
        segment: id.0,
        category: first.category_id,
    })?;
    let member = |id: &SegmentId| Member {
        id: *id,
        attributes: None,
    };
    Ok(Group {
        id,
        category_id: Some(first.category_id),
        label: label.clone(),
        bbox: members
            .iter()
            .fold(first.bbox, |all, id| all.union(by_id[id].bbox)),
        members: members.iter().map(member).collect(),
    })
}

/// The member pair that comes first has the best score.
fn keep_best(relation: &mut GroupRelation) {
    let best: Vec<_> = best_predicate(&relation.predicates)
        .into_iter()
        .cloned()
        .collect();
    let first = relation.pairs.first().map(|pair| MemberRelation {
        predicates: best.clone(),
        no_relation: relation.no_relation,
        ..pair.clone()
    });
    relation.pairs = first.into_iter().collect();
    relation.predicates = best;
}
