//! The builtin judge on the demo suite: every planned fault is unmet, and nothing else is.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use verispec_model::Hash;
use verispec_vision::{Builtin, Verdict};

type Fault = (String, String, u64);

fn demo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../verispec/demo")
}

fn json(path: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let mut out: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    out.sort();
    out
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// Planned faults of the given kinds.
fn planned(kinds: &[&str]) -> BTreeSet<Fault> {
    let list = json(&demo().join("planned_faults.json"));
    let text = |v: &serde_json::Value| v.as_str().unwrap().to_owned();
    list.as_array()
        .unwrap()
        .iter()
        .filter(|f| kinds.contains(&f["kind"].as_str().unwrap()))
        .map(|f| {
            (
                text(&f["model"]),
                text(&f["id"]),
                f["spec"].as_u64().unwrap(),
            )
        })
        .collect()
}

/// What the judge makes of the demo.
struct Outcome {
    unmet: BTreeSet<Fault>,
    /// Text specifications that got an answer.
    text_judged: usize,
    judged: usize,
    total: usize,
    /// Abstentions and unmet specifications, for the reader of a failure.
    log: String,
}

fn run(judge: &Builtin) -> Outcome {
    let mut out = Outcome {
        unmet: BTreeSet::new(),
        text_judged: 0,
        judged: 0,
        total: 0,
        log: String::new(),
    };
    let checklists: Vec<PathBuf> = files(&demo().join("eval_checklist/t2i"))
        .iter()
        .flat_map(|d| files(d))
        .collect();
    assert!(checklists.len() >= 12, "the demo has at least 12 tasks");
    for model in files(&demo().join("model_outputs/t2i")) {
        for checklist in &checklists {
            let id = name(checklist);
            let bytes = std::fs::read(model.join(format!("{id}.png"))).unwrap();
            for spec in json(checklist).as_array().unwrap() {
                let question = spec["question"].as_str().unwrap();
                let answer = judge.answer(&bytes, Hash::of(&bytes), question).unwrap();
                out.total += 1;
                if answer.verdict == Verdict::Abstain {
                    out.log += &format!("{} {id}: {question} -> {}\n", name(&model), answer.why);
                    continue;
                }
                out.judged += 1;
                out.text_judged += usize::from(spec["category"] == "Text Rendering");
                if answer.verdict.as_str() != spec["expected_answer"] {
                    out.log += &format!(
                        "unmet: {} {id}: {question} -> {}\n",
                        name(&model),
                        answer.why
                    );
                    out.unmet
                        .insert((name(&model), id.clone(), spec["id"].as_u64().unwrap()));
                }
            }
        }
    }
    assert!(
        out.total >= 3 * 70,
        "the demo has at least 70 specifications"
    );
    out
}

#[test]
fn without_weights_every_planned_count_and_colour_fault_is_found() {
    let out = run(&Builtin::new(None).unwrap());
    assert_eq!(out.unmet, planned(&["count", "colour"]), "{}", out.log);
    assert_eq!(out.text_judged, 0, "text cannot be judged without weights");
    let coverage = out.judged as f64 / out.total as f64;
    assert!(coverage >= 0.6, "coverage {coverage:.3}");
    eprintln!("coverage {coverage:.3}, {} of {}", out.judged, out.total);
}

#[test]
fn with_weights_every_planned_fault_is_found() {
    let Some(weights) = std::env::var_os("VERISPEC_MODELS").map(PathBuf::from) else {
        let required = std::env::var("VERISPEC_REQUIRE_DATA").is_ok_and(|v| v == "1");
        assert!(
            !required,
            "VERISPEC_MODELS is not set: no weights to test with"
        );
        eprintln!("skipped: VERISPEC_MODELS is not set, no weights to test with");
        return;
    };
    let judge = Builtin::new(Some(&weights)).unwrap();
    let out = run(&judge);
    assert_eq!(
        out.unmet,
        planned(&["text", "count", "colour"]),
        "{}",
        out.log
    );
    let coverage = out.judged as f64 / out.total as f64;
    assert!(coverage >= 0.9, "coverage {coverage:.3}");
    eprintln!("coverage {coverage:.3}, {} of {}", out.judged, out.total);
}

#[test]
fn the_plan_names_every_kind_of_fault_for_two_models() {
    let all = planned(&["text", "count", "colour"]);
    let list = json(&demo().join("planned_faults.json"));
    assert_eq!(all.len(), list.as_array().unwrap().len());
    for kind in ["text", "count", "colour"] {
        let models: BTreeSet<String> = planned(&[kind]).into_iter().map(|f| f.0).collect();
        assert_eq!(
            models.into_iter().collect::<Vec<_>>(),
            ["careless", "hasty"],
            "{kind}"
        );
    }
}
