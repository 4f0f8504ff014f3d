//! Graphs and grades go to people and come back as studies.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may")]

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::program::{log, run_args, workplace};
use super::run::near;
use crate::review::{Page, rows};
use crate::support::{json_of, run, text, write};

/// The run of two models, and a sample of its graphs and grades.
fn sampled(root: &Path) -> Value {
    json_of(root, &run_args(&[]), 0);
    let args = [
        "xtc",
        "audit",
        "r",
        "--graphs",
        "24",
        "--answers",
        "20",
        "--out",
        "s.jsonl",
    ];
    json_of(root, &args, 0)
}

/// Sum of inverse probabilities of the sampled items of a kind.
fn total(rows: &[Value], kind: &str) -> f64 {
    let of_kind = rows
        .iter()
        .filter(|r| r["id"].as_str().unwrap().starts_with(kind));
    of_kind
        .map(|r| 1.0 / r["inclusion"].as_f64().unwrap())
        .sum()
}

#[test]
fn people_check_graphs_and_grades_that_were_drawn() {
    let dir = workplace();
    let root = dir.path();
    let drawn = sampled(root);
    let sample = rows(&root.join("s.jsonl"));
    assert_eq!(sample.len(), 44);
    // Every item stands for as many as the inverse of its probability says.
    for (kind, counts) in [("graph/", &drawn["graphs"]), ("answer/", &drawn["answers"])] {
        let all = counts["all"].as_f64().unwrap();
        assert!(
            (total(&sample, kind) - all).abs() < 1e-6,
            "{kind}: {counts}"
        );
    }
    let asked = log(root).len();

    let review = ["r", "--sample", "s.jsonl", "--annotator", "ann"];
    let page = Page::start(root, &review);
    let first = page.ask("GET", "/item/1", "");
    assert!(first.contains("<img"), "the picture is shown");
    // All statements are true but one; grades are a fifth too kind where they are above 0.
    for place in 1..=24 {
        let said = if place == 5 { "no" } else { "yes" };
        page.decide(place, &format!("do=answer&said={said}&reason="));
    }
    let answer = page.ask("GET", "/item/25", "");
    assert!(answer.contains("Right answer"), "{answer}");
    assert!(!answer.contains("not at hand"), "{answer}");
    for place in 25..=44 {
        page.decide(place, "do=grade&grade=4&reason=");
    }
    drop(page);
    json_of(
        root,
        &["review", "r", "--sample", "s.jsonl", "--export", "out"],
        0,
    );
    assert_eq!(log(root).len(), asked, "nobody else is asked");

    graphs(root, &sample);
    grades(root, &sample);
}

fn graphs(root: &Path, sample: &[Value]) {
    let human = rows(&root.join("out/audit-graph.jsonl"));
    let by_id: BTreeMap<&str, &Value> = sample
        .iter()
        .map(|r| (r["id"].as_str().unwrap(), r))
        .collect();
    assert_eq!(human.len(), 24);
    for row in &human {
        let drawn = by_id[row["fact"].as_str().unwrap()];
        assert_eq!(row["inclusion"], drawn["inclusion"]);
        assert_eq!(row["stratum"], drawn["stratum"]);
    }
    let wrong = &human[4];
    assert_eq!(wrong["human"], "No");
    let args = ["study", "human", "r", "--human", "out/audit-graph.jsonl"];
    let study = json_of(root, &args, 0);
    let all = &study["studies"][0]["labelled"]["models"][0];
    assert_eq!(all["labelled"], 24);
    // All that graphs say counts as said; the share that people confirm is weighted.
    near(&all["judge"], 100.0);
    let lost = 1.0 / wrong["inclusion"].as_f64().unwrap() / total(sample, "graph/");
    let found = all["labels"]["value"].as_f64().unwrap();
    assert!(
        (found - 100.0 * (1.0 - lost)).abs() < 1e-6,
        "{found}, {lost}"
    );
    let shown = text(&run(root, &args).stdout);
    assert!(
        shown.contains("(original)") || shown.contains("good"),
        "{shown}"
    );
}

fn grades(root: &Path, sample: &[Value]) {
    let people = rows(&root.join("out/audit-answers.jsonl"));
    assert_eq!(people.len(), 20);
    let args = ["study", "human", "r", "--human", "out/audit-answers.jsonl"];
    let study = json_of(root, &args, 0);
    assert_eq!(study["kind"], "xtc-human-grades");
    let means = study["means"][0]["grades"].as_array().unwrap();
    let all = &means[0];
    assert_eq!(all["labelled"], 20);
    near(&all["labels"]["value"], 80.0);
    let answers = sample
        .iter()
        .filter(|r| r["id"].as_str().unwrap().starts_with("answer/"));
    assert_eq!(answers.count(), 20);
    let shown = text(&run(root, &args).stdout);
    for part in ["mean grade of answers", "rho and tau-b", "20 of "] {
        assert!(shown.contains(part), "{part} is not in\n{shown}");
    }
}

#[test]
fn what_was_not_drawn_is_refused() {
    let dir = workplace();
    let root = dir.path();
    sampled(root);
    let said = |args: &[&str], word: &str| {
        let outcome = run(root, args);
        let told = text(&outcome.stderr);
        assert_eq!(outcome.status.code(), Some(2), "{told}");
        assert!(told.contains(word), "{told}");
    };
    let row = "{\"id\": \"graph/nobody/scenes/1/1\", \"stratum\": \"x\", \"inclusion\": 0.5}\n";
    write(&root.join("other.jsonl"), row);
    said(
        &["review", "r", "--sample", "other.jsonl", "--annotator", "a"],
        "no item",
    );
    said(
        &["review", "r", "--likert", "5", "--annotator", "a"],
        "--likert",
    );
    let grade = "{\"track\": \"scenes\", \"id\": \"x\", \"model\": \"good\", \"annotator\": \"a\", \
                 \"rating\": 3, \"inclusion\": 1}\n";
    write(&root.join("grades.jsonl"), grade);
    said(
        &["study", "human", "r", "--human", "grades.jsonl"],
        "no graded answer",
    );
}
