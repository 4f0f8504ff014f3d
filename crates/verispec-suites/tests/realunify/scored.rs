use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};
use verispec_model::Unjudged;
use verispec_suites::realunify::{
    ItemResult, Outcome, RealUnifyError, read_scored, scored_text, write_scored,
};

use crate::common::{record, set, split};

fn outcomes(results: &[ItemResult]) -> Vec<Outcome> {
    results.iter().map(|r| r.outcome).collect()
}

#[test]
fn out_and_in_again() {
    let (dir, loaded) = set();
    let direct = split("ueg_direct");
    let items = loaded.items(direct);
    let wanted = [
        Outcome::Correct,
        Outcome::Wrong,
        Outcome::Unjudged(Unjudged::Refused),
        Outcome::Correct,
    ];
    let results: Vec<ItemResult> = items
        .iter()
        .zip(wanted)
        .map(|(item, outcome)| ItemResult::strict(item, outcome))
        .collect();
    let image = json!({"generated_image": "out/0.png"})
        .as_object()
        .unwrap()
        .clone();
    let extra = BTreeMap::from([(items[0].id.clone(), image)]);
    let text = scored_text(items, &results, &extra).unwrap();
    assert!(
        text.starts_with("[\n    {\n        \"task_type\""),
        "four spaces: {text}"
    );
    let path = dir.path().join("model.json");
    write_scored(&path, items, &results, &extra).unwrap();
    let values: Vec<Value> = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(values[0]["score"], 1);
    assert_eq!(values[0]["generated_image"], "out/0.png");
    assert_eq!(values[0]["source"], "ours");
    assert_eq!(values[2], Value::Null);
    let read = read_scored(items, &path).unwrap();
    assert_eq!(read.nulls, 1);
    let lost = Outcome::Unjudged(Unjudged::ProviderError);
    assert_eq!(
        outcomes(&read.results),
        [Outcome::Correct, Outcome::Wrong, lost, Outcome::Correct]
    );
}

#[test]
fn any_order_and_files_without_an_index() {
    let (dir, loaded) = set();
    let direct = split("ueg_direct");
    let mut records: Vec<Value> = [3, 1, 0, 2].iter().map(|i| record(direct, *i)).collect();
    for (i, record) in records.iter_mut().enumerate() {
        record["score"] = json!(u8::from(i < 2));
    }
    let path = dir.path().join("m.json");
    fs::write(&path, json!(records).to_string()).unwrap();
    let read = read_scored(loaded.items(direct), &path).unwrap();
    let expected = [
        Outcome::Wrong,
        Outcome::Correct,
        Outcome::Wrong,
        Outcome::Correct,
    ];
    assert_eq!(outcomes(&read.results), expected);
}

#[test]
fn fewer_nulls_than_items_missing_leave_them_pending() {
    let (dir, loaded) = set();
    let direct = split("ueg_direct");
    let mut one = record(direct, 0);
    one["score"] = json!(1);
    let path = dir.path().join("m.json");
    fs::write(&path, json!([one, null]).to_string()).unwrap();
    let read = read_scored(loaded.items(direct), &path).unwrap();
    assert_eq!(outcomes(&read.results)[1..], [Outcome::Pending; 3]);
}

#[test]
fn strangers_are_remarks_and_bad_scores_are_errors() {
    let (dir, loaded) = set();
    let direct = split("ueg_direct");
    let mut stranger = record(direct, 9);
    stranger["score"] = json!(1);
    let mut other = record(direct, 0);
    other["question_list"][0]["question"] = json!("Something else?");
    other["score"] = json!(1);
    let path = dir.path().join("m.json");
    fs::write(&path, json!([stranger, other]).to_string()).unwrap();
    let read = read_scored(loaded.items(direct), &path).unwrap();
    assert_eq!(read.warnings.len(), 2);
    assert!(
        outcomes(&read.results)
            .iter()
            .all(|o| *o == Outcome::Pending)
    );
    let mut bad = record(direct, 0);
    bad["score"] = json!(0.5);
    fs::write(&path, json!([bad, record(direct, 1)]).to_string()).unwrap();
    let error = read_scored(loaded.items(direct), &path).unwrap_err();
    assert!(matches!(error, RealUnifyError::Broken(_)));
    let text = error.to_string();
    assert!(text.contains("expected 0, 1 or null, got 0.5"), "{text}");
    assert!(text.contains("is this a file without scores?"), "{text}");
}
