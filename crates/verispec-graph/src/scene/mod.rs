//! The types: what the files hold (images, cleaned and merged graphs) and the one graph that
//! prompts, questions and matching share.

mod attributes;
mod build;
mod files;
mod geometry;
mod ids;

pub use attributes::{Attached, AttributeIndex, AttributeRecord, Attributes, UnknownValues};
pub use build::{BuiltScene, Edge, GroupRelations, Node, SceneGraph, ScenePolicy, Shown};
pub use files::{
    Annotations, CleanedBox, CleanedGraph, CleanedRelation, Group, GroupRelation, Image, Member,
    MemberRelation, MergedGraph, RawRelations, ScoredPredicate, Segment, best_predicate,
};
pub use geometry::Bbox;
pub use ids::{GtId, ImageId, PredId, SegmentId};

#[cfg(test)]
mod tests;
