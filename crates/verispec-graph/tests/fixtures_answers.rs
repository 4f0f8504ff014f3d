//! The judge's replies and the merging of shards against the fixtures.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;

use common::fixture;
use serde_json::Value;
use verispec_graph::answers::{UndAnswer, read_grade};
use verispec_graph::import::{ChunkAnswer, ChunkQuestion, merge_chunks};

/// The release takes `true` for 1, and refuses whole numbers with a decimal point and code fences.
#[test]
fn judge_replies() {
    let cases = fixture("judge_parse").as_array().unwrap().clone();
    assert_eq!(cases.len(), 13);
    let mut differ = Vec::new();
    for case in &cases {
        let text = case["text"].as_str().unwrap();
        let found = read_grade(text).ok().map(u64::from);
        if found != case["reference"].as_u64() {
            differ.push((text, found));
        }
    }
    assert_eq!(
        differ,
        [
            ("{\"score\":4.0}", Some(4)),
            ("{\"score\":true}", None),
            ("```json\n{\"score\":3}\n```", Some(3)),
        ]
    );
}

fn numbers(value: &Value) -> Vec<u64> {
    serde_json::from_value(value.clone()).unwrap()
}

/// B1: the released merge renumbers after every gap.
#[test]
fn questions_keep_their_number_over_gaps() {
    let section = fixture("vqa_merge_reference_bug");
    let chunk = |name: &str| {
        let chunk = &section["chunks"][name];
        let questions: Vec<ChunkQuestion> = numbers(&chunk["gt_qids"])
            .into_iter()
            .map(|local_id| ChunkQuestion {
                local_id,
                question: format!("{name} {local_id}"),
                gold: String::new(),
                question_type: None,
            })
            .collect();
        let errors: Vec<u64> = serde_json::from_value(chunk["errors"].clone()).unwrap_or_default();
        let answer = |id: u64| match errors.contains(&id) {
            true => UndAnswer::of_released("ERROR: out of memory"),
            false => UndAnswer::of_released("red"),
        };
        let answers: Vec<ChunkAnswer> = numbers(&chunk["answered"])
            .into_iter()
            .map(|local_id| ChunkAnswer {
                local_id,
                answer: answer(local_id),
            })
            .collect();
        (questions, answers)
    };
    let merged = merge_chunks(&[chunk("chunk_0"), chunk("chunk_1")]);
    let answered: Vec<u64> = merged
        .iter()
        .filter(|r| r.answer != UndAnswer::NotAsked)
        .map(|r| r.id)
        .collect();
    assert_eq!(answered, numbers(&section["correct_question_ids"]));
    assert_ne!(answered, numbers(&section["reference_question_ids_out"]));
    // Each number belongs to the question it was given to.
    assert_eq!(
        (merged[4].id, merged[4].question.as_str()),
        (4, "chunk_1 1")
    );
    // B26: a crash is no answer.
    let crashed = UndAnswer::ModelError {
        message: "out of memory".into(),
    };
    assert_eq!(merged[3].answer, crashed);
}
