use std::fs;

use serde_json::json;
use verispec_model::OutputFailure;
use verispec_suites::realunify::{
    ChoiceReader, Outcome, Output, RealUnifyError, choice_state, outputs, poll_image,
};

use crate::common::{item, png, record, set, split};

#[test]
fn path_fields_of_a_models_own_file() {
    let (_dir, loaded) = set();
    let model = tempfile::tempdir().unwrap();
    fs::create_dir(model.path().join("out")).unwrap();
    png(&model.path().join("out/0.png"));
    fs::write(model.path().join("out/2.png"), "no image").unwrap();
    let of = |i: usize, image: serde_json::Value| {
        let mut record = record(split("ueg_step"), i);
        record["generated_image"] = image;
        record["response"] = json!(format!("scene {i}"));
        record
    };
    let records = [
        of(0, json!("./out/0.png")),
        of(1, json!("")),
        of(2, json!("out/2.png")),
        of(3, json!("../elsewhere.png")),
        of(7, json!("out/0.png")),
    ];
    fs::write(
        model.path().join("UEG_step.json"),
        json!(records).to_string(),
    )
    .unwrap();
    let step = split("ueg_step");
    let found = outputs(loaded.items(step), step, model.path()).unwrap();
    let first = &found.items["logical_reasoning/0"];
    assert!(matches!(first.last, Ok(Output::Image(_))), "{first:?}");
    assert_eq!(first.middle, Some(Ok(Output::Text("scene 0".to_owned()))));
    let failure = |id: &str| found.items[id].last.as_ref().unwrap_err().failure;
    assert_eq!(failure("world_knowledge/1"), OutputFailure::Missing);
    assert_eq!(failure("logical_reasoning/2"), OutputFailure::Unreadable);
    assert_eq!(failure("world_knowledge/3"), OutputFailure::Unreadable);
    let kinds: Vec<&str> = found.warnings.iter().map(|w| w.kind.as_str()).collect();
    assert_eq!(kinds, ["unknown-item"]);
    let item = item(&loaded, "ueg_step", "world_knowledge/1");
    let state = poll_image(item, &found.items[&item.id]).unwrap_err();
    assert_eq!(
        Outcome::of_state(&state),
        Outcome::Failed(OutputFailure::Missing)
    );
}

#[test]
fn folders_and_files_in_them() {
    let (_dir, loaded) = set();
    let model = tempfile::tempdir().unwrap();
    let folder = model.path().join("GEU_step/mental_tracking");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("0.txt"), "The answer is A").unwrap();
    png(&folder.join("0.step.png"));
    fs::write(folder.join("1.json"), r#"{"response": ["D", "B"]}"#).unwrap();
    fs::write(folder.join("2.txt"), " \n").unwrap();
    let step = split("geu_step");
    let found = outputs(loaded.items(step), step, model.path()).unwrap();
    let outcome = |id: &str| {
        let item = item(&loaded, "geu_step", id);
        Outcome::of_state(&choice_state(item, &found.items[id], ChoiceReader::Right))
    };
    assert_eq!(outcome("mental_tracking/0"), Outcome::Correct);
    assert!(matches!(
        found.items["mental_tracking/0"].middle,
        Some(Ok(Output::Image(_)))
    ));
    assert_eq!(
        outcome("mental_tracking/1"),
        Outcome::Wrong,
        "the first element counts"
    );
    assert_eq!(
        outcome("mental_tracking/2"),
        Outcome::Failed(OutputFailure::Empty)
    );
    assert_eq!(
        outcome("mental_tracking/3"),
        Outcome::Failed(OutputFailure::Missing)
    );
    let direct = split("geu_direct");
    let error = outputs(loaded.items(direct), direct, model.path()).unwrap_err();
    assert!(matches!(error, RealUnifyError::NoOutputs { .. }), "{error}");
}

#[test]
fn a_record_that_asks_something_else_is_not_used() {
    let (_dir, loaded) = set();
    let model = tempfile::tempdir().unwrap();
    let mut record = record(split("geu_direct"), 0);
    record["answer"] = json!("B");
    record["response"] = json!("A");
    fs::write(
        model.path().join("GEU_direct.json"),
        json!([record]).to_string(),
    )
    .unwrap();
    let direct = split("geu_direct");
    let found = outputs(loaded.items(direct), direct, model.path()).unwrap();
    assert_eq!(found.warnings[0].kind, "other-item");
    let last = &found.items["mental_tracking/0"].last;
    assert_eq!(last.as_ref().unwrap_err().failure, OutputFailure::Missing);
}

#[test]
fn an_undecidable_response_is_the_models_failure_and_wrong_as_released() {
    let (_dir, loaded) = set();
    let item = item(&loaded, "geu_direct", "mental_tracking/2");
    let output = |text: &str| verispec_suites::realunify::ItemOutput {
        last: Ok(Output::Text(text.to_owned())),
        middle: None,
    };
    let outcome =
        |text: &str, reader| Outcome::of_state(&choice_state(item, &output(text), reader));
    let undecidable = Outcome::Failed(OutputFailure::Undecidable);
    assert_eq!(outcome("A and C", ChoiceReader::Right), undecidable);
    assert_eq!(outcome("A and C", ChoiceReader::Published), Outcome::Wrong);
    assert_eq!(
        outcome("Cannot be determined", ChoiceReader::Right),
        undecidable
    );
    assert_eq!(
        outcome("Cannot be determined", ChoiceReader::Published),
        Outcome::Correct
    );
    assert_eq!(
        outcome("back", ChoiceReader::Right),
        Outcome::Correct,
        "the option's text"
    );
}
