//! A suite with some specifications retired or worded anew, and scores of its versions.

use std::path::Path;

use serde_json::{Value, json};

use crate::specs::workplace;
use crate::support::{json_of, run, text, write};

/// A line about a specification of the demo suite.
fn line(dir: &Path, spec: usize, action: &str, more: Value) -> String {
    let path = dir.join("suite/eval_checklist/t2i/composition/composition_01.json");
    let list: Value = serde_json::from_slice(&std::fs::read(path).expect("file")).expect("json");
    let mut line = json!({
        "track": "t2i", "instance": "composition_01", "spec": list[spec]["id"],
        "question": list[spec]["question"], "action": action, "why": ["always-met"],
    });
    line.as_object_mut()
        .expect("object")
        .extend(more.as_object().expect("object").clone());
    format!("{line}\n")
}

fn judged(dir: &Path, data: &str, name: &str) {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo");
    let outputs = demo.display().to_string();
    let args = [
        "judge",
        "specv",
        "--judge",
        "builtin",
        "--data",
        data,
        "--outputs",
        &outputs,
        "--ids",
        "composition_01",
        "--run",
        name,
    ];
    let done = run(dir, &args);
    assert!(
        matches!(done.status.code(), Some(0 | 3)),
        "{}",
        text(&done.stderr)
    );
}

#[test]
fn a_patched_suite_has_a_name_and_its_scores_a_table_of_their_own() {
    let dir = workplace(0.0);
    let here = dir.path();
    let base = json_of(here, &["suite", "inspect", "specv", "--data", "suite"], 0);
    let base = base["revision"].as_str().expect("text").to_owned();
    let new = json!({"to": {"question": "Is the picture as it should be?"}});
    write(
        &here.join("list.jsonl"),
        &(line(here, 0, "retire", json!({})) + &line(here, 1, "repair", new)),
    );
    let patch = |data: &str, list: &str, out: &str| {
        [
            "suite", "patch", "specv", "--data", data, "--list", list, "--out", out,
        ]
        .map(str::to_owned)
    };
    let args = patch("suite", "list.jsonl", "p1");
    let done = json_of(here, &args.each_ref().map(String::as_str), 0);
    assert_eq!(done["done"]["name"], format!("specv@{base}+p1"));
    assert_eq!(
        (&done["done"]["retired"], &done["done"]["repaired"]),
        (&json!(1), &json!(1))
    );

    judged(here, "suite", "old");
    judged(here, "p1", "new");
    let refused = run(here, &["score", "old", "new"]);
    let message = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{message}");
    assert!(
        message.contains("+p1") && message.contains("--across-versions"),
        "{message}"
    );
    json_of(here, &["score", "old", "new", "--across-versions"], 0);
    assert_eq!(run(here, &["rank", "old", "new"]).status.code(), Some(2));
    assert_eq!(
        run(here, &["study", "stability", "old", "new"])
            .status
            .code(),
        Some(2)
    );
    let alone = json_of(here, &["score", "new"], 0);
    assert!(alone.to_string().contains("+p1."), "{alone}");

    // What needs words and has none stays, and is told.
    write(
        &here.join("open.jsonl"),
        &line(here, 2, "repair", json!({})),
    );
    let args = patch("suite", "open.jsonl", "p1b");
    let open = json_of(here, &args.each_ref().map(String::as_str), 3);
    assert_eq!(open["done"]["unworded"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_suite_of_ones_own_is_patched_beside_itself() {
    let dir = tempfile::tempdir().expect("folder");
    let here = dir.path();
    let suite = r#"{"suite": "mine", "format": 1}
{"id": "a", "prompt": "Draw.", "specifications": [{"question": "Is it red?"}, {"question": "Is it big?"}]}
"#;
    write(&here.join("mine.jsonl"), suite);
    let change = |action: &str, more: &str| {
        format!(
            "{{\"track\": \"main\", \"instance\": \"a\", \"spec\": 2, \
             \"question\": \"Is it big?\", \"action\": \"{action}\"{more}}}\n"
        )
    };
    let to = ", \"to\": {\"question\": \"Is it huge?\"}";
    write(&here.join("list.jsonl"), &change("repair", to));
    let patch = |suite: &'static str, out: &'static str| {
        [
            "suite",
            "patch",
            suite,
            "--data=mine.jsonl",
            "--list=list.jsonl",
            "--out",
            out,
        ]
    };
    let done = json_of(here, &patch("custom", "mine-p1.jsonl"), 0);
    let name = done["done"]["name"].as_str().expect("text");
    assert!(name.starts_with("mine@") && name.ends_with("+p1"), "{name}");
    let valid = json_of(here, &["suite", "validate", "mine-p1.jsonl"], 0);
    assert_eq!(valid["suite"]["revision"], done["done"]["revision"]);
    // The other one stays what it was, and a file that is there is not written over.
    assert_eq!(
        std::fs::read_to_string(here.join("mine.jsonl")).expect("file"),
        suite
    );
    let again = run(here, &patch("custom", "mine-p1.jsonl"));
    assert_eq!(again.status.code(), Some(1), "{}", text(&again.stderr));
    assert!(text(&again.stderr).contains("exists already"));
    assert_eq!(run(here, &patch("realunify", "x")).status.code(), Some(2));
}
