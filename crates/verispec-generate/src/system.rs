//! The system under test: one model, or one for each ability.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;
use verispec_model::JudgeIdentity;

use crate::chain::{Role, Wants};

/// Who is asked for what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct System {
    /// Makes texts.
    pub understand: Arc<JudgeIdentity>,
    /// Makes images, alone or among texts.
    pub generate: Arc<JudgeIdentity>,
}

impl System {
    /// One model for everything.
    #[must_use]
    pub fn one(model: Arc<JudgeIdentity>) -> Self {
        Self {
            understand: model.clone(),
            generate: model,
        }
    }

    /// Whether two models share the work.
    #[must_use]
    pub fn is_mixed(&self) -> bool {
        self.understand != self.generate
    }

    /// The models, each once.
    #[must_use]
    pub fn models(&self) -> Vec<Arc<JudgeIdentity>> {
        let mut models = vec![self.understand.clone()];
        if self.is_mixed() {
            models.push(self.generate.clone());
        }
        models
    }

    /// The identity that a stage's request carries: the model's, with what this request sets.
    #[must_use]
    pub fn identity(&self, role: Role, wants: Wants, seed: Option<u64>) -> Arc<JudgeIdentity> {
        let model = match role {
            Role::Understand => &self.understand,
            Role::Generate => &self.generate,
        };
        let mut identity = (**model).clone();
        if wants.has_image() {
            let kinds = modalities(&identity.provider, wants);
            let kinds = || json!(kinds);
            identity
                .params
                .entry("modalities".into())
                .or_insert_with(kinds);
        }
        if let Some(seed) = seed {
            identity.params.insert("seed".into(), seed.into());
        }
        Arc::new(identity)
    }
}

/// Chat interfaces that make images want text allowed beside them; programs and interfaces for
/// images alone are told exactly what is wanted.
fn modalities(provider: &str, wants: Wants) -> &'static [&'static str] {
    let exact = matches!(provider, "command" | "openai-images");
    match wants {
        Wants::Image if exact => &["image"],
        _ => &["text", "image"],
    }
}

/// Which seed a request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeedRule {
    /// None, unless the suite has a rule of its own.
    #[default]
    Suite,
    /// None, whatever the suite's rule.
    Never,
    /// This, and the number of the replicate added.
    From(u64),
}

impl SeedRule {
    /// The seed of a task's replicate. `own` is what the suite adds for the task: XTC-Bench draws
    /// an image with 42 and the image's id.
    #[must_use]
    pub fn seed(self, own: Option<u64>, replicate: u32) -> Option<u64> {
        let replicate = u64::from(replicate);
        match (self, own) {
            (Self::Never, _) | (Self::Suite, None) => None,
            (Self::Suite, Some(own)) => Some(own.wrapping_add(42).wrapping_add(replicate)),
            (Self::From(base), own) => {
                Some(base.wrapping_add(own.unwrap_or(0)).wrapping_add(replicate))
            }
        }
    }
}
