use std::fs;

use serde_json::{Value, json};
use verispec_suites::realunify::{RealUnifyError, Split, load, pair};

use crate::common::{record, set, split, write};

fn rewrite(root: &std::path::Path, name: &str, edit: impl FnOnce(&mut Vec<Value>)) {
    let path = root.join(format!("{name}.json"));
    let mut records: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    edit(&mut records);
    fs::write(&path, serde_json::to_string_pretty(&records).unwrap()).unwrap();
}

fn faults(edit: impl FnOnce(&mut Vec<Value>), name: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path());
    rewrite(dir.path(), name, edit);
    load(dir.path()).unwrap_err().to_string()
}

#[test]
fn all_four_files_with_every_field() {
    let (_dir, loaded) = set();
    assert_eq!(loaded.warnings, []);
    assert_eq!(loaded.suite.name, "realunify");
    let tracks: Vec<&str> = loaded
        .suite
        .tracks
        .iter()
        .map(|t| t.name.as_str())
        .collect();
    assert_eq!(tracks, ["ueg_direct", "ueg_step", "geu_direct", "geu_step"]);
    let dimensions: Vec<&str> = loaded.suite.tracks[0]
        .dimensions
        .iter()
        .map(|d| d.name.as_str())
        .collect();
    assert_eq!(
        dimensions,
        ["world_knowledge", "logical_reasoning"],
        "order of the release"
    );
    let item = &loaded.items(split("ueg_direct"))[0];
    assert_eq!(item.record["source"], "ours", "unknown fields are kept");
    assert_eq!(item.poll().unwrap().len(), 2);
    let item = &loaded.items(split("geu_step"))[2];
    let task = item.choice().unwrap();
    assert_eq!((task.answer, task.options.len()), ('C', 4));
    assert_eq!(task.edit_prompt.as_deref(), Some("Draw the path."));
    assert_eq!(
        item.subtask.as_deref(),
        Some("turns"),
        "named by the image's path"
    );
    assert!(task.input_image.is_file());
    let instance = loaded.suite.instance("geu_step", &item.id).unwrap();
    assert_eq!(instance.specifications.len(), 1);
    assert!(
        !instance.specifications[0].question.contains("C."),
        "no answer in it"
    );
    assert_eq!(loaded.item_of(instance).unwrap().id, item.id);
}

#[test]
fn json_lines_with_blank_lines_read_the_same() {
    let (dir, loaded) = set();
    for split in Split::ALL {
        let stem = split.stem();
        let lines: Vec<String> = (0..4).map(|i| record(split, i).to_string()).collect();
        fs::remove_file(dir.path().join(format!("{stem}.json"))).unwrap();
        let text = format!("\u{feff}{}\n\n", lines.join("\n\n"));
        fs::write(dir.path().join(format!("{stem}.jsonl")), text).unwrap();
    }
    let again = load(dir.path()).unwrap();
    assert_eq!(again.suite.revision, loaded.suite.revision);
    assert_eq!(again.items(split("geu_step")).len(), 4);
}

#[test]
fn the_revision_follows_what_is_asked_not_what_was_made() {
    let (dir, loaded) = set();
    rewrite(dir.path(), "UEG_direct", |r| {
        r[0]["generated_image"] = json!("x.png");
        r[0]["score"] = json!(1);
    });
    assert_eq!(
        load(dir.path()).unwrap().suite.revision,
        loaded.suite.revision
    );
    rewrite(dir.path(), "UEG_direct", |r| {
        r[0]["question_list"][0]["answer"] = json!("no");
    });
    assert_ne!(
        load(dir.path()).unwrap().suite.revision,
        loaded.suite.revision
    );
}

#[test]
fn a_folder_without_the_files_says_what_it_needs() {
    let dir = tempfile::tempdir().unwrap();
    let error = load(dir.path()).unwrap_err();
    assert!(matches!(error, RealUnifyError::NoFiles { .. }));
    assert!(error.to_string().contains("UEG_direct"), "{error}");
    write(dir.path());
    for name in ["UEG_step", "GEU_direct", "GEU_step"] {
        fs::remove_file(dir.path().join(format!("{name}.json"))).unwrap();
    }
    assert_eq!(
        load(dir.path()).unwrap().suite.tracks.len(),
        1,
        "a part is enough"
    );
}

#[test]
fn each_missing_field_is_named_with_file_line_and_item() {
    let needed = [
        ("UEG_direct", &["task_type", "prompt", "question_list"][..]),
        ("UEG_step", &["task_type", "new_prompt", "question_list"]),
        (
            "GEU_direct",
            &[
                "task_type",
                "index",
                "question",
                "option",
                "answer",
                "evaluation_prompt",
                "input_image",
            ],
        ),
        ("GEU_step", &["index", "edit_prompt", "evaluation_prompt"]),
    ];
    for (name, fields) in needed {
        for field in fields {
            let text = faults(
                |records| {
                    records[2].as_object_mut().unwrap().remove(*field);
                },
                name,
            );
            assert!(text.starts_with(&format!("{name}.json:")), "{text}");
            assert!(text.contains("item 2 (from 0)"), "{text}");
            assert!(
                text.contains(&format!("field `{field}`: missing; expected")),
                "{text}"
            );
            assert_eq!(text.lines().count(), 1, "{text}");
        }
    }
}

#[test]
fn wrong_values_are_named_and_all_are_found() {
    let text = faults(
        |records| {
            records[0]["question_list"][1]["answer"] = json!("perhaps");
            records[1]["question_list"] = json!("yes");
            records[3]["prompt"] = json!("  ");
        },
        "UEG_direct",
    );
    assert!(text.starts_with("3 problems"), "{text}");
    assert!(
        text.contains("field `question_list[1].answer`: expected yes or no"),
        "{text}"
    );
    assert!(text.contains("got the string \"perhaps\""), "{text}");
    let text = faults(
        |records| {
            records[0]["answer"] = json!("E");
            records[1]["option"] = json!(["one"]);
            records[2]["input_image"] = json!("../../secret.png");
        },
        "GEU_direct",
    );
    assert!(text.contains("E is none of the item's 4 options"), "{text}");
    assert!(
        text.contains("`option`: expected a list of two or more"),
        "{text}"
    );
    assert!(text.contains("leads out of its folder"), "{text}");
    let text = faults(
        |records| {
            let record = records[0].as_object_mut().unwrap();
            let list = record.remove("question_list").unwrap();
            record.insert("questions_list".to_owned(), list);
        },
        "UEG_step",
    );
    assert!(text.contains("is `questions_list` meant?"), "{text}");
}

#[test]
fn answers_are_normalised_and_keep_their_spelling() {
    let (dir, _) = set();
    rewrite(dir.path(), "UEG_direct", |r| {
        for (i, answer) in [json!("Yes"), json!(" yes"), json!(true), json!("是")]
            .iter()
            .enumerate()
        {
            r[i]["question_list"][0]["answer"] = answer.clone();
        }
    });
    let loaded = load(dir.path()).unwrap();
    for (item, written) in loaded
        .items(split("ueg_direct"))
        .iter()
        .zip(["Yes", " yes", "true", "是"])
    {
        let question = &item.poll().unwrap()[0];
        assert_eq!(question.answer, verispec_model::YesNo::Yes);
        assert_eq!(question.written, written);
    }
}

#[test]
fn five_options_are_fine() {
    let (dir, _) = set();
    rewrite(dir.path(), "GEU_direct", |r| {
        r[0]["option"] = json!(["a", "b", "c", "d", "e"]);
        r[0]["answer"] = json!("e");
    });
    let loaded = load(dir.path()).unwrap();
    assert_eq!(
        loaded.items(split("geu_direct"))[0]
            .choice()
            .unwrap()
            .answer,
        'E'
    );
}

#[test]
fn no_index_empty_lists_and_repeats_are_remarks() {
    let (dir, _) = set();
    rewrite(dir.path(), "UEG_direct", |r| {
        for record in r.iter_mut() {
            record.as_object_mut().unwrap().remove("index");
        }
        r[1]["question_list"] = json!([]);
        r[2]["task_type"] = json!("riddles");
    });
    rewrite(dir.path(), "GEU_direct", |r| r[1]["index"] = json!(0));
    let loaded = load(dir.path()).unwrap();
    let kinds: Vec<&str> = loaded.warnings.iter().map(|w| w.kind.as_str()).collect();
    assert_eq!(
        kinds,
        ["no-index", "no-question", "unknown-task", "repeated-index"]
    );
    let ids: Vec<&str> = loaded
        .items(split("ueg_direct"))
        .iter()
        .map(|i| i.id.as_str())
        .collect();
    assert_eq!(
        ids,
        [
            "logical_reasoning/0",
            "world_knowledge/0",
            "riddles/0",
            "world_knowledge/1"
        ]
    );
    assert_eq!(
        loaded.items(split("geu_direct"))[1].id,
        "mental_tracking/0~2"
    );
}

#[test]
fn direct_and_step_are_paired_by_task_index_and_questions() {
    let (dir, loaded) = set();
    let pairing = pair(
        loaded.items(split("ueg_direct")),
        loaded.items(split("ueg_step")),
    );
    assert_eq!(pairing.pairs.len(), 4);
    assert!(pairing.warnings.is_empty());
    rewrite(dir.path(), "UEG_step", |r| {
        r[0]["question_list"][0]["question"] = json!("Are there trees?");
        r.remove(3);
        r.push(record(split("ueg_step"), 9));
    });
    let loaded = load(dir.path()).unwrap();
    let pairing = pair(
        loaded.items(split("ueg_direct")),
        loaded.items(split("ueg_step")),
    );
    assert_eq!(pairing.pairs.len(), 2);
    assert_eq!(
        pairing.only_direct,
        ["logical_reasoning/0", "world_knowledge/3"]
    );
    assert_eq!(
        pairing.only_step,
        ["logical_reasoning/0", "world_knowledge/9"]
    );
    let text: Vec<String> = pairing.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(text.len(), 3, "{text:?}");
    assert!(text[0].contains("asks something else"), "{text:?}");
    let geu = pair(
        loaded.items(split("geu_direct")),
        loaded.items(split("geu_step")),
    );
    assert_eq!(geu.pairs.len(), 4);
}
