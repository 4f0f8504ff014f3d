//! Several near segments of one kind become one object of the prompt; their relations with them.

mod edges;
mod groups;
mod image;

pub use edges::{MergedRelations, merge_relations};
pub use groups::{GroupRule, SegmentGroups, merge_groups};
pub use image::{MergeError, MergeReport, PredicateKeep, merge_image};

#[cfg(test)]
mod tests;
