//! Matching files: both graphs of each image, and the pairs that were found.

use std::collections::BTreeMap;

use serde_json::Value;

use super::attributes::attributes;
use super::field::{
    ImportError, Problem, Read, each, entries, field, key_number, list, optional, text, whole,
};
use crate::scene::{Edge, GtId, ImageId, Node, PredId, SceneGraph, SegmentId};

/// Both graphs of an image.
#[derive(Debug, Clone, PartialEq)]
pub struct PairedScenes {
    /// Of the original image.
    pub ground_truth: SceneGraph,
    /// Of the generated image.
    pub prediction: SceneGraph,
}

/// What `scene_graphs_matched.json` says of an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchedImage {
    /// Matched nodes.
    pub pairs: Vec<(GtId, PredId)>,
    /// All ground-truth nodes of the image.
    pub gt_nodes: usize,
    /// All nodes of the generated image.
    pub pred_nodes: usize,
}

/// `scene_graphs_for_matching.json`.
///
/// # Errors
/// A field is absent or of another kind; an edge names no node.
pub fn matching_graphs(
    file: &str,
    document: &Value,
) -> Result<BTreeMap<ImageId, PairedScenes>, ImportError> {
    let one = |key: &str, v: &Value| {
        let id = key_number(key)?;
        let scenes = PairedScenes {
            ground_truth: field(v, "ground_truth", |g| graph(id, g))?,
            prediction: field(v, "prediction", |g| graph(id, g))?,
        };
        Ok((id, scenes))
    };
    let read = field(document, "images", |v| entries(v, one));
    Ok(read.map_err(|p| p.in_file(file))?.into_iter().collect())
}

/// `scene_graphs_matched.json`. `None` for an image on which the released matcher failed: it has
/// no result, which is not the same as no match.
///
/// # Errors
/// A field is absent or of another kind.
pub fn matched_graphs(
    file: &str,
    document: &Value,
) -> Result<BTreeMap<ImageId, Option<MatchedImage>>, ImportError> {
    let one = |key: &str, v: &Value| {
        let found = if v.is_null() { None } else { Some(matched(v)?) };
        Ok((key_number(key)?, found))
    };
    let read = field(document, "per_image_results", |v| entries(v, one));
    Ok(read.map_err(|p| p.in_file(file))?.into_iter().collect())
}

fn matched(value: &Value) -> Read<MatchedImage> {
    let count = |name| field(value, name, super::field::position);
    Ok(MatchedImage {
        pairs: list(value, "matched_node_pairs", pair)?,
        gt_nodes: count("num_gt_nodes")?,
        pred_nodes: count("num_pred_nodes")?,
    })
}

/// `[prediction, ground truth, label, label]`: the prediction comes first in the file.
fn pair(value: &Value) -> Read<(GtId, PredId)> {
    let parts = each(value, |v| Ok(v.clone()))?;
    let [prediction, truth, ..] = &parts[..] else {
        return Err(Problem::new("expected a predicted and a ground-truth node"));
    };
    let id = |v: &Value| Ok(SegmentId(whole(v)?));
    Ok((GtId(id(truth)?), PredId(id(prediction)?)))
}

fn graph(image_id: ImageId, value: &Value) -> Read<SceneGraph> {
    let nodes = list(value, "nodes", |v| {
        let id = SegmentId(field(v, "id", whole)?);
        let found = optional(v, "attributes", attributes)?.unwrap_or_default();
        Ok(Node::new(id, &field(v, "label", text)?, found))
    })?;
    let end = |v: &Value, name: &str| {
        let id = SegmentId(field(v, name, whole)?);
        let found = nodes.iter().position(|n| n.id == id);
        found.ok_or_else(|| Problem::new(format!("no node has the id {id}")).inside(name))
    };
    let edges = list(value, "edges", |v| {
        Ok(Edge {
            subject: end(v, "source")?,
            object: end(v, "target")?,
            predicate: field(v, "relation", text)?,
            score: None,
        })
    })?;
    Ok(SceneGraph::of_nodes(image_id, nodes, edges))
}
