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

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut env = Environment::new();
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    for (name, source) in SOURCES {
        env.add_template(name, source)
            .expect("built-in templates are valid; a test renders each");
    }
    env
});

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
    let known = HASHES.iter().find(|(n, _)| *n == name);
    known.map_or_else(|| hash_of(shape, name), |(_, hash)| *hash)
}

/// Those of all shapes: a large plan asks for them with every request.
static HASHES: LazyLock<Vec<(&'static str, Hash)>> = LazyLock::new(|| {
    let modes = [Structured::None, Structured::JsonObject];
    let shapes = [Shape::List, Shape::Single, Shape::Grade];
    let all = shapes.iter().flat_map(|s| modes.map(|m| (*s, m)));
    all.map(|(shape, mode)| (shape.template(mode), hash_of(shape, shape.template(mode))))
        .collect()
});

fn hash_of(shape: Shape, name: &str) -> Hash {
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
) -> Vec<Part> {
    let mut parts = shared_parts(task, material, shape);
    parts.push(Part::Text(statements(questions, (shape, structured))));
    parts
}

/// The parts that all prompts of an instance have in common: material, frame with the task.
pub(super) fn shared_parts(task: &str, material: &Material, shape: Shape) -> Vec<Part> {
    let mut parts = material.parts();
    parts.push(Part::Text(render(
        shape.frame().0,
        context! { task, fence => fence(task) },
    )));
    parts
}

/// The text of the last part of a prompt.
pub(super) fn statements(
    questions: &[Question],
    (shape, structured): (Shape, Structured),
) -> String {
    let questions: Vec<_> = questions
        .iter()
        .map(|q| context! { id => q.id, text => q.text.as_str() })
        .collect();
    render(shape.template(structured), context! { questions })
}

fn render(name: &str, values: minijinja::Value) -> String {
    let rendered = TEMPLATES
        .get_template(name)
        .and_then(|template| template.render(values));
    rendered.expect("built-in templates are valid; a test renders each")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_renders() {
        let question = Question {
            id: 1,
            text: "Is it there?".into(),
        };
        let shapes = [Shape::List, Shape::Single, Shape::Grade];
        let modes = [
            Structured::None,
            Structured::JsonObject,
            Structured::JsonSchema,
        ];
        for shape in shapes {
            for structured in modes {
                let questions = std::slice::from_ref(&question);
                let parts = parts(
                    "a task",
                    &Material::default(),
                    questions,
                    (shape, structured),
                );
                let Some(Part::Text(last)) = parts.last() else {
                    panic!("{shape:?} {structured:?}: no text");
                };
                assert!(!last.trim().is_empty(), "{shape:?} {structured:?}");
            }
        }
    }
}
