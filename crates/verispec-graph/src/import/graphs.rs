//! Graph files of the steps 2, 3, 4 and 6.

use std::collections::BTreeMap;

use serde_json::Value;

use super::attributes::attributes;
use super::field::{
    ImportError, Problem, Read, bbox, each, entries, field, key_number, list, number, optional,
    position, small, text, whole,
};
use super::lines::{Lines, read_lines};
use crate::scene::{
    Bbox, CleanedBox, CleanedGraph, CleanedRelation, Group, GroupRelation, ImageId, Member,
    MemberRelation, MergedGraph, ScoredPredicate, SegmentId,
};

/// A relation of `2_scene_graphs_gt/scene-graph_<id>.json`: what the relation model proposes,
/// for the eye only.
#[derive(Debug, Clone, PartialEq)]
pub struct RawEdge {
    /// Position of the subject in the boxes.
    pub subject: usize,
    /// Position of the object in the boxes.
    pub object: usize,
    /// Proposed predicate and its score.
    pub predicate: ScoredPredicate,
    /// Score of "no relation", 0..1.
    pub no_relation: f64,
}

/// What the relation model proposes for an image.
#[derive(Debug, Clone, PartialEq)]
pub struct RawGraph {
    /// Label and extent of each box.
    pub boxes: Vec<(String, Bbox)>,
    /// Proposed relations in file order.
    pub relations: Vec<RawEdge>,
}

/// `2_scene_graphs_gt/scene-graph_<id>.json`: labels and boxes, and the proposed relations.
///
/// # Errors
/// A field is absent or of another kind; a relation names no box.
pub fn raw_graph(file: &str, document: &Value) -> Result<RawGraph, ImportError> {
    let read = || {
        let boxes = list(document, "boxes", |v| {
            Ok((field(v, "label", text)?, field(v, "bbox_xyxy", bbox)?))
        })?;
        let places = places(document)?;
        let edges = list(document, "relations", |v| {
            Ok(RawEdge {
                subject: place(v, "subject_index", &places)?,
                object: place(v, "object_index", &places)?,
                predicate: scored(v)?,
                no_relation: field(v, "no_relation_score", number)?,
            })
        })?;
        Ok(RawGraph {
            boxes,
            relations: edges,
        })
    };
    read().map_err(|p: Problem| p.in_file(file))
}

/// `3_clean_and_refine_*/scene-graph_<id>.json`.
///
/// # Errors
/// A field is absent or of another kind; a relation names no box or has no predicate.
pub fn cleaned_graph(file: &str, document: &Value) -> Result<CleanedGraph, ImportError> {
    cleaned(document).map_err(|p| p.in_file(file))
}

/// `clean_relations.jsonl`: one cleaned graph a line.
///
/// # Errors
/// As [`cleaned_graph`], with the line.
pub fn cleaned_lines(file: &str, text: &str) -> Result<Lines<CleanedGraph>, ImportError> {
    read_lines(file, text, cleaned)
}

/// `anno_merged.json`: for each image, which group (by its number) each segment belongs to.
///
/// # Errors
/// A key or value is no whole number.
pub fn merged_segments(
    file: &str,
    document: &Value,
) -> Result<BTreeMap<ImageId, BTreeMap<SegmentId, SegmentId>>, ImportError> {
    let one = |key: &str, v: &Value| {
        let pairs = entries(v, |old, new| {
            Ok((SegmentId(key_number(old)?), SegmentId(whole(new)?)))
        })?;
        Ok((key_number(key)?, pairs.into_iter().collect()))
    };
    let read = entries(document, one).map_err(|p| p.in_file(file))?;
    Ok(read.into_iter().collect())
}

/// `anno_merged_edges.json`: the merged graph of each image, with all predicates of a pair where
/// the file keeps them.
///
/// # Errors
/// A field is absent or of another kind; an edge names no group.
pub fn merged_edges(
    file: &str,
    document: &Value,
) -> Result<BTreeMap<ImageId, MergedGraph>, ImportError> {
    let one = |key: &str, v: &Value| Ok((key_number(key)?, grouped(key_number(key)?, v)?));
    let read = entries(document, one).map_err(|p| p.in_file(file))?;
    Ok(read.into_iter().collect())
}

/// `4_graph_merge_gt/scene-graph_<id>.json`, and the same with attributes: `sg_with_attributes`,
/// `injected_gt`, `injected_pred`.
///
/// Attributes of a box count for its own segment only: members of a group that have no entry keep
/// `None`.
///
/// # Errors
/// A field is absent or of another kind; a relation names no box.
pub fn merged_graph(file: &str, document: &Value) -> Result<MergedGraph, ImportError> {
    merged(document).map_err(|p| p.in_file(file))
}

/// Position in the list by the number that the box itself gives.
fn places(document: &Value) -> Read<BTreeMap<usize, usize>> {
    let given = list(document, "boxes", |v| optional(v, "index", position))?;
    let numbered = given.into_iter().enumerate();
    Ok(numbered
        .map(|(at, index)| (index.unwrap_or(at), at))
        .collect())
}

fn place(value: &Value, name: &str, places: &BTreeMap<usize, usize>) -> Read<usize> {
    let index = field(value, name, position)?;
    let found = places.get(&index).copied();
    found.ok_or_else(|| Problem::new(format!("no box has index {index}")).inside(name))
}

fn scored(value: &Value) -> Read<ScoredPredicate> {
    Ok(ScoredPredicate {
        predicate: field(value, "predicate", text)?,
        score: field(value, "predicate_score", number)?,
    })
}

fn cleaned(document: &Value) -> Read<CleanedGraph> {
    let places = places(document)?;
    Ok(CleanedGraph {
        image_id: field(document, "image_id", whole)?,
        file_name: optional(document, "file_name", text)?.unwrap_or_default(),
        boxes: list(document, "boxes", |v| {
            Ok(CleanedBox {
                label: field(v, "label", text)?,
                bbox: field(v, "bbox_xyxy", bbox)?,
                segment: optional(v, "id", whole)?.map(SegmentId),
            })
        })?,
        relations: list(document, "relations", |v| {
            let predicates = list(v, "predicates", scored)?;
            if predicates.is_empty() {
                return Err(Problem::new("is empty").inside("predicates"));
            }
            Ok(CleanedRelation {
                subject: place(v, "subject_index", &places)?,
                object: place(v, "object_index", &places)?,
                no_relation: field(v, "no_relation_score", number)?,
                predicates,
            })
        })?,
    })
}

fn merged(document: &Value) -> Read<MergedGraph> {
    let places = places(document)?;
    let groups = list(document, "boxes", group)?;
    let relations = list(document, "relations", |v| relation(v, &places, &groups))?;
    Ok(MergedGraph {
        image_id: field(document, "image_id", whole)?,
        file_name: optional(document, "file_name", text)?.unwrap_or_default(),
        groups,
        relations,
    })
}

fn group(value: &Value) -> Read<Group> {
    let given = optional(value, "seg_ids", |v| each(v, whole))?.unwrap_or_default();
    let id = match (optional(value, "id", whole)?, given.first()) {
        (Some(id), _) | (None, Some(&id)) => SegmentId(id),
        (None, None) => return Err(Problem::new("has neither an id nor a segment").inside("id")),
    };
    let ids = if given.is_empty() { vec![id.0] } else { given };
    let mut members: Vec<Member> = ids
        .into_iter()
        .map(|id| Member {
            id: SegmentId(id),
            attributes: None,
        })
        .collect();
    let own = optional(value, "attributes", attributes)?;
    if let Some(member) = members.iter_mut().find(|m| m.id == id) {
        member.attributes = own;
    }
    for (segment, found) in
        optional(value, "member_attributes", |v| each(v, member_entry))?.unwrap_or_default()
    {
        if let Some(member) = members.iter_mut().find(|m| m.id == segment) {
            member.attributes = Some(found);
        }
    }
    Ok(Group {
        id,
        category_id: optional(value, "category_id", small)?,
        label: field(value, "label", text)?,
        bbox: field(value, "bbox_xyxy", bbox)?,
        members,
    })
}

fn member_entry(value: &Value) -> Read<(SegmentId, crate::scene::Attributes)> {
    let id = SegmentId(field(value, "seg_id", whole)?);
    let found = optional(value, "attributes", attributes)?;
    Ok((id, found.unwrap_or_default()))
}

/// The segment that a relation names: the one it was seen on, else the first of the group.
fn named(value: &Value, side: &str, group: &Group) -> Read<SegmentId> {
    let own = optional(value, &format!("{side}_id"), whole)?.map(SegmentId);
    let listed = optional(value, &format!("{side}_seg_ids"), |v| each(v, whole))?;
    let first = listed.and_then(|ids| ids.first().copied()).map(SegmentId);
    Ok(own.or(first).unwrap_or(group.id))
}

fn relation(
    value: &Value,
    places: &BTreeMap<usize, usize>,
    groups: &[Group],
) -> Read<GroupRelation> {
    let subject = place(value, "subject_index", places)?;
    let object = place(value, "object_index", places)?;
    let predicates = match optional(value, "predicates", |v| each(v, scored))? {
        Some(all) if !all.is_empty() => all,
        _ => vec![scored(value)?],
    };
    let no_relation = optional(value, "no_relation_score", number)?;
    let pair = MemberRelation {
        subject: named(value, "subject", &groups[subject])?,
        object: named(value, "object", &groups[object])?,
        predicates: predicates.clone(),
        no_relation,
    };
    Ok(GroupRelation {
        subject,
        object,
        predicates,
        no_relation,
        pairs: vec![pair],
    })
}

fn grouped(image_id: ImageId, value: &Value) -> Read<MergedGraph> {
    let groups = list(value, "groups", |v| {
        let ids = list(v, "seg_ids", whole)?;
        Ok(Group {
            id: SegmentId(field(v, "group_id", whole)?),
            category_id: optional(v, "category_id", small)?,
            label: field(v, "label", text)?,
            bbox: field(v, "bbox", bbox)?,
            members: ids
                .into_iter()
                .map(|id| Member {
                    id: SegmentId(id),
                    attributes: None,
                })
                .collect(),
        })
    })?;
    let relations = list(value, "edges", |v| group_edge(v, &groups))?;
    Ok(MergedGraph {
        image_id,
        file_name: optional(value, "file_name", text)?.unwrap_or_default(),
        groups,
        relations,
    })
}

fn group_edge(value: &Value, groups: &[Group]) -> Read<GroupRelation> {
    let end = |name: &str| {
        let id = SegmentId(field(value, name, whole)?);
        let found = groups.iter().position(|g| g.id == id);
        found.ok_or_else(|| Problem::new(format!("no group has the number {id}")).inside(name))
    };
    let (subject, object) = (end("subject_group_id")?, end("object_group_id")?);
    let predicates = match optional(value, "predicates", |v| each(v, scored))? {
        Some(all) if !all.is_empty() => all,
        _ => vec![ScoredPredicate {
            predicate: field(value, "best_predicate", text)?,
            score: field(value, "best_predicate_score", number)?,
        }],
    };
    let no_relation = optional(value, "no_relation_score", number)?;
    let segment = |name: &str, group: usize| {
        let own = optional(value, name, whole)?;
        Ok(own.map_or(groups[group].id, SegmentId))
    };
    let pair = MemberRelation {
        subject: segment("subject_seg_id", subject)?,
        object: segment("object_seg_id", object)?,
        predicates: predicates.clone(),
        no_relation,
    };
    Ok(GroupRelation {
        subject,
        object,
        predicates,
        no_relation,
        pairs: vec![pair],
    })
}
