//! The text judge: how right an answer is, 0 to 5.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;
use verispec_graph::answers::read_grade;
use verispec_graph::metrics::Grade;
use verispec_model::{Job, JudgeIdentity, Replies, Request, Step, Unjudged};

use super::ask::{Outcome, Prompt, object, settle};

const PROMPT: Prompt = Prompt {
    protocol: "xtc-grade@1",
    words: include_str!("prompts/grade.txt"),
};

/// An answer to be graded. Nothing else enters the request, so equal ones share one call: that
/// of another model, of the other side, of another run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradeItem {
    /// The question.
    pub question: String,
    /// The gold answer.
    pub gold: String,
    /// The answer that was given.
    pub answer: String,
}

/// What became of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GradeReading {
    /// No settled reply yet.
    Pending,
    /// A grade.
    Graded(Grade),
    /// The judge gave none.
    Unjudged(Unjudged),
}

/// What is graded without a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExactAnswers {
    /// Nothing: the judge sees every answer.
    #[default]
    Ask,
    /// An answer equal to the gold one, but for case and white space, is 5.
    Five,
}

/// Answers of one model about one image.
#[derive(Debug, Clone)]
pub struct GradeJob {
    /// Name of the job inside the run.
    pub id: String,
    /// The answers.
    pub items: Vec<GradeItem>,
    /// Who grades.
    pub judge: Arc<JudgeIdentity>,
    /// What is graded without a call.
    pub exact: ExactAnswers,
}

impl Job for GradeJob {
    type Readings = Vec<GradeReading>;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        let mut ask: Vec<Request> = vec![];
        let read = |item: &GradeItem| {
            if self.exact == ExactAnswers::Five && is_exact(item) {
                return GradeReading::Graded(Grade::BEST);
            }
            match settle(self.request(item), replies) {
                Outcome::Pending(request) => {
                    // Facts of one image often have the same answer.
                    if !ask.contains(&request) {
                        ask.push(request);
                    }
                    GradeReading::Pending
                }
                Outcome::Failed(why) => GradeReading::Unjudged(why),
                Outcome::Said(text) => graded(&text),
            }
        };
        let readings = self.items.iter().map(read).collect();
        Step { ask, readings }
    }
}

fn is_exact(item: &GradeItem) -> bool {
    let plain = |text: &str| {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        words.join(" ")
    };
    plain(&item.gold) == plain(&item.answer)
}

fn graded(reply: &str) -> GradeReading {
    let read = object(reply).and_then(|text| read_grade(text).ok());
    let grade = read.and_then(Grade::new);
    grade.map_or(
        GradeReading::Unjudged(Unjudged::Unparsed),
        GradeReading::Graded,
    )
}

impl GradeJob {
    fn request(&self, item: &GradeItem) -> Request {
        let data = json!({
            "question": item.question,
            "right answer": item.gold,
            "given answer": item.answer,
        });
        let schema = json!({
            "type": "object",
            "required": ["reasoning", "score"],
            "additionalProperties": false,
            "properties": {
                "reasoning": {"type": "string"},
                "score": {"type": "integer", "minimum": 0, "maximum": 5},
            },
        });
        PROMPT.request(&self.judge, [], &data, schema)
    }
}
