//! Other tools' files in and out.

use std::path::Path;

use serde_json::Value;

use crate::support::{json_of, run, text, workplace, write};

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).expect("file");
    serde_json::from_str(&text).expect("json")
}

/// Two instances: one met by half, one wholly.
fn imported() -> tempfile::TempDir {
    let dir = workplace(2, 2);
    let rows = "model,track,instance,specification,answer\n\
                a,t2i,comp_000,1,Yes\na,t2i,comp_000,2,No\n\
                a,t2i,comp_001,1,Yes\na,t2i,comp_001,2,Yes\n";
    write(&dir.path().join("v.csv"), rows);
    let args = [
        "import", "verdicts", "v.csv", "--data", "suite", "--run", "v",
    ];
    json_of(dir.path(), &args, 0);
    dir
}

fn export(dir: &Path, format: &str) {
    let args = ["export", "v", "--out", format, "--format", format];
    json_of(dir, &args, 0);
}

#[test]
fn lm_eval_files_come_back_with_the_same_score() {
    let dir = imported();
    export(dir.path(), "lm-eval");
    let folder = dir.path().join("lm-eval/a");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("folder")
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names[0].ends_with("_results.json"), "{names:?}");
    assert!(names[1].ends_with("_samples_specv_t2i.jsonl"), "{names:?}");
    let results = read(&folder.join(&names[0]));
    assert_eq!(results["results"]["specv_t2i"]["score,none"], 0.75);
    assert_eq!(results["n-samples"]["specv_t2i"]["effective"], 2);
    let samples = format!("lm-eval/a/{}", names[1]);
    comes_back(dir.path(), "lmms-eval", &samples);
}

/// What was exported is imported again with its totals and scores.
fn comes_back(dir: &Path, format: &str, file: &str) {
    let args = ["import", format, file, "--run", "back"];
    let back = run(dir, &args);
    let message = text(&back.stderr);
    assert_eq!(back.status.code(), Some(0), "{message}");
    assert!(
        message.contains("2 agree with their rows, 0 differ"),
        "{message}"
    );
    let scores = json_of(dir, &["score", "back"], 0);
    let track = &scores["models"][0]["tracks"][0];
    assert_eq!(track["track"], "specv_t2i");
    assert_eq!(track["score"]["value"], 75.0);
}

#[test]
fn trackers_get_names_and_numbers() {
    let dir = imported();
    export(dir.path(), "mlflow");
    let body = read(&dir.path().join("mlflow/a.mlflow.json"));
    let metrics = body["metrics"].as_array().expect("metrics");
    let score = metrics
        .iter()
        .find(|m| m["key"] == "t2i/score")
        .expect("score");
    assert_eq!(score["value"], 75.0);
    assert!(score["timestamp"].as_u64().expect("moment") > 1_700_000_000_000);
    export(dir.path(), "wandb");
    let body = read(&dir.path().join("wandb/a.wandb.json"));
    assert_eq!(body["summary"]["t2i/coverage"], 100.0);
    assert_eq!(body["config"]["suite"], "specv");
    // The suite has one track.
    assert_eq!(body["summary"]["average"], 75.0);
}

/// The names of an object's fields.
fn fields(value: &Value) -> Vec<&str> {
    let object = value.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

#[test]
fn inspect_logs_have_its_shape_and_come_back_with_the_same_score() {
    let dir = imported();
    export(dir.path(), "inspect-ai");
    let folder = dir.path().join("inspect-ai/a");
    let names: Vec<String> = std::fs::read_dir(&folder)
        .expect("folder")
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    let [name] = names.as_slice() else {
        panic!("a file a track: {names:?}")
    };
    let log = read(&folder.join(name));
    // From the name inspect takes moment, task and id.
    let id = log["eval"]["task_id"].as_str().expect("text");
    assert!(name.ends_with(&format!("Z_specv-t2i_{id}.json")), "{name}");
    assert!(id.chars().all(char::is_alphanumeric), "{id}");
    // What `inspect_ai.log.read_eval_log` 0.3.285 was seen to take.
    assert_eq!(log["version"], 2);
    assert_eq!(log["status"], "success");
    let parts = [
        "version", "status", "eval", "plan", "results", "stats", "samples",
    ];
    let sorted = |mut names: Vec<&str>| {
        names.sort_unstable();
        names.join(" ")
    };
    assert_eq!(sorted(fields(&log)), sorted(parts.to_vec()));
    assert_eq!(
        sorted(fields(&log["eval"])),
        "config created dataset eval_id metadata model packages run_id task task_id task_version"
    );
    assert_eq!(log["eval"]["task"], "specv_t2i");
    assert_eq!(log["eval"]["model"], "a");
    let dataset = &log["eval"]["dataset"];
    assert_eq!(dataset["samples"], 2);
    assert_eq!(
        dataset["sample_ids"],
        serde_json::json!(["comp_000", "comp_001"])
    );
    let results = &log["results"];
    assert_eq!(
        (&results["total_samples"], &results["completed_samples"]),
        (&2.into(), &2.into())
    );
    let score = &results["scores"][0];
    assert_eq!(
        (&score["scored_samples"], &score["unscored_samples"]),
        (&2.into(), &0.into())
    );
    for (metric, value) in [("mean", 0.75), ("score", 0.75), ("coverage", 1.0)] {
        let expected = serde_json::json!({"name": metric, "value": value});
        assert_eq!(score["metrics"][metric], expected);
    }
    let sample = &log["samples"][0];
    assert_eq!(
        sorted(fields(sample)),
        "epoch id input messages metadata output scores target"
    );
    assert_eq!(
        (&sample["id"], &sample["epoch"]),
        (&"comp_000".into(), &1.into())
    );
    assert_eq!(sample["scores"]["verispec"]["value"], 0.5);
    let said = sample["scores"]["verispec"]["explanation"]
        .as_str()
        .expect("text");
    assert!(
        said.starts_with("1 met, 1 unmet, 0 without a verdict\nunmet: "),
        "{said}"
    );
    assert!(!sample["input"].as_str().expect("text").is_empty());
    assert_eq!(sample["metadata"]["specifications"][1]["met"], false);

    let file = format!("inspect-ai/a/{name}");
    comes_back(dir.path(), "inspect-ai", &file);
}

#[test]
fn an_instance_without_a_score_has_none_in_an_inspect_log() {
    let dir = workplace(2, 2);
    let rows = "model,track,instance,specification,answer\n\
                a,t2i,comp_000,1,Yes\na,t2i,comp_000,2,Yes\n\
                a,t2i,comp_001,1,\na,t2i,comp_001,2,\n";
    write(&dir.path().join("v.csv"), rows);
    let args = [
        "import", "verdicts", "v.csv", "--data", "suite", "--run", "v",
    ];
    json_of(dir.path(), &args, 0);
    export(dir.path(), "inspect-ai");
    let folder = std::fs::read_dir(dir.path().join("inspect-ai/a")).expect("folder");
    let log = read(&folder.flatten().next().expect("file").path());
    let score = &log["results"]["scores"][0];
    assert_eq!(
        (&score["scored_samples"], &score["unscored_samples"]),
        (&1.into(), &1.into())
    );
    assert_eq!(score["metrics"]["mean"]["value"], 1.0);
    assert!(fields(&log["samples"][1]["scores"]).is_empty(), "{log:#}");
}

#[test]
fn junit_has_a_case_an_instance() {
    let dir = imported();
    export(dir.path(), "junit");
    let xml = std::fs::read_to_string(dir.path().join("junit/a.junit.xml")).expect("file");
    assert!(xml.contains("tests=\"2\" failures=\"1\""), "{xml}");
    assert!(xml.contains("Is part 2 of scene 0 there?"), "{xml}");
}

#[test]
fn an_import_whose_totals_differ_is_kept_and_exits_3() {
    let dir = tempfile::tempdir().expect("folder");
    let result = |average: f64| {
        serde_json::json!({
            "tifa_average": average,
            "question_details": {
                "c1": {"is it red?": {"answer": "yes", "multiple_choice_vqa": "yes", "scores": 1,
                    "element_type": "color"}},
                "c2": {"is it big?": {"answer": "yes", "multiple_choice_vqa": "no", "scores": 0,
                    "element_type": "size"}},
            },
        })
    };
    write(&dir.path().join("m.json"), &result(0.5).to_string());
    json_of(dir.path(), &["import", "tifa", "m.json"], 0);
    let scores = json_of(dir.path(), &["score", "m"], 0);
    assert_eq!(scores["models"][0]["average"]["value"], 50.0);
    write(&dir.path().join("m.json"), &result(0.9).to_string());
    let output = run(dir.path(), &["import", "tifa", "m.json"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("0.9 stated, 0.5 found"));
    write(&dir.path().join("x.json"), "{\"scores\": 1}");
    let output = run(dir.path(), &["import", "tifa", "x.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("field `question_details`"));
    assert!(!dir.path().join("runs/x").exists());
}
