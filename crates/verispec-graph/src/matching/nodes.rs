//! The node stage: an optimal assignment within each label.

use std::collections::BTreeMap;

use serde::Serialize;

use super::graph::{MatchError, MatchPolicy, NodePair};
use super::similarity::{Similarities, group_label};
use crate::assign::Assigner;
use crate::scene::SceneGraph;

/// How alike the nodes of one label are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabelSimilarities {
    /// The label: trimmed, lower case.
    pub label: String,
    /// Positions of the ground-truth nodes: the rows.
    pub truth: Vec<usize>,
    /// Positions of the predicted nodes: the columns.
    pub prediction: Vec<usize>,
    /// Similarities, row after row.
    pub values: Vec<f64>,
}

/// Similarities of the labels that both sides have, by label.
pub(super) fn label_similarities(
    truth: &SceneGraph,
    prediction: &SceneGraph,
    similar: &Similarities,
    policy: MatchPolicy,
) -> Result<Vec<LabelSimilarities>, MatchError> {
    let mut stage = Stage {
        truth_edges: incident(truth),
        prediction_edges: incident(prediction),
        similar,
        policy,
        inner: Assigner::default(),
        costs: Vec::new(),
    };
    let mut predicted = by_label(prediction);
    let mut all = Vec::new();
    for (label, rows) in by_label(truth) {
        let Some(columns) = predicted.remove(&label) else {
            continue;
        };
        let mut values = Vec::with_capacity(rows.len() * columns.len());
        for &row in &rows {
            for &column in &columns {
                values.push(stage.similarity(row, column)?);
            }
        }
        all.push(LabelSimilarities {
            label,
            truth: rows,
            prediction: columns,
            values,
        });
    }
    Ok(all)
}

/// Pairs in the order of the ground-truth nodes.
pub(super) fn match_nodes(labels: &[LabelSimilarities]) -> Result<Vec<NodePair>, MatchError> {
    let mut outer = Assigner::default();
    let mut pairs = Vec::new();
    for label in labels {
        let costs: Vec<f64> = label.values.iter().map(|s| 1.0 - s).collect();
        let columns = label.prediction.len();
        for (r, c) in outer.assign(&costs, label.truth.len(), columns)? {
            pairs.push(NodePair {
                truth: label.truth[r],
                prediction: label.prediction[c],
                similarity: label.values[r * columns + c],
            });
        }
    }
    pairs.sort_by_key(|p| p.truth);
    Ok(pairs)
}

struct Stage<'a> {
    truth_edges: Vec<Vec<usize>>,
    prediction_edges: Vec<Vec<usize>>,
    similar: &'a Similarities,
    policy: MatchPolicy,
    inner: Assigner,
    costs: Vec<f64>,
}

impl Stage<'_> {
    /// `A` if neither node has an edge, else `alpha A + beta S`, where S is 0 if one has none.
    fn similarity(&mut self, row: usize, column: usize) -> Result<f64, MatchError> {
        let attributes = self.similar.node(row, column);
        let (of_row, of_column) = (&self.truth_edges[row], &self.prediction_edges[column]);
        match (of_row.is_empty(), of_column.is_empty()) {
            (true, true) => Ok(attributes),
            (false, false) => {
                let edges = self.incident_similarity(row, column)?;
                Ok(self.policy.alpha * attributes + self.policy.beta * edges)
            }
            _ => Ok(self.policy.alpha * attributes),
        }
    }

    /// Mean similarity over an optimal assignment of incident edges; surplus edges cost nothing.
    fn incident_similarity(&mut self, row: usize, column: usize) -> Result<f64, MatchError> {
        let (rows, columns) = (&self.truth_edges[row], &self.prediction_edges[column]);
        self.costs.clear();
        for &f in rows {
            self.costs
                .extend(columns.iter().map(|&h| 1.0 - self.similar.edge(f, h)));
        }
        let pairs = self.inner.assign(&self.costs, rows.len(), columns.len())?;
        let sum: f64 = pairs
            .iter()
            .map(|&(r, c)| self.similar.edge(rows[r], columns[c]))
            .sum();
        Ok(sum / pairs.len() as f64)
    }
}

/// Positions by label: trimmed, lower case.
fn by_label(scene: &SceneGraph) -> BTreeMap<String, Vec<usize>> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, node) in scene.nodes.iter().enumerate() {
        groups.entry(group_label(&node.label)).or_default().push(at);
    }
    groups
}

/// Edges that begin or end at each node, outgoing first. An edge from a node to itself is one edge.
fn incident(scene: &SceneGraph) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new(); scene.nodes.len()];
    for (at, edge) in scene.edges.iter().enumerate() {
        all[edge.subject].push(at);
    }
    for (at, edge) in scene.edges.iter().enumerate() {
        if edge.object != edge.subject {
            all[edge.object].push(at);
        }
    }
    all
}
