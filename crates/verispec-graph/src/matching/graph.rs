//! Matching of two scenes.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::edges::{EdgeCounts, EdgePair, match_edges};
use super::embedding::EmbeddingTable;
use super::nodes::{LabelSimilarities, label_similarities, match_nodes};
use super::similarity::{Similarities, attribute_text, edge_text};
use crate::answers::NodeMap;
use crate::assign::AssignError;
use crate::scene::{GtId, PredId, SceneGraph};

/// Why two scenes cannot be matched.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A text has no vector. [`texts`] lists all that are needed.
    #[error("no vector for the text {text:?}: embed everything that texts() lists")]
    Text {
        /// The text.
        text: String,
    },
    /// Two nodes of a scene have the same number.
    #[error("image {image}: two nodes have the number {segment}")]
    Duplicate {
        /// Number of the image.
        image: u64,
        /// Number of the nodes.
        segment: u64,
    },
    /// An edge names no node.
    #[error("image {image}: edge {edge} (from 0) names a node that is not there")]
    Edge {
        /// Number of the image.
        image: u64,
        /// Position of the edge.
        edge: usize,
    },
    /// The weights of the policy are unusable.
    #[error("alpha = {alpha}, beta = {beta}: both must be finite and not negative")]
    Weights {
        /// Weight of attributes.
        alpha: f64,
        /// Weight of edges.
        beta: f64,
    },
    /// A cost is not a number.
    #[error(transparent)]
    Assign(#[from] AssignError),
}

/// Weights of the node stage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MatchPolicy {
    /// Weight of attribute similarity, not negative.
    pub alpha: f64,
    /// Weight of the similarity of incident edges, not negative.
    pub beta: f64,
}

impl Default for MatchPolicy {
    fn default() -> Self {
        Self {
            alpha: 0.7,
            beta: 0.3,
        }
    }
}

/// Two nodes that stand for each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NodePair {
    /// Position of the ground-truth node.
    pub truth: usize,
    /// Position of the predicted node.
    pub prediction: usize,
    /// Similarity, from 0 to alpha + beta (1 by default; a negative cosine may take it below 0).
    pub similarity: f64,
}

/// Result for an image. All numbers are positions in the nodes and edges of its scene.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matched {
    /// Pairs, by ground-truth node.
    pub nodes: Vec<NodePair>,
    /// Ground-truth nodes without counterpart: missing in the generated image.
    pub missing_nodes: Vec<usize>,
    /// Predicted nodes without counterpart: invented.
    pub invented_nodes: Vec<usize>,
    /// Pairs of edges, in the order of the edge stage.
    pub edges: Vec<EdgePair>,
    /// Ground-truth edges without counterpart, in that order.
    pub missing_edges: Vec<usize>,
    /// Predicted edges without counterpart, in that order.
    pub invented_edges: Vec<usize>,
}

impl Matched {
    /// The map from ground truth to prediction.
    #[must_use]
    pub fn node_map(&self, truth: &SceneGraph, prediction: &SceneGraph) -> NodeMap {
        let id = |pair: &NodePair| {
            let to = PredId(prediction.nodes[pair.prediction].id);
            (GtId(truth.nodes[pair.truth].id), to)
        };
        self.nodes.iter().map(id).collect()
    }

    /// Counts of the edge stage.
    #[must_use]
    pub fn edge_counts(&self) -> EdgeCounts {
        EdgeCounts {
            matched: self.edges.len(),
            missing: self.missing_edges.len(),
            invented: self.invented_edges.len(),
        }
    }
}

/// Every text whose vector the matching of these scenes needs.
#[must_use]
pub fn texts<'a>(scenes: impl IntoIterator<Item = &'a SceneGraph>) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for scene in scenes {
        let values = scene.nodes.iter().flat_map(|n| n.attributes.iter());
        all.extend(values.map(|(_, v)| attribute_text(v)));
        all.extend(scene.edges.iter().map(|e| edge_text(scene, e)));
    }
    all
}

/// Matches the nodes of each label by an optimal assignment, then edges between matched nodes.
///
/// Nodes never match across labels; within a label exactly as many pairs are made as the smaller
/// side has nodes, however unlike they are. Edges match by their ends alone: the predicate need not
/// agree, and a reversed edge does not match.
///
/// # Errors
/// A text has no vector, a scene is malformed, or a weight is unusable.
pub fn match_scenes(
    truth: &SceneGraph,
    prediction: &SceneGraph,
    table: &EmbeddingTable,
    policy: MatchPolicy,
) -> Result<Matched, MatchError> {
    check_policy(policy)?;
    let similar = similarities(truth, prediction, table)?;
    let nodes = match_nodes(&label_similarities(truth, prediction, &similar, policy)?)?;
    let mut counterpart = vec![None; truth.nodes.len()];
    let mut used = vec![false; prediction.nodes.len()];
    for pair in &nodes {
        counterpart[pair.truth] = Some(pair.prediction);
        used[pair.prediction] = true;
    }
    let edges = match_edges(truth, prediction, &counterpart, &similar);
    Ok(Matched {
        nodes,
        missing_nodes: positions(&counterpart, Option::is_none),
        invented_nodes: positions(&used, |used| !used),
        edges: edges.pairs,
        missing_edges: edges.missing,
        invented_edges: edges.invented,
    })
}

/// How alike the nodes of each label are that both sides have: what the node stage chooses by.
///
/// # Errors
/// As [`match_scenes`].
pub fn node_similarities(
    truth: &SceneGraph,
    prediction: &SceneGraph,
    table: &EmbeddingTable,
    policy: MatchPolicy,
) -> Result<Vec<LabelSimilarities>, MatchError> {
    check_policy(policy)?;
    label_similarities(
        truth,
        prediction,
        &similarities(truth, prediction, table)?,
        policy,
    )
}

fn similarities(
    truth: &SceneGraph,
    prediction: &SceneGraph,
    table: &EmbeddingTable,
) -> Result<Similarities, MatchError> {
    check(truth)?;
    check(prediction)?;
    Similarities::new(truth, prediction, table)
}

fn positions<T>(all: &[T], keep: impl Fn(&T) -> bool) -> Vec<usize> {
    (0..all.len()).filter(|&at| keep(&all[at])).collect()
}

fn check_policy(policy: MatchPolicy) -> Result<(), MatchError> {
    let usable = |weight: f64| weight.is_finite() && weight >= 0.0;
    if usable(policy.alpha) && usable(policy.beta) {
        return Ok(());
    }
    Err(MatchError::Weights {
        alpha: policy.alpha,
        beta: policy.beta,
    })
}

fn check(scene: &SceneGraph) -> Result<(), MatchError> {
    let mut seen = BTreeSet::new();
    if let Some(node) = scene.nodes.iter().find(|n| !seen.insert(n.id)) {
        return Err(MatchError::Duplicate {
            image: scene.image_id,
            segment: node.id.0,
        });
    }
    let count = scene.nodes.len();
    let bad = scene
        .edges
        .iter()
        .position(|e| e.subject >= count || e.object >= count);
    match bad {
        None => Ok(()),
        Some(edge) => Err(MatchError::Edge {
            image: scene.image_id,
            edge,
        }),
    }
}
