//! Judges of every kind, from outside: Anthropic's interface and programs.

use std::path::Path;

use serde_json::json;
use verispec_testkit::{Answers, FakeConfig, FakeJudge, Fault, Faults};

use crate::support::{image, json_of, run, suite, text, verispec, workplace, write};

fn fake(faults: Faults) -> FakeJudge {
    FakeJudge::start(FakeConfig {
        answers: Answers::AllYes,
        api_key: Some("sk-ant-test".into()),
        faults,
        ..FakeConfig::default()
    })
}

fn config(dir: &Path, judge: &str) {
    let text = format!("[suite.specv]\ndata = \"suite\"\n{judge}");
    std::fs::write(dir.join("verispec.toml"), text).expect("file");
}

const JUDGE: [&str; 6] = ["judge", "specv", "--judge", "j", "--run", "r"];

#[test]
fn anthropic_judges_plain_and_streamed_through_transient_faults() {
    for stream in ["", "stream = true, "] {
        let shares = [
            Fault::ServerError,
            Fault::InBandError,
            Fault::Reset,
            Fault::RateLimited,
        ];
        let judge = fake(Faults {
            shares: shares.map(|fault| (fault, 0.2)).to_vec(),
            attempts: Some(1),
            retry_after: Some("0".into()),
            ..Faults::default()
        });
        let dir = workplace(6, 2);
        config(
            dir.path(),
            &format!(
                "[judge.j]\nprovider = \"anthropic\"\nmodel = \"claude-x\"\nendpoint = \"{}\"\n\
                 structured = \"json_schema\"\nparams = {{ {stream}prompt_cache = true }}\n",
                judge.endpoint("anthropic")
            ),
        );
        let output = verispec(dir.path())
            .args(JUDGE)
            .arg("--json")
            .env("ANTHROPIC_API_KEY", "sk-ant-test")
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let done: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(done["counters"]["judged"], 12);
        let log = judge.log();
        assert!(
            log.iter()
                .all(|e| e.dialect == "anthropic" && e.model == "claude-x")
        );
        assert!(
            log.iter().any(|e| e.fault.is_some()),
            "the seed brings faults"
        );
    }
}

#[test]
fn anthropic_has_no_json_object_mode_and_refuses_unknown_parameters() {
    let dir = workplace(1, 1);
    for (line, word) in [
        ("structured = \"json_object\"", "json_schema"),
        ("params = { seed = 1 }", "seed"),
    ] {
        config(
            dir.path(),
            &format!(
                "[judge.j]\nprovider = \"anthropic\"\nmodel = \"m\"\nendpoint = \"http://127.0.0.1:9\"\n{line}\n"
            ),
        );
        let refused = run(dir.path(), &JUDGE);
        let message = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{message}");
        assert!(message.contains(word), "{message}");
    }
}

/// The example of the documentation, on questions that it can and cannot answer.
#[test]
fn a_program_judges() {
    let dir = tempfile::tempdir().expect("temporary folder");
    suite(&dir.path().join("suite"), 1, 3);
    image(
        &dir.path().join("suite/model_outputs/t2i/m/comp_000.png"),
        1,
    );
    let item = |id: u32, question: &str| {
        json!({"id": id, "question": question, "category": "Composition",
            "subcategory": "Presence", "expected_answer": "Yes", "score": 9.0})
    };
    let items = json!([
        item(1, "Is the picture square?"),
        item(2, "Is it wider than tall?"),
        item(3, "Is there a cat?"),
    ]);
    let file = "suite/eval_checklist/t2i/composition/comp_000.json";
    write(&dir.path().join(file), &items.to_string());
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/command_judge.py"
    );
    let judge = |revision: u32| {
        format!(
            "[judge.j]\nprovider = \"command\"\ncommand = [\"python3\", '{example}']\n\
             revision = \"{revision}\"\n"
        )
    };
    config(dir.path(), &judge(1));
    for protocol in ["whole", "independent"] {
        let run = [
            "judge",
            "specv",
            "--judge",
            "j",
            "--run",
            protocol,
            "--protocol",
            protocol,
        ];
        let done = json_of(dir.path(), &run, 0);
        assert_eq!(done["counters"]["judged"], 2, "{protocol}: {done}");
        assert_eq!(done["counters"]["unjudged"], 1, "{protocol}: {done}");
        let shown = json_of(dir.path(), &["show", protocol, "comp_000"], 0);
        let specs = shown["instances"][0]["specifications"].clone();
        let said: Vec<&str> = specs
            .as_array()
            .expect("specs")
            .iter()
            .map(|s| s["answer"].as_str().unwrap_or("none"))
            .collect();
        assert_eq!(said, ["Yes", "No", "none"], "{specs}");
        // Stored lines are read back without the program.
        let again = json_of(dir.path(), &run, 0);
        assert_eq!(again["calls"], 0);
    }
    // A program that changed is another judge.
    config(dir.path(), &judge(2));
    let run = ["judge", "specv", "--judge", "j", "--run", "changed"];
    assert_eq!(json_of(dir.path(), &run, 0)["calls"], 1);
}

#[test]
fn a_program_that_crashes_leaves_requests_pending_and_says_why() {
    let dir = workplace(2, 1);
    let script = "import sys; sys.stderr.write('no weights'); sys.exit(3)";
    config(
        dir.path(),
        &format!(
            "[judge.j]\nprovider = \"command\"\ncommand = [\"python3\", \"-c\", \"{script}\"]\n"
        ),
    );
    let crashed = run(dir.path(), &JUDGE);
    let message = text(&crashed.stderr) + &text(&crashed.stdout);
    assert_eq!(crashed.status.code(), Some(3), "{message}");
    assert!(message.contains("no weights"), "{message}");

    config(dir.path(), "[judge.j]\nprovider = \"command\"\n");
    let missing = run(dir.path(), &JUDGE);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("command = ["));
}
