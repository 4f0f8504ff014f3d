//! Suites of texts (`examples/agent-traces`, `examples/long-answers`), judged end to end by a real
//! server. The model is tiny, so its verdicts mean nothing; that text outputs reach it whole, and
//! that everything from suite to report works without an image, is the point.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use verispec_engine::ledger::{LEDGER_FILE, Ledger, LedgerReplies, Outcome};
use verispec_model::{Part, Replies as _, Settled};
use verispec_testkit::LocalVlm;

use crate::support::{json_of, run, text, track};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(name)
}

/// A folder with nothing but the configuration; the example is read where it is. One request after
/// the other, so that each finds the prefix of the one before in the cache.
fn place(endpoint: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("temporary folder");
    let config = format!(
        "[judge.local]\nprovider = \"openai\"\nmodel = \"{}\"\nendpoint = \"{endpoint}\"\n\
         api_key_env = \"LOCAL_KEY\"\nmax_concurrency = 1\n\
         params = {{ temperature = 0, max_tokens = 4, \
         extra_body = {{ grammar = 'root ::= \"Yes\" | \"No\"' }} }}\n",
        LocalVlm::MODEL
    );
    fs::write(dir.path().join("verispec.toml"), config).expect("file");
    fs::write(
        dir.path().join(".env"),
        format!("LOCAL_KEY={}\n", LocalVlm::KEY),
    )
    .expect("file");
    dir
}

fn judge(dir: &Path, suite: &Path, protocol: &str) -> Value {
    let (data, outputs) = (suite.to_str().expect("UTF-8"), suite.join("outputs"));
    let args = [
        "judge",
        "custom",
        "--data",
        data,
        "--outputs",
        outputs.to_str().expect("UTF-8"),
        "--judge",
        "local",
        "--protocol",
        protocol,
        "--run",
        "r",
        "--max-retries",
        "4",
    ];
    json_of(dir, &args, 0)
}

/// Texts of all answered requests of a run, and the replies to them.
fn asked(dir: &Path) -> Vec<(String, String)> {
    let path = dir.join("runs/r").join(LEDGER_FILE);
    let replies = LedgerReplies::load(&path).expect("ledger");
    let ledger = Ledger::open_read(&path).expect("ledger");
    replies
        .keys_with(&[Outcome::Answered])
        .map(|key| {
            let request = ledger.request(key).expect("ledger").expect("request");
            let parts = request.parts.iter().map(|part| match part {
                Part::Text(text) => text.as_str(),
                Part::Image(_) => panic!("a suite of texts shows no image"),
            });
            let Some(Settled::Answered(reply)) = replies.get(key) else {
                panic!("an answered request has a reply")
            };
            (parts.collect::<Vec<_>>().join("\n"), reply.text)
        })
        .collect()
}

#[test]
fn an_agent_trace_suite_is_judged_end_to_end() {
    let Some(server) = LocalVlm::start() else {
        return;
    };
    let (dir, suite) = (place(&server.endpoint()), example("agent-traces"));
    let checked = json_of(
        dir.path(),
        &["suite", "validate", suite.to_str().expect("UTF-8")],
        0,
    );
    assert_eq!(checked["suite"]["instances"], 3);
    let done = judge(dir.path(), &suite, "independent");
    // 10 statements about each of two agents.
    assert_eq!(
        (&done["calls"], &done["counters"]["judged"]),
        (&json!(20), &json!(20))
    );
    assert!(
        done["tokens"]["input"].as_u64() > Some(20 * 200),
        "{}",
        done["tokens"]
    );
    let asked = asked(dir.path());
    assert_eq!(asked.len(), 20);
    let trace = fs::read_to_string(suite.join("outputs/hasty/code/failing-test.json"));
    let trace = trace.expect("file");
    let shown = asked.iter().filter(|(text, _)| text.contains(trace.trim()));
    assert_eq!(
        shown.count(),
        3,
        "the whole trace stands in each of its requests"
    );
    for (_, reply) in &asked {
        assert!(["Yes", "No"].contains(&reply.trim()), "{reply:?}");
    }
    let again = judge(dir.path(), &suite, "independent");
    assert_eq!(again["calls"], 0);

    let plain = json_of(dir.path(), &["score", "r"], 0);
    let ruled = ["score", "r", "--dependencies", "direct", "--critical"];
    let ruled = json_of(dir.path(), &ruled, 0);
    for model in ["careful", "hasty"] {
        for name in ["travel", "code"] {
            let value = |scores: &Value| track(scores, model, name)["score"]["value"].as_f64();
            let (plain, ruled) = (value(&plain).expect("a score"), value(&ruled));
            assert!((0.0..=100.0).contains(&plain));
            assert!(ruled.expect("a score") <= plain, "gates only take away");
        }
    }
    let report = run(
        dir.path(),
        &["report", "r", "--single-file", "--out", "page.html"],
    );
    assert_eq!(report.status.code(), Some(0), "{}", text(&report.stderr));
    let args = ["show", "r", "train-ticket", "--model", "hasty"];
    let shown = text(&run(dir.path(), &args).stdout);
    assert!(shown.contains("tickets.pay"), "the trace is shown: {shown}");
}

#[test]
fn a_long_answer_suite_is_judged_end_to_end() {
    let Some(server) = LocalVlm::start() else {
        return;
    };
    let (dir, suite) = (place(&server.endpoint()), example("long-answers"));
    let done = judge(dir.path(), &suite, "independent");
    assert_eq!(
        done["calls"], 20,
        "10 statements on two models; the choice asks nobody"
    );
    let counters = &done["counters"];
    assert_eq!(counters["judged"], 21, "and one choice is read: {counters}");
    assert_eq!(counters["failed_instances"]["undecidable"], 1, "A or C");
    let letter = fs::read_to_string(suite.join("outputs/careful/household/letter.md"));
    let letter = letter.expect("file");
    let asked = asked(dir.path());
    let shown = asked
        .iter()
        .filter(|(text, _)| text.contains(letter.trim()));
    assert_eq!(shown.count(), 3);
    let scores = json_of(dir.path(), &["score", "r", "--by-category"], 0);
    let categories = scores["categories"].as_array().expect("categories");
    assert!(categories.iter().any(|c| c["category"] == "style"));
    let choice = track(&scores, "careful", "science")["dimensions"].as_array();
    let choice = choice
        .expect("dimensions")
        .iter()
        .find(|d| d["dimension"] == "choose");
    assert_eq!(choice.expect("choose")["score"]["exact"], "1/1");
    let shown = run(dir.path(), &["show", "r", "tides", "--model", "hasty"]);
    let shown = text(&shown.stdout);
    assert!(shown.contains("warm water rises"), "{shown}");
    let compared = run(
        dir.path(),
        &["compare", "r:careful", ":hasty", "--draws", "100"],
    );
    assert_eq!(
        compared.status.code(),
        Some(0),
        "{}",
        text(&compared.stderr)
    );
}
