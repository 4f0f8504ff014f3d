//! A whole run, its tables, its page, and recall.
#![cfg(unix)]

use std::collections::HashSet;

use serde_json::Value;
use verispec_graph::facts::FactTarget;
use verispec_suites::xtc::{Bundle, BundleOptions};

use super::program::{MODELS, log, of_files, printed, run_args, workplace};
use crate::support::{json_of, run, text};

pub(super) fn cell<'v>(scores: &'v Value, model: &str, variant: &str) -> &'v Value {
    let models = scores["tables"]["models"].as_array().expect("models");
    let model = models.iter().find(|m| m["model"] == model).expect("model");
    let cells = model["cells"].as_array().expect("cells");
    let found = cells
        .iter()
        .find(|c| c["variant"] == variant && c["kind"].is_null() && c["dataset"].is_null());
    found.expect("cell")
}

pub(super) fn near(value: &Value, wanted: f64) {
    let value = value.as_f64().unwrap_or(f64::NAN);
    assert!((value - wanted).abs() < 1e-12, "{value} is not {wanted}");
}

/// Share of facts whose nodes `odd` draws: it leaves out the last object, and scene 4.
fn share_drawn(bundle: &Bundle) -> f64 {
    let (mut all, mut drawn) = (0, 0);
    for (id, image) in &bundle.images {
        let last = image.scene.nodes.len() as u64;
        for fact in &image.facts {
            let target: &FactTarget = &fact.key.target;
            all += 1;
            drawn += usize::from(*id != 4 && target.nodes().all(|n| n.0.0 != last));
        }
    }
    drawn as f64 / all as f64
}

#[test]
fn a_whole_run_on_known_scenes() {
    let dir = workplace();
    let root = dir.path();
    let done = json_of(root, &run_args(&[]), 0);
    assert_eq!(done["pending_requests"], 0, "{done:#}");
    let asked = log(root);
    let distinct: HashSet<&String> = asked.iter().collect();
    assert_eq!(asked.len(), distinct.len(), "nothing is asked twice");

    let scores = json_of(root, &["xtc", "score", "r"], 0);
    let good = &cell(&scores, "good", "zero_unmatched")["numbers"];
    for number in [
        "generation",
        "understanding",
        "ccta",
        "aw_ccta",
        "integrity",
    ] {
        near(&good[number], 1.0);
    }
    // What odd draws of a fact is right or absent, and what it says is always wrong: consistent
    // where it draws nothing, and never rightly so.
    let bundle = Bundle::load("scenes", &root.join("scenes"), BundleOptions::default()).unwrap();
    let g = share_drawn(&bundle);
    assert!(g > 0.1 && g < 0.9, "{g}");
    for variant in ["raw", "zero_unmatched"] {
        let odd = &cell(&scores, "odd", variant)["numbers"];
        assert_eq!(odd["n"], bundle.facts());
        near(&odd["generation"], g);
        near(&odd["understanding"], 0.0);
        near(&odd["ccta"], 1.0 - g);
        near(&odd["aw_ccta"], 0.0);
        near(&odd["integrity"], 0.0);
    }
    let matched = &cell(&scores, "odd", "matched_only")["numbers"];
    near(&matched["generation"], 1.0);
    let models = scores["tables"]["models"].as_array().unwrap();
    assert_eq!(models[1]["coverage"]["not_generated"], 1);
    assert_eq!(models[1]["coverage"]["matched_images"], 5);
    assert_eq!(models[1]["coherent_hallucination"], true);
    assert_eq!(models[0]["coherent_hallucination"], false);
    assert_eq!(scores["tables"]["families"][0]["family"], "honest");

    the_rest(root);
    // Everything above was read from the ledger.
    assert_eq!(log(root).len(), asked.len());
}

fn the_rest(root: &std::path::Path) {
    let shown = run(root, &["xtc", "score", "r", "--with-published"]);
    let out = text(&shown.stdout);
    for part in [
        "Table 0",
        "Table 5",
        "V2",
        "BAGEL-7B (published)",
        "coherent hallucination",
        "judge: command:grader",
        "embedder: bag-of-words-1",
        "understanding image: original",
    ] {
        assert!(out.contains(part), "{part} is not in\n{out}");
    }
    let rows = run(root, &["xtc", "facts", "r", "--csv"]);
    let csv = text(&rows.stdout);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let statuses: HashSet<&str> = records.iter().map(|r| &r[8]).collect();
    assert!(
        statuses.is_superset(&HashSet::from(["graded", "unmatched", "no_image"])),
        "{statuses:?}"
    );
    let lines = text(&run(root, &["xtc", "facts", "r"]).stdout);
    assert_eq!(lines.lines().count(), records.len());

    let page = json_of(root, &["xtc", "report", "r"], 0);
    assert_eq!(page["images"], 12);
    let html = std::fs::read_to_string(root.join("runs/r/report/index.html")).expect("page");
    for part in [
        "coherent hallucination",
        "class=\"node missing\"",
        "class=\"node matched\"",
        "nothing was drawn",
    ] {
        assert!(html.contains(part), "{part}");
    }
    for outside in ["http://", "https://", "<script", "//cdn"] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[test]
fn what_graphs_lack_is_looked_for_in_the_pictures() {
    let dir = workplace();
    let root = dir.path();
    json_of(root, &run_args(&[]), 0);
    let before = log(root).len();
    let scores = json_of(root, &["xtc", "score", "r"], 0);
    // "good" as viewer knows the answers to all questions, whatever the picture.
    let args = [
        "xtc", "recover", "r", "--viewer", "good", "--judge", "grader",
    ];
    let found = json_of(root, &args, 0);
    let rows = found["rows"].as_array().unwrap();
    let odd: Vec<&Value> = rows.iter().filter(|r| r["model"] == "odd").collect();
    assert_eq!(odd.len(), 2, "attributes and relations: {rows:#?}");
    for row in odd {
        // All that was silent is right by the viewer; what odd said of it stays wrong.
        assert_eq!(row["sampled"], row["silent"]);
        assert_eq!(row["shown"], row["silent"]);
        near(&row["before"]["ccta"], 1.0);
        near(&row["after"]["ccta"], 0.0);
    }
    assert!(
        rows.iter().all(|r| r["model"] != "good"),
        "its graphs lack nothing"
    );
    assert!(log(root).len() > before);
    let after = json_of(root, &["xtc", "score", "r"], 0);
    assert_eq!(
        after["tables"], scores["tables"],
        "an ablation changes no score"
    );
    let asked = log(root).len();
    json_of(root, &args, 0);
    assert_eq!(log(root).len(), asked, "resumed from the ledger");
    let output = run(
        root,
        &["xtc", "recover", "r", "--viewer", "good", "--judge", "eye"],
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn extraction_alone_finds_what_is_there() {
    let dir = workplace();
    let root = dir.path();
    let args = [
        "xtc",
        "extract",
        "scenes",
        "--out",
        "seen",
        "--extractor",
        "eye",
    ];
    let done = json_of(root, &args, 0);
    assert_eq!((&done["graphs"], &done["pictures"]), (&6.into(), &6.into()));
    let recall = json_of(
        root,
        &["xtc", "recall", "--truth", "scenes", "--extracted", "seen"],
        0,
    );
    for share in [
        "node_recall",
        "node_precision",
        "edge_recall",
        "attribute_recall",
    ] {
        near(&recall[share], 1.0);
    }
    // What was extracted is a bundle with the same facts; a group of cars included.
    let of = |dir: &str| {
        let shown = json_of(root, &["xtc", "show", "--bundle", &format!("x={dir}")], 0);
        shown["datasets"][0]["facts"].clone()
    };
    assert_eq!(of("seen"), of("scenes"));
    std::fs::remove_file(root.join("seen/sg_with_attributes/scene-graph_6.json")).unwrap();
    let recall = json_of(
        root,
        &["xtc", "recall", "--truth", "scenes", "--extracted", "seen"],
        0,
    );
    near(&recall["node_recall"], 12.0 / 16.0);
    assert_eq!(recall["counts"]["without_graph"], 1);
}

#[test]
fn questions_and_prompts_go_out_and_answers_come_in() {
    let dir = workplace();
    let root = dir.path();
    let questions = printed(root, &["xtc", "questions", "--bundle", "scenes"]);
    let prompts = text(&run(root, &["xtc", "prompts", "--bundle", "scenes"]).stdout);
    assert_eq!(prompts.lines().count(), 6);
    assert!(
        questions.iter().all(|q| q.get("gold").is_none()),
        "no answer key"
    );
    // Half of the answers, one failure, the pictures of "good".
    let answers = questions
        .iter()
        .step_by(2)
        .enumerate()
        .map(|(at, q)| match at {
            0 => serde_json::json!({"fact": q["fact"], "error": "out of memory"}),
            _ => serde_json::json!({"fact": q["fact"], "answer": "nothing"}),
        });
    let answers: String = answers.map(|a| format!("{a}\n")).collect();
    crate::support::write(&root.join("mine/answers.jsonl"), &answers);
    std::fs::rename(root.join("drawn/good"), root.join("mine/images")).unwrap();
    for file in std::fs::read_dir(root.join("scenes/images"))
        .unwrap()
        .flatten()
    {
        assert!(root.join("mine/images").join(file.file_name()).is_file());
    }
    json_of(root, &of_files("f"), 0);
    let scores = json_of(root, &["xtc", "score", "f"], 0);
    let raw = cell(&scores, "mine", "raw");
    let half = questions.len().div_ceil(2);
    assert_eq!(raw["dropped"]["understanding_failed"], 1);
    assert_eq!(
        raw["dropped"]["understanding_absent"],
        questions.len() - half
    );
    assert_eq!(raw["numbers"]["n"], half - 1);
    let zero = json_of(root, &["xtc", "score", "f", "--missing-u", "zero"], 0);
    assert_eq!(cell(&zero, "mine", "raw")["numbers"]["n"], half);
    assert_eq!(MODELS.len(), 2);
}

#[test]
fn what_cannot_work_is_said_before_anything_is_asked() {
    let dir = workplace();
    let root = dir.path();
    for (args, word) in [
        (
            vec!["xtc", "run", "--bundle", "scenes", "--judge", "grader"],
            "which models",
        ),
        (
            vec![
                "xtc",
                "run",
                "--bundle",
                "nowhere",
                "--ask",
                "good=good",
                "--judge",
                "grader",
            ],
            "no such folder",
        ),
        (
            vec![
                "xtc",
                "run",
                "--bundle",
                "scenes",
                "--draw",
                "good=good",
                "--judge",
                "grader",
            ],
            "--extractor",
        ),
        (
            vec![
                "xtc", "run", "--bundle", "scenes", "--ask", "good", "--judge", "grader",
            ],
            "NAME=VALUE",
        ),
        (
            vec![
                "xtc",
                "run",
                "--bundle",
                "scenes",
                "--ask",
                "good=good",
                "--judge",
                "grader",
                "--embedder",
                "eye",
            ],
            "gives no vectors",
        ),
        (vec!["xtc", "score", "nothing"], "no XTC run"),
        (
            vec!["xtc", "import", "scenes", "--run", "x"],
            "final_graphs_pt",
        ),
    ] {
        let output = run(root, &args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(word), "{args:?}: {said}");
    }
    assert!(log(root).is_empty());
}
