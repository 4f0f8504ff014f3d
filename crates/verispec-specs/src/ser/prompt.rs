//! Prompts of the three stages, in our own words, and the shapes of their replies.

use std::sync::LazyLock;

use minijinja::{Environment, UndefinedBehavior};
use serde_json::{Value, json};
use verispec_model::{Hash, JudgeIdentity, Part, Question, Request, Structured};

use super::task::Task;

/// A stage that asks models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Writing.
    Generate,
    /// Merging.
    Merge,
    /// Rating.
    Rate,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Self; 3] = [Self::Generate, Self::Merge, Self::Rate];

    /// Protocol with version, part of every request's key.
    #[must_use]
    pub const fn protocol(self) -> &'static str {
        match self {
            Self::Generate => "specs-generate@1",
            Self::Merge => "specs-merge@1",
            Self::Rate => "specs-rate@1",
        }
    }

    const fn source(self) -> &'static str {
        match self {
            Self::Generate => include_str!("../../templates/generate.txt"),
            Self::Merge => include_str!("../../templates/merge.txt"),
            Self::Rate => include_str!("../../templates/rate.txt"),
        }
    }

    /// Hash of the prompt template.
    #[must_use]
    pub fn template(self) -> Hash {
        Hash::of(self.source().as_bytes())
    }

    fn schema(self) -> Value {
        let text = json!({"type": "string"});
        let expected = json!({"type": "string", "enum": ["Yes", "No"]});
        let points = json!({"type": "number", "minimum": 0, "maximum": 10});
        let id = json!({"type": "integer"});
        let list = |item: Value| json!({"type": "array", "items": item});
        let said = json!({"question": text, "category": text, "subcategory": text, "expected_answer": expected});
        match self {
            Self::Generate => object(json!({"specifications": list(object(said))})),
            Self::Merge => {
                let mut group = json!({"ids": list(id.clone())});
                extend(&mut group, said);
                object(json!({"groups": list(object(group)), "contradictions": list(list(id))}))
            }
            Self::Rate => object(json!({"ratings": list(object(json!({
                "id": id, "relevance": points, "clarity": points, "verifiability": points,
            })))})),
        }
    }
}

/// Specifications of a checklist, and tokens of each in a reply, as SpecV's 17,604 have them
/// (14.7 in a checklist of 1,200, 230 characters of JSON each).
const WRITTEN: u64 = 15;
const TOKENS_EACH: u64 = 58;
/// Tokens of one rating.
const TOKENS_RATED: u64 = 30;

/// Tokens that a reply to a request of these stages is expected to have; `None` for any other
/// request.
#[must_use]
pub fn reply_tokens(request: &Request) -> Option<u64> {
    let stage = Stage::ALL
        .into_iter()
        .find(|s| s.protocol() == request.protocol)?;
    let items = request.questions.len() as u64;
    Some(match stage {
        Stage::Generate => WRITTEN * TOKENS_EACH,
        // No more groups than candidates.
        Stage::Merge => items * TOKENS_EACH,
        Stage::Rate => items * TOKENS_RATED,
    })
}

fn extend(object: &mut Value, more: Value) {
    if let (Value::Object(object), Value::Object(more)) = (object, more) {
        object.extend(more);
    }
}

/// The schema of an object with exactly these members.
fn object(properties: Value) -> Value {
    let names: Vec<String> = properties
        .as_object()
        .map(|o| o.keys().cloned().collect())
        .unwrap_or_default();
    json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
}

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut env = Environment::new();
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    for stage in Stage::ALL {
        env.add_template(stage.protocol(), stage.source())
            .expect("built-in templates are valid; a test renders each");
    }
    env
});

/// A request of a stage about a task. `questions` are what it asks about, in structured form.
pub(super) fn request(
    stage: Stage,
    task: &Task,
    judge: &std::sync::Arc<JudgeIdentity>,
    questions: Vec<Question>,
    values: minijinja::Value,
) -> Request {
    let rendered = TEMPLATES
        .get_template(stage.protocol())
        .and_then(|t| t.render(values));
    let mut parts = task.parts();
    parts.push(Part::Text(
        rendered.expect("built-in templates are valid; a test renders each"),
    ));
    Request {
        protocol: stage.protocol().to_owned(),
        template: stage.template(),
        judge: judge.clone(),
        parts,
        questions,
        schema: (judge.structured == Structured::JsonSchema).then(|| stage.schema()),
        repeat: 0,
        parent: None,
        derivation: None,
    }
}
