//! `verispec demo`, with and without weights.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use verispec_testkit::data::require_or_skip;

use crate::support::{json_of, run, text, verispec};

/// `(model, instance, specification, kind)` of every fault drawn into the demo's outputs.
fn planned() -> BTreeSet<(String, String, u64, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo/planned_faults.json");
    let faults: Value = serde_json::from_slice(&std::fs::read(path).expect("file")).expect("json");
    let field = |f: &Value, name: &str| f[name].as_str().expect(name).to_owned();
    let fault = |f: &Value| {
        (
            field(f, "model"),
            field(f, "id"),
            f["spec"].as_u64().expect("spec"),
            field(f, "kind"),
        )
    };
    faults.as_array().expect("list").iter().map(fault).collect()
}

/// What a demo run in a folder found unmet, and its coverage.
fn demo(dir: &Path, weights: Option<&Path>) -> (BTreeSet<(String, String, u64)>, f64) {
    let nowhere = dir.join("no-weights");
    let mut command = verispec(dir);
    command
        .env("VERISPEC_MODELS", weights.unwrap_or(&nowhere))
        .args(["demo", "--out", "d"]);
    let output = command.output().expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(
        shown.contains("coverage") && shown.contains("rank"),
        "{shown}"
    );
    assert_eq!(
        weights.is_none(),
        text(&output.stderr).contains("models install")
    );
    let mut csv = verispec(dir);
    // What is installed is part of who the judge is.
    let name = match weights {
        Some(dir) if verispec_vision::detector_installed(dir) => {
            format!("demo-with-ocr-{}", verispec_vision::DETECTOR_NAME)
        }
        Some(_) => "demo-with-ocr".to_owned(),
        None => "demo-without-ocr".to_owned(),
    };
    let args = ["--runs", "d/runs", "score", &name, "--verdicts"];
    let csv = csv
        .env("VERISPEC_MODELS", weights.unwrap_or(&nowhere))
        .args(args)
        .output();
    let table = text(&csv.expect("the program starts").stdout);
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let headers = reader.headers().expect("headers").clone();
    let at = |name: &str| headers.iter().position(|h| h == name).expect("column");
    let (mut unmet, mut all, mut judged) = (BTreeSet::new(), 0.0, 0.0);
    for row in reader.records() {
        let row = row.expect("row");
        all += 1.0;
        judged += f64::from(u8::from(["met", "unmet"].contains(&&row[at("state")])));
        if &row[at("state")] == "unmet" {
            let spec = row[at("specification")].parse().expect("number");
            unmet.insert((
                row[at("model")].to_owned(),
                row[at("instance")].to_owned(),
                spec,
            ));
        }
    }
    assert!(all >= 3.0 * 70.0, "{all} specifications over three models");
    (unmet, judged / all)
}

fn without_kind(
    faults: &BTreeSet<(String, String, u64, String)>,
    kinds: &[&str],
) -> BTreeSet<(String, String, u64)> {
    let wanted = faults.iter().filter(|f| kinds.contains(&f.3.as_str()));
    wanted
        .map(|(m, i, s, _)| (m.clone(), i.clone(), *s))
        .collect()
}

#[test]
fn without_weights_count_and_colour_faults_are_found_and_nothing_else() {
    let dir = tempfile::tempdir().expect("folder");
    let (unmet, coverage) = demo(dir.path(), None);
    assert_eq!(unmet, without_kind(&planned(), &["count", "colour"]));
    assert!(coverage >= 0.6, "{coverage}");
}

/// In the order of the README: first without weights, then in the same folder with them.
#[test]
fn with_weights_every_planned_fault_is_found_and_nothing_else() {
    let weights = std::env::var_os("VERISPEC_MODELS").map(std::path::PathBuf::from);
    let why = "VERISPEC_MODELS names no folder with weights (verispec models install)";
    let Some(weights) = require_or_skip(weights.filter(|w| w.is_dir()), why) else {
        return;
    };
    let dir = tempfile::tempdir().expect("folder");
    demo(dir.path(), None);
    let (unmet, coverage) = demo(dir.path(), Some(&weights));
    assert_eq!(
        unmet,
        without_kind(&planned(), &["count", "colour", "text"])
    );
    assert!(coverage >= 0.9, "{coverage}");
}

#[test]
fn the_demo_suite_is_ours_and_large_enough() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/demo");
    let dir = tempfile::tempdir().expect("folder");
    let inspection = json_of(
        dir.path(),
        &["suite", "inspect", "specv", "--data", suite],
        0,
    );
    assert!(inspection["total"]["instances"].as_u64().expect("n") >= 12);
    assert!(inspection["total"]["specifications"].as_u64().expect("n") >= 70);
    let help = run(dir.path(), &["demo", "--help"]);
    assert_eq!(help.status.code(), Some(0));
}
