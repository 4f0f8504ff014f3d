//! The edge stage: greedy, by the matched ends.

use serde::Serialize;

use super::similarity::Similarities;
use crate::scene::{Edge, SceneGraph};

/// Two edges between matched nodes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EdgePair {
    /// Position of the ground-truth edge.
    pub truth: usize,
    /// Position of the predicted edge.
    pub prediction: usize,
    /// Cosine of the texts, -1..1. There is no threshold: the predicates may differ.
    pub similarity: f64,
}

/// Counts of edges of one image or, added up, of many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct EdgeCounts {
    /// Matched.
    pub matched: usize,
    /// Ground-truth edges without counterpart.
    pub missing: usize,
    /// Predicted edges without counterpart.
    pub invented: usize,
}

impl EdgeCounts {
    /// matched / (matched + invented), 0..1; `None` without a predicted edge.
    #[must_use]
    pub fn precision(self) -> Option<f64> {
        share(self.matched, self.matched + self.invented)
    }

    /// matched / (matched + missing), 0..1; `None` without a ground-truth edge.
    #[must_use]
    pub fn recall(self) -> Option<f64> {
        share(self.matched, self.matched + self.missing)
    }

    /// Harmonic mean of both, 2 matched / (2 matched + missing + invented), 0..1; `None` without
    /// any edge, where the released scripts say 1 and so raise their mean.
    #[must_use]
    pub fn f1(self) -> Option<f64> {
        share(
            2 * self.matched,
            2 * self.matched + self.missing + self.invented,
        )
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            matched: self.matched + other.matched,
            missing: self.missing + other.missing,
            invented: self.invented + other.invented,
        }
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

pub(super) struct EdgeStage {
    pub(super) pairs: Vec<EdgePair>,
    pub(super) missing: Vec<usize>,
    pub(super) invented: Vec<usize>,
}

/// Each ground-truth edge in turn takes the unused predicted edge between its counterparts whose
/// text is nearest; the first of equals.
pub(super) fn match_edges(
    truth: &SceneGraph,
    prediction: &SceneGraph,
    counterpart: &[Option<usize>],
    similar: &Similarities,
) -> EdgeStage {
    let predicted = ordered(prediction);
    let mut used = vec![false; prediction.edges.len()];
    let mut stage = EdgeStage {
        pairs: Vec::new(),
        missing: Vec::new(),
        invented: Vec::new(),
    };
    for at in ordered(truth) {
        let edge = &truth.edges[at];
        let ends = counterpart[edge.subject].zip(counterpart[edge.object]);
        let mut best: Option<EdgePair> = None;
        for &candidate in &predicted {
            let Edge {
                subject, object, ..
            } = prediction.edges[candidate];
            if used[candidate] || ends != Some((subject, object)) {
                continue;
            }
            let similarity = similar.text(at, candidate);
            if best.is_none_or(|b| similarity > b.similarity) {
                best = Some(EdgePair {
                    truth: at,
                    prediction: candidate,
                    similarity,
                });
            }
        }
        match best {
            Some(pair) => {
                used[pair.prediction] = true;
                stage.pairs.push(pair);
            }
            None => stage.missing.push(at),
        }
    }
    stage.invented = predicted.into_iter().filter(|&p| !used[p]).collect();
    stage
}

/// Edges by subject, then by object in the order in which the subject first meets it, then in file
/// order.
fn ordered(scene: &SceneGraph) -> Vec<usize> {
    let first = |edge: &Edge| {
        let same = |e: &Edge| (e.subject, e.object) == (edge.subject, edge.object);
        scene.edges.iter().position(same)
    };
    let mut order: Vec<(usize, Option<usize>, usize)> = scene
        .edges
        .iter()
        .enumerate()
        .map(|(at, e)| (e.subject, first(e), at))
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, _, at)| at).collect()
}
