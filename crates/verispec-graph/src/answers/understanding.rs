//! What a model says about an image.

use serde::{Deserialize, Serialize};

/// Answer of the model under test to the question of a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum UndAnswer {
    /// It said something.
    Answered {
        /// What it said.
        text: String,
    },
    /// There was no image to ask about.
    NoImage,
    /// It failed or gave nothing.
    ModelError {
        /// How, in its words.
        message: String,
    },
    /// It was not asked, or its answer is lost.
    NotAsked,
}

impl UndAnswer {
    /// From the text of a released file, where a failure is written as `ERROR: <message>`. An
    /// empty answer is a failure of the model too.
    #[must_use]
    pub fn of_released(text: &str) -> Self {
        let failed = |message: &str| Self::ModelError {
            message: message.to_owned(),
        };
        match text.strip_prefix("ERROR:").map(str::trim) {
            Some("No answer found") => Self::NotAsked,
            Some(message) => failed(message),
            None if text.trim().is_empty() => failed("empty answer"),
            None => Self::Answered {
                text: text.to_owned(),
            },
        }
    }

    /// What was said, if anything.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Answered { text } => Some(text),
            _ => None,
        }
    }
}
