//! Results made elsewhere: import, score, rank, export.

use serde_json::{Value, json};
use verispec_testkit::data::{fixture, test_data};

use crate::support::{json_of, run, text, track, tree, workplace, write};

/// Writes a fixture's result tree as the release would have it.
fn write_results(root: &std::path::Path, fixture: &Value) {
    let track = fixture["track"].as_str().expect("track");
    for (model, dims) in fixture["results"].as_object().expect("results") {
        let folder = root.join("eval").join(track).join("results").join(model);
        std::fs::create_dir_all(&folder).expect("folder");
        for (dim, files) in dims.as_object().expect("dims") {
            std::fs::create_dir_all(folder.join(dim)).expect("folder");
            for (id, content) in files.as_object().expect("files") {
                let content = match content {
                    Value::String(raw) => raw.clone(),
                    value => value.to_string(),
                };
                write(&folder.join(dim).join(format!("{id}.json")), &content);
            }
        }
    }
}

#[test]
fn a_released_tree_scores_ranks_and_exports() {
    let Some(fixture) = fixture("score_many2one_ties.json") else {
        return;
    };
    let fixture: Value = serde_json::from_str(&fixture).expect("json");
    let dir = tempfile::tempdir().expect("folder");
    write_results(&dir.path().join("tree"), &fixture);
    json_of(
        dir.path(),
        &["import", "specv-results", "tree", "--run", "t"],
        0,
    );
    let preset = ["score", "t", "--preset", "published", "--sum", "plain"];
    let scores = json_of(dir.path(), &preset, 0);
    assert_eq!(scores["models"][0]["model"], "Beta");
    assert_eq!(track(&scores, "Beta", "many2one")["score"]["value"], 61.71);

    // The same numbers without an import, and nothing is stored.
    let preset = ["score", "tree", "--preset", "published", "--sum", "plain"];
    let direct = json_of(dir.path(), &preset, 0);
    assert_eq!(direct["models"], scores["models"]);
    assert!(!dir.path().join("runs/tree").exists());
    let out = run(dir.path(), &["score", "."]);
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stderr));
    assert!(
        text(&out.stderr).contains("neither a run"),
        "{}",
        text(&out.stderr)
    );

    // The model with a single dimension leads in the release; it is not comparable.
    let ranks = json_of(dir.path(), &["rank", "t", "--track", "many2one"], 0);
    let rows = ranks["ranks"][0]["rows"].as_array().expect("rows");
    assert!(
        rows.iter()
            .all(|r| r["model"] != "only_one_dim" || r["first"] != 1),
        "{rows:?}"
    );

    let out = run(dir.path(), &["export", "t", "--out", "x", "--sum", "plain"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let ranking = std::fs::read_to_string(
        dir.path()
            .join("x/eval/many2one/scores/overall_ranking.json"),
    );
    let ranking: Value = serde_json::from_str(&ranking.expect("ranking")).expect("json");
    assert_eq!(ranking[0]["model"], "only_one_dim");
    let was = tree(&dir.path().join("tree/eval/many2one/results"));
    let is = tree(&dir.path().join("x/eval/many2one/results"));
    assert_eq!(was.len(), is.len());
}

#[test]
fn a_broken_file_is_named_and_its_neighbours_keep_their_scores() {
    let dir = workplace(3, 2);
    let results = dir.path().join("tree/eval/t2i/results");
    let items = json!([{
        "id": 1, "question": "Is part 1 of scene 0 there?", "category": "c", "subcategory": "s",
        "expected_answer": "Yes", "score": 9.0, "answer": "Yes",
    }]);
    write(
        &results.join("good/composition/comp_000.json"),
        &items.to_string(),
    );
    write(&results.join("bad/composition/comp_000.json"), "{broken");
    let output = run(
        dir.path(),
        &["import", "specv-results", "tree", "--run", "t"],
    );
    assert_eq!(output.status.code(), Some(3));
    assert!(
        text(&output.stderr).contains("comp_000.json"),
        "{}",
        text(&output.stderr)
    );
    let scores = json_of(dir.path(), &["score", "t"], 0);
    assert_eq!(track(&scores, "good", "t2i")["score"]["value"], 100.0);
}

#[test]
fn verdicts_come_in_by_jsonl_or_csv_and_unmatched_rows_are_listed() {
    let dir = workplace(2, 2);
    let rows = "model,track,instance,specification,answer\n\
                a,t2i,comp_000,1,Yes\na,t2i,comp_000,2,no\na,t2i,comp_001,1,Yes\n\
                a,t2i,comp_01,2,Yes\n";
    std::fs::write(dir.path().join("v.csv"), rows).expect("file");
    let args = [
        "import", "verdicts", "v.csv", "--data", "suite", "--run", "v",
    ];
    let output = run(dir.path(), &args);
    assert_eq!(output.status.code(), Some(3));
    let message = text(&output.stderr);
    assert!(
        message.contains("line 5") && message.contains("comp_001"),
        "{message}"
    );
    let scores = json_of(dir.path(), &["score", "v"], 0);
    let track = track(&scores, "a", "t2i");
    // comp_000: 1 of 2 met; comp_001: its second verdict is pending.
    assert_eq!(track["score"]["value"], 75.0);
    assert_eq!(track["counters"]["pending"], 1);
    let export = run(dir.path(), &["export", "v", "--out", "x"]);
    assert_eq!(export.status.code(), Some(1));
    assert!(
        text(&export.stderr).contains("1 pending"),
        "{}",
        text(&export.stderr)
    );
}

#[test]
fn published_rows_stand_beside_board_scores() {
    let Some(root) = test_data() else { return };
    let data = root.join("data/SpecV");
    let dir = tempfile::tempdir().expect("folder");
    let rows = "{\"model\":\"nano_banana\",\"track\":\"t2i\",\"instance\":\"comp_hard_001\",\
                \"specification\":1,\"answer\":\"Yes\"}\n";
    std::fs::write(dir.path().join("v.jsonl"), rows).expect("file");
    let data = data.to_str().expect("path");
    json_of(
        dir.path(),
        &[
            "import", "verdicts", "v.jsonl", "--data", data, "--run", "v",
        ],
        0,
    );
    let ranks = json_of(
        dir.path(),
        &["rank", "v", "--with-published", "--track", "t2i"],
        0,
    );
    let rows = ranks["ranks"][0]["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 14);
    assert_eq!(rows[0]["model"], "Nano Banana 2");
    let shown = text(&run(dir.path(), &["rank", "v", "--with-published"]).stdout);
    assert!(
        shown.contains("scoring=board") && shown.contains("81.77"),
        "{shown}"
    );
}

#[test]
fn a_suite_that_changed_since_an_import_is_told() {
    let dir = workplace(2, 2);
    let row =
        r#"{"model":"m","track":"t2i","instance":"comp_000","specification":1,"answer":"Yes"}"#;
    write(&dir.path().join("v.jsonl"), row);
    let import = [
        "import", "verdicts", "v.jsonl", "--data", "suite", "--run", "v",
    ];
    json_of(dir.path(), &import, 0);
    let warned = || text(&run(dir.path(), &["score", "v"]).stderr).contains("suite-changed");
    assert!(!warned());
    let list = dir
        .path()
        .join("suite/eval_checklist/t2i/composition/comp_001.json");
    let items = std::fs::read_to_string(&list).expect("list");
    std::fs::write(&list, items.replace("there?", "here?")).expect("list");
    assert!(warned());
}
