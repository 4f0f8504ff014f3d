//! What the files of the pipeline hold, one type a file shape.

use std::collections::BTreeMap;

use serde::Serialize;

use super::attributes::Attributes;
use super::geometry::Bbox;
use super::ids::{ImageId, SegmentId};

/// A segmented data set (`anno.json`, `custom_psg.json`).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Annotations {
    /// Images with one segment or more.
    pub images: Vec<Image>,
    /// Files in which no segment was found. They have no graph: coverage must count them.
    pub skipped: Vec<String>,
    /// Labels of things, then of stuff: position = category id. Empty if the file names none.
    pub labels: Vec<String>,
    /// Predicates in column order. Empty if the file names none.
    pub predicates: Vec<String>,
    /// Images with two segments or more, where the file lists them.
    pub test_image_ids: Vec<ImageId>,
}

/// One segmented image.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// Number of the image.
    pub image_id: ImageId,
    /// Path below the image folder.
    pub file_name: String,
    /// Height in pixels.
    pub height: u32,
    /// Width in pixels.
    pub width: u32,
    /// PNG with the segment number of each pixel (R + 256 G + 65536 B; 0 = none), if named.
    pub mask_file: Option<String>,
    /// Segments in file order.
    pub segments: Vec<Segment>,
}

/// One segment.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// Number in this image.
    pub id: SegmentId,
    /// Position in the list of labels.
    pub category_id: u32,
    /// Whether it is a countable thing.
    pub is_thing: bool,
    /// Pixels.
    pub area: u64,
    /// Confidence, 0..1.
    pub score: f64,
    /// Extent.
    pub bbox: Bbox,
}

/// Scores of a relation model for one image, as dumped from `scene-graph.pkl`.
#[derive(Debug, Clone, PartialEq)]
pub struct RawRelations {
    /// Number of the image.
    pub image_id: ImageId,
    /// Extent of each box.
    pub boxes: Vec<Bbox>,
    /// Category id of each box.
    pub categories: Vec<u32>,
    /// Subject and object, as positions in `boxes`.
    pub pairs: Vec<(usize, usize)>,
    /// One row a pair: "no relation", then one independent sigmoid score a predicate, each 0..1.
    pub scores: Vec<Vec<f64>>,
}

/// A predicate with its score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoredPredicate {
    /// The predicate.
    pub predicate: String,
    /// Score of the relation model, 0..1.
    pub score: f64,
}

/// The highest score; the first of equals.
#[must_use]
pub fn best_predicate(predicates: &[ScoredPredicate]) -> Option<&ScoredPredicate> {
    let mut best: Option<&ScoredPredicate> = None;
    for candidate in predicates {
        if best.is_none_or(|b| candidate.score > b.score) {
            best = Some(candidate);
        }
    }
    best
}

/// A graph of verified relations between boxes (folder `3_clean_and_refine_*`).
#[derive(Debug, Clone, PartialEq)]
pub struct CleanedGraph {
    /// Number of the image.
    pub image_id: ImageId,
    /// Path below the image folder.
    pub file_name: String,
    /// Boxes in file order.
    pub boxes: Vec<CleanedBox>,
    /// Relations in file order.
    pub relations: Vec<CleanedRelation>,
}

/// A box of a [`CleanedGraph`].
#[derive(Debug, Clone, PartialEq)]
pub struct CleanedBox {
    /// Label as in the vocabulary.
    pub label: String,
    /// Extent.
    pub bbox: Bbox,
    /// Its segment; `None` if the relation model found a box that is no segment.
    pub segment: Option<SegmentId>,
}

/// A pair of boxes with one verified predicate or more.
#[derive(Debug, Clone, PartialEq)]
pub struct CleanedRelation {
    /// Position of the subject in the boxes.
    pub subject: usize,
    /// Position of the object in the boxes.
    pub object: usize,
    /// Score of "no relation", 0..1.
    pub no_relation: f64,
    /// Highest score first.
    pub predicates: Vec<ScoredPredicate>,
}

/// A graph of groups (folders `4_graph_merge_gt`, `11_graph_merge_pt`, `sg_with_attributes`).
#[derive(Debug, Clone, PartialEq)]
pub struct MergedGraph {
    /// Number of the image.
    pub image_id: ImageId,
    /// Path below the image folder.
    pub file_name: String,
    /// Groups in file order; most have one member.
    pub groups: Vec<Group>,
    /// Relations in file order.
    pub relations: Vec<GroupRelation>,
}

/// Segments that count as one object in a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Number of its first member.
    pub id: SegmentId,
    /// Position in the list of labels, if known.
    pub category_id: Option<u32>,
    /// Label as in the vocabulary.
    pub label: String,
    /// Extent of all members together.
    pub bbox: Bbox,
    /// Members in segment order, one or more.
    pub members: Vec<Member>,
}

/// A segment in a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its number.
    pub id: SegmentId,
    /// Its attributes; `None` if there is no record of it, which is not the same as none seen.
    pub attributes: Option<Attributes>,
}

/// A relation between groups, with the member pairs in which it was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupRelation {
    /// Position of the subject in the groups.
    pub subject: usize,
    /// Position of the object in the groups.
    pub object: usize,
    /// Best score a predicate over the member pairs; highest first.
    pub predicates: Vec<ScoredPredicate>,
    /// Mean score of "no relation" over the member pairs; `None` if the file has none.
    pub no_relation: Option<f64>,
    /// The member pairs that were verified; the first has the single best score.
    pub pairs: Vec<MemberRelation>,
}

/// A relation between two segments.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberRelation {
    /// Subject.
    pub subject: SegmentId,
    /// Object.
    pub object: SegmentId,
    /// Verified predicates, highest score first.
    pub predicates: Vec<ScoredPredicate>,
    /// Score of "no relation", if known.
    pub no_relation: Option<f64>,
}

impl Image {
    /// Position of every segment number.
    #[must_use]
    pub fn positions(&self) -> BTreeMap<SegmentId, usize> {
        let numbered = self.segments.iter().enumerate();
        numbered.map(|(at, s)| (s.id, at)).collect()
    }
}
