//! Grouping of segments.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::scene::{Image, Segment, SegmentId};

/// When segments become a group.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GroupRule {
    /// Pixels by which boxes grow on each side before they are compared.
    pub padding: f64,
    /// Connected segments that make a group; fewer stay single.
    pub min_size: usize,
}

impl Default for GroupRule {
    fn default() -> Self {
        Self {
            padding: 10.0,
            min_size: 3,
        }
    }
}

/// Which group each segment of an image is in. A group is named by its smallest segment number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SegmentGroups {
    /// Segment -> group. A single segment is its own group.
    pub group_of: BTreeMap<SegmentId, SegmentId>,
}

impl SegmentGroups {
    /// Groups by number, members in segment order.
    #[must_use]
    pub fn members(&self, image: &Image) -> BTreeMap<SegmentId, Vec<SegmentId>> {
        let mut groups: BTreeMap<SegmentId, Vec<SegmentId>> = BTreeMap::new();
        for segment in &image.segments {
            if let Some(group) = self.group_of.get(&segment.id) {
                groups.entry(*group).or_default().push(segment.id);
            }
        }
        groups
    }
}

/// Groups the segments of each category that are linked by overlapping padded boxes. Boxes whose
/// padded edges only touch are not linked.
#[must_use]
pub fn merge_groups(image: &Image, rule: GroupRule) -> SegmentGroups {
    let mut by_category: BTreeMap<u32, Vec<&Segment>> = BTreeMap::new();
    for segment in &image.segments {
        by_category
            .entry(segment.category_id)
            .or_default()
            .push(segment);
    }
    let mut all = SegmentGroups::default();
    for segments in by_category.values() {
        for component in components(segments, rule.padding) {
            let smallest = component.iter().map(|s| s.id).min();
            let grouped = component.len() >= rule.min_size;
            for segment in component {
                let group = smallest.filter(|_| grouped).unwrap_or(segment.id);
                all.group_of.insert(segment.id, group);
            }
        }
    }
    all
}

fn components<'a>(segments: &[&'a Segment], padding: f64) -> Vec<Vec<&'a Segment>> {
    let mut root: Vec<usize> = (0..segments.len()).collect();
    for a in 0..segments.len() {
        for b in a + 1..segments.len() {
            let (x, y) = (
                segments[a].bbox.padded(padding),
                segments[b].bbox.padded(padding),
            );
            if x.overlaps(y) {
                let (from, to) = (find(&mut root, b), find(&mut root, a));
                root[from] = to;
            }
        }
    }
    let mut found: BTreeMap<usize, Vec<&Segment>> = BTreeMap::new();
    for (at, segment) in segments.iter().enumerate() {
        found.entry(find(&mut root, at)).or_default().push(segment);
    }
    found.into_values().collect()
}

fn find(root: &mut [usize], mut at: usize) -> usize {
    while root[at] != at {
        root[at] = root[root[at]];
        at = root[at];
    }
    at
}
