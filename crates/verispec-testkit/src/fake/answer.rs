//! What a fake judge answers, and how it writes it down.

use std::sync::Arc;

use serde_json::{Value, json};
use verispec_model::SpecId;

use super::config::Prompt;
use super::fault::{Fault, draw};
use super::find::{Asked, Shape};

/// A question found in a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Number it carries in the prompt; 1 for a single question.
    pub id: SpecId,
    /// Its text.
    pub text: String,
}

/// A function from prompt and question to the answer's text.
pub type AnswerFn = Arc<dyn Fn(&Prompt, &Question) -> String + Send + Sync>;

/// How questions are answered.
#[derive(Clone)]
pub enum Answers {
    /// Yes to everything.
    AllYes,
    /// No to everything.
    AllNo,
    /// No to every question whose number is a multiple of this, Yes to the others; 0 is all Yes.
    NoEvery(SpecId),
    /// Yes for a share of all question texts, the same answer for the same text always.
    Hashed {
        /// Another seed gives another judge.
        seed: u64,
        /// Share of Yes, from 0 to 1.
        yes: f64,
    },
    /// Whatever the function says; any text, also none of Yes and No.
    Custom(AnswerFn),
}

impl Answers {
    /// The answer to one question.
    #[must_use]
    pub fn answer(&self, prompt: &Prompt, question: &Question) -> String {
        let yes = match self {
            Self::AllYes => true,
            Self::AllNo => false,
            Self::NoEvery(n) => *n == 0 || !question.id.is_multiple_of(*n),
            Self::Hashed { seed, yes } => draw(*seed, "answer", question.text.as_bytes(), 0) < *yes,
            Self::Custom(answer) => return answer(prompt, question),
        };
        if yes { "Yes" } else { "No" }.to_owned()
    }
}

/// Why the model stopped, in the words of no dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Stop,
    Length,
    Refused,
}

/// What the model says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) text: String,
    pub(super) end: End,
}

/// The whole answer to a prompt, with the faults that concern its text.
pub(super) fn content(
    answers: &Answers,
    prompt: &Prompt,
    asked: &Asked,
    fault: Option<Fault>,
) -> Content {
    let mut rows: Vec<(SpecId, String)> = asked
        .questions
        .iter()
        .map(|q| (q.id, answers.answer(prompt, q)))
        .collect();
    match fault {
        Some(Fault::LackIds) => lack(&mut rows),
        Some(Fault::ExtraIds) => rows.push((99_999, "Yes".to_owned())),
        Some(Fault::DuplicateIds) => rows.extend(rows.first().cloned()),
        Some(Fault::Conflict) => {
            let other = rows.first().map(|(id, a)| (*id, opposite(a)));
            rows.extend(other);
        }
        _ => {}
    }
    let text = render(asked.shape, &rows);
    match fault {
        Some(Fault::Truncated) => Content {
            text: first_half(&text),
            end: End::Length,
        },
        Some(Fault::Refusal) => Content {
            text: String::new(),
            end: End::Refused,
        },
        Some(Fault::Empty) => Content {
            text: String::new(),
            end: End::Stop,
        },
        Some(Fault::Malformed) => Content {
            text: first_half(&text),
            end: End::Stop,
        },
        Some(Fault::Fenced) => Content {
            text: format!("```json\n{text}\n```"),
            end: End::Stop,
        },
        Some(Fault::Prose) => Content {
            text: format!("I looked at [the image] closely.\n\n{text}\n\nSee note [1]."),
            end: End::Stop,
        },
        _ => Content {
            text,
            end: End::Stop,
        },
    }
}

/// Every second answer is left out, the only one as well.
fn lack(rows: &mut Vec<(SpecId, String)>) {
    let mut index = 0;
    rows.retain(|_| {
        index += 1;
        index % 2 == 0
    });
}

fn opposite(answer: &str) -> String {
    if answer == "Yes" { "No" } else { "Yes" }.to_owned()
}

fn first_half(text: &str) -> String {
    text.chars().take(text.chars().count() / 2).collect()
}

fn render(shape: Shape, rows: &[(SpecId, String)]) -> String {
    const REASON: &str = "The fake judge was told so.";
    let reasoned = || -> Vec<Value> {
        rows.iter()
            .map(|(id, a)| json!({"id": id, "reason": REASON, "answer": a}))
            .collect()
    };
    match shape {
        Shape::Array => {
            let rows: Vec<Value> = rows
                .iter()
                .map(|(id, a)| json!({"id": id, "answer": a}))
                .collect();
            Value::from(rows).to_string()
        }
        Shape::ReasonedArray => Value::from(reasoned()).to_string(),
        Shape::Object => json!({"answers": reasoned()}).to_string(),
        Shape::SingleText => match rows.first() {
            Some((_, answer)) => format!("{answer}. {REASON}"),
            None => "I looked at it.".to_owned(),
        },
        Shape::SingleObject => match rows.first() {
            Some((_, answer)) => json!({"reason": REASON, "answer": answer}).to_string(),
            None => json!({"reason": REASON}).to_string(),
        },
    }
}
