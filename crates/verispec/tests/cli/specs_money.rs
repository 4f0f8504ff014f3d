//! What a set costs: ahead of every stage, and a limit for all stages together.

use std::path::Path;

use serde_json::Value;

use crate::specs::{FILTER, GENERATE, INSTANCES, MERGE, calls, exported, whole, workplace};
use crate::support::{json_of, run, text, write};

/// 1,000 tokens in and 500 out: 0.003 dollars a call by these prices. A reply may have 4,096.
const USED: &str = r#"{"input": 1000, "output": 500}"#;
const A_CALL: f64 = 0.003;
const AT_MOST: f64 = 4096.0 * 4e-6;

fn priced(dir: &Path, models: &[&str]) {
    let price = |m: &&str| {
        format!("[[price]]\nmodel = \"{m}\"\nprovider = \"command\"\ninput = 1.0\noutput = 4.0\n\n")
    };
    let prices: String = models.iter().map(price).collect();
    write(&dir.join("prices.toml"), &prices);
    write(&dir.join("usage"), USED);
}

fn with<'a>(stage: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [stage, more].concat()
}

fn spent(document: &Value) -> f64 {
    document["spent_usd"].as_f64().expect("all have a price")
}

#[track_caller]
fn near(is: f64, expected: f64) {
    assert!((is - expected).abs() < 1e-9, "{is} is not {expected}");
}

#[test]
fn a_limit_holds_for_all_stages_of_a_set_together() {
    let undisturbed = workplace(0.0);
    let expected = whole(undisturbed.path());

    let dir = workplace(0.0);
    let root = dir.path();
    priced(root, &["a", "b", "c"]);
    // Each stage is stopped, stays stopped, and goes on under a higher limit.
    let mut before = 0;
    for (stage, low, n) in [
        (&GENERATE[..], "0.05", 3 * INSTANCES),
        (&MERGE[..], "0.15", INSTANCES),
        (&FILTER[..], "0.2", 3 * INSTANCES),
    ] {
        let limit: f64 = low.parse().unwrap();
        let stopped = json_of(root, &with(stage, &["--max-cost", low]), 5);
        let made = calls(root).len();
        assert!(before < made && made < before + n, "{stage:?}: {made}");
        // Not one more would have fitted, and nothing passes the limit.
        let cost = spent(&stopped);
        near(cost, made as f64 * A_CALL);
        assert!(cost <= limit && cost + AT_MOST > limit, "{stage:?}: {cost}");
        let why = stopped["stages"][0]["stopped"].as_str().expect("a reason");
        assert!(why.contains("limit"), "{why}");
        json_of(root, &with(stage, &["--max-cost", low]), 5);
        assert_eq!(calls(root).len(), made);
        json_of(root, &with(stage, &["--max-cost", "100"]), 0);
        before += n;
        assert_eq!(calls(root).len(), before);
    }
    assert_eq!(exported(root, "out"), expected);
    // What was spent on all stages leaves an update nothing; one that needs nothing goes through.
    let update = ["specs", "update", "s", "--max-cost", "0.2"];
    near(spent(&json_of(root, &update, 0)), 98.0 * A_CALL);
    let file = root.join("suite/eval_data/t2i/style.jsonl");
    let tasks = std::fs::read_to_string(&file).expect("file");
    write(
        &file,
        &tasks.replacen("\"question\": \"", "\"question\": \"Edited. ", 1),
    );
    let stopped = run(root, &update);
    let said = text(&stopped.stderr);
    assert_eq!(stopped.status.code(), Some(5), "{said}");
    assert!(
        said.contains("stopped: ") && said.contains("$0.29"),
        "{said}"
    );
    assert_eq!(calls(root).len(), before);
    json_of(root, &["specs", "update", "s", "--max-cost", "100"], 0);
    assert_eq!(calls(root).len(), before + 3 + 1 + 3);
}

#[test]
fn a_limit_needs_the_price_of_everybody_who_was_asked() {
    let dir = workplace(0.0);
    let root = dir.path();
    priced(root, &["a"]);
    let refused = |stage: &[&str], who: &str| {
        let output = run(root, &with(stage, &["--max-cost", "1"]));
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("--max-cost needs a price"), "{said}");
        assert!(said.contains(&format!("command {who};")), "{said}");
    };
    refused(&GENERATE, "b");
    assert!(!root.join("runs/s").exists(), "nothing was made");
    let made = json_of(root, &GENERATE, 0);
    assert_eq!(made["spent_usd"], Value::Null);
    // What b and c wrote is part of what the set costs, and nobody knows it.
    refused(&MERGE, "b");
    assert_eq!(calls(root).len(), 3 * INSTANCES);
}

#[test]
fn a_dry_run_says_what_a_stage_would_cost_and_leaves_nothing() {
    let dir = workplace(0.0);
    let root = dir.path();
    priced(root, &["a", "b", "c"]);
    let estimate = |stage: &[&str]| {
        let dry = json_of(root, &with(stage, &["--dry-run"]), 0);
        dry["stages"]
            .as_array()
            .expect("list")
            .last()
            .expect("a stage")["estimate"]
            .clone()
    };
    let generate = estimate(&GENERATE);
    assert_eq!(generate["calls"], 3 * INSTANCES);
    // Cut, twice the room, and both once more for each of two times that it cannot be read.
    assert_eq!(generate["calls_at_most"], 6 * 3 * INSTANCES);
    // 15 specifications of 58 tokens each.
    near(generate["usd"].as_f64().unwrap(), 42.0 * 870.0 * 4e-6);
    near(
        generate["usd_at_most"].as_f64().unwrap(),
        6.0 * 42.0 * AT_MOST,
    );
    assert!(!root.join("runs").exists() && calls(root).is_empty());
    json_of(root, &GENERATE, 0);
    let manifest = || std::fs::read(root.join("runs/s/specs.json")).expect("file");
    let before = manifest();
    assert_eq!(estimate(&MERGE)["calls"], INSTANCES);
    assert_eq!(manifest(), before);
    json_of(root, &MERGE, 0);
    assert_eq!(estimate(&FILTER)["calls"], 3 * INSTANCES);
    // One rater is asked first; the others may have to be.
    let early = estimate(&with(&FILTER, &["--variant=early-stop"]));
    assert_eq!(early["calls"], INSTANCES);
    assert_eq!(early["calls_at_most"], 6 * 3 * INSTANCES);
    json_of(root, &FILTER, 0);
    let update = estimate(&["specs", "update", "s"]);
    assert_eq!(
        (&update["calls"], &update["answered"]),
        (&0.into(), &42.into())
    );
    let output = run(root, &with(&FILTER, &["--dry-run", "--retry=unparsed"]));
    assert_eq!(output.status.code(), Some(2));
}
