//! Prompts in our own words.

use std::sync::LazyLock;

use minijinja::{Environment, UndefinedBehavior, context};
use verispec_model::{Hash, Part, Question, Structured};

use super::material::{Material, fence};

const FRAME: &str = include_str!("../../templates/frame.txt");
const GRADE_FRAME: &str = include_str!("../../templates/grade_frame.txt");
const SOURCES: [(&str, &str); 7] = [
    ("frame", FRAME),
    ("whole", include_str!("../../templates/whole.txt")),
    (
        "whole_object",
        include_str!("../../templates/whole_object.txt"),
    ),
    ("single", include_str!("../../templates/single.txt")),
    (
        "single_object",
        include_str!("../../templates/single_object.txt"),
    ),
    ("grade_frame", GRADE_FRAME),
    ("grade", include_str!("../../templates/grade.txt")),
];

static TEMPLATES: LazyLock<Result<Environment<'static>, PromptError>> = LazyLock::new(|| {
    let mut env = Environment::new();
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    for (name, source) in SOURCES {
        env.add_template(name, source)
            .map_err(|e| PromptError(e.to_string()))?;
    }
    Ok(env)
});

/// A prompt template that does not render.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("prompt template: {0}")]
pub struct PromptError(String);

/// Which statement template a prompt ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A numbered list.
    List,
    /// One statement.
    Single,
    /// A grade, without statements.
    Grade,
}

impl Shape {
    const fn template(self, structured: Structured) -> &'static str {
        match (self, structured) {
            (Self::List, Structured::None) => "whole",
            (Self::List, _) => "whole_object",
            (Self::Single, Structured::None) => "single",
            (Self::Single, _) => "single_object",
            (Self::Grade, _) => "grade",
        }
    }

    const fn frame(self) -> (&'static str, &'static str) {
        match self {
            Self::List | Self::Single => ("frame", FRAME),
            Self::Grade => ("grade_frame", GRADE_FRAME),
        }
    }

    /// Schema of the reply, for judges that enforce one.
    pub(super) fn schema(self) -> serde_json::Value {
        let item = |with_id: bool| {
            let mut properties = serde_json::Map::new();
            if with_id {
                properties.insert("id".into(), serde_json::json!({"type": "integer"}));
            }
            properties.insert("reason".into(), serde_json::json!({"type": "string"}));
            properties.insert(
                "answer".into(),
                serde_json::json!({"type": "string", "enum": ["Yes", "No"]}),
            );
            let required: Vec<String> = properties.keys().cloned().collect();
            serde_json::json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
        };
        match self {
            Self::Single => item(false),
            Self::Grade => serde_json::json!({
                "type": "object",
                "properties": {
                    "reason": {"type": "string"},
                    "score": {"type": "integer", "minimum": 0, "maximum": 10},
                },
                "required": ["reason", "score"],
                "additionalProperties": false,
            }),
            Self::List => serde_json::json!({
                "type": "object",
                "properties": {"answers": {"type": "array", "items": item(true)}},
                "required": ["answers"],
                "additionalProperties": false,
            }),
        }
    }
}

/// Hash of the templates that a prompt of this shape is made from.
pub(super) fn template_hash(shape: Shape, structured: Structured) -> Hash {
    let name = shape.template(structured);
    let tail = SOURCES
        .iter()
        .find(|(n, _)| *n == name)
        .map_or("", |(_, s)| s);
    let (_, frame) = shape.frame();
    Hash::of(format!("{}\0{frame}{tail}", frame.len()).as_bytes())
}

/// The parts of a prompt: material, frame with the task, statements.
pub(super) fn parts(
    task: &str,
    material: &Material,
    questions: &[Question],
    (shape, structured): (Shape, Structured),
) -> Result<Vec<Part>, PromptError> {
    let mut parts = material.parts();
    parts.push(Part::Text(render(
        shape.frame().0,
        context! { task, fence => fence(task) },
    )?));
    let questions: Vec<_> = questions
        .iter()
        .map(|q| context! { id => q.id, text => q.text.as_str() })
        .collect();
    parts.push(Part::Text(render(
        shape.template(structured),
        context! { questions },
    )?));
    Ok(parts)
}

fn render(name: &str, values: minijinja::Value) -> Result<String, PromptError> {
    let env = TEMPLATES.as_ref().map_err(Clone::clone)?;
    let render = || env.get_template(name)?.render(values);
    render().map_err(|e| PromptError(e.to_string()))
}
