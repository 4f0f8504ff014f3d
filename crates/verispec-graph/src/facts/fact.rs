//! What a fact is.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::scene::{GtId, ImageId};

/// The three kinds of facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// Which object has these attributes.
    Object,
    /// Which value an attribute of an object has.
    Attribute,
    /// How two objects stand to each other.
    Relation,
}

/// What a fact is about, in the ground-truth graph.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FactTarget {
    /// The label of a node.
    Object {
        /// The node.
        node: GtId,
    },
    /// An attribute of a node.
    Attribute {
        /// The node.
        node: GtId,
        /// The attribute.
        key: String,
    },
    /// The relations from one node to another.
    Relation {
        /// From.
        subject: GtId,
        /// To.
        object: GtId,
    },
}

/// Name of a fact. It says what is asked about, not where the question stands in a file, so it
/// stays the same when other facts come or go.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct FactKey {
    /// Name of the data set.
    pub dataset: String,
    /// Number of the image in it.
    pub image_id: ImageId,
    /// What the fact is about.
    pub target: FactTarget,
}

/// A fact with its question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// Its name.
    pub key: FactKey,
    /// The question, in our words.
    pub question: String,
    /// The gold answer: values joined by commas and "and".
    pub gold: String,
    /// The single values of the gold answer.
    pub gold_values: Vec<String>,
    /// Attributes that tell the (first) object apart, as the question names them; empty where the
    /// label alone does.
    pub described_by: Vec<String>,
}

/// Why a candidate became no fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// No set of attributes tells its object apart from the others.
    Indistinguishable,
    /// It is the only object of the image, so that nothing has to be told apart.
    OnlyObject,
    /// Subject and object are the same node.
    Reflexive,
}

/// A candidate that became no fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// What it would have been about.
    pub target: FactTarget,
    /// Why it is none.
    pub reason: SkipReason,
}

/// Facts of an image and what became none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FactSet {
    /// Attribute facts, object facts, relation facts.
    pub facts: Vec<Fact>,
    /// The rest, counted by the caller.
    pub skipped: Vec<Skipped>,
}

impl FactTarget {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> FactKind {
        match self {
            Self::Object { .. } => FactKind::Object,
            Self::Attribute { .. } => FactKind::Attribute,
            Self::Relation { .. } => FactKind::Relation,
        }
    }

    /// The nodes that must be found in the generated image: one, or subject and object.
    pub fn nodes(&self) -> impl Iterator<Item = GtId> {
        let (first, second) = match self {
            Self::Object { node } | Self::Attribute { node, .. } => (*node, None),
            Self::Relation { subject, object } => (*subject, Some(*object)),
        };
        std::iter::once(first).chain(second)
    }
}

impl FactKind {
    /// All kinds, in the order of the tables.
    pub const ALL: [Self; 3] = [Self::Object, Self::Attribute, Self::Relation];
}

impl fmt::Display for FactKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Object => "object",
            Self::Attribute => "attribute",
            Self::Relation => "relation",
        })
    }
}

/// `coco/213422/attribute/11/primary_color`, `coco/213422/relation/11/33`.
impl fmt::Display for FactKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.target.kind();
        write!(f, "{}/{}/{kind}/", self.dataset, self.image_id)?;
        match &self.target {
            FactTarget::Object { node } => write!(f, "{node}"),
            FactTarget::Attribute { node, key } => write!(f, "{node}/{key}"),
            FactTarget::Relation { subject, object } => write!(f, "{subject}/{object}"),
        }
    }
}
