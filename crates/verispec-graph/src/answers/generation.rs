//! What a generated image shows of a fact: no model is asked, the graph of the image is looked up.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::facts::{FactTarget, join_values};
use crate::scene::{GtId, PredId, SceneGraph};
use crate::vocabulary::{clean_label, clean_predicate};

/// Which node of the generated image stands for which node of the original.
pub type NodeMap = BTreeMap<GtId, PredId>;

/// Whether answers are worded as gold answers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerCleaning {
    /// Labels and predicates as people say them, as in the gold answers.
    #[default]
    Clean,
    /// As in the vocabulary (`tree-merged`, `lying on`), while the gold answers say "tree", "on".
    Published,
}

/// Which end of a fact has no counterpart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ends {
    /// The node of an object or attribute fact.
    Node,
    /// The subject of a relation.
    Subject,
    /// The object of a relation.
    Object,
    /// Both.
    Both,
}

/// What the graph of the generated image says about a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum GenAnswer {
    /// It has an answer.
    Found {
        /// The answer.
        text: String,
    },
    /// No image was generated.
    NoImage,
    /// The model left a file that is no image: its failure, as if there were none.
    UnreadableImage,
    /// The image has no node for the fact.
    Unmatched {
        /// Which end.
        ends: Ends,
    },
    /// The map names a node that the graph does not hold: the two do not belong together.
    LostNode {
        /// That node.
        node: PredId,
    },
    /// The node has no attributes at all.
    NoAttributes,
    /// The node has attributes, but not this one.
    NoAttributeKey,
    /// Both nodes are there, with no relation from one to the other.
    NoEdge,
}

impl GenAnswer {
    /// The answer, if there is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Found { text } => Some(text),
            _ => None,
        }
    }

    /// What the released files hold in `model_answer`: a missing answer is the text `None.`.
    #[must_use]
    pub fn released_text(&self) -> &str {
        self.text().unwrap_or("None.")
    }
}

/// Looks a fact up in the graph of the generated image.
#[must_use]
pub fn look_up(
    target: &FactTarget,
    map: &NodeMap,
    prediction: &SceneGraph,
    cleaning: AnswerCleaning,
) -> GenAnswer {
    match target {
        FactTarget::Object { node } => on_node(*node, map, prediction, |at| {
            let label = &prediction.nodes[at].label;
            found(match cleaning {
                AnswerCleaning::Clean => clean_label(label),
                AnswerCleaning::Published => label.clone(),
            })
        }),
        FactTarget::Attribute { node, key } => on_node(*node, map, prediction, |at| {
            let attributes = &prediction.nodes[at].attributes;
            match attributes.get(key) {
                Some(values) => found(values.join(", ")),
                None if attributes.is_empty() => GenAnswer::NoAttributes,
                None => GenAnswer::NoAttributeKey,
            }
        }),
        FactTarget::Relation { subject, object } => {
            relation(map.get(subject), map.get(object), prediction, cleaning)
        }
    }
}

fn found(text: String) -> GenAnswer {
    GenAnswer::Found { text }
}

fn on_node(
    node: GtId,
    map: &NodeMap,
    prediction: &SceneGraph,
    answer: impl Fn(usize) -> GenAnswer,
) -> GenAnswer {
    let Some(&mapped) = map.get(&node) else {
        return GenAnswer::Unmatched { ends: Ends::Node };
    };
    match prediction.position(mapped.0) {
        Some(at) => answer(at),
        None => GenAnswer::LostNode { node: mapped },
    }
}

fn relation(
    subject: Option<&PredId>,
    object: Option<&PredId>,
    prediction: &SceneGraph,
    cleaning: AnswerCleaning,
) -> GenAnswer {
    let (from, to) = match (subject, object) {
        (Some(from), Some(to)) => (*from, *to),
        (None, Some(_)) => {
            return GenAnswer::Unmatched {
                ends: Ends::Subject,
            };
        }
        (Some(_), None) => return GenAnswer::Unmatched { ends: Ends::Object },
        (None, None) => return GenAnswer::Unmatched { ends: Ends::Both },
    };
    let Some(start) = prediction.position(from.0) else {
        return GenAnswer::LostNode { node: from };
    };
    let Some(end) = prediction.position(to.0) else {
        return GenAnswer::LostNode { node: to };
    };
    let between = prediction
        .edges
        .iter()
        .filter(|e| (e.subject, e.object) == (start, end));
    let mut said: Vec<String> = Vec::new();
    for edge in between {
        let predicate = match cleaning {
            AnswerCleaning::Clean => clean_predicate(&edge.predicate),
            AnswerCleaning::Published => edge.predicate.clone(),
        };
        if !said.contains(&predicate) {
            said.push(predicate);
        }
    }
    if said.is_empty() {
        GenAnswer::NoEdge
    } else {
        found(join_values(&said))
    }
}
