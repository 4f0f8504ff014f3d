//! XTC-Bench's answers of step 17: one file of lines, and the index of questions beside it.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::write::{Content, Files};
use super::{Tree, TreeError, texts};
use crate::job::GenerateJob;
use crate::made::{Made, State};
use crate::plan::Layout;
use crate::status::STATUS_DIR;

/// Fields of a question that its index keeps, and what they are called there.
const INDEX: [(&str, &str); 5] = [
    ("image_file", "image_file"),
    ("question", "question"),
    ("answer", "gt_answer"),
    ("template_index", "template_index"),
    ("question_type", "question_type"),
];

/// Held while a file of lines is changed: shards write into the same one.
const LOCK: &str = "lines.lock";

impl Tree {
    /// Writes `vqa_outputs/<model>/chunk_0/` of step 17 from the questions of step 7:
    /// `gt_index.jsonl` with all questions that were wanted, and a line for each that was answered.
    /// A model that failed has an `error` in the place of an answer; what is pending has no line.
    ///
    /// Lines of other questions stay: another shard or another `--ids` wrote them. To be called
    /// before [`Tree::write`] for the same jobs, whose earlier statuses say which lines are ours.
    ///
    /// # Errors
    /// A file cannot be read or written, or has other lines for these questions that are not ours.
    pub fn write_xtc_answers(
        &self,
        replicate: u32,
        questions: &[Value],
        made: &[(&GenerateJob, &Made)],
    ) -> Result<(), TreeError> {
        let of_questions = made.iter().filter_map(|(job, made)| {
            let id: usize = job.task.place.id.parse().ok()?;
            let question = questions.get(id)?;
            (job.task.output == Layout::Line).then_some((*job, *made, id as u64, question))
        });
        let of_questions: Vec<_> = of_questions.collect();
        if of_questions.is_empty() {
            return Ok(());
        }
        let _lock = self.lock()?;
        let root = self.folder(replicate);
        let files = Files::new(&root);
        let folder = format!("vqa_outputs/{}/chunk_0", self.model);
        let index_name = format!("{folder}/gt_index.jsonl");
        let answers_name = format!("{folder}/{}_answers.gpu0.jsonl", self.model);
        let mut index = Lines::read(&files, &index_name, "qid")?;
        let mut answers = Lines::read(&files, &answers_name, "question_id")?;
        for (job, made, id, question) in of_questions {
            let before = self.before(job)?;
            let own = before.model == self.model;
            index.set(id, Some(indexed(id, question)), own)?;
            if !before.holds_for(made) {
                answers.set(id, answer(id, question, made), own)?;
            }
        }
        index.write(&files)?;
        answers.write(&files)
    }

    fn lock(&self) -> Result<File, TreeError> {
        let folder = self.root.join(STATUS_DIR);
        let path = folder.join(LOCK);
        let make = || {
            std::fs::create_dir_all(&folder)?;
            let file = File::create(&path)?;
            file.lock()?;
            Ok(file)
        };
        make().map_err(TreeError::io(&path))
    }
}

/// Lines of a file by the number of their question.
struct Lines<'a> {
    name: &'a str,
    path: PathBuf,
    lines: BTreeMap<u64, String>,
}

impl<'a> Lines<'a> {
    fn read(files: &Files<'_>, name: &'a str, number: &str) -> Result<Self, TreeError> {
        let path = files.path(name)?;
        let bytes = files.read(name)?.unwrap_or_default();
        let text = String::from_utf8(bytes).ok();
        let numbered = |line: &str| {
            let value: Value = serde_json::from_str(line).ok()?;
            Some((value.get(number)?.as_u64()?, line.to_owned()))
        };
        // What is not whole is not ours: files are written as a whole.
        let lines = text.and_then(|t| t.lines().map(numbered).collect());
        match lines {
            Some(lines) => Ok(Self { name, path, lines }),
            None => Err(TreeError::Foreign { path }),
        }
    }

    /// Puts a line in the place of the one that is there, if that is our own or says the same.
    fn set(&mut self, id: u64, line: Option<Value>, own: bool) -> Result<(), TreeError> {
        let line = line.map(|l| l.to_string());
        match (self.lines.get(&id), line) {
            (Some(there), Some(line)) if *there != line && !own => {
                let path = self.path.clone();
                return Err(TreeError::Foreign { path });
            }
            (_, Some(line)) => {
                self.lines.insert(id, line);
            }
            (Some(_), None) if own => {
                self.lines.remove(&id);
            }
            (_, None) => {}
        }
        Ok(())
    }

    fn write(&self, files: &Files<'_>) -> Result<(), TreeError> {
        let text: String = self.lines.values().map(|l| format!("{l}\n")).collect();
        files.replace(self.name, &Content::Text(&text))
    }
}

fn indexed(id: u64, question: &Value) -> Value {
    let mut line = Map::new();
    line.insert("qid".into(), id.into());
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

fn answer(id: u64, question: &Value, made: &Made) -> Option<Value> {
    let (field, text) = match &made.state {
        State::Generated => ("answer", texts(&made.stages.last()?.parts)),
        State::Failed(_, failure) => ("error", format!("{}: {}", failure.kind, failure.message)),
        State::Pending(..) | State::Data(_) => return None,
    };
    let mut line = json!({
        "question_id": id,
        "question": question.get("question"),
        "image_name": question.get("image_file"),
    });
    line[field] = Value::String(text);
    Some(line)
}
