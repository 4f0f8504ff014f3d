//! Decisions of people on a set of specifications, and the set as a suite of its own.

use std::path::Path;

use serde_json::{Value, json};

use crate::specs::{exported, manifest, whole, workplace};
use crate::support::{json_of, run, text, write};

const EVENTS: &str = "runs/s/review.events.jsonl";

/// Rows of `reviewed.jsonl`, without a page.
fn rows(dir: &Path) -> Vec<Value> {
    json_of(dir, &["review", "s", "--export", "reviewed"], 0);
    crate::review::rows(&dir.join("reviewed/reviewed.jsonl"))
}

/// The events file with these actions on items: who, which, what.
fn record(dir: &Path, rows: &[Value], done: &[(&str, usize, Value)]) {
    let mut lines = vec![json!({"format": 1, "kind": "review-events"}).to_string()];
    for (n, (by, item, action)) in (1..).zip(done) {
        let row = &rows[*item];
        lines.push(
            json!({
                "n": n, "at": 1_796_006_428_000_u64, "by": by, "item": row["id"],
                "version": row["version"], "seen": n - 1, "action": action,
            })
            .to_string(),
        );
    }
    write(&dir.join(EVENTS), &(lines.join("\n") + "\n"));
}

fn decide(what: &str, more: Value) -> Value {
    let mut decision = json!({"do": what, "reason": "because"});
    decision
        .as_object_mut()
        .expect("object")
        .extend(more.as_object().expect("object").clone());
    json!({"decide": decision})
}

#[test]
fn decisions_of_people_flow_into_the_set() {
    let dir = workplace(0.0);
    let before = whole(dir.path());
    let refused = run(dir.path(), &["review", "s", "--apply"]);
    assert_ne!(refused.status.code(), Some(0), "nobody has reviewed");
    record(dir.path(), &[], &[]);
    let rows = rows(dir.path());
    let groups = |m: &Value| {
        let list = m["instances"].as_array().expect("list").iter();
        list.map(|i| i["groups"].as_array().expect("list").len())
            .sum::<usize>()
    };
    let was = manifest(dir.path());
    assert_eq!(rows.len(), groups(&was), "every group is an item");
    assert!(!rows[0]["source"].as_array().expect("list").is_empty());

    let edit = |q: &str| decide("edit", json!({"question": q, "expected": "No"}));
    let accept = || decide("accept", json!({}));
    let split = json!({"parts": [
        {"question": "Is it half?", "expected": "Yes"}, {"question": "Is it whole?", "expected": "No"},
    ]});
    let mut done = vec![
        ("ann", 0, edit("Is it as ann says?")),
        ("bob", 0, edit("Is it as ann says?")),
        ("ann", 1, decide("reject", json!({}))),
        ("ann", 2, decide("split", split)),
        ("ann", 3, accept()),
        ("bob", 3, decide("reject", json!({}))),
    ];
    record(dir.path(), &rows, &done);
    let applied = json_of(dir.path(), &["review", "s", "--apply"], 3);
    assert_eq!(
        (&applied["decided"], &applied["conflicts"]),
        (&json!(3), &json!(1))
    );
    let first = manifest(dir.path());
    let review = &first["instances"][0]["review"];
    assert_eq!(review[0]["by"], "ann");
    assert_eq!(review[0]["at"], "2026-11-30T02:40:28Z");
    assert_eq!(
        review.as_array().expect("list").len(),
        4,
        "of a conflict nothing counts"
    );
    assert_eq!(first["versions"].as_array().expect("list").len(), 2);

    // The conflict is settled: the adjudicator's decision counts, everybody's is kept.
    let mut settled = accept();
    settled = json!({"adjudicate": settled["decide"]});
    done.push(("cat", 3, settled));
    record(dir.path(), &rows, &done);
    json_of(dir.path(), &["review", "s", "--apply"], 0);
    let review = manifest(dir.path())["instances"][0]["review"].clone();
    assert_eq!(review[6]["act"], "accept");
    assert_eq!(
        (&review[6]["by"], review.as_array().map(Vec::len)),
        (&json!("cat"), Some(7))
    );

    let after = exported(dir.path(), "after");
    let name = after
        .keys()
        .find(|n| n.starts_with("complete/"))
        .expect("a file");
    let all = after[name].as_str();
    for words in ["Is it as ann says?", "Is it half?", "Is it whole?"] {
        assert!(all.contains(words), "{all}");
    }
    assert!(!all.contains(rows[1]["question"].as_str().expect("text")));
    assert!(all.contains(rows[3]["question"].as_str().expect("text")));
    let unfiltered = |m: &std::collections::BTreeMap<String, String>| {
        let of = |(n, _): &(&String, &String)| !n.starts_with("complete/");
        m.iter()
            .filter(of)
            .map(|(n, t)| (n.clone(), t.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        unfiltered(&before),
        unfiltered(&after),
        "review is of the complete set alone"
    );

    // Taken back, it is gone from the set.
    record(dir.path(), &rows, &[("ann", 3, accept())]);
    json_of(dir.path(), &["review", "s", "--apply"], 0);
    let review = manifest(dir.path())["instances"][0]["review"].clone();
    assert_eq!(review.as_array().map(Vec::len), Some(1));
}

#[test]
fn a_set_becomes_a_suite_of_its_own() {
    let dir = workplace(0.0);
    whole(dir.path());
    let export = ["specs", "export", "s", "--out", "own", "--form", "suite"];
    let done = json_of(dir.path(), &export, 0);
    assert_eq!(done["sets"][0]["checklists"], 14);
    let valid = json_of(dir.path(), &["suite", "validate", "own"], 0);
    assert_eq!(valid["suite"]["instances"], 14);
    assert_eq!(valid["problems"], json!([]));
    let text_of = std::fs::read_to_string(dir.path().join("own/suite.jsonl")).expect("file");
    let first: Value = serde_json::from_str(text_of.lines().nth(1).expect("line")).expect("json");
    let specs = first["specifications"].as_array().expect("list");
    assert!(
        specs
            .iter()
            .all(|s| s["rating"].as_f64().expect("number") >= 8.0)
    );

    // The prompts of another data are not the set's.
    let tasks = dir.path().join("suite/eval_data/t2i/style.jsonl");
    let changed = std::fs::read_to_string(&tasks)
        .expect("file")
        .replacen("A ", "Some ", 1);
    std::fs::write(
        &tasks,
        changed.replacen("\"question\": \"", "\"question\": \"Now ", 1),
    )
    .expect("file");
    let refused = run(dir.path(), &export);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
}
