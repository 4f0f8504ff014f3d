//! A small set of our own in the release's format.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use verispec_suites::realunify::{Item, ItemResult, Loaded, Outcome, Split, load};

/// Writes the four files and an input image.
pub(crate) fn write(root: &Path) {
    for split in Split::ALL {
        let records: Vec<Value> = (0..4).map(|i| record(split, i)).collect();
        let text = serde_json::to_string_pretty(&records).unwrap();
        fs::write(root.join(format!("{}.json", split.stem())), text).unwrap();
    }
    let folder = root.join("image/mental_tracking/turns/images");
    fs::create_dir_all(&folder).unwrap();
    png(&folder.join("0.png"));
}

/// Record `i` of a split.
pub(crate) fn record(split: Split, i: usize) -> Value {
    match split.track().as_str() {
        "ueg_direct" => json!({
            "task_type": ueg_task(i), "index": i, "prompt": format!("Paint scene {i}."),
            "question_list": questions(i), "source": "ours",
        }),
        "ueg_step" => json!({
            "task_type": ueg_task(i), "index": i, "new_prompt": format!("Say what scene {i} holds."),
            "question_list": questions(i),
        }),
        way => {
            let mut record = json!({
                "task_type": "mental_tracking", "index": i,
                "question": format!("Which way after turn {i}?"),
                "option": ["left", "right", "back", "ahead"], "answer": (["A", "B", "C", "D"][i]),
                "evaluation_prompt": format!("Which way after turn {i}? A. left B. right C. back D. ahead"),
                "input_image": "./image/mental_tracking/turns/images/0.png",
            });
            if way == "geu_step" {
                record["edit_prompt"] = json!("Draw the path.");
            }
            record
        }
    }
}

fn ueg_task(i: usize) -> &'static str {
    ["logical_reasoning", "world_knowledge"][i % 2]
}

fn questions(i: usize) -> Value {
    json!([
        {"question": format!("Are there {i} boats?"), "answer": "yes"},
        {"question": "Is it night?", "answer": "no"},
    ])
}

/// A loaded copy of the set and its folder.
pub(crate) fn set() -> (tempfile::TempDir, Loaded) {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path());
    let loaded = load(dir.path()).unwrap();
    (dir, loaded)
}

/// The smallest PNG.
pub(crate) fn png(path: &Path) {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==",
        )
        .unwrap();
    fs::write(path, bytes).unwrap();
}

pub(crate) fn split(name: &str) -> Split {
    name.parse().unwrap()
}

/// Results of a task: `n` items of which the first `correct` are right.
pub(crate) fn results(task: &str, n: usize, correct: usize) -> Vec<ItemResult> {
    (0..n)
        .map(|i| {
            let outcome = if i < correct {
                Outcome::Correct
            } else {
                Outcome::Wrong
            };
            result(task, i, outcome)
        })
        .collect()
}

pub(crate) fn result(task: &str, i: usize, outcome: Outcome) -> ItemResult {
    ItemResult {
        id: format!("{task}/{i}"),
        task: task.to_owned(),
        subtask: None,
        outcome,
        share: None,
    }
}

/// The item of an id.
pub(crate) fn item<'a>(loaded: &'a Loaded, split_name: &str, id: &str) -> &'a Item {
    let mut items = loaded.items(split(split_name)).iter();
    items.find(|i| i.id == id).unwrap()
}
