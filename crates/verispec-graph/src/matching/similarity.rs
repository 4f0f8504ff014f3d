//! How alike two nodes and two edges are.

use std::collections::BTreeMap;

use super::embedding::{EmbedError, Embedder, EmbeddingTable};
use super::graph::MatchError;
use crate::scene::{Attributes, Edge, SceneGraph};

/// The text of an attribute: values lower-cased, sorted, joined by a blank.
#[must_use]
pub fn attribute_text(values: &[String]) -> String {
    let mut lower: Vec<String> = values.iter().map(|v| v.to_lowercase()).collect();
    lower.sort_unstable();
    lower.join(" ")
}

/// The text of an edge: both labels around the predicate, as in the vocabulary.
#[must_use]
pub fn edge_text(scene: &SceneGraph, edge: &Edge) -> String {
    let label = |at: usize| &scene.nodes[at].label;
    format!(
        "{} {} {}",
        label(edge.subject),
        edge.predicate,
        label(edge.object)
    )
}

/// Similarity of two sets of attributes, 0..1: the mean over all keys of either of
/// `max(0, cosine)` of the texts, where a key that one lacks counts 0; 1 if neither has any.
///
/// # Errors
/// The embedder failed.
pub fn attribute_similarity(
    a: &Attributes,
    b: &Attributes,
    embedder: &dyn Embedder,
) -> Result<f64, EmbedError> {
    let texts = a
        .iter()
        .chain(b.iter())
        .map(|(_, values)| attribute_text(values));
    let table = EmbeddingTable::new(embedder, texts)?;
    let places = |all| -> Keyed<'_> {
        let place = |values: &[String]| table.place(&attribute_text(values));
        let pairs = Attributes::iter(all);
        pairs
            .filter_map(|(key, v)| Some((key, place(v)?)))
            .collect()
    };
    Ok(keyed_similarity(&places(a), &places(b), &table))
}

/// Keys of a node with the places of their texts.
type Keyed<'a> = Vec<(&'a str, usize)>;

fn keyed_similarity(a: &Keyed<'_>, b: &Keyed<'_>, table: &EmbeddingTable) -> f64 {
    if a.is_empty() && b.is_empty() {
        return 1.0;
    }
    let mut shared = 0;
    let mut sum = 0.0;
    for (key, place) in a {
        if let Some((_, other)) = b.iter().find(|(k, _)| k == key) {
            shared += 1;
            sum += table.cosine(*place, *other).max(0.0);
        }
    }
    sum / (a.len() + b.len() - shared) as f64
}

/// Similarities of the nodes and edges of two scenes, each computed once.
pub(super) struct Similarities {
    columns: usize,
    /// `A`: attribute similarity, ground-truth node by predicted node.
    nodes: Vec<f64>,
    edge_columns: usize,
    /// Cosine of edge texts, ground-truth edge by predicted edge; NaN where no end of one has the
    /// label of an end of the other: nodes match within labels only, so that nobody asks.
    texts: Vec<f64>,
    /// Similarity of edges with their ends; NaN as above.
    edges: Vec<f64>,
}

impl Similarities {
    pub(super) fn new(
        truth: &SceneGraph,
        prediction: &SceneGraph,
        table: &EmbeddingTable,
    ) -> Result<Self, MatchError> {
        let (rows, columns) = (keyed(truth, table)?, keyed(prediction, table)?);
        let across = rows
            .iter()
            .flat_map(|a| columns.iter().map(move |b| (a, b)));
        let mut found = Self {
            columns: columns.len(),
            nodes: across.map(|(a, b)| keyed_similarity(a, b, table)).collect(),
            edge_columns: prediction.edges.len(),
            texts: Vec::with_capacity(truth.edges.len() * prediction.edges.len()),
            edges: Vec::with_capacity(truth.edges.len() * prediction.edges.len()),
        };
        found.compare_edges(truth, prediction, table)?;
        Ok(found)
    }

    /// 0.4 cosine of the texts + 0.6 mean similarity of the ends, whatever their labels.
    fn compare_edges(
        &mut self,
        truth: &SceneGraph,
        prediction: &SceneGraph,
        table: &EmbeddingTable,
    ) -> Result<(), MatchError> {
        let mut known = BTreeMap::new();
        let (a_labels, b_labels) = (labels(truth, &mut known), labels(prediction, &mut known));
        let (from, to) = (edge_places(truth, table)?, edge_places(prediction, table)?);
        for (a, a_place) in truth.edges.iter().zip(&from) {
            let own = [a_labels[a.subject], a_labels[a.object]];
            for (b, b_place) in prediction.edges.iter().zip(&to) {
                let other = [b_labels[b.subject], b_labels[b.object]];
                if !own.iter().any(|label| other.contains(label)) {
                    self.texts.push(f64::NAN);
                    self.edges.push(f64::NAN);
                    continue;
                }
                let text = table.cosine(*a_place, *b_place);
                let ends = self.node(a.subject, b.subject) + self.node(a.object, b.object);
                self.texts.push(text);
                self.edges.push(0.4 * text + 0.6 * (ends / 2.0));
            }
        }
        Ok(())
    }

    pub(super) fn node(&self, truth: usize, prediction: usize) -> f64 {
        self.nodes[truth * self.columns + prediction]
    }

    pub(super) fn text(&self, truth: usize, prediction: usize) -> f64 {
        self.texts[truth * self.edge_columns + prediction]
    }

    pub(super) fn edge(&self, truth: usize, prediction: usize) -> f64 {
        self.edges[truth * self.edge_columns + prediction]
    }
}

/// The label by which nodes are grouped.
pub(super) fn group_label(label: &str) -> String {
    label.trim().to_lowercase()
}

/// A number for the label of each node; equal numbers, equal labels.
fn labels(scene: &SceneGraph, known: &mut BTreeMap<String, usize>) -> Vec<usize> {
    let mut number = |label: &str| {
        let next = known.len();
        *known.entry(group_label(label)).or_insert(next)
    };
    scene.nodes.iter().map(|n| number(&n.label)).collect()
}

fn place(text: &str, table: &EmbeddingTable) -> Result<usize, MatchError> {
    table.place(text).ok_or_else(|| MatchError::Text {
        text: text.to_owned(),
    })
}

fn keyed<'a>(scene: &'a SceneGraph, table: &EmbeddingTable) -> Result<Vec<Keyed<'a>>, MatchError> {
    let one = |attributes: &'a Attributes| {
        let pairs = attributes.iter();
        let placed = pairs.map(|(k, v)| Ok((k, place(&attribute_text(v), table)?)));
        placed.collect()
    };
    scene.nodes.iter().map(|n| one(&n.attributes)).collect()
}

fn edge_places(scene: &SceneGraph, table: &EmbeddingTable) -> Result<Vec<usize>, MatchError> {
    scene
        .edges
        .iter()
        .map(|e| place(&edge_text(scene, e), table))
        .collect()
}
