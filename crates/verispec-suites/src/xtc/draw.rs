//! Pictures by a model under test that is a program: it gets a prompt and says where it put the
//! picture.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use verispec_model::{Hash, Job, JudgeIdentity, Part, Replies, Request, Step, Unjudged};

use super::ask::{Outcome, object, settle, unheard};

/// Protocol of the prompts to a model under test.
const PROTOCOL: &str = "xtc-draw@1";

/// The prompt of one image.
#[derive(Debug, Clone)]
pub struct DrawJob {
    /// Name of the job inside the run.
    pub id: String,
    /// What is to be drawn.
    pub prompt: String,
    /// Seed of this picture.
    pub seed: u64,
    /// The model under test.
    pub model: Arc<JudgeIdentity>,
}

/// What became of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Drawing {
    /// No settled reply yet.
    Pending,
    /// Where the program put the picture. It may have gone since.
    Drawn(PathBuf),
    /// The model gave no picture, and why.
    Failed(String),
    /// The model was not heard: what it would have drawn is not known.
    Unheard(Unjudged),
}

impl Job for DrawJob {
    type Readings = Drawing;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Drawing> {
        let (ask, readings) = match settle(self.request(), replies) {
            Outcome::Pending(request) => (vec![request], Drawing::Pending),
            Outcome::Failed(why) if unheard(why) => (vec![], Drawing::Unheard(why)),
            Outcome::Failed(why) => (vec![], Drawing::Failed(why.to_string())),
            Outcome::Said(text) => (vec![], read(&text)),
        };
        Step { ask, readings }
    }
}

fn read(reply: &str) -> Drawing {
    let value = object(reply).and_then(|text| serde_json::from_str::<Value>(text).ok());
    let path = value.as_ref().and_then(|v| v.get("image")?.as_str());
    match path {
        Some(path) if !path.is_empty() => Drawing::Drawn(PathBuf::from(path)),
        _ => Drawing::Failed("the reply names no image".to_owned()),
    }
}

impl DrawJob {
    fn request(&self) -> Request {
        let task = json!({"draw": self.prompt, "seed": self.seed});
        Request {
            protocol: PROTOCOL.to_owned(),
            template: Hash::of(PROTOCOL.as_bytes()),
            judge: self.model.clone(),
            parts: vec![Part::Text(task.to_string())],
            questions: vec![],
            schema: None,
            repeat: 0,
            parent: None,
            derivation: None,
        }
    }
}
