//! XTC-Bench's answers of step 17: one file of lines, and the index of questions beside it.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::write::{Content, Files};
use super::{TreeError, texts};
use crate::job::GenerateJob;
use crate::made::{Made, State};
use crate::plan::Layout;

/// Fields of a question that its index keeps, and what they are called there.
const INDEX: [(&str, &str); 5] = [
    ("image_file", "image_file"),
    ("question", "question"),
    ("answer", "gt_answer"),
    ("template_index", "template_index"),
    ("question_type", "question_type"),
];

/// Writes `vqa_outputs/<model>/chunk_0/` of step 17 from the questions of step 7: `gt_index.jsonl`
/// with all questions that were wanted, and a line for each that was answered. A model that failed
/// has an `error` in the place of an answer; what is pending has no line.
///
/// # Errors
/// A file cannot be written.
pub fn write_xtc_answers(
    root: &Path,
    model: &str,
    questions: &[Value],
    made: &[(&GenerateJob, &Made)],
) -> Result<(), TreeError> {
    let (mut index, mut answers) = (String::new(), String::new());
    for (job, made) in made {
        let id = &job.task.place.id;
        let question = id.parse().ok().and_then(|n: usize| questions.get(n));
        let (Layout::Line, Some(question)) = (&job.task.output, question) else {
            continue;
        };
        index += &format!("{}\n", indexed(id, question));
        if let Some(line) = answer(id, question, made) {
            answers += &format!("{line}\n");
        }
    }
    if index.is_empty() {
        return Ok(());
    }
    let files = Files::new(root).replacing(true);
    let folder = format!("vqa_outputs/{model}/chunk_0");
    files.write(&format!("{folder}/gt_index.jsonl"), &Content::Text(&index))?;
    let name = format!("{folder}/{model}_answers.gpu0.jsonl");
    files.write(&name, &Content::Text(&answers))
}

fn indexed(id: &str, question: &Value) -> Value {
    let mut line = Map::new();
    line.insert("qid".into(), number(id));
    for (from, to) in INDEX {
        line.insert(
            to.into(),
            question.get(from).cloned().unwrap_or(Value::Null),
        );
    }
    let attribute = question.pointer("/meta/attribute").cloned();
    line.insert("attribute".into(), attribute.unwrap_or(Value::Null));
    Value::Object(line)
}

fn answer(id: &str, question: &Value, made: &Made) -> Option<Value> {
    let (field, text) = match &made.state {
        State::Generated => ("answer", texts(&made.stages.last()?.parts)),
        State::Failed(_, failure) => ("error", format!("{}: {}", failure.kind, failure.message)),
        State::Pending(..) | State::Data(_) => return None,
    };
    let mut line = json!({
        "question_id": number(id),
        "question": question.get("question"),
        "image_name": question.get("image_file"),
    });
    line[field] = Value::String(text);
    Some(line)
}

fn number(id: &str) -> Value {
    id.parse::<u64>().map_or(Value::Null, Value::from)
}
