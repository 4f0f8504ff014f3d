//! Answers of a model under test from a file: one a line.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use verispec_graph::answers::UndAnswer;

use super::bundle::Bundle;
use super::error::XtcError;
use super::files;

/// `{"fact": "coco/1/relation/3/5", "answer": "on"}`; `error` in place of `answer` where the model
/// failed. With released questions, `question_id` may stand in place of `fact`.
#[derive(Debug, Deserialize)]
struct Line {
    fact: Option<String>,
    question_id: Option<u64>,
    answer: Option<String>,
    error: Option<String>,
}

/// Answers by the name of the fact. A fact that no line names has no answer.
pub type Answers = BTreeMap<String, UndAnswer>;

/// Reads a file of answers to the questions of a bundle.
///
/// # Errors
/// The file cannot be read; a line is no JSON object of this shape, or about no fact of the bundle.
/// A last line without line end that is no JSON is torn, and left out.
pub fn read_answers(path: &Path, bundle: &Bundle) -> Result<Answers, XtcError> {
    let known = names(bundle);
    let text = files::text(path)?;
    let mut all = Answers::new();
    for (at, content) in text.split_inclusive('\n').enumerate() {
        if content.trim().is_empty() {
            continue;
        }
        let wrong = |what: String| XtcError::Line {
            path: path.to_owned(),
            line: at + 1,
            what,
        };
        let line: Line = match serde_json::from_str(content) {
            Ok(line) => line,
            Err(_) if !content.ends_with('\n') => continue,
            Err(e) => return Err(wrong(e.to_string())),
        };
        let name = match (&line.fact, line.question_id) {
            (Some(fact), _) => fact.clone(),
            (None, Some(id)) => known.numbers.get(&id).cloned().ok_or_else(|| {
                wrong(format!(
                    "no question has the number {id}; numbers are those of released questions \
                     (--questions released), our facts have names"
                ))
            })?,
            (None, None) => return Err(wrong("names no fact".to_owned())),
        };
        if !known.facts.contains(&name) {
            let what = format!(
                "{name:?} is no fact of data set {:?}; `verispec xtc questions` lists them",
                bundle.dataset
            );
            return Err(wrong(what));
        }
        all.insert(name, answer(line));
    }
    Ok(all)
}

struct Names {
    facts: std::collections::BTreeSet<String>,
    numbers: BTreeMap<u64, String>,
}

fn names(bundle: &Bundle) -> Names {
    let images = bundle.images.values();
    let facts = images.clone().flat_map(|i| &i.facts);
    let numbers = images.flat_map(|i| {
        let named =
            |(number, at): (&u64, &usize)| Some((*number, i.facts.get(*at)?.key.to_string()));
        i.numbers.iter().filter_map(named)
    });
    Names {
        facts: facts.map(|f| f.key.to_string()).collect(),
        numbers: numbers.collect(),
    }
}

fn answer(line: Line) -> UndAnswer {
    match (line.answer, line.error) {
        (_, Some(message)) => UndAnswer::ModelError { message },
        (Some(text), None) if text.trim().is_empty() => UndAnswer::ModelError {
            message: "empty answer".to_owned(),
        },
        (Some(text), None) => UndAnswer::Answered { text },
        (None, None) => UndAnswer::NotAsked,
    }
}
