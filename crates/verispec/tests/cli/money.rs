//! Prices before a run, a limit during it, what it cost after it.

use std::path::Path;

use serde_json::Value;
use verispec_testkit::{FakeConfig, FakeJudge};

use crate::support::{json_of, judge_args, run, text, workplace, write};

/// A tenth of a cent for each token, so that small runs cost something.
const PRICES: &str = "as_of = \"2026-01-01\"\n[[price]]\nmodel = \"fake\"\ninput = 1000\n\
                      output = 1000\nbatch = 0.5\n";

fn check(dir: &Path, judge: &str, more: &[&str]) -> Value {
    let args = ["check", "specv", "--data", "suite", "--judge", judge];
    json_of(dir, &[&args, more].concat(), 0)
}

fn dollars(value: &Value) -> f64 {
    value.as_f64().expect("an amount")
}

#[test]
fn check_prices_the_first_wave_and_all_that_may_follow() {
    let dir = workplace(4, 6);
    let report = check(dir.path(), "openai:gpt-4.1", &["--max-tokens", "500"]);
    let money = &report["price"]["money"];
    let (first, most) = (&money["rows"][0], &money["rows"][1]);
    assert_eq!(first["calls"], 4);
    // Cut, asked again, ids lacking, asked once more.
    assert_eq!(most["calls"], 12);
    assert_eq!(report["price"]["calls_at_most"], 12);
    let reply = 20 + 6 * 45;
    assert_eq!(first["output"], 4 * reply);
    // The second call of three may have twice the limit.
    assert_eq!(most["output"], 4 * (500 + 1000 + 1000));
    let input = first["input"].as_f64().expect("tokens");
    let expected = (input * 2.0 + f64::from(4 * reply) * 8.0) / 1e6;
    assert!(
        (dollars(&first["plain"]) - expected).abs() < 1e-9,
        "{first}"
    );
    assert!((dollars(&first["batch"]) - expected / 2.0).abs() < 1e-9);
    assert!(
        money["price"]
            .as_str()
            .expect("line")
            .contains("as of 2026-07-24")
    );
}

#[test]
fn check_counts_single_questions_that_may_follow() {
    let dir = workplace(2, 5);
    let report = check(dir.path(), "openai:gpt-4.1", &["--reask", "single"]);
    // The list, the list again, four single ones at least, each of them again.
    let most = report["price"]["calls_at_most"].as_u64().expect("a bound");
    assert!((2 * (2 + 8)..=2 * (2 + 10)).contains(&most), "{most}");
}

#[test]
fn an_unknown_model_has_no_price_rather_than_none_to_pay() {
    let dir = workplace(2, 2);
    let report = check(dir.path(), "openai:no-such-model", &[]);
    let money = &report["price"]["money"];
    assert_eq!(money["rows"].as_array().map(Vec::len), Some(0));
    assert!(
        money["why_none"]
            .as_str()
            .expect("why")
            .contains("prices.toml")
    );
    let shown = run(
        dir.path(),
        &[
            "check",
            "specv",
            "--data",
            "suite",
            "--judge",
            "openai:no-such-model",
        ],
    );
    let shown = text(&shown.stdout);
    assert!(
        shown.contains("no price known") && !shown.contains("$0"),
        "{shown}"
    );
}

#[test]
fn max_cost_without_a_price_is_refused_before_any_call() {
    let dir = workplace(2, 2);
    let server = FakeJudge::start(FakeConfig::default());
    let endpoint = server.endpoint("openai");
    let output = run(dir.path(), &judge_args(&endpoint, &["--max-cost", "1"]));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("prices.toml"), "{said}");
    assert_eq!(server.log().len(), 0);
    write(
        &dir.path().join("mine.toml"),
        "[[price]]\nmodel='fake'\ninput='x'\n",
    );
    let args = judge_args(&endpoint, &["--prices", "mine.toml"]);
    let output = run(dir.path(), &args);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("mine.toml"));
}

#[test]
fn max_cost_stops_before_the_limit_and_a_higher_one_resumes() {
    let dir = workplace(12, 3);
    write(&dir.path().join("prices.toml"), PRICES);
    let server = FakeJudge::start(FakeConfig::default());
    let endpoint = server.endpoint("openai");
    let limited = |limit: &str, code| {
        let more = ["--max-tokens", "300", "--max-cost", limit];
        json_of(dir.path(), &judge_args(&endpoint, &more), code)
    };
    let all = {
        let free = workplace(12, 3);
        write(&free.path().join("prices.toml"), PRICES);
        let args = judge_args(&endpoint, &["--max-tokens", "300"]);
        json_of(free.path(), &args, 0)
    };
    let whole = dollars(&all["cost"]["total"]);
    assert!(whole > 0.0);
    assert_eq!(all["cost"]["now"], all["cost"]["total"]);

    let half = format!("{:.4}", whole / 2.0 + 0.6);
    let limit: f64 = half.parse().expect("number");
    let first = limited(&half, 5);
    let spent = dollars(&first["cost"]["total"]);
    assert!(spent > 0.0 && spent <= limit, "{spent} of {limit}");
    assert!(first["pending"].as_u64().expect("pending") > 0);
    assert_eq!(first["exit"], 5);

    // The limit is for the whole run: the same command spends nothing.
    let calls = server.log().len();
    let again = limited(&half, 5);
    assert_eq!(
        (dollars(&again["cost"]["now"]), server.log().len()),
        (0.0, calls)
    );

    let rest = limited("1000", 0);
    let (now, total) = (
        dollars(&rest["cost"]["now"]),
        dollars(&rest["cost"]["total"]),
    );
    assert!((spent + now - total).abs() < 1e-9);
    assert!((total - whole).abs() < 1e-9, "{total} {whole}");
}

#[test]
fn a_run_without_a_price_says_so() {
    let dir = workplace(2, 2);
    let server = FakeJudge::start(FakeConfig::default());
    let endpoint = server.endpoint("openai");
    let done = json_of(dir.path(), &judge_args(&endpoint, &[]), 0);
    assert_eq!(done["cost"]["total"], Value::Null);
    let shown = text(&run(dir.path(), &judge_args(&endpoint, &[])).stdout);
    assert!(shown.contains("no price known"), "{shown}");
}
