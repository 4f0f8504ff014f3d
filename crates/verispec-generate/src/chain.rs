//! What a model is asked, stage by stage.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use verispec_model::Hash;

/// Which ability a stage needs; a mixed system has a model for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Text is made.
    Understand,
    /// An image is made, alone or among texts.
    Generate,
}

/// What a stage is to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wants {
    /// A text.
    Text,
    /// One image.
    Image,
    /// Texts and images in the order in which the model makes them.
    Mixed,
    /// Whatever the model makes of the prompt.
    Any,
}

impl Wants {
    /// Name, as in protocols.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Image => "image",
            Self::Mixed => "mixed",
            Self::Any => "any",
        }
    }

    /// The ability that making it needs.
    #[must_use]
    pub const fn role(self) -> Role {
        match self {
            Self::Text => Role::Understand,
            _ => Role::Generate,
        }
    }

    /// Whether an image is asked for.
    #[must_use]
    pub const fn has_image(self) -> bool {
        matches!(self, Self::Image | Self::Mixed)
    }
}

/// One part of what a stage is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// Text, as it is.
    Text(String),
    /// An image of the suite, or a true middle step.
    Image {
        /// File.
        path: PathBuf,
        /// Hash of its bytes.
        hash: Hash,
    },
    /// What an earlier stage made, by its place.
    Made(usize),
}

/// One request of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// Name, for instance `refine`.
    pub name: &'static str,
    /// Which ability it needs.
    pub role: Role,
    /// What it is to make.
    pub wants: Wants,
    /// What is asked, in order.
    pub inputs: Vec<Input>,
}

impl Stage {
    /// The one stage of a task without a chain.
    #[must_use]
    pub const fn only(wants: Wants, inputs: Vec<Input>) -> Self {
        Self {
            name: "generate",
            role: wants.role(),
            wants,
            inputs,
        }
    }
}
