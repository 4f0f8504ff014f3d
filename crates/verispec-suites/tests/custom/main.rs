//! Suites of anyone's own.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use verispec_model::{OutputFailure, YesNo};
use verispec_suites::custom::{
    CustomError, EXAMPLE, INSTANCE_FIELDS, PART_FIELDS, SPECIFICATION_FIELDS, choice_state,
    discover, index_model, load, validate,
};
use verispec_suites::realunify::Outcome;

#[expect(clippy::unwrap_used, reason = "tests")]
fn write(text: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mine.jsonl");
    fs::write(&path, text).unwrap();
    (dir, path)
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|r| format!("{r}\n")).collect()
}

fn instance(id: &str) -> Value {
    json!({"id": id, "prompt": "Do it.", "specifications": [{"question": "Is it done?"}]})
}

#[track_caller]
#[expect(clippy::unwrap_used, reason = "tests")]
fn faults(records: &[Value]) -> Vec<String> {
    let (_dir, path) = write(&lines(records));
    let checked = validate(&path).unwrap();
    assert!(checked.loaded.is_none());
    assert!(load(&path).is_err());
    checked.problems.iter().map(ToString::to_string).collect()
}

#[test]
fn the_example_shows_everything_and_is_sound() {
    let (dir, path) = write(EXAMPLE);
    let loaded = load(&path).unwrap();
    assert_eq!(loaded.suite.name, "my-suite");
    let tracks: Vec<&str> = loaded
        .suite
        .tracks
        .iter()
        .map(|t| t.name.as_str())
        .collect();
    assert_eq!(tracks, ["images", "agents", "quiz"]);
    let kinds: Vec<&str> = loaded.warnings.iter().map(|w| w.kind.as_str()).collect();
    assert_eq!(kinds, ["absent-reference"], "its picture is not there");
    let poster = loaded.suite.instance("images", "poster_001").unwrap();
    assert!(poster.specifications[0].rules.critical);
    assert_eq!(poster.specifications[1].rules.depends_on, [1]);
    assert_eq!(poster.specifications[1].rules.weight, Some(2.0));
    assert_eq!(poster.specifications[2].expected, YesNo::No);
    let edit = loaded.suite.instance("images", "edit_001").unwrap();
    assert!(edit.prompt.ends_with("[IMAGE1]"), "{}", edit.prompt);
    assert_eq!(edit.references, [dir.path().join("inputs/meadow.png")]);
    let trace = loaded.suite.instance("agents", "trace_001").unwrap();
    let ids: Vec<u32> = trace.specifications.iter().map(|s| s.id).collect();
    assert_eq!(ids, [1, 2, 3], "counted where none is given");
    let quiz = loaded.suite.instance("quiz", "quiz_001").unwrap();
    assert_eq!(loaded.choice_of(quiz).unwrap().answer, 'B');
    assert!(loaded.choice_of(trace).is_none());
    for field in INSTANCE_FIELDS
        .iter()
        .chain(&SPECIFICATION_FIELDS)
        .chain(&PART_FIELDS)
    {
        let unused = ["references", "metadata", "subcategory", "rating"];
        let shown = EXAMPLE.contains(&format!("\"{field}\""));
        assert!(shown || unused.contains(field), "{field} is not shown");
    }
}

#[test]
fn a_file_or_its_folder_and_the_least_that_is_needed() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(
        load(dir.path()).unwrap_err(),
        CustomError::NoFile(_)
    ));
    fs::write(
        dir.path().join("suite.jsonl"),
        lines(&[instance("b"), instance("a")]),
    )
    .unwrap();
    let loaded = load(dir.path()).unwrap();
    assert_eq!(loaded.suite.name, "suite");
    assert_eq!(loaded.suite.tracks[0].name, "main");
    let ids: Vec<&str> = loaded.suite.instances().map(|i| i.id.as_str()).collect();
    assert_eq!(ids, ["a", "b"]);
    let array = Value::from(vec![instance("b"), instance("a")]);
    fs::write(dir.path().join("suite.jsonl"), array.to_string()).unwrap();
    let again = load(dir.path()).unwrap();
    assert_eq!(
        again.suite.revision, loaded.suite.revision,
        "a JSON array is as good"
    );
}

#[test]
fn all_faults_are_found_with_file_line_field_and_hint() {
    let mut misspelt = instance("a");
    misspelt["specifications"][0]["critcal"] = json!(true);
    let mut without = instance("b");
    without.as_object_mut().unwrap().remove("specifications");
    let mut wrong = instance("c");
    wrong["specifications"] = json!([
        {"question": "", "expected": "perhaps"},
        {"id": 7, "question": "Q?", "weight": 0},
        {"id": 7, "question": "R?"},
        "S?",
    ]);
    let found = faults(&[misspelt, without, wrong, instance("a/b"), json!(3)]);
    let expected = [
        "mine.jsonl:1: item 0 (from 0): field `specifications[0].critcal`: unknown; is `critical` meant?",
        "mine.jsonl:2: item 1 (from 0): field `specifications`: missing; expected a list of",
        "field `specifications[0].question`: expected a text that is not empty",
        "field `specifications[0].expected`: expected \"yes\" or \"no\", got the string \"perhaps\"",
        "field `specifications[1].weight`: expected a number above 0, got 0",
        "field `specifications[2].id`: 7 is already used in this instance",
        "field `specifications[3]`: expected {\"question\": ...}, got the string \"S?\"",
        "mine.jsonl:4: item 3 (from 0): field `id`: expected a file name without /",
        "mine.jsonl:5: item 4 (from 0): expected an object",
    ];
    for wanted in expected {
        assert!(
            found.iter().any(|f| f.contains(wanted)),
            "{wanted}\nin {found:#?}"
        );
    }
}

#[test]
fn structure_is_checked() {
    let mut circle = instance("a");
    circle["specifications"] = json!([
        {"question": "P?", "depends_on": [2]}, {"question": "Q?", "depends_on": [1]},
    ]);
    assert!(faults(&[circle])[0].contains("presupposes itself; break the circle"));
    let mut unknown = instance("a");
    unknown["specifications"] = json!([{"question": "P?"}, {"question": "Q?", "depends_on": [9]}]);
    let found = faults(&[unknown]);
    assert!(found[0].contains("`specifications[1].depends_on`: there is no specification 9"));
    let found = faults(&[instance("a"), instance("b"), instance("a")]);
    assert!(found[0].starts_with("mine.jsonl:3:"), "{found:?}");
    assert!(found[0].contains("\"a\" is already used in line 1 of track main"));
    let mut both = instance("a");
    both["choices"] = json!(["x", "y"]);
    assert!(faults(&[both])[0].contains("not both"));
    let choice = json!({"id": "a", "prompt": "?", "choices": ["x", "y"], "answer": "C"});
    assert!(faults(&[choice])[0].contains("C is none of the 2 choices"));
    let mut outside = instance("a");
    outside["references"] = json!(["../x.png"]);
    assert!(faults(&[outside])[0].contains("stay below its folder"));
    let mut parts = instance("a");
    parts["prompt"] = json!([{"text": "x"}, {"picture": "y"}]);
    assert!(faults(&[parts])[0].contains("field `prompt[1]`: expected {\"text\""));
    let mut none = instance("a");
    none["specifications"] = json!([]);
    assert!(faults(&[none])[0].contains("nothing would be judged"));
    assert!(
        faults(&[instance("a"), json!({"suite": "x", "format": 1})])[0].contains("stands first")
    );
    assert!(
        faults(&[json!({"suite": "x", "format": 2}), instance("a")])[0].contains("reads format 1")
    );
    assert!(faults(&[])[0].contains("no instance in it"));
}

#[test]
fn a_questions_repetition_is_a_remark() {
    let mut twice = instance("a");
    twice["specifications"] = json!([{"question": "Q?"}, {"question": " Q? "}]);
    let (_dir, path) = write(&lines(&[twice]));
    let loaded = load(&path).unwrap();
    assert_eq!(loaded.warnings[0].kind, "repeated-question");
}

#[test]
fn the_version_follows_what_is_measured() {
    let version = |edit: &dyn Fn(&mut Value)| {
        let mut record = instance("a");
        edit(&mut record);
        let (_dir, path) = write(&lines(&[record]));
        load(&path).unwrap().suite.revision
    };
    let base = version(&|_| {});
    assert_eq!(version(&|r| r["metadata"] = json!({"by": "me"})), base);
    assert_eq!(
        version(&|r| r["specifications"][0]["id"] = json!(1)),
        base,
        "the label it has"
    );
    let edits: [&dyn Fn(&mut Value); 8] = [
        &|r| r["prompt"] = json!("Do that."),
        &|r| r["dimension"] = json!("other"),
        &|r| r["references"] = json!(["x.png"]),
        &|r| r["specifications"][0]["expected"] = json!("no"),
        &|r| r["specifications"][0]["weight"] = json!(2),
        &|r| r["specifications"][0]["critical"] = json!(true),
        &|r| r["specifications"][0]["category"] = json!("c"),
        &|r| r["specifications"][0]["question"] = json!("Is it?"),
    ];
    let mut versions: Vec<String> = edits.iter().map(|edit| version(*edit)).collect();
    versions.push(base);
    versions.sort();
    versions.dedup();
    assert_eq!(versions.len(), 9);
}

#[test]
fn choices_need_no_judge() {
    let (_dir, path) = write(EXAMPLE);
    let loaded = load(&path).unwrap();
    let quiz = loaded.suite.instance("quiz", "quiz_001").unwrap();
    let choice = loaded.choice_of(quiz).unwrap();
    let outcome =
        |text: &str| Outcome::of_state(&choice_state(text, choice, &quiz.specifications[0]));
    assert_eq!(
        outcome("I think it is the Danube, so the answer is B."),
        Outcome::Correct
    );
    assert_eq!(outcome("danube"), Outcome::Correct);
    assert_eq!(outcome("A"), Outcome::Wrong);
    assert_eq!(
        outcome("A or B"),
        Outcome::Failed(OutputFailure::Undecidable)
    );
    assert_eq!(outcome(" "), Outcome::Failed(OutputFailure::Empty));
    assert!(!quiz.specifications[0].question.contains("answer"));
}

#[test]
fn the_schema_knows_the_fields_that_the_loader_knows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/custom-suite.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let names = |definition: &Value| -> Vec<String> {
        definition["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect()
    };
    let defs = &schema["$defs"];
    assert_eq!(names(&defs["instance"]), INSTANCE_FIELDS);
    assert_eq!(names(&defs["specification"]), SPECIFICATION_FIELDS);
    let parts: Vec<String> = defs["part"]["oneOf"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(&names)
        .collect();
    assert_eq!(parts, PART_FIELDS);
    for name in ["instance", "specification", "suite"] {
        assert_eq!(defs[name]["additionalProperties"], false, "{name}");
    }
}

#[test]
fn outputs_in_all_layouts() {
    let (_dir, path) = write(EXAMPLE);
    let suite = load(&path).unwrap().suite;
    let root = tempfile::tempdir().unwrap();
    assert!(matches!(
        discover(&suite, root.path(), None),
        Err(CustomError::NoOutputs(_))
    ));
    let agent = root.path().join("agent-1/agents");
    fs::create_dir_all(&agent).unwrap();
    fs::write(agent.join("trace_001.json"), "[{\"tool\": \"search\"}]").unwrap();
    fs::write(agent.join("trace_002.json"), "[]").unwrap();
    fs::write(root.path().join("agent-1/quiz_001.txt"), " ").unwrap();
    let models = discover(&suite, root.path(), None).unwrap();
    assert_eq!(models.keys().collect::<Vec<_>>(), ["agent-1"]);
    let found = index_model(&suite, "agent-1", &models["agent-1"], &[]);
    assert_eq!(
        found.tracks.keys().collect::<Vec<_>>(),
        ["agents", "quiz"],
        "images not entered"
    );
    let trace = found.tracks["agents"].instances["trace_001"]
        .as_ref()
        .unwrap();
    assert_eq!(trace.parts().len(), 1);
    assert_eq!(found.tracks["agents"].unmatched.len(), 1);
    let empty = found.tracks["quiz"].instances["quiz_001"]
        .as_ref()
        .unwrap_err();
    assert_eq!(empty.failure, OutputFailure::Empty);
    let own = discover(&suite, &root.path().join("agent-1"), Some("mine")).unwrap();
    assert_eq!(own.keys().collect::<Vec<_>>(), ["mine"]);
    let declared = index_model(&suite, "m", &models["agent-1"], &["images".to_owned()]);
    assert_eq!(declared.tracks.keys().collect::<Vec<_>>(), ["images"]);
    let parts = root.path().join("agent-2/trace_001");
    fs::create_dir_all(&parts).unwrap();
    fs::write(parts.join("1.md"), "first").unwrap();
    fs::write(parts.join("2.md"), "second").unwrap();
    let found = index_model(&suite, "agent-2", &root.path().join("agent-2"), &[]);
    assert_eq!(
        found.tracks["agents"].instances["trace_001"]
            .as_ref()
            .unwrap()
            .parts()
            .len(),
        2
    );
}
