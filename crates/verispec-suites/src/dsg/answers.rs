//! What a judge answered: `<judge>_dsg.csv`, `<judge>_tifa.csv`, `<judge>_vq2a.csv`.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde::Serialize;
use verispec_model::{SpecId, Warning};

use super::error::DsgError;
use super::table::Table;

/// Which questions were asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionSet {
    /// DSG: yes/no questions with dependencies; the wanted answer is yes.
    Dsg,
    /// VQ2A: yes/no questions without dependencies; the wanted answer is yes.
    Vq2a,
    /// TIFA: yes/no and multiple choice. The wanted answers are not in the released files, so
    /// nothing can be scored.
    Tifa,
}

impl QuestionSet {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 3] = [Self::Dsg, Self::Tifa, Self::Vq2a];

    /// Name as in the files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dsg => "dsg",
            Self::Vq2a => "vq2a",
            Self::Tifa => "tifa",
        }
    }

    /// Whether the wanted answers are known.
    #[must_use]
    pub const fn has_answer_key(self) -> bool {
        !matches!(self, Self::Tifa)
    }
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerRow {
    /// Line in the file.
    pub line: u64,
    /// Source of the prompt, for instance `tifa160`.
    pub split: String,
    /// Model under test.
    pub model: String,
    /// Item.
    pub item: String,
    /// Label of the question inside the item; counted from 1 where the file has none.
    pub id: SpecId,
    /// The question, without any prompt around it.
    pub question: String,
    /// The answer as written; may be empty.
    pub answer: String,
    /// The file answers the same question again, otherwise.
    pub contradicted: bool,
}

/// One file.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerFile {
    /// Name of the file.
    pub name: String,
    /// Judge, from the name.
    pub judge: String,
    /// Questions, from the name.
    pub questions: QuestionSet,
    /// Answers in file order.
    pub rows: Vec<AnswerRow>,
    /// Faults, in file order.
    pub warnings: Vec<Warning>,
}

impl AnswerFile {
    /// Judge and questions of a file, by its name; `None` for other files.
    #[must_use]
    pub fn named(file_name: &str) -> Option<(String, QuestionSet)> {
        let (judge, questions) = file_name.strip_suffix(".csv")?.rsplit_once('_')?;
        let questions = QuestionSet::ALL
            .into_iter()
            .find(|set| set.as_str() == questions)?;
        (!judge.is_empty()).then(|| (judge.to_owned(), questions))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read or lacks a column.
    pub fn read(path: &Path, judge: String, questions: QuestionSet) -> Result<Self, DsgError> {
        let mut columns = vec![
            "dsg_prompt_split",
            "t2i_model",
            "item_id",
            "question",
            "answer",
        ];
        if questions == QuestionSet::Dsg {
            columns.push("question_id");
        }
        let mut table = Table::read(path, &columns)?;
        let mut rows = Rows::default();
        for (line, values) in std::mem::take(&mut table.rows) {
            rows.add(&mut table, line, &values, questions);
        }
        if rows.wrapped > 0 {
            let message = format!(
                "{} questions stand inside a prompt (\"Question: ... Answer:\"); taken out of it",
                rows.wrapped
            );
            table.warn(1, "wrapped-question", message);
        }
        Ok(Self {
            name: table.name,
            judge,
            questions,
            rows: rows.rows,
            warnings: table.warnings,
        })
    }
}

/// Rows read so far.
#[derive(Default)]
struct Rows {
    rows: Vec<AnswerRow>,
    /// Item to question to label, where the file has no labels.
    labels: BTreeMap<String, HashMap<String, SpecId>>,
    /// Model, item and label to the row.
    by_label: HashMap<(String, String, SpecId), usize>,
    /// Model, item and question to the first line.
    by_question: HashMap<(String, String, String), u64>,
    wrapped: usize,
}

impl Rows {
    fn add(&mut self, table: &mut Table, line: u64, values: &[String], set: QuestionSet) {
        let get = |column| table.get(values, column).to_owned();
        let (model, item, written) = (get("t2i_model"), get("item_id"), get("question"));
        let (split, answer) = (get("dsg_prompt_split"), get("answer"));
        let question = match unwrapped(&written) {
            Some(inner) => {
                self.wrapped += 1;
                inner.to_owned()
            }
            None => written,
        };
        let id = match set {
            QuestionSet::Dsg => get("question_id").trim().parse().ok(),
            QuestionSet::Vq2a | QuestionSet::Tifa => Some(self.label(&item, &question)),
        };
        let Some(id) = id else {
            let message = format!(
                "left out: question_id {:?} is no number",
                get("question_id")
            );
            table.warn(line, "bad-label", message);
            return;
        };
        let row = AnswerRow {
            line,
            split,
            model,
            item,
            id,
            question,
            answer,
            contradicted: false,
        };
        self.keep(table, row);
    }

    /// Label of a question of an item: the order in which they first occur, from 1.
    fn label(&mut self, item: &str, question: &str) -> SpecId {
        let known = self.labels.entry(item.to_owned()).or_default();
        let next = SpecId::try_from(known.len() + 1).unwrap_or(SpecId::MAX);
        *known.entry(question.to_owned()).or_insert(next)
    }

    fn keep(&mut self, table: &mut Table, row: AnswerRow) {
        let key = (row.model.clone(), row.item.clone(), row.id);
        if let Some(earlier) = self.by_label.get(&key).copied() {
            let first = &mut self.rows[earlier];
            let same = first.answer == row.answer;
            first.contradicted |= !same;
            let what = if same { "again" } else { "again, otherwise" };
            let message = format!("answers line {} {what}", first.line);
            table.warn(row.line, "repeated-answer", message);
            return;
        }
        let question = (row.model.clone(), row.item.clone(), row.question.clone());
        if let Some(first) = self.by_question.get(&question) {
            let message = format!(
                "{} {} #{}: the question of line {first} under another label; both count",
                row.model, row.item, row.id
            );
            table.warn(row.line, "duplicated-question", message);
        } else {
            self.by_question.insert(question, row.line);
        }
        self.by_label.insert(key, self.rows.len());
        self.rows.push(row);
    }
}

/// The question inside "Question: ... Choices: ... Answer:".
fn unwrapped(text: &str) -> Option<&str> {
    let inner = text
        .trim()
        .strip_prefix("Question:")?
        .strip_suffix("Answer:")?;
    let question = inner.rsplit_once("Choices:").map_or(inner, |(q, _)| q);
    Some(question.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_come_out_of_their_prompt() {
        let wrapped = "Question: is there a bus? Choices: yes, no. Answer:";
        assert_eq!(unwrapped(wrapped), Some("is there a bus?"));
        assert_eq!(unwrapped("Question: how many? Answer:"), Some("how many?"));
        assert_eq!(unwrapped("Is there a question: Answer?"), None);
    }

    #[test]
    fn names_tell_judge_and_questions() {
        let named = |name| AnswerFile::named(name);
        assert_eq!(
            named("pali17b_dsg.csv"),
            Some(("pali17b".into(), QuestionSet::Dsg))
        );
        assert_eq!(
            named("my_judge_vq2a.csv"),
            Some(("my_judge".into(), QuestionSet::Vq2a))
        );
        for other in [
            "dsg-1k-anns.csv",
            "_dsg.csv",
            "pali_dsg.txt",
            "pali_xyz.csv",
        ] {
            assert_eq!(named(other), None, "{other}");
        }
    }
}
