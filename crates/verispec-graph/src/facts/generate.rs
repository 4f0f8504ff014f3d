//! From a scene to its facts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::describe::describe;
use super::distinguish::Distinctions;
use super::fact::{Fact, FactKey, FactSet, FactTarget, SkipReason, Skipped};
use super::overlap::Overlap;
use super::{join_values, question};
use crate::scene::{GtId, Node, SceneGraph};
use crate::vocabulary::{clean_label, clean_predicate};

/// Keys of one object that are considered for telling it apart; further ones are not. The
/// vocabulary has at most six.
pub const MAX_KEYS: usize = 16;

/// How facts are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FactPolicy {
    /// Rule by which two values are taken for each other.
    pub overlap: Overlap,
}

/// The facts of a scene, in order: attributes (by object, then key), objects, relations (by
/// predicate, then subject, then list order).
///
/// An attribute fact of an object whose label occurs more than once needs other attributes that
/// tell it apart; an object fact needs attributes that tell it apart from all other objects; a
/// relation fact needs both of its objects to be told apart from those of the same label. What
/// cannot be told apart is skipped, with the reason.
///
/// # Panics
/// An edge or group of the scene names a node that is not there; no function here builds such one.
#[must_use]
pub fn generate(dataset: &str, scene: &SceneGraph, policy: FactPolicy) -> FactSet {
    let mut maker = Maker {
        dataset,
        scene,
        distinct: Distinctions::new(&scene.nodes, policy.overlap),
        same_label: same_label(&scene.nodes),
        set: FactSet::default(),
    };
    maker.attributes();
    maker.objects();
    maker.relations();
    maker.set
}

struct Maker<'a> {
    dataset: &'a str,
    scene: &'a SceneGraph,
    distinct: Distinctions,
    /// Other nodes of the same label, for each node.
    same_label: Vec<Vec<usize>>,
    set: FactSet,
}

/// A question with what it shows.
struct Asked {
    question: String,
    gold_values: Vec<String>,
    described_by: Vec<String>,
}

impl Maker<'_> {
    fn attributes(&mut self) {
        for at in 0..self.scene.nodes.len() {
            let node = &self.scene.nodes[at];
            for (key, values) in node.attributes.sorted() {
                let target = FactTarget::Attribute {
                    node: GtId(node.id),
                    key: key.to_owned(),
                };
                match self.among_same_label(at, Some(key)) {
                    None => self.skip(target, SkipReason::Indistinguishable),
                    Some(described_by) => {
                        let asked = Asked {
                            question: question::attribute(node, &described_by, key),
                            gold_values: values.to_vec(),
                            described_by,
                        };
                        self.add(target, asked);
                    }
                }
            }
        }
    }

    fn objects(&mut self) {
        for (at, node) in self.scene.nodes.iter().enumerate() {
            let target = FactTarget::Object {
                node: GtId(node.id),
            };
            let others: Vec<usize> = (0..self.scene.nodes.len()).filter(|&o| o != at).collect();
            if others.is_empty() {
                self.skip(target, SkipReason::OnlyObject);
                continue;
            }
            match self.distinct.smallest_set(at, &others, None) {
                None => self.skip(target, SkipReason::Indistinguishable),
                Some(described_by) => {
                    let asked = Asked {
                        question: question::object(node, &described_by),
                        gold_values: vec![clean_label(&node.label)],
                        described_by,
                    };
                    self.add(target, asked);
                }
            }
        }
    }

    fn relations(&mut self) {
        for (subject, object, predicates) in pairs(self.scene) {
            let (from, to) = (&self.scene.nodes[subject], &self.scene.nodes[object]);
            let target = FactTarget::Relation {
                subject: GtId(from.id),
                object: GtId(to.id),
            };
            if subject == object {
                self.skip(target, SkipReason::Reflexive);
                continue;
            }
            let sets = self
                .among_same_label(subject, None)
                .zip(self.among_same_label(object, None));
            let Some((described_by, object_keys)) = sets else {
                self.skip(target, SkipReason::Indistinguishable);
                continue;
            };
            let mut gold_values: Vec<String> =
                predicates.iter().map(|p| clean_predicate(p)).collect();
            gold_values.sort_unstable();
            gold_values.dedup();
            let first = gold_values.first().map_or("", String::as_str);
            let (from, to) = (describe(from, &described_by), describe(to, &object_keys));
            let asked = Asked {
                question: question::relation(&from, &to, first),
                gold_values,
                described_by,
            };
            self.add(target, asked);
        }
    }

    /// Keys that tell a node apart from others of its label: none needed if it is alone.
    fn among_same_label(&self, node: usize, except: Option<&str>) -> Option<Vec<String>> {
        let others = &self.same_label[node];
        if others.is_empty() {
            return Some(Vec::new());
        }
        self.distinct.smallest_set(node, others, except)
    }

    fn skip(&mut self, target: FactTarget, reason: SkipReason) {
        self.set.skipped.push(Skipped { target, reason });
    }

    fn add(&mut self, target: FactTarget, asked: Asked) {
        self.set.facts.push(Fact {
            key: FactKey {
                dataset: self.dataset.to_owned(),
                image_id: self.scene.image_id,
                target,
            },
            question: asked.question,
            gold: join_values(&asked.gold_values),
            gold_values: asked.gold_values,
            described_by: asked.described_by,
        });
    }
}

fn same_label(nodes: &[Node]) -> Vec<Vec<usize>> {
    let mut by_label: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, node) in nodes.iter().enumerate() {
        by_label
            .entry(clean_label(&node.label).to_lowercase())
            .or_default()
            .push(at);
    }
    let mut others = vec![Vec::new(); nodes.len()];
    for group in by_label.values() {
        for &at in group {
            others[at] = group.iter().copied().filter(|&o| o != at).collect();
        }
    }
    others
}

/// Ordered pairs of nodes with their predicates (sorted, each once), in the order of the facts.
fn pairs(scene: &SceneGraph) -> Vec<(usize, usize, Vec<&str>)> {
    let mut all: Vec<(usize, usize, Vec<&str>)> = Vec::new();
    for edge in &scene.edges {
        let (from, to) = (edge.subject, edge.object);
        match all.iter_mut().find(|(s, o, _)| (*s, *o) == (from, to)) {
            Some((_, _, predicates)) => predicates.push(&edge.predicate),
            None => all.push((from, to, vec![&edge.predicate])),
        }
    }
    for (_, _, predicates) in &mut all {
        predicates.sort_unstable();
        predicates.dedup();
    }
    all.sort_by(|a, b| (a.2.first(), a.0).cmp(&(b.2.first(), b.0)));
    all
}
