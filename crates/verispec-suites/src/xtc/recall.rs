//! How much of known scenes an extracted graph holds.

use serde::Serialize;
use verispec_graph::matching::{EmbeddingTable, MatchPolicy, match_scenes};
use verispec_graph::scene::SceneGraph;

/// Counts over images; shares are `None` where there is nothing to count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Recall {
    /// Images of the truth.
    pub images: usize,
    /// Images without an extracted graph: their nodes count as missing.
    pub without_graph: usize,
    /// Nodes of the truth.
    pub nodes: usize,
    /// Of these: found with their label.
    pub nodes_found: usize,
    /// Extracted nodes beyond the truth.
    pub nodes_invented: usize,
    /// Relations of the truth.
    pub edges: usize,
    /// Of these: found between the right objects with the same predicate.
    pub edges_found: usize,
    /// Attributes of the truth.
    pub attributes: usize,
    /// Of these: found at the right object with a value in common.
    pub attributes_found: usize,
}

impl Recall {
    /// Adds an image. `extracted` is `None` where there is no graph.
    ///
    /// # Errors
    /// The scenes cannot be matched.
    pub fn add(
        &mut self,
        truth: &SceneGraph,
        extracted: Option<&SceneGraph>,
        table: &EmbeddingTable,
    ) -> Result<(), super::XtcError> {
        self.images += 1;
        self.nodes += truth.nodes.len();
        self.edges += truth.edges.len();
        self.attributes += truth
            .nodes
            .iter()
            .map(|n| n.attributes.len())
            .sum::<usize>();
        let Some(seen) = extracted else {
            self.without_graph += 1;
            return Ok(());
        };
        let matched = match_scenes(truth, seen, table, MatchPolicy::default())?;
        self.nodes_found += matched.nodes.len();
        self.nodes_invented += matched.invented_nodes.len();
        let mut at = vec![None; truth.nodes.len()];
        for pair in &matched.nodes {
            at[pair.truth] = Some(pair.prediction);
            let (was, is) = (&truth.nodes[pair.truth], &seen.nodes[pair.prediction]);
            let same = |(key, values): &(&str, &[String])| {
                let found = is.attributes.get(key).unwrap_or_default();
                found
                    .iter()
                    .any(|f| values.iter().any(|v| v.eq_ignore_ascii_case(f)))
            };
            self.attributes_found += was.attributes.iter().filter(same).count();
        }
        let found = truth.edges.iter().filter(|edge| {
            let ends = at[edge.subject].zip(at[edge.object]);
            let same = |e: &&verispec_graph::scene::Edge| {
                Some((e.subject, e.object)) == ends && e.predicate == edge.predicate
            };
            seen.edges.iter().any(|e| same(&e))
        });
        self.edges_found += found.count();
        Ok(())
    }

    /// Found over all nodes, 0..=1.
    #[must_use]
    pub fn node_recall(&self) -> Option<f64> {
        share(self.nodes_found, self.nodes)
    }

    /// Found over extracted nodes, 0..=1.
    #[must_use]
    pub fn node_precision(&self) -> Option<f64> {
        share(self.nodes_found, self.nodes_found + self.nodes_invented)
    }

    /// Found over all relations, 0..=1.
    #[must_use]
    pub fn edge_recall(&self) -> Option<f64> {
        share(self.edges_found, self.edges)
    }

    /// Found over all attributes, 0..=1.
    #[must_use]
    pub fn attribute_recall(&self) -> Option<f64> {
        share(self.attributes_found, self.attributes)
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
