//! Finding the questions in a prompt, as a judge that reads it would.

use std::sync::Arc;

use serde_json::Value;

use super::answer::Question;
use super::config::Prompt;

/// Finds what a prompt asks; `None` answers the request with 400.
pub type Finder = Arc<dyn Fn(&Prompt) -> Option<Asked> + Send + Sync>;

/// What a prompt asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Questions in order.
    pub questions: Vec<Question>,
    /// The form of reply that the prompt wants.
    pub shape: Shape,
}

/// Forms of reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `[{"id", "answer"}]`.
    Array,
    /// `[{"id", "reason", "answer"}]`.
    ReasonedArray,
    /// `{"answers": [{"id", "reason", "answer"}]}`.
    Object,
    /// `Yes. A sentence.`
    SingleText,
    /// `{"reason", "answer"}`.
    SingleObject,
}

/// The default finder. Tries, in this order: a JSON checklist whose items have `id` and
/// `question` (the published prompts; the longest one wins), the lines `1. …` after the last line
/// `Statements:`, the text after the last line `Statement:`, the last run of lines `1. …`, the
/// last line that is not empty.
#[must_use]
pub fn find_questions(prompt: &Prompt) -> Option<Asked> {
    let text = prompt.text.as_str();
    let checklist = checklist(text);
    if !checklist.is_empty() {
        return Some(Asked {
            questions: checklist,
            shape: Shape::Array,
        });
    }
    // The marker that comes last counts: the task above it may hold the other one.
    let many = after_line(text, "Statements:");
    let single = after_line(text, "Statement:");
    let marked = many.filter(|rest| single.is_none_or(|s| rest.len() < s.len()));
    if let Some(questions) = marked.map(marked_list).filter(|q| !q.is_empty()) {
        let shape = many_shape(prompt);
        return Some(Asked { questions, shape });
    }
    if let Some(statement) = single.map(str::trim).filter(|s| !s.is_empty()) {
        return Some(one(prompt, statement));
    }
    let run = last_run(text);
    if !run.is_empty() {
        return Some(Asked {
            questions: run,
            shape: many_shape(prompt),
        });
    }
    let last = text.lines().map(str::trim).rfind(|l| !l.is_empty())?;
    Some(one(prompt, last))
}

fn one(prompt: &Prompt, statement: &str) -> Asked {
    let schema = prompt
        .schema
        .as_ref()
        .is_some_and(|s| has_property(s, "answer"));
    let object = schema || prompt.text.contains("\"answer\"");
    Asked {
        questions: vec![Question {
            id: 1,
            text: statement.to_owned(),
        }],
        shape: if object {
            Shape::SingleObject
        } else {
            Shape::SingleText
        },
    }
}

fn many_shape(prompt: &Prompt) -> Shape {
    let schema = prompt
        .schema
        .as_ref()
        .is_some_and(|s| has_property(s, "answers"));
    if schema || prompt.text.contains("{\"answers\":") {
        Shape::Object
    } else {
        Shape::ReasonedArray
    }
}

fn has_property(schema: &Value, name: &str) -> bool {
    schema.pointer(&format!("/properties/{name}")).is_some()
}

/// The longest JSON array of objects with `id` and `question`.
fn checklist(text: &str) -> Vec<Question> {
    let mut best = Vec::new();
    let mut at = 0;
    while let Some(step) = text[at..].find('[') {
        let start = at + step;
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        at = start + 1;
        let Some(Ok(Value::Array(items))) = values.next() else {
            continue;
        };
        let found: Option<Vec<Question>> = items.iter().map(item).collect();
        if let Some(found) = found.filter(|f| f.len() > best.len()) {
            best = found;
            at = start + values.byte_offset();
        }
    }
    best
}

fn item(value: &Value) -> Option<Question> {
    let id = value
        .get("id")?
        .as_u64()
        .and_then(|id| id.try_into().ok())?;
    let text = value.get("question")?.as_str()?.to_owned();
    Some(Question { id, text })
}

/// What follows the last line that holds only `marker`.
fn after_line<'a>(text: &'a str, marker: &str) -> Option<&'a str> {
    let mut rest = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        if line.trim() == marker {
            rest = Some(&text[at..]);
        }
    }
    rest
}

/// Numbered lines; other lines continue the statement before, until one asks for the reply.
fn marked_list(text: &str) -> Vec<Question> {
    let mut found: Vec<Question> = Vec::new();
    for line in text.lines() {
        if line.starts_with("Reply with ") {
            break;
        }
        match (numbered(line), found.last_mut()) {
            (Some(question), _) => found.push(question),
            (None, Some(last)) if !line.trim().is_empty() => {
                last.text.push('\n');
                last.text.push_str(line);
            }
            (None, _) => {}
        }
    }
    found
}

/// The last run of adjacent numbered lines.
fn last_run(text: &str) -> Vec<Question> {
    let mut best = Vec::new();
    let mut run = Vec::new();
    for line in text.lines().chain([""]) {
        match numbered(line) {
            Some(question) => run.push(question),
            None if !run.is_empty() => best = std::mem::take(&mut run),
            None => {}
        }
    }
    best
}

fn numbered(line: &str) -> Option<Question> {
    let (number, text) = line.trim().split_once(". ")?;
    Some(Question {
        id: number.parse().ok()?,
        text: text.trim().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str) -> Asked {
        let prompt = Prompt {
            dialect: "openai",
            model: "m".into(),
            text: text.into(),
            images: vec![],
            schema: None,
            rest: Value::Null,
        };
        find_questions(&prompt).unwrap()
    }

    fn asked(shape: Shape, questions: &[(u32, &str)]) -> Asked {
        let questions = questions.iter().map(|(id, text)| Question {
            id: *id,
            text: (*text).into(),
        });
        Asked {
            questions: questions.collect(),
            shape,
        }
    }

    #[test]
    fn our_prompts() {
        let many = "Task:\n1. draw a cat\nStatements:\n2. Is it a cat?\n5. Is it 1. big\nand red?\n\n\
            Reply with one JSON array and nothing else.\n[{\"id\": <number>}]";
        let questions = [(2, "Is it a cat?"), (5, "Is it 1. big\nand red?")];
        assert_eq!(find(many), asked(Shape::ReasonedArray, &questions));
        let object = many.replace("[{\"id\"", "{\"answers\": [{\"id\"");
        assert_eq!(find(&object), asked(Shape::Object, &questions));
        let single = "Statements:\n1. x\nReply with Yes or No.\n\nStatement:\nIs it red?\n";
        assert_eq!(find(single), asked(Shape::SingleText, &[(1, "Is it red?")]));
        let single = "Reply\n{\"reason\": <x>, \"answer\": \"Yes\" or \"No\"}\n\nStatement:\nRed?";
        assert_eq!(find(single), asked(Shape::SingleObject, &[(1, "Red?")]));
    }

    #[test]
    fn other_prompts() {
        let json = "See [1] and [x].\n[{\"id\": 9, \"answer\": \"Yes\"}]\nChecklist:\n\
            [{\"id\": 3, \"question\": \"A [b]?\", \"score\": 1}, {\"id\": 4, \"question\": \"C?\"}]\nStatement:\nx";
        assert_eq!(find(json), asked(Shape::Array, &[(3, "A [b]?"), (4, "C?")]));
        let list = "1. old\n\nAnswer these:\n1. A?\n2. B?\nThank you";
        assert_eq!(
            find(list),
            asked(Shape::ReasonedArray, &[(1, "A?"), (2, "B?")])
        );
        assert_eq!(
            find("Is it red?\n\n"),
            asked(Shape::SingleText, &[(1, "Is it red?")])
        );
    }
}
