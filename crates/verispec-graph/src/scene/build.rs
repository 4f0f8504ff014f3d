//! The one graph that prompts, questions and matching share.

use serde::{Deserialize, Serialize};

use super::attributes::{Attributes, UnknownValues};
use super::files::{Group, GroupRelation, MergedGraph, ScoredPredicate};
use super::ids::{ImageId, SegmentId};
use crate::vocabulary;

/// Which members of two groups a relation holds between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupRelations {
    /// Those that were verified.
    #[default]
    Members,
    /// Every member of one and every member of the other, as the released scripts do: one verified
    /// pair becomes k x l facts that nobody verified.
    All,
}

/// How a merged graph becomes a scene graph. Both sides use the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ScenePolicy {
    /// Which members a relation holds between.
    pub group_relations: GroupRelations,
    /// What to do with `unknown`.
    pub unknown: UnknownValues,
}

/// An object of a scene.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Node {
    /// Its segment.
    pub id: SegmentId,
    /// Label as in the vocabulary (`tree-merged`).
    pub label: String,
    /// Class of the label; `None` outside the vocabulary.
    pub supercategory: Option<&'static str>,
    /// What is known of it; may be empty.
    pub attributes: Attributes,
}

/// A directed relation between two nodes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Edge {
    /// Position of the subject in the nodes.
    pub subject: usize,
    /// Position of the object in the nodes.
    pub object: usize,
    /// The predicate as in the vocabulary.
    pub predicate: String,
    /// Score of the relation model, 0..1, if known.
    pub score: Option<f64>,
}

/// Nodes that a prompt names together: one or more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// Positions in the nodes.
    pub nodes: Vec<usize>,
}

/// A scene: nodes, what is shown together, edges between nodes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SceneGraph {
    /// Number of the image.
    pub image_id: ImageId,
    /// Objects in file order, members of a group one after the other.
    pub nodes: Vec<Node>,
    /// Single objects and groups in file order; every node is in exactly one.
    pub groups: Vec<Shown>,
    /// Relations in file order.
    pub edges: Vec<Edge>,
}

/// A scene and what did not enter it.
#[derive(Debug, Clone, PartialEq)]
pub struct BuiltScene {
    /// The scene.
    pub scene: SceneGraph,
    /// Nodes without an attribute record. They are in the scene, with no attributes.
    pub undescribed: usize,
    /// Relations for which "no relation" scored higher than the predicate. They enter neither the
    /// prompt nor the questions nor the matching.
    pub implausible: usize,
}

impl Node {
    /// A node, with the supercategory of its label.
    #[must_use]
    pub fn new(id: SegmentId, label: &str, attributes: Attributes) -> Self {
        Self {
            id,
            label: label.to_owned(),
            supercategory: vocabulary::supercategory(label).map(|s| s.name),
            attributes,
        }
    }
}

impl SceneGraph {
    /// A scene in which every node stands alone.
    #[must_use]
    pub fn of_nodes(image_id: ImageId, nodes: Vec<Node>, edges: Vec<Edge>) -> Self {
        let groups = (0..nodes.len()).map(|n| Shown { nodes: vec![n] }).collect();
        Self {
            image_id,
            nodes,
            groups,
            edges,
        }
    }

    /// Position of a segment.
    #[must_use]
    pub fn position(&self, id: SegmentId) -> Option<usize> {
        self.nodes.iter().position(|n| n.id == id)
    }

    /// Builds the scene of a merged graph: filters relations once, names members, keeps nodes
    /// without attributes. An edge to a segment that the graph does not hold is impossible by
    /// construction of [`MergedGraph`]s here; one from elsewhere is left out.
    #[must_use]
    pub fn build(graph: &MergedGraph, policy: ScenePolicy) -> BuiltScene {
        let mut scene = Self {
            image_id: graph.image_id,
            ..Self::default()
        };
        let mut undescribed = 0;
        for group in &graph.groups {
            undescribed += group
                .members
                .iter()
                .filter(|m| m.attributes.is_none())
                .count();
            scene.add_group(group, policy.unknown);
        }
        let mut implausible = 0;
        for relation in &graph.relations {
            implausible += match policy.group_relations {
                GroupRelations::Members => scene.add_members(relation),
                GroupRelations::All => scene.add_all(relation),
            };
        }
        BuiltScene {
            scene,
            undescribed,
            implausible,
        }
    }

    fn add_group(&mut self, group: &Group, unknown: UnknownValues) {
        let first = self.nodes.len();
        for member in &group.members {
            let attributes = match (&member.attributes, unknown) {
                (None, _) => Attributes::new(),
                (Some(a), UnknownValues::Keep) => a.clone(),
                (Some(a), UnknownValues::Drop) => a.without_unknown(),
            };
            self.nodes
                .push(Node::new(member.id, &group.label, attributes));
        }
        self.groups.push(Shown {
            nodes: (first..self.nodes.len()).collect(),
        });
    }

    fn add_members(&mut self, relation: &GroupRelation) -> usize {
        let mut implausible = 0;
        for pair in &relation.pairs {
            let ends = self.position(pair.subject).zip(self.position(pair.object));
            let Some(ends) = ends else { continue };
            implausible += self.add_edges(&[ends], &pair.predicates, pair.no_relation);
        }
        implausible
    }

    fn add_all(&mut self, relation: &GroupRelation) -> usize {
        let (Some(subjects), Some(objects)) = (
            self.groups.get(relation.subject),
            self.groups.get(relation.object),
        ) else {
            return 0;
        };
        let across = subjects
            .nodes
            .iter()
            .flat_map(|s| objects.nodes.iter().map(|o| (*s, *o)));
        let ends: Vec<(usize, usize)> = across.collect();
        self.add_edges(&ends, &relation.predicates, relation.no_relation)
    }

    fn add_edges(
        &mut self,
        ends: &[(usize, usize)],
        predicates: &[ScoredPredicate],
        no_relation: Option<f64>,
    ) -> usize {
        let mut implausible = 0;
        for scored in predicates {
            if no_relation.is_some_and(|no| no > scored.score) {
                implausible += 1;
                continue;
            }
            self.edges
                .extend(ends.iter().map(|&(subject, object)| Edge {
                    subject,
                    object,
                    predicate: scored.predicate.clone(),
                    score: Some(scored.score),
                }));
        }
        implausible
    }
}
