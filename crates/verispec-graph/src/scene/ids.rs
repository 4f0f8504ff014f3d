//! Names of pictures and of what is in them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Number of an image, from the stem of its file (leading zeros vanish). Unique in a data set.
pub type ImageId = u64;

/// Number of a segment in *one* segmentation.
///
/// Two segmentations with equally many segments have identical numbers, so a bare number says
/// nothing about which picture it belongs to: compare only [`GtId`] with [`GtId`] and [`PredId`]
/// with [`PredId`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SegmentId(pub u64);

/// A segment of the ground-truth image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GtId(pub SegmentId);

/// A segment of the generated image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PredId(pub SegmentId);

impl GtId {
    /// From a bare number.
    #[must_use]
    pub const fn new(id: u64) -> Self {
        Self(SegmentId(id))
    }
}

impl PredId {
    /// From a bare number.
    #[must_use]
    pub const fn new(id: u64) -> Self {
        Self(SegmentId(id))
    }
}

impl fmt::Display for SegmentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for GtId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for PredId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
