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
    let args = ["import", "lmms-eval", &samples, "--run", "back"];
    let back = run(dir.path(), &args);
    let message = text(&back.stderr);
    assert_eq!(back.status.code(), Some(0), "{message}");
    assert!(
        message.contains("2 agree with their rows, 0 differ"),
        "{message}"
    );
    let scores = json_of(dir.path(), &["score", "back"], 0);
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
