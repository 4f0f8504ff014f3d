//! Import of trees and tables, round trips, suites, layouts.

use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use verispec_model::score::{Counters, Policy, uniform};
use verispec_model::{InstanceState, OutputFailure, Reading, Results, Suite, Unjudged, YesNo};
use verispec_suites::specv::export::{ExportOptions, export};
use verispec_suites::specv::import::{
    Imported, ResultOptions, VerdictOptions, import_tree, import_verdicts, list_tree,
    read_imported, to_results, write_imported,
};
use verispec_suites::specv::{answered_by, load};

use crate::common::{put, released, small_suite, spec};
use crate::fixture_trees::{DEFAULT, PUBLISHED};

fn answered(id: u32, question: &str, expected: &str, answer: Value) -> Value {
    let mut item = spec(id, question, expected);
    item["answer"] = answer;
    item
}

/// A tree over the small suite: `good` has all, `part` lacks s_2, has an odd file and an unknown
/// one.
fn small_tree(root: &Path) {
    let one = answered(1, "Are there two squares?", "Yes", json!("Yes"));
    let two = answered(2, "Is one blue?", "No", json!("no"));
    let t2i = root.join("eval/t2i/results");
    put(
        &t2i,
        "good/structure/s_1.json",
        json!([one, two]).to_string(),
    );
    put(
        &t2i,
        "good/structure/s_2.json",
        json!([answered(1, "Disc?", "Yes", json!("No"))]).to_string(),
    );
    put(
        &t2i,
        "good/own/o_1.json",
        json!([answered(1, "CAT?", "Yes", json!(true))]).to_string(),
    );
    put(&t2i, "part/structure/s_1.json", json!([one]).to_string());
    put(&t2i, "part/structure/s_11.json", json!([one]).to_string());
    put(
        &t2i,
        "part/own/o_1.json",
        "[{\"id\": 1, \"expected_answer\": \"Yes\", \"answer\": NaN}]",
    );
    put(&t2i, "part/failed.jsonl", "{}");
    std::fs::create_dir_all(t2i.join("empty/structure")).unwrap();
    let edit = json!([answered(1, "Red?", "Yes", json!("N/A"))]).to_string();
    put(root, "eval/edit/results/good/attribute/a_1.json", edit);
}

fn small() -> (tempfile::TempDir, Suite, Imported) {
    let dir = tempfile::tempdir().unwrap();
    small_suite(dir.path());
    small_tree(dir.path());
    let suite = load(dir.path()).unwrap().suite;
    let imported = import_tree(dir.path(), None).unwrap();
    (dir, suite, imported)
}

fn state<'a>(results: &'a Results, model: &str, track: &str, id: &str) -> &'a InstanceState {
    let model = results.models.iter().find(|m| m.model == model).unwrap();
    let track = model.tracks.iter().find(|t| t.track == track).unwrap();
    let all = track.dimensions.iter().flat_map(|d| &d.instances);
    &all.into_iter().find(|i| i.id == id).unwrap().state
}

fn kinds(results: &Results) -> Vec<(String, String)> {
    let mut kinds: Vec<_> = results
        .warnings
        .iter()
        .map(|w| {
            (
                w.kind.clone(),
                w.place.rsplit("results/").next().unwrap().to_owned(),
            )
        })
        .collect();
    kinds.sort();
    kinds
}

#[test]
fn a_tree_against_its_suite() {
    let (_dir, suite, imported) = small();
    assert_eq!(imported.models(), ["empty", "good", "part"]);
    assert_eq!((imported.files(), imported.broken().count()), (7, 0));
    let results = to_results(&imported, Some(&suite), DEFAULT).unwrap();
    assert_eq!(results.all_tracks, ["t2i", "edit"]);
    let tracks: Vec<usize> = results.models.iter().map(|m| m.tracks.len()).collect();
    assert_eq!(tracks, [0, 2, 1], "an empty folder is no entry");
    assert!(matches!(
        state(&results, "part", "t2i", "s_2"),
        InstanceState::OutputFailed(OutputFailure::Missing, 1)
    ));
    let s_1 = Counters::of(state(&results, "part", "t2i", "s_1"));
    assert_eq!(
        (s_1.expected, s_1.judged, s_1.unjudged),
        (2, 1, 1),
        "the file lacks item 2"
    );
    let o_1 = Counters::of(state(&results, "part", "t2i", "o_1"));
    assert_eq!(o_1.unjudged_by["unparsed"], 1);
    assert_eq!(
        kinds(&results),
        [
            (
                "missing-item".to_owned(),
                "part/t2i/structure/s_1.json#2".to_owned()
            ),
            ("not-a-number".to_owned(), "part/own/o_1.json".to_owned()),
            (
                "unknown-instance".to_owned(),
                "part/t2i/structure/s_11.json".to_owned()
            ),
        ]
    );
    let unknown = results
        .warnings
        .iter()
        .find(|w| w.kind == "unknown-instance")
        .unwrap();
    assert!(
        unknown.message.contains("nearest is `s_1`"),
        "{}",
        unknown.message
    );
    // good: structure (1 + 0)/2, own 1; edit's only verdict is missing.
    let table = uniform(&results, Policy::default());
    let good = &table.models[1];
    assert_eq!(good.tracks[0].score.as_ref().unwrap().value, 75.0);
    assert_eq!(good.tracks[1].score, None);
    assert!(!good.tracks[1].rankable);
    assert_eq!(good.average, None);
}

#[test]
fn without_a_suite_the_union_is_expected() {
    let (_dir, _suite, imported) = small();
    let results = to_results(&imported, None, DEFAULT).unwrap();
    assert!(results.warnings.iter().any(|w| w.kind == "no-suite"));
    assert_eq!(results.all_tracks.len(), 6);
    let missing = |model: &str, id: &str| {
        matches!(
            state(&results, model, "t2i", id),
            InstanceState::OutputFailed(_, 1)
        )
    };
    assert!(missing("good", "s_11") && missing("part", "s_2"));
}

/// A file that is like an earlier one but for its answers is not parsed; that must not show.
#[test]
fn files_beside_others_say_what_they_say_alone() {
    let item = |id: u32, answer: &str| {
        format!(
            r#"{{"id": {id}, "question": "q{id}?", "expected_answer": "Yes", "answer": {answer}}}"#
        )
    };
    let noted = |answer: &str| item(1, answer).replace("}", r#", "raw": "so it is"}"#);
    let files = [
        format!("[{}, {}]", item(1, r#""Yes""#), item(2, r#""No""#)),
        format!("[{}, {}]", item(1, r#""No""#), item(2, r#""N/A""#)),
        format!("[{}, {}]", item(1, r#"" yes.""#), item(2, r#""\u0059es""#)),
        format!("[{}, {}]", item(1, "true"), item(2, "null")),
        format!("[{}, {}]", item(1, r#""Yes""#), item(1, r#""No""#)),
        format!("[{}, {}]", item(1, r#""No""#), item(1, r#""No""#)),
        format!("[{},{}]", item(2, r#""Yes""#), item(1, r#""No""#)),
        format!("[{},{}]", item(2, r#""No""#), item(1, r#""Yes""#)),
        format!("[{}]", noted(r#""Yes""#)),
        format!("[{}]", noted(r#""No""#)),
        format!("[{}]", item(1, "NaN")),
        format!(
            "[{}, {}]",
            item(1, r#""Yes""#),
            r#"{"id": 2, "expected_answer": "No"}"#
        ),
        format!(
            "[{}, {}]",
            item(1, r#""No""#),
            r#"{"id": 2, "expected_answer": "No"}"#
        ),
        "[]".to_owned(),
    ];
    let (together, suite) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    small_suite(suite.path());
    let suite = load(suite.path()).unwrap().suite;
    for (place, file) in files.iter().enumerate() {
        let name = format!("eval/t2i/results/m{place:02}/structure/s_1.json");
        put(together.path(), &name, file);
    }
    for (suite, reader) in [(None, DEFAULT), (None, PUBLISHED), (Some(&suite), DEFAULT)] {
        let options = ResultOptions {
            records: false,
            ..reader
        };
        let read = |root: &Path| to_results(&list_tree(root, None).unwrap(), suite, options);
        let all = read(together.path()).unwrap();
        assert_eq!(all.models.len(), files.len());
        for (place, model) in all.models.iter().enumerate() {
            let alone = tempfile::tempdir().unwrap();
            let name = format!("eval/t2i/results/{}/structure/s_1.json", model.model);
            put(alone.path(), &name, &files[place]);
            let alone = read(alone.path()).unwrap();
            assert_eq!(alone.models[0], *model, "{}", files[place]);
        }
    }
}

#[test]
fn records_and_raw_answers_are_kept() {
    let (_dir, suite, imported) = small();
    let results = to_results(&imported, Some(&suite), DEFAULT).unwrap();
    let InstanceState::Generated(specs) = state(&results, "good", "t2i", "s_1") else {
        panic!()
    };
    assert_eq!(specs[1].provenance.raw_answer, Some(json!("no")));
    assert_eq!(specs[1].verdict(), Some(YesNo::No));
    let record = specs[1].spec.record.fields();
    let keys: Vec<_> = record.keys().collect();
    assert_eq!(keys.last().unwrap().as_str(), "answer");
    // Scores alone need no records, and an export says that it does.
    let lean = verispec_suites::specv::import::ResultOptions {
        records: false,
        ..DEFAULT
    };
    let lean = to_results(&imported, Some(&suite), lean).unwrap();
    let table = |r: &Results| uniform(r, Policy::default()).models;
    assert_eq!(table(&lean), table(&results));
    let target = tempfile::tempdir().unwrap();
    let options = ExportOptions { unjudged_na: true };
    let error = export(&lean, Policy::default(), target.path(), options).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("record of a specification was not kept"),
        "{error}"
    );
}

#[test]
fn every_way_to_name_a_tree() {
    let (dir, _suite, whole) = small();
    let root = dir.path();
    let eval = import_tree(&root.join("eval"), None).unwrap();
    assert_eq!(eval.entries, whole.entries);
    let t2i = || {
        whole
            .entries
            .iter()
            .filter(|e| e.track == "t2i")
            .cloned()
            .collect::<Vec<_>>()
    };
    for (path, track) in [
        ("eval/t2i/results", None),
        ("eval/t2i", None),
        ("", Some("t2i")),
        ("eval", Some("t2i")),
        ("eval/t2i/results", Some("t2i")),
    ] {
        let one = import_tree(&root.join(path), track).unwrap();
        assert_eq!(one.entries, t2i(), "{path} {track:?}");
        assert_eq!(one.tracks, ["t2i"]);
    }
    let copy = root.join("elsewhere/results");
    put(&copy, "m/composition/a.json", "[]");
    let error = import_tree(&copy, None).unwrap_err().to_string();
    assert!(error.contains("which track"), "{error}");
    assert_eq!(import_tree(&copy, Some("t2i")).unwrap().entries.len(), 1);
}

#[test]
fn a_stored_import_reads_back_equal() {
    let (dir, _suite, imported) = small();
    let path = write_imported(dir.path(), &imported).unwrap();
    assert_eq!(read_imported(dir.path()).unwrap(), imported);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 1 + imported.entries.len());
    assert!(text.starts_with("{\"format\":1,\"kind\":\"specv-results\",\"suite\":\"specv\""));
    // Verdicts are plain JSON for other tools, not text inside text.
    let line: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert!(line["items"].is_array());

    std::fs::write(&path, text.replace("\"format\":1", "\"format\":9")).unwrap();
    let error = read_imported(dir.path()).unwrap_err().to_string();
    assert!(error.contains(":1: format 9 is not known"), "{error}");
    std::fs::write(&path, &text[..text.len() - 9]).unwrap();
    let error = read_imported(dir.path()).unwrap_err().to_string();
    assert!(
        error.contains(&format!(":{}: ", 1 + imported.entries.len())),
        "{error}"
    );
}

#[test]
fn an_exported_tree_imports_equal() {
    let (_dir, suite, imported) = small();
    let results = to_results(&imported, Some(&suite), PUBLISHED).unwrap();
    let target = tempfile::tempdir().unwrap();
    let options = ExportOptions { unjudged_na: true };
    export(&results, Policy::default(), target.path(), options).unwrap();
    let again = import_tree(target.path(), None).unwrap();
    let again = to_results(&again, Some(&suite), PUBLISHED).unwrap();
    assert_eq!(again.models, results.models);
}

/// A run's own results: verdicts in the release's spelling, unjudged as `N/A`.
#[test]
fn own_verdicts_are_exported_in_the_release_s_spelling() {
    let dir = tempfile::tempdir().unwrap();
    small_suite(dir.path());
    let suite = load(dir.path()).unwrap().suite;
    let rule = |i: &verispec_model::Instance, s: &verispec_model::Specification| match (
        i.id.as_str(),
        s.id,
    ) {
        ("s_1", 2) => Some(Reading::Unjudged(Unjudged::Abstained)),
        ("o_1", _) => None,
        _ => Some(Reading::yes_no(YesNo::Yes)),
    };
    let mut results = answered_by(&suite, &[("m", &rule)]);
    let spec = |results: &mut Results, index: usize, raw: Value| {
        let InstanceState::Generated(specs) =
            &mut results.models[0].tracks[0].dimensions[0].instances[0].state
        else {
            panic!()
        };
        specs[index].provenance.raw_answer = Some(raw);
    };
    spec(&mut results, 0, json!("yes"));
    spec(&mut results, 1, json!("Yes"));
    let target = tempfile::tempdir().unwrap();
    let refused = export(
        &results,
        Policy::default(),
        target.path(),
        ExportOptions::default(),
    );
    let error = refused.unwrap_err().to_string();
    assert!(
        error.contains("1 specifications are unjudged and 1 pending"),
        "{error}"
    );
    let options = ExportOptions { unjudged_na: true };
    let report = export(&results, Policy::default(), target.path(), options).unwrap();
    assert_eq!((report.written_na, report.result_files), (2, 4));
    let read = |name: &str| -> Value {
        let path = target.path().join("eval/t2i").join(name);
        serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
    };
    let s_1 = read("results/m/structure/s_1.json");
    // An unjudged item whose raw answer reads as a verdict must not turn into one.
    assert_eq!(
        (&s_1[0]["answer"], &s_1[1]["answer"]),
        (&json!("Yes"), &json!("N/A"))
    );
    assert_eq!(read("results/m/own/o_1.json")[0]["answer"], "N/A");
    assert_eq!(read("scores/m/own.json")["questions"][0]["score"], 0.0);
    assert_eq!(
        read("scores/m/structure.json")["questions"][0],
        json!({
            "question_id": "s_1", "score": 50.0, "correct": 1, "total": 2
        })
    );
}

/// A table's verdicts: what was scored stands in the files, and a contradiction is no verdict.
#[test]
fn verdicts_of_tables_are_exported_in_the_release_s_spelling() {
    let text = r#"{"model":"m","track":"t2i","instance":"s_1","specification":1,"answer":"Yes"}
{"model":"m","track":"t2i","instance":"s_1","specification":1,"answer":"No"}
{"model":"m","track":"t2i","instance":"s_1","specification":2,"answer":false,"raw":"no"}
{"model":"m","track":"t2i","instance":"s_2","specification":1,"answer":" yes."}
"#;
    let (_dir, path, suite) = table("v.jsonl", text);
    let verdicts = import_verdicts(&path, &suite, VerdictOptions::default()).unwrap();
    let kept = verispec_suites::specv::import::ResultOptions {
        records: true,
        ..DEFAULT
    };
    let results = to_results(&verdicts.imported, Some(&suite), kept).unwrap();
    let target = tempfile::tempdir().unwrap();
    let options = ExportOptions { unjudged_na: true };
    export(&results, Policy::default(), target.path(), options).unwrap();
    let answers = |file: &str| -> Vec<Value> {
        let path = target.path().join("eval/t2i/results/m").join(file);
        let items: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let items = items.as_array().unwrap().iter();
        items.map(|item| item["answer"].clone()).collect()
    };
    assert_eq!(answers("structure/s_1.json"), ["N/A", "No"]);
    assert_eq!(answers("structure/s_2.json"), ["Yes"]);
}

/// A checklist's own field `answer` is no verdict.
#[test]
fn an_answer_in_a_checklist_is_not_exported() {
    let dir = tempfile::tempdir().unwrap();
    small_suite(dir.path());
    let items = json!([answered(1, "CAT?", "Yes", json!("Yes"))]);
    put(
        dir.path(),
        "eval_checklist/t2i/own/o_1.json",
        items.to_string(),
    );
    let suite = load(dir.path()).unwrap().suite;
    let no = verispec_suites::specv::always(YesNo::No);
    let results = answered_by(&suite, &[("m", &no)]);
    let target = tempfile::tempdir().unwrap();
    let options = ExportOptions::default();
    export(&results, Policy::default(), target.path(), options).unwrap();
    let path = target.path().join("eval/t2i/results/m/own/o_1.json");
    let items: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert_eq!(items[0]["answer"], "No");
}

/// A file that nobody can read is a gap with bounds, not an instance less.
#[test]
fn a_broken_file_leaves_its_specifications_unjudged() {
    let dir = tempfile::tempdir().unwrap();
    small_suite(dir.path());
    small_tree(dir.path());
    let broken = "eval/t2i/results/good/structure/s_1.json";
    put(dir.path(), broken, "[{\"id\":");
    let suite = load(dir.path()).unwrap().suite;
    let imported = import_tree(dir.path(), None).unwrap();
    let results = to_results(&imported, Some(&suite), DEFAULT).unwrap();
    let s_1 = Counters::of(state(&results, "good", "t2i", "s_1"));
    assert_eq!((s_1.generated, s_1.unjudged, s_1.unjudgeable), (2, 2, 0));
    let score = &uniform(&results, Policy::default()).models[1].tracks[0].dimensions[0];
    let score = score.score.as_ref().unwrap();
    assert_eq!((score.low, score.value, score.high), (0.0, 0.0, 50.0));

    let alone = to_results(&imported, None, DEFAULT).unwrap();
    let s_1 = Counters::of(state(&alone, "good", "t2i", "s_1"));
    assert_eq!(
        (s_1.expected, s_1.unjudgeable),
        (1, 1),
        "as many as `part` has"
    );
}

#[test]
fn names_that_leave_the_folder_are_not_written() {
    let dir = tempfile::tempdir().unwrap();
    small_suite(dir.path());
    let suite = load(dir.path()).unwrap().suite;
    let yes = verispec_suites::specv::always(YesNo::Yes);
    let results = answered_by(&suite, &[("../m", &yes)]);
    let error = export(
        &results,
        Policy::default(),
        dir.path(),
        ExportOptions::default(),
    );
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("model \"../m\" cannot be a folder name")
    );
}

fn table(name: &str, text: &str) -> (tempfile::TempDir, std::path::PathBuf, Suite) {
    let dir = tempfile::tempdir().unwrap();
    small_suite(dir.path());
    put(dir.path(), name, text);
    let suite = load(dir.path()).unwrap().suite;
    let path = dir.path().join(name);
    (dir, path, suite)
}

#[test]
fn verdicts_as_jsonl_and_csv() {
    let jsonl = r#"{"model":"m","track":"t2i","instance":"s_1","specification":1,"answer":"yes","judge":"j","raw":"Yes, two."}
{"model":"m","track":"t2i","instance":"s_1","specification":"2","answer":false,"judge":"j"}

{"model":"m","track":"t2i","instance":"o_1","specification":1,"answer":"No","judge":"j"}
"#;
    let csv = "model,track,instance,specification,answer,judge,raw\n\
               m,t2i,s_1,1,yes,j,\"Yes, two.\"\nm,t2i,s_1,2,false,j,\nm,t2i,o_1,1,No,j,\n";
    let mut seen = vec![];
    for (name, text) in [("v.jsonl", jsonl), ("v.csv", csv)] {
        let (_dir, path, suite) = table(name, text);
        let verdicts = import_verdicts(&path, &suite, VerdictOptions::default()).unwrap();
        assert_eq!(
            (verdicts.matched, verdicts.unmatched.len()),
            (3, 0),
            "{name}"
        );
        let results = to_results(&verdicts.imported, Some(&suite), DEFAULT).unwrap();
        let InstanceState::Generated(specs) = state(&results, "m", "t2i", "s_1") else {
            panic!()
        };
        assert_eq!(specs[0].provenance.note.as_deref(), Some("Yes, two."));
        assert!(!specs[0].spec.record.fields().contains_key("judge"));
        assert_eq!(
            specs[0].spec.record.fields()["score"],
            9.0,
            "the suite's record"
        );
        // Nothing is said about s_2: pending, not a missing output.
        let s_2 = Counters::of(state(&results, "m", "t2i", "s_2"));
        assert_eq!((s_2.pending, s_2.output_failed), (1, 0));
        let score = uniform(&results, Policy::default());
        let track = &score.models[0].tracks[0];
        assert_eq!(track.score.as_ref().unwrap().value, 50.0);
        assert!(!track.rankable);
        seen.push(score.models);
        let run = tempfile::tempdir().unwrap();
        write_imported(run.path(), &verdicts.imported).unwrap();
        assert_eq!(read_imported(run.path()).unwrap(), verdicts.imported);
    }
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn unmatched_rows_are_listed_with_what_was_probably_meant() {
    let text = r#"{"model":"m","track":"t2i","instance":"s_1","specification":1,"answer":"Yes","extra":0}
{"model":"m","track":"t2l","instance":"s_1","specification":1,"answer":"Yes"}
{"model":"m","track":"t2i","instance":"S-2","specification":1,"answer":"Yes"}
{"model":"m","track":"t2i","instance":"s_1","specification":7,"answer":"Yes"}
{"model":"m","track":"t2i","instance":"s_1","answer":"Yes"}
{"model":"m",
[1]
{"model":"m","track":"t2i","instance":"s_1","specification":1,"answer":"yes"}
{"model":"m","track":"t2i","instance":"s_1","specification":1,"answer":"No"}
"#;
    let (_dir, path, suite) = table("v.jsonl", text);
    let verdicts = import_verdicts(&path, &suite, VerdictOptions::default()).unwrap();
    let listed: Vec<(usize, &str, Option<&str>)> = verdicts
        .unmatched
        .iter()
        .map(|u| (u.row, u.why.as_str(), u.nearest.as_deref()))
        .collect();
    assert_eq!(listed[0], (2, "no track `t2l`", Some("t2i")));
    assert_eq!(
        listed[1],
        (3, "no instance `S-2` in track `t2i`", Some("s_2"))
    );
    assert_eq!(
        listed[2],
        (4, "no specification `7` in `s_1`, which has 2", None)
    );
    assert_eq!(listed[3], (5, "field `specification`: missing", None));
    assert_eq!(listed[4].0, 6);
    assert_eq!(listed[5], (7, "expected an object, got an array", None));
    assert_eq!(verdicts.matched, 3);
    assert_eq!(verdicts.duplicates, [(8, 1), (9, 1)]);
    assert_eq!(verdicts.imported.warnings[0].kind, "unknown-column");
    let results = to_results(&verdicts.imported, Some(&suite), DEFAULT).unwrap();
    let InstanceState::Generated(specs) = state(&results, "m", "t2i", "s_1") else {
        panic!()
    };
    assert_eq!(
        specs[0].reading,
        Some(Reading::Unjudged(Unjudged::Conflict))
    );
    assert_eq!(specs[1].reading, None);
}

#[test]
fn wrong_columns_and_several_judges_are_errors() {
    let fails = |name: &str, text: &str, judge: Option<&str>| {
        let (_dir, path, suite) = table(name, text);
        import_verdicts(&path, &suite, VerdictOptions { judge })
            .unwrap_err()
            .to_string()
    };
    let error = fails("v.csv", "model,track,id,answer\nm,t2i,s_1,Yes\n", None);
    assert!(
        error.contains("missing columns instance, specification; found model, track, id, answer"),
        "{error}"
    );
    let error = fails("v.jsonl", "", None);
    assert!(
        error.contains("missing columns") && error.contains("found none"),
        "{error}"
    );
    let two =
        "model,track,instance,specification,answer,judge\nm,t2i,s_1,1,Yes,a\nm,t2i,s_1,1,No,b\n";
    let error = fails("v.csv", two, None);
    assert!(
        error.contains("verdicts of 2 judges (a, b); choose one"),
        "{error}"
    );
    assert!(fails("v.csv", two, Some("c")).contains("no verdict of judge \"c\"; it holds a, b"));
    let (_dir, path, suite) = table("v.csv", two);
    let verdicts = import_verdicts(&path, &suite, VerdictOptions { judge: Some("b") }).unwrap();
    assert_eq!((verdicts.matched, verdicts.duplicates.len()), (1, 0));
    // A row with too few fields is that row's fault.
    let (_dir, path, suite) = table(
        "v.csv",
        "model,track,instance,specification,answer\nm,t2i\n",
    );
    let verdicts = import_verdicts(&path, &suite, VerdictOptions::default()).unwrap();
    assert_eq!(verdicts.unmatched[0].why, "2 fields; the header has 5");
    assert_eq!(verdicts.unmatched[0].row, 2);
}

/// All 1,200 released checklists as a tree: import, store, export and import again agree.
#[test]
fn the_released_checklists_survive_the_whole_way() {
    let Some(loaded) = released() else { return };
    let expected = |_: &verispec_model::Instance, s: &verispec_model::Specification| {
        Some(Reading::yes_no(s.expected))
    };
    let results = answered_by(&loaded.suite, &[("oracle", &expected)]);
    let dir = tempfile::tempdir().unwrap();
    let report = export(
        &results,
        Policy::default(),
        dir.path(),
        ExportOptions::default(),
    )
    .unwrap();
    assert_eq!((report.result_files, report.written_na), (1200, 0));
    let imported = import_tree(dir.path(), None).unwrap();
    write_imported(dir.path(), &imported).unwrap();
    let stored = read_imported(dir.path()).unwrap();
    assert_eq!(stored, imported);
    for options in [DEFAULT, PUBLISHED] {
        let again = to_results(&stored, Some(&loaded.suite), options).unwrap();
        assert!(again.warnings.is_empty(), "{:?}", again.warnings.first());
        let table = uniform(&again, Policy::default());
        assert_eq!(table.models[0].average.as_ref().unwrap().value, 100.0);
    }
}

proptest! {
    /// Whatever a result file holds, an import ends, and a file is either read or broken.
    #[test]
    fn any_text_is_read_or_broken(text in "[\\[\\]{}\":,a-zA-Z0-9 \n.]{0,60}") {
        let dir = tempfile::tempdir().unwrap();
        put(dir.path(), "eval/t2i/results/m/composition/a.json", &text);
        let imported = import_tree(dir.path(), None).unwrap();
        let entry = &imported.entries[0];
        prop_assert!(entry.items.is_some() != entry.broken.is_some());
        to_results(&imported, None, DEFAULT).unwrap();
    }
}
