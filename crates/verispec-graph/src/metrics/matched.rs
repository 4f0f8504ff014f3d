//! Whether a fact's nodes are matched.

use serde::{Deserialize, Serialize};

use crate::answers::NodeMap;
use crate::facts::FactTarget;
use crate::scene::{GtId, PredId};

/// How ids are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdMatch {
    /// With the ground-truth side of the pairs.
    #[default]
    GroundTruth,
    /// With either side, as released. Numbers of both images collide whenever their segment counts
    /// agree, so facts count as matched that are not.
    Published,
}

/// Whether all nodes of a fact are matched: one, or both ends of a relation. The edge itself need
/// not exist.
#[must_use]
pub fn is_matched(target: &FactTarget, map: &NodeMap, rule: IdMatch) -> bool {
    let known = |node: GtId| match rule {
        IdMatch::GroundTruth => map.contains_key(&node),
        IdMatch::Published => map.contains_key(&node) || map.values().any(|&p| p == PredId(node.0)),
    };
    target.nodes().all(known)
}
