//! What a data set holds: the first of the released tables.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::scene::{AttributeRecord, CleanedGraph};

/// Means over the images of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DatasetMeans {
    /// Images with a graph of verified relations.
    pub images: usize,
    /// Objects (segments, before merging) an image.
    pub objects: f64,
    /// Ordered pairs with one verified predicate or more, an image.
    pub relations: f64,
    /// Attribute keys with a value, an image.
    pub attributes: f64,
}

/// Counts a data set; `None` without an image. A segment that has several records counts once, with
/// the last; records of images without a graph do not count.
#[must_use]
pub fn dataset_means(
    graphs: &[CleanedGraph],
    attributes: &[AttributeRecord],
) -> Option<DatasetMeans> {
    let n = graphs.len();
    if n == 0 {
        return None;
    }
    let mean = |count: usize| count as f64 / n as f64;
    let known: BTreeSet<u64> = graphs.iter().map(|g| g.image_id).collect();
    let mut seen = BTreeSet::new();
    let last = attributes
        .iter()
        .rev()
        .filter(|r| seen.insert((r.image_id, r.segment)));
    let keys = last
        .filter(|r| known.contains(&r.image_id))
        .map(|r| r.attributes.len())
        .sum();
    let relations = graphs.iter().flat_map(|g| &g.relations);
    Some(DatasetMeans {
        images: n,
        objects: mean(graphs.iter().map(|g| g.boxes.len()).sum()),
        relations: mean(relations.filter(|r| !r.predicates.is_empty()).count()),
        attributes: mean(keys),
    })
}
