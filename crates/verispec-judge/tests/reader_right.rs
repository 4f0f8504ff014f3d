//! The reader against the right values that were written before it, and against what the released
//! scripts make of the same texts.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;

use serde_json::{Value, json};
use verispec_judge::reader::published::{self, PyValue, json::loads};
use verispec_judge::reader::{ListReading, ReadOptions, ReadStatus, read_list};
use verispec_model::{ReadStage, Reading, SpecId, Unjudged};

fn data(name: &str) -> PyValue {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    loads(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn field<'a>(value: &'a PyValue, name: &str) -> &'a PyValue {
    let PyValue::Dict(members) = value else {
        panic!("{value:?} is no object")
    };
    &members
        .iter()
        .find(|(key, _)| key == name)
        .unwrap_or_else(|| panic!("no {name}"))
        .1
}

fn list(value: &PyValue) -> &[PyValue] {
    published::accepted(value).unwrap()
}

fn text(value: &PyValue) -> &str {
    let PyValue::Str(text) = value else {
        panic!("{value:?} is no text")
    };
    text
}

fn asked(value: &PyValue) -> Vec<SpecId> {
    serde_json::from_value(value.to_json()).unwrap()
}

fn summary(reading: &ListReading) -> Value {
    let word = |reading: &Reading| match reading {
        Reading::Unjudged(why) => why.as_str(),
        answer => answer.verdict().unwrap().as_str(),
    };
    let items: BTreeMap<_, _> = reading
        .items
        .iter()
        .map(|(id, item)| (id.to_string(), word(&item.reading)))
        .collect();
    let status = match reading.status {
        ReadStatus::WellFormed => "well-formed",
        ReadStatus::PartialSalvaged => "partial-salvaged",
        ReadStatus::Unparsed => "unparsed",
    };
    let stage = reading.stage.map(|stage| match stage {
        ReadStage::Strict => "strict",
        ReadStage::Extracted => "extracted",
        ReadStage::Repaired => "repaired",
    });
    json!({"status": status, "stage": stage, "items": items})
}

#[test]
fn default_reader_gives_the_right_values() {
    let right = data("parse_right.json");
    let cases = list(&right);
    assert_eq!(cases.len(), 61);
    for case in cases {
        let (input, ids) = (text(field(case, "input")), asked(field(case, "asked")));
        for (mode, lenient) in [("default", false), ("lenient", true)] {
            let got = summary(&read_list(input, &ids, ReadOptions { lenient }));
            assert_eq!(got, field(case, mode).to_json(), "{mode} {input}");
        }
    }
}

#[test]
fn right_values_belong_to_the_fixture() {
    let (fixture, right) = (data("specv_parse.json"), data("parse_right.json"));
    let input = |case: &PyValue| field(case, "input").clone();
    let inputs = |value: &PyValue| list(value).iter().map(input).collect::<Vec<_>>();
    assert_eq!(inputs(&fixture), inputs(&right));
}

#[test]
fn published_ladder_equals_the_released_one() {
    let fixture = data("specv_parse.json");
    assert_eq!(list(&fixture).len(), 61);
    for case in list(&fixture) {
        let input = text(field(case, "input"));
        let got = published::parse_ladder(input).map_or(PyValue::None, |hit| hit.value);
        // NaN differs from itself, so the comparison is of what is written.
        let right = field(case, "reference_parse");
        assert_eq!(format!("{got:?}"), format!("{right:?}"), "{input}");
        let accepted = PyValue::Bool(published::accepted(&got).is_some());
        assert_eq!(&accepted, field(case, "accepted"), "{input}");
    }
}

#[test]
fn default_reader_gives_the_right_merges() {
    let right = data("merge_right.json");
    assert_eq!(list(&right).len(), 17);
    for case in list(&right) {
        let reply = field(case, "judge").to_json().to_string();
        let got = read_list(&reply, &asked(field(case, "asked")), ReadOptions::default());
        assert_eq!(summary(&got), field(case, "default").to_json(), "{reply}");
    }
}

#[test]
fn published_merge_equals_the_released_one() {
    let fixture = data("specv_merge.json");
    let ids = |item: &PyValue| asked(&PyValue::List(vec![field(item, "id").clone()]))[0];
    let checklist: Vec<SpecId> = list(field(&fixture, "checklist")).iter().map(ids).collect();
    let expected: Vec<Value> = list(field(&fixture, "checklist"))
        .iter()
        .map(|i| field(i, "expected_answer").to_json())
        .collect();
    let cases = list(field(&fixture, "cases"));
    assert_eq!(cases.len(), 17);
    for case in cases {
        let name = text(field(case, "name"));
        let got = published::merge(list(field(case, "judge")), &checklist);
        match field(case, "merged_answers") {
            PyValue::Str(error) => {
                assert!(error.contains("unhashable type: 'list'"), "{name}");
                let error = got.unwrap_err().to_string();
                assert_eq!(
                    error,
                    "element 0 of the judge's list has a list as id; ask the judge again"
                );
            }
            right => {
                let answers = got.unwrap();
                assert_eq!(Value::Array(answers.clone()), right.to_json(), "{name}");
                let verdict = |v: &Value| published::reading(v).verdict().map(|v| v.as_str());
                let right = |(a, b): &(&Value, &Value)| verdict(a) == b.as_str();
                let correct = answers.iter().zip(&expected).filter(right).count();
                assert_eq!(json!(correct), field(case, "correct").to_json(), "{name}");
            }
        }
    }
}

#[test]
fn published_readings_keep_the_raw_answer() {
    let reply =
        r#"[{"id":1,"answer":"yes"},{"id":2,"answer":"No"},{"id":true,"answer":true},{"id":4}]"#;
    let got = published::read_list(reply, &[1, 2, 3, 4]);
    assert_eq!(got.status, ReadStatus::WellFormed);
    assert_eq!(got.stage, Some(ReadStage::Strict));
    let raws: Vec<Value> = got.items.values().map(|i| i.raw.clone().unwrap()).collect();
    assert_eq!(raws, [json!(true), json!("No"), json!("N/A"), json!("N/A")]);
    let readings: Vec<_> = got.items.values().map(|i| i.reading.clone()).collect();
    let unjudged = |why| Reading::Unjudged(why);
    assert_eq!(readings[0], unjudged(Unjudged::Unparsed));
    assert_eq!(readings[1].verdict().map(|v| v.as_str()), Some("No"));
    assert_eq!(readings[2], unjudged(Unjudged::MissingId));
}

#[test]
fn published_corruption_is_the_default_readers_right_answer() {
    // The released repair turns two answers into one garbled one and accepts it.
    let reply = r#"[{"id":1,"answer":"Yes"} {"id":2,"answer":"No"}]"#;
    let corrupt = published::read_list(reply, &[1, 2]);
    assert_eq!(
        corrupt.items[&1].raw,
        Some(json!(r#"Yes"} {"id":2,"answer":"No"#))
    );
    assert_eq!(corrupt.items[&2].raw, Some(json!("N/A")));
    let right = read_list(reply, &[1, 2], ReadOptions::default());
    let verdicts: Vec<_> = right
        .items
        .values()
        .map(|i| i.reading.verdict().unwrap().as_str())
        .collect();
    assert_eq!(verdicts, ["Yes", "No"]);
}
