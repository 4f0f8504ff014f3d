//! What is asked of a judge, before any dialect renders it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::hash::Hash;
use crate::suite::SpecId;

/// Parameters that were set, by their canonical name (`temperature`, `top_p`, `seed`,
/// `max_tokens`, `reasoning_effort`, …). Only these are sent.
pub type Params = BTreeMap<String, serde_json::Value>;

/// How the shape of the reply is enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structured {
    /// By the prompt alone.
    #[default]
    None,
    /// "Some JSON object" mode of the provider.
    #[serde(alias = "json-object")]
    JsonObject,
    /// A JSON schema given to the provider.
    #[serde(alias = "json-schema")]
    JsonSchema,
}

/// Who judges: everything that may change an answer. Endpoints and keys are not part of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgeIdentity {
    /// Dialect, for instance `openai`, `gemini`, `builtin`.
    pub provider: String,
    /// Model id as sent.
    pub model: String,
    /// Parameters that were set.
    pub params: Params,
    /// How structured output is asked for.
    pub structured: Structured,
    /// A revision the user gives, for instance of self-hosted weights.
    pub revision: Option<String>,
}

/// Parameters that a request to a model under test may set for itself: a seed of its own, and what
/// it is to make. Identities that differ in nothing else are reached in the same way.
pub const REQUEST_PARAMS: [&str; 2] = ["seed", "modalities"];

/// Parameters that bound the length of a reply.
pub const LENGTH_PARAMS: [&str; 2] = ["max_tokens", "max_completion_tokens"];

impl JudgeIdentity {
    /// Whether both are one judge, whatever length they allow a reply: a request that follows a
    /// truncated reply allows more.
    #[must_use]
    pub fn is_same_but_for_length(&self, other: &Self) -> bool {
        self.is_same_but_for(other, &LENGTH_PARAMS)
    }

    /// Whether both are one model, whatever length, seed and kind of output a request sets.
    #[must_use]
    pub fn is_same_but_for_request(&self, other: &Self) -> bool {
        self.is_same_but_for(other, &[LENGTH_PARAMS, REQUEST_PARAMS].concat())
    }

    fn is_same_but_for(&self, other: &Self, params: &[&str]) -> bool {
        let neutral = |judge: &Self| {
            let mut judge = judge.clone();
            judge
                .params
                .retain(|name, _| !params.contains(&name.as_str()));
            judge
        };
        neutral(self) == neutral(other)
    }
}

/// What an image is in the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImageRole {
    /// An input the model under test was given.
    Reference,
    /// Made by the model under test.
    Output,
}

/// An image by file, content and treatment; no pixel is needed to know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImagePart {
    /// File to read; shared, since a run names each in several places.
    pub path: Arc<Path>,
    /// Hash of the file's bytes.
    pub source: Hash,
    /// Media profile with version, for instance `specv-jpeg@1`; see `verispec-media`.
    pub profile: Cow<'static, str>,
    /// What it shows.
    pub role: ImageRole,
}

/// One part of the message, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Text, sent as it is.
    Text(String),
    /// An image.
    Image(ImagePart),
}

/// One question of the request in structured form, for judges that are programs rather than
/// readers of prose, and for fakes. Never holds an expected answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Label that the reply uses.
    pub id: SpecId,
    /// The statement, as a question.
    pub text: String,
}

/// One request to a judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Protocol with version, for instance `whole@1`.
    pub protocol: String,
    /// Hash of the prompt template.
    pub template: Hash,
    /// Who is asked.
    pub judge: Arc<JudgeIdentity>,
    /// Parts of the one user message, in order.
    pub parts: Vec<Part>,
    /// The questions that the parts ask, in structured form.
    pub questions: Vec<Question>,
    /// JSON schema of the reply, sent when `judge.structured` asks for it.
    pub schema: Option<serde_json::Value>,
    /// Which repetition of the same question this is, from 0.
    pub repeat: u32,
    /// Request that this one follows from.
    pub parent: Option<Hash>,
    /// Why it follows, for instance `reask-missing` or `after-truncation`.
    pub derivation: Option<String>,
}
