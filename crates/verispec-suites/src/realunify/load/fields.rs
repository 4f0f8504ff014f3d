//! From a record to an item.

use std::path::Path;

use serde_json::Value;
use verispec_judge::reader::{AnswerWord, MAX_OPTIONS, answer_word};
use verispec_media::safe_join;
use verispec_model::YesNo;

use super::super::item::{Body, ChoiceTask, Item, PollQuestion};
use super::super::layout::{Axis, Split, Way};
use crate::records::{Fields, Problem, Record};

/// Fields that may name a subtask.
const SUBTASK: [&str; 3] = ["subtask", "sub_task", "subtask_type"];

/// One item without its id; `None` if a fault was found, which is then in `problems`.
pub(super) fn item(
    file: &str,
    split: Split,
    root: &Path,
    record: &Record,
    problems: &mut Vec<Problem>,
) -> Option<Item> {
    let map = record.fields.as_ref()?;
    let mut fields = Fields {
        map,
        file,
        line: record.line,
        item: record.item,
        prefix: String::new(),
        problems,
    };
    let task = fields.string("task_type");
    let index = index(&mut fields, split);
    let prompt = fields.string(prompt_field(split));
    let body = match split.axis {
        Axis::Ueg => questions(&mut fields).map(Body::Poll),
        Axis::Geu => choice(&mut fields, split, root).map(Body::Choice),
    };
    let subtask = subtask(&mut fields, task.as_deref());
    Some(Item {
        split,
        task: task?,
        subtask,
        index: index?,
        id: String::new(),
        line: record.line,
        prompt: prompt?,
        body: body?,
        record: map.clone(),
    })
}

const fn prompt_field(split: Split) -> &'static str {
    match (split.axis, split.way) {
        (Axis::Ueg, Way::Direct) => "prompt",
        (Axis::Ueg, Way::Step) => "new_prompt",
        (Axis::Geu, _) => "evaluation_prompt",
    }
}

/// A number or a text; empty where the file has none and may have none.
fn index(fields: &mut Fields<'_>, split: Split) -> Option<String> {
    let read = |value: &Value| match value {
        Value::Number(n) => Some(n.to_string()),
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        _ => None,
    };
    let expected = "a number or a text";
    let given = fields.map.get("index").is_some_and(|v| !v.is_null());
    if given || split.axis == Axis::Geu {
        fields.get("index", expected, read)
    } else {
        Some(String::new())
    }
}

fn questions(fields: &mut Fields<'_>) -> Option<Vec<PollQuestion>> {
    let expected = "a list of {\"question\": ..., \"answer\": \"yes\" or \"no\"}";
    let list = fields.get("question_list", expected, |v| v.as_array().cloned())?;
    let mut found = vec![];
    for (i, entry) in list.iter().enumerate() {
        let name = format!("question_list[{i}]");
        let Some(map) = entry.as_object() else {
            fields.fault(&name, "expected {\"question\": ..., \"answer\": ...}");
            continue;
        };
        let mut inner = fields.inner(map, &name);
        let question = inner.string("question");
        let answer = inner.get("answer", "yes or no", yes_no);
        if let (Some(question), Some((answer, written))) = (question, answer) {
            found.push(PollQuestion {
                question,
                answer,
                written,
            });
        }
    }
    (found.len() == list.len()).then_some(found)
}

/// The answer and how it is written. A literal `true` is written `true`.
fn yes_no(value: &Value) -> Option<(YesNo, String)> {
    let written = match value {
        Value::String(text) => text.clone(),
        Value::Bool(value) => value.to_string(),
        _ => return None,
    };
    match answer_word(&written)? {
        AnswerWord::Yes => Some((YesNo::Yes, written)),
        AnswerWord::No => Some((YesNo::No, written)),
        AnswerWord::Abstain => None,
    }
}

fn choice(fields: &mut Fields<'_>, split: Split, root: &Path) -> Option<ChoiceTask> {
    let question = fields.string("question");
    let options = fields.get("option", "a list of two or more texts", options);
    let answer = fields.get("answer", "the letter of an option", letter);
    let image = fields.string("input_image");
    let edit_prompt = match split.way {
        Way::Direct => None,
        Way::Step => Some(fields.string("edit_prompt")?),
    };
    let image = image.and_then(|text| match safe_join(root, &text) {
        Ok(path) => Some(path),
        Err(error) => {
            fields.fault(
                "input_image",
                format!("{error}; give a path below the folder"),
            );
            None
        }
    });
    let (options, (answer, written)) = (options?, answer?);
    if !(b'A'..).zip(&options).any(|(l, _)| char::from(l) == answer) {
        let n = options.len();
        fields.fault(
            "answer",
            format!("{answer} is none of the item's {n} options"),
        );
        return None;
    }
    Some(ChoiceTask {
        question: question?,
        options,
        answer,
        written,
        input_image: image?,
        edit_prompt,
    })
}

fn options(value: &Value) -> Option<Vec<String>> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(n) => Some(n.to_string()),
        _ => None,
    };
    let list: Vec<String> = value.as_array()?.iter().map(text).collect::<Option<_>>()?;
    (2..=MAX_OPTIONS).contains(&list.len()).then_some(list)
}

fn letter(value: &Value) -> Option<(char, String)> {
    let written = value.as_str()?;
    let mut chars = written.trim().chars();
    let letter = chars.next()?.to_ascii_uppercase();
    let one = chars.next().is_none() && letter.is_ascii_uppercase();
    one.then(|| (letter, written.to_owned()))
}

/// What a field of that name says, else the folder between task and `images` of the input image.
fn subtask(fields: &mut Fields<'_>, task: Option<&str>) -> Option<String> {
    let named = |key: &&str| fields.map.get(*key).and_then(Value::as_str);
    if let Some(name) = SUBTASK.iter().find_map(named) {
        return Some(name.to_owned());
    }
    let path = fields.map.get("input_image").and_then(Value::as_str)?;
    let parts: Vec<&str> = path.split('/').collect();
    let at = parts.iter().position(|part| Some(*part) == task)?;
    match parts.get(at + 1..at + 3)? {
        [subtask, "images"] => Some((*subtask).to_owned()),
        _ => None,
    }
}
