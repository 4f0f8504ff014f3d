//! Judged answers of both sides.

use serde::Deserialize;
use serde_json::Value;

use super::answers::answer;
use super::field::{
    Fields, ImportError, Problem, Read, field, number, optional, position, text, whole,
};
use super::lines::{Lines, read_lines};
use super::questions::{kind, target};
use crate::answers::UndAnswer;
use crate::facts::{FactKind, FactTarget};
use crate::scene::ImageId;

/// A line of `ige_answers_*`, `ige_scored_*` or `scored_*`.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredRecord {
    /// Number of the question. 0 is a number.
    pub id: u64,
    /// Kind; `None` for a counting question of an early release.
    pub kind: Option<FactKind>,
    /// The wording.
    pub question: String,
    /// The gold answer.
    pub gold: String,
    /// The answer that was judged, or how the model failed.
    pub answer: UndAnswer,
    /// Number of the image; absent on the understanding side of the release.
    pub image_id: Option<ImageId>,
    /// What the question asks about; absent on the understanding side of the release.
    pub target: Option<FactTarget>,
    /// Grade 0..=5; `None` if the judge gave none that could be read.
    pub grade: Option<u8>,
}

/// Counters of a judge run (`*_metrics_*.json`).
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeSummary {
    /// Answers put to the judge.
    pub attempted: usize,
    /// Answers with a grade.
    pub scored: usize,
    /// Replies that could not be read.
    pub failed: usize,
    /// Mean grade on the scale 0..5, if there is one.
    pub average: Option<f64>,
    /// The judge, if named.
    pub judge: Option<String>,
}

/// `ige_answers_<model>.jsonl`: answers looked up in the graph of the generated image, not yet
/// judged.
///
/// # Errors
/// A field is absent or of another kind.
pub fn generation_answers(file: &str, text: &str) -> Result<Lines<ScoredRecord>, ImportError> {
    read_lines(file, text, record)
}

/// `ige_scored_<model>.jsonl` and `scored_<model>.jsonl`.
///
/// # Errors
/// A field is absent or of another kind; a grade is outside 0..=5.
pub fn scored_lines(file: &str, text: &str) -> Result<Lines<ScoredRecord>, ImportError> {
    read_lines(file, text, record)
}

/// `ige_metrics_<model>.json` and `metrics_<model>.json`.
///
/// # Errors
/// A field is absent or of another kind.
pub fn judge_summary(file: &str, document: &Value) -> Result<JudgeSummary, ImportError> {
    let read = || {
        Ok(JudgeSummary {
            attempted: field(document, "total_attempted", position)?,
            scored: field(document, "total_scored", position)?,
            failed: field(document, "failed_parse_count", position)?,
            average: optional(document, "average_score", number)?,
            judge: optional(document, "judge_model", text)?,
        })
    };
    read().map_err(|p: Problem| p.in_file(file))
}

/// The fields of a line that are read. The others, often longer, are skipped without being kept.
#[derive(Deserialize)]
struct Line {
    question_id: Option<Value>,
    qid: Option<Value>,
    question_type: Option<Value>,
    question: Option<Value>,
    gt_answer: Option<Value>,
    model_answer: Option<Value>,
    error: Option<Value>,
    image_id: Option<Value>,
    reference: Option<Value>,
    llm_judge_score: Option<Value>,
}

impl Fields for Line {
    fn find(&self, name: &str) -> Read<Option<&Value>> {
        let found = match name {
            "question_id" => &self.question_id,
            "qid" => &self.qid,
            "question_type" => &self.question_type,
            "question" => &self.question,
            "gt_answer" => &self.gt_answer,
            "model_answer" => &self.model_answer,
            "error" => &self.error,
            "image_id" => &self.image_id,
            "reference" => &self.reference,
            "llm_judge_score" => &self.llm_judge_score,
            _ => return Err(Problem::new("is not read here").inside(name)),
        };
        Ok(found.as_ref())
    }
}

fn record(value: &Line) -> Read<ScoredRecord> {
    let id = match optional(value, "question_id", whole)? {
        Some(id) => id,
        None => field(value, "qid", whole)
            .map_err(|_| Problem::new("is missing, and so is qid").inside("question_id"))?,
    };
    Ok(ScoredRecord {
        id,
        kind: kind(value)?,
        question: field(value, "question", text)?,
        gold: field(value, "gt_answer", text)?,
        answer: answer(value, "model_answer")?,
        image_id: optional(value, "image_id", whole)?,
        target: optional(value, "reference", target)?,
        grade: optional(value, "llm_judge_score", grade)?,
    })
}

fn grade(value: &Value) -> Read<u8> {
    let found = whole(value)?;
    match u8::try_from(found) {
        Ok(grade) if grade <= 5 => Ok(grade),
        _ => Err(Problem::new(format!("{found} is outside 0..=5"))),
    }
}
