//! The `score_*.json` fixtures: import, scoring `board` under both sums, and export, compared
//! byte for byte with what Python wrote.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use verispec_model::Results;
use verispec_model::score::{Policy, SumRule, uniform};
use verispec_suites::specv::board;
use verispec_suites::specv::export::{ExportError, ExportOptions, export};
use verispec_suites::specv::import::{
    ImportReader, Imported, ResultOptions, import_tree, to_results,
};

use crate::common::{json_fixture, put};

const NAMES: [&str; 8] = [
    "edit_overall_tie",
    "empty_list",
    "many2one_ties",
    "no_models",
    "t2i_basic",
    "t2i_rounding",
    "think_weighted",
    "understanding_weighted",
];
const CRASHES: [&str; 4] = ["bad_json", "dict", "empty_file", "missing_answer"];

pub(crate) const PUBLISHED: ResultOptions = ResultOptions {
    reader: ImportReader::Published,
    records: true,
};
pub(crate) const DEFAULT: ResultOptions = ResultOptions {
    reader: ImportReader::Default,
    records: true,
};

/// Writes a fixture's results tree; gives its track.
fn write_tree(root: &Path, fixture: &Value) -> String {
    let track = fixture["track"].as_str().unwrap();
    let results = root.join("eval").join(track).join("results");
    fs::create_dir_all(&results).unwrap();
    for (model, dimensions) in fixture["results"].as_object().unwrap() {
        fs::create_dir_all(results.join(model)).unwrap();
        for (dimension, files) in dimensions.as_object().unwrap() {
            fs::create_dir_all(results.join(model).join(dimension)).unwrap();
            for (id, value) in files.as_object().unwrap() {
                // Texts are written as they are; values without the release's white space, so
                // that an equal export cannot be a copy.
                let text = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                put(&results, &format!("{model}/{dimension}/{id}.json"), text);
            }
        }
    }
    track.to_owned()
}

fn sums() -> [(&'static str, SumRule); 2] {
    [("3.11", SumRule::Plain), ("3.12", SumRule::Compensated)]
}

fn expected<'a>(fixture: &'a Value, python: &str) -> &'a Value {
    match fixture.get("expected_by_python") {
        Some(by_python) => &by_python[python],
        None => &fixture["expected"],
    }
}

fn hashes() -> Value {
    serde_json::from_str(include_str!("data/python_sha256.json")).unwrap()
}

/// All files below a folder by relative path.
fn files_below(root: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(folder: &Path, root: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, root, found);
            } else {
                let name = path
                    .strip_prefix(root)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    if root.is_dir() {
        walk(root, root, &mut found);
    }
    found
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn import(root: &Path) -> Imported {
    import_tree(root, None).unwrap()
}

fn published(root: &Path) -> Results {
    to_results(&import(root), None, PUBLISHED).unwrap()
}

#[test]
fn exported_trees_equal_pythons_bytes_under_both_sums() {
    let hashes = hashes();
    let (mut scores, mut results) = (0, 0);
    for name in NAMES {
        let Some(fixture) = json_fixture(&format!("score_{name}.json")) else {
            return;
        };
        let source = tempfile::tempdir().unwrap();
        let track = write_tree(source.path(), &fixture);
        for (python, sum) in sums() {
            let target = tempfile::tempdir().unwrap();
            let options = ExportOptions { unjudged_na: true };
            let policy = Policy::published(sum);
            export(&published(source.path()), policy, target.path(), options).unwrap();
            let eval = target.path().join("eval").join(&track);

            let written = files_below(&eval.join("scores"));
            let wanted = hashes[name]["scores"][python].as_object().unwrap();
            let names: Vec<&String> = written.keys().collect();
            let mut wanted_names: Vec<&String> = wanted.keys().collect();
            wanted_names.sort();
            assert_eq!(names, wanted_names, "{name} {python}");
            for (file, bytes) in &written {
                let value: Value = serde_json::from_slice(bytes).unwrap();
                assert_eq!(
                    value,
                    expected(&fixture, python)["scores"][file],
                    "{name} {file}"
                );
                assert_eq!(sha256(bytes), wanted[file], "{name} {python} scores/{file}");
                scores += 1;
            }

            let written = files_below(&eval.join("results"));
            for (file, hash) in hashes[name]["results"].as_object().unwrap() {
                if file.contains("not_a_dim") {
                    continue; // a folder that the released scripts do not read
                }
                assert_eq!(sha256(&written[file]), *hash, "{name} results/{file}");
                results += 1;
            }
        }
    }
    assert_eq!(
        (scores, results),
        (2 * (21 + 8 + 32 + 6 + 23 + 12 + 10 + 10), 2 * (114 - 1))
    );
}

/// Dimension and overall scores of one model, from a table.
fn scores_of(results: &Results, policy: Policy, model: &str) -> Vec<Option<f64>> {
    let table = board(results, policy);
    let model = table.models.iter().find(|m| m.model == model).unwrap();
    let track = &model.tracks[0];
    let dimensions = track
        .dimensions
        .iter()
        .map(|d| d.score.as_ref().map(|s| s.value));
    dimensions
        .chain([track.score.as_ref().map(|s| s.value)])
        .collect()
}

/// Files that the release dies of, each beside a healthy model.
#[test]
fn broken_files_are_errors_of_their_own() {
    for name in CRASHES {
        let Some(fixture) = json_fixture(&format!("score_crash_{name}.json")) else {
            return;
        };
        let dir = tempfile::tempdir().unwrap();
        write_tree(dir.path(), &fixture);
        let healthy = r#"[{"id":1,"expected_answer":"Yes","answer":"Yes"}]"#;
        let results = dir.path().join("eval/t2i/results");
        put(&results, "healthy/composition/a.json", healthy);
        put(&results, "m/composition/b.json", healthy);

        let imported = import(dir.path());
        let broken: Vec<&str> = imported.broken().collect();
        let missing_answer = name == "missing_answer";
        assert_eq!(
            broken.len(),
            usize::from(!missing_answer),
            "{name}: {broken:?}"
        );
        let message = broken.first().copied().unwrap_or_default();
        let expected = match name {
            "bad_json" => "m/composition/a.json:1:8: not valid JSON: EOF",
            "dict" => "m/composition/a.json:1:0: expected an array of items, got an object",
            "empty_file" => "m/composition/a.json:1:0: the file is empty",
            _ => "",
        };
        assert!(message.contains(expected), "{name}: {message}");

        for options in [DEFAULT, PUBLISHED] {
            let results = to_results(&imported, None, options).unwrap();
            let kind = if missing_answer {
                "no-answer"
            } else {
                "broken-file"
            };
            assert!(
                results.warnings.iter().any(|w| w.kind == kind),
                "{:?}",
                results.warnings
            );
            // The healthy model keeps its score, and the model with the fault that of its other
            // file; in the published rule an item without an answer counts as wrong.
            let policy = match options.reader {
                ImportReader::Published => Policy::published(SumRule::Plain),
                ImportReader::Default => Policy {
                    scoring: verispec_model::score::Scoring::Board,
                    ..Policy::default()
                },
            };
            let na = missing_answer && options.reader == ImportReader::Published;
            let of = |model: &str| scores_of(&results, policy, model)[0];
            assert_eq!(
                of("m"),
                Some(if na { 50.0 } else { 100.0 }),
                "{name} {options:?}"
            );
            assert_eq!(
                of("healthy"),
                // By default the healthy model lacks instance b, which m has.
                Some(if options.reader == ImportReader::Default {
                    50.0
                } else {
                    100.0
                }),
                "{name}"
            );
        }
    }
}

/// A model that nobody can judge has no number, under no policy.
#[test]
fn a_model_of_broken_files_only_has_no_score() {
    let Some(fixture) = json_fixture("score_crash_dict.json") else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    write_tree(dir.path(), &fixture);
    for options in [DEFAULT, PUBLISHED] {
        let results = to_results(&import(dir.path()), None, options).unwrap();
        let policy = Policy::published(SumRule::Plain);
        assert!(
            scores_of(&results, policy, "m").iter().all(Option::is_none),
            "{options:?}"
        );
    }
}

#[test]
fn nothing_to_import_is_an_error_by_default() {
    let Some(fixture) = json_fixture("score_no_models.json") else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    write_tree(dir.path(), &fixture);
    let imported = import(dir.path());
    assert!(
        to_results(&imported, None, DEFAULT)
            .unwrap_err()
            .to_string()
            .contains("no models")
    );
    assert!(
        to_results(&imported, None, PUBLISHED)
            .unwrap()
            .models
            .is_empty()
    );
    let nowhere = tempfile::tempdir().unwrap();
    let error = import_tree(nowhere.path(), None).unwrap_err().to_string();
    assert!(error.contains("no SpecV results here"), "{error}");
}

/// The release prints 0.0 for an empty list; by default nothing is known.
#[test]
fn an_empty_list_is_unjudged_by_default() {
    let Some(fixture) = json_fixture("score_empty_list.json") else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    write_tree(dir.path(), &fixture);
    let results = to_results(&import(dir.path()), None, DEFAULT).unwrap();
    assert!(results.warnings.iter().any(|w| w.kind == "empty-list"));
    let table = uniform(&results, Policy::default());
    assert_eq!(table.models[0].tracks[0].score, None);
    assert_eq!(scores_of(&results, Policy::default(), "m"), [None, None]);
}

/// A model with results in one dimension only leads the released ranking; by default what it
/// lacks counts as 0: three dimensions, and half of the fourth.
#[test]
fn only_one_dimension_is_not_ranked_first_by_default() {
    let Some(fixture) = json_fixture("score_many2one_ties.json") else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    write_tree(dir.path(), &fixture);
    let imported = import(dir.path());
    let best = |results: &Results, policy: Policy| {
        let table = board(results, policy);
        let value = |m: &verispec_model::score::ModelScore| {
            m.tracks[0].score.as_ref().map(|s| s.value).unwrap_or(-1.0)
        };
        let best = table
            .models
            .iter()
            .max_by(|a, b| value(a).total_cmp(&value(b)))
            .unwrap();
        (best.model.clone(), value(best))
    };
    let published = to_results(&imported, None, PUBLISHED).unwrap();
    let by_release = best(&published, Policy::published(SumRule::Plain));
    assert_eq!(by_release, ("only_one_dim".to_owned(), 90.0));
    let default = to_results(&imported, None, DEFAULT).unwrap();
    let (model, _) = best(&default, Policy::default());
    assert_ne!(model, "only_one_dim");
    assert_eq!(
        scores_of(&default, Policy::default(), "only_one_dim").last(),
        Some(&Some(11.25))
    );
}

/// The fixture's odd spellings all carry id 1, which the release does not look at.
fn with_own_ids(mut fixture: Value) -> Value {
    let items = &mut fixture["results"]["alpha"]["text_rendering"]["text_hard_001"];
    for (index, item) in items.as_array_mut().unwrap().iter_mut().enumerate() {
        item["id"] = (index + 1).into();
    }
    fixture
}

/// The row of odd spellings: eleven items, of which the release counts two as right.
#[test]
fn spellings_count_by_reader() {
    let Some(fixture) = json_fixture("score_t2i_basic.json") else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    write_tree(dir.path(), &with_own_ids(fixture));
    let imported = import(dir.path());
    let text = |options: ResultOptions, policy: Policy| {
        let results = to_results(&imported, None, options).unwrap();
        scores_of(&results, policy, "alpha")[3]
    };
    assert_eq!(
        text(PUBLISHED, Policy::published(SumRule::Plain)),
        Some(18.18)
    );
    // Yes, yes, YES, " Yes", "Yes.", true and No, no are met; null and two N/A are unjudged.
    assert_eq!(text(DEFAULT, Policy::default()), Some(100.0));
    let dim = |m: &verispec_model::ModelResults| {
        let all = m.tracks[0]
            .dimensions
            .iter()
            .find(|d| d.name == "text_rendering")
            .unwrap();
        verispec_model::score::Counters::of(&all.instances[0].state)
    };
    let results = to_results(&imported, None, DEFAULT).unwrap();
    let counters = dim(&results.models[0]);
    assert_eq!(
        (counters.met, counters.judged, counters.unjudged),
        (8, 8, 3)
    );
    // Folders without a file are no entry into a track by default.
    let names: Vec<&str> = results
        .models
        .iter()
        .filter(|m| !m.tracks.is_empty())
        .map(|m| m.model.as_str())
        .collect();
    assert_eq!(names, ["alpha", "beta", "epsilon_unknown_dim", "gamma"]);
}

#[test]
fn export_is_refused_while_verdicts_are_missing() {
    let Some(fixture) = json_fixture("score_t2i_basic.json") else {
        return;
    };
    let dir: TempDir = tempfile::tempdir().unwrap();
    write_tree(dir.path(), &with_own_ids(fixture));
    let target = tempfile::tempdir().unwrap();
    let results = to_results(&import(dir.path()), None, DEFAULT).unwrap();
    let refused = export(
        &results,
        Policy::default(),
        target.path(),
        ExportOptions::default(),
    );
    match refused.unwrap_err() {
        ExportError::Undecided { unjudged, pending } => assert_eq!((unjudged, pending), (3, 0)),
        other => panic!("{other}"),
    }
    assert!(files_below(target.path()).is_empty(), "nothing is written");
    let options = ExportOptions { unjudged_na: true };
    let report = export(&results, Policy::default(), target.path(), options).unwrap();
    assert_eq!(report.written_na, 3);
    assert!(report.result_files > 0 && report.score_files > 0);
    let again = export(&results, Policy::default(), target.path(), options).unwrap_err();
    assert!(matches!(again, ExportError::Exists { .. }), "{again}");
}
