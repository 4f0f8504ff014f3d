//! Understanding answers: shards with numbers of their own, merged without losing a number.

use serde_json::Value;

use super::field::{Fields, ImportError, Read, field, optional, text, whole};
use super::lines::{Lines, read_lines};
use crate::answers::UndAnswer;

/// A line of `gt_index.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkQuestion {
    /// Number in the chunk, from 0.
    pub local_id: u64,
    /// The wording.
    pub question: String,
    /// The gold answer.
    pub gold: String,
    /// Released name of the kind.
    pub question_type: Option<String>,
}

/// A line of `<model>_answers.gpu<j>.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkAnswer {
    /// Number in the chunk, from 0.
    pub local_id: u64,
    /// What the model said, or how it failed.
    pub answer: UndAnswer,
}

/// A question with its number over all chunks and the model's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VqaRecord {
    /// Number over all chunks, as in the file of all questions.
    pub id: u64,
    /// The wording.
    pub question: String,
    /// The gold answer.
    pub gold: String,
    /// Released name of the kind.
    pub question_type: Option<String>,
    /// What the model said, or how it failed; `NotAsked` if no shard has an answer.
    pub answer: UndAnswer,
}

/// `gt_index.jsonl` of one chunk.
///
/// # Errors
/// A field is absent or of another kind.
pub fn chunk_questions(file: &str, text: &str) -> Result<Lines<ChunkQuestion>, ImportError> {
    read_lines(file, text, chunk_question)
}

/// `<model>_answers.gpu<j>.jsonl` of one chunk.
///
/// # Errors
/// A field is absent or of another kind.
pub fn chunk_answers(file: &str, text: &str) -> Result<Lines<ChunkAnswer>, ImportError> {
    read_lines(file, text, |v: &Value| {
        Ok(ChunkAnswer {
            local_id: field(v, "question_id", whole)?,
            answer: answer(v, "answer")?,
        })
    })
}

/// `merged_<model>.jsonl`. Its numbers are those of the released merge, which counts answered
/// questions only: after any gap they belong to other questions. Join on them only with the check
/// of [`crate::metrics::join`].
///
/// # Errors
/// A field is absent or of another kind.
pub fn merged_answers(file: &str, text: &str) -> Result<Lines<VqaRecord>, ImportError> {
    read_lines(file, text, |v: &Value| {
        let question = chunk_question(v)?;
        Ok(VqaRecord {
            id: optional(v, "question_id", whole)?.unwrap_or(question.local_id),
            question: question.question,
            gold: question.gold,
            question_type: question.question_type,
            answer: answer(v, "model_answer")?,
        })
    })
}

/// Joins chunks in their order. A question keeps its number whether or not it was answered: the
/// number of questions in the chunks before, plus its number in its own.
#[must_use]
pub fn merge_chunks(chunks: &[(Vec<ChunkQuestion>, Vec<ChunkAnswer>)]) -> Vec<VqaRecord> {
    let mut merged = Vec::new();
    let mut offset = 0;
    for (questions, answers) in chunks {
        let given: std::collections::BTreeMap<u64, &UndAnswer> =
            answers.iter().map(|a| (a.local_id, &a.answer)).collect();
        for question in questions {
            let answer = given.get(&question.local_id).copied().cloned();
            merged.push(VqaRecord {
                id: offset + question.local_id,
                question: question.question.clone(),
                gold: question.gold.clone(),
                question_type: question.question_type.clone(),
                answer: answer.unwrap_or(UndAnswer::NotAsked),
            });
        }
        offset += questions.len() as u64;
    }
    merged
}

fn chunk_question(value: &Value) -> Read<ChunkQuestion> {
    Ok(ChunkQuestion {
        local_id: field(value, "qid", whole)?,
        question: field(value, "question", text)?,
        gold: field(value, "gt_answer", text)?,
        question_type: optional(value, "question_type", text)?,
    })
}

/// An answer, or `error` in its place. The release later writes errors as answers that begin with
/// `ERROR: `; they are failures of the model, not content.
pub(super) fn answer(value: &impl Fields, name: &str) -> Read<UndAnswer> {
    let error = optional(value, "error", text)?;
    let given = optional(value, name, text)?;
    Ok(match (given, error) {
        (Some(text), _) => UndAnswer::of_released(&text),
        (None, Some(error)) => UndAnswer::ModelError { message: error },
        (None, None) => UndAnswer::NotAsked,
    })
}
