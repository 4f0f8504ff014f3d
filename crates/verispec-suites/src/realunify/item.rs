//! One item of one file.

use std::path::PathBuf;

use serde_json::{Map, Value};
use verispec_model::YesNo;

use super::layout::Split;

/// A question that the judge is polled with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PollQuestion {
    /// The question.
    pub question: String,
    /// The answer wanted, whatever its spelling.
    pub answer: YesNo,
    /// The answer as it stands in the file, which the release compares literally.
    pub written: String,
}

/// A multiple choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceTask {
    /// The question, without options.
    pub question: String,
    /// Texts of the options, `A` first.
    pub options: Vec<String>,
    /// The right letter, upper-case.
    pub answer: char,
    /// The answer as it stands in the file.
    pub written: String,
    /// Image that the task is about.
    pub input_image: PathBuf,
    /// What to make of the image first, in stepwise runs.
    pub edit_prompt: Option<String>,
}

/// What an item asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// UEG: questions about the image that is made.
    Poll(Vec<PollQuestion>),
    /// GEU: a multiple choice.
    Choice(ChoiceTask),
}

/// One item.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// File it stands in.
    pub split: Split,
    /// `task_type`.
    pub task: String,
    /// Subtask, where a field names one: `subtask`, else the folder in `input_image`.
    pub subtask: Option<String>,
    /// `index` as text; the place within its task, from 0, where the file has none.
    pub index: String,
    /// Unique in its file: `<task>/<index>`, and `~2` ... where an index is repeated.
    pub id: String,
    /// Line on which the record starts, from 1.
    pub line: usize,
    /// What the model is given: `prompt`, `new_prompt` or `evaluation_prompt`.
    pub prompt: String,
    /// What is asked.
    pub body: Body,
    /// The record as it stands, unknown fields included.
    pub record: Map<String, Value>,
}

impl Item {
    /// The poll; `None` on the other axis.
    #[must_use]
    pub fn poll(&self) -> Option<&[PollQuestion]> {
        match &self.body {
            Body::Poll(questions) => Some(questions),
            Body::Choice(_) => None,
        }
    }

    /// The multiple choice; `None` on the other axis.
    #[must_use]
    pub fn choice(&self) -> Option<&ChoiceTask> {
        match &self.body {
            Body::Poll(_) => None,
            Body::Choice(task) => Some(task),
        }
    }

    /// Whether two items ask the same, however the model is to go about it.
    #[must_use]
    pub fn asks_as(&self, other: &Self) -> bool {
        match (&self.body, &other.body) {
            (Body::Poll(a), Body::Poll(b)) => {
                let same = |(a, b): (&PollQuestion, &PollQuestion)| {
                    a.question.trim() == b.question.trim() && a.answer == b.answer
                };
                a.len() == b.len() && a.iter().zip(b).all(same)
            }
            (Body::Choice(a), Body::Choice(b)) => {
                a.question.trim() == b.question.trim()
                    && a.options == b.options
                    && a.answer == b.answer
            }
            _ => false,
        }
    }
}
