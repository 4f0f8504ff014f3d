//! What a suite holds, as plain data for [`render_inspect`](crate::render_inspect).

use serde::Serialize;
use verispec_model::Warning;

/// Counts of a dimension, a track or a suite.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SuiteCounts {
    /// Instances.
    pub instances: usize,
    /// Specifications.
    pub specifications: usize,
    /// Mean number of specifications of an instance; `None` without instances.
    pub mean: Option<f64>,
    /// Fewest specifications of an instance.
    pub min: usize,
    /// Most specifications of an instance.
    pub max: usize,
    /// Specifications whose expected answer is No.
    pub expected_no: usize,
    /// Reference images that instances name.
    pub images: usize,
    /// Score of a judge that always answers Yes, percent.
    pub always_yes: Option<f64>,
    /// Score of a judge that always answers No, percent.
    pub always_no: Option<f64>,
}

/// A dimension's or track's name and counts.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct InspectTrack {
    /// Track.
    pub track: String,
    /// Its counts.
    pub counts: SuiteCounts,
    /// Its dimensions in suite order.
    pub dimensions: Vec<InspectDimension>,
}

/// A dimension's name and counts.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct InspectDimension {
    /// Dimension.
    pub dimension: String,
    /// Its counts.
    pub counts: SuiteCounts,
}

/// What a suite holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Inspection {
    /// Suite.
    pub suite: String,
    /// Folder the data was read from, as given.
    pub root: String,
    /// Content version.
    pub revision: String,
    /// Tracks in suite order.
    pub tracks: Vec<InspectTrack>,
    /// The whole suite.
    pub total: SuiteCounts,
    /// Remarks about the data.
    pub warnings: Vec<Warning>,
}
