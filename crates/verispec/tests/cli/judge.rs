//! Judging with a fake judge: results, resume, faults, exit codes.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use verispec_testkit::{Answers, FakeConfig, FakeJudge, Fault, Faults, Latency};

use crate::support::{bodies, json_of, judge_args, run, text, track, tree, verispec, workplace};

fn fake(config: FakeConfig) -> FakeJudge {
    FakeJudge::start(config)
}

fn judge(dir: &Path, judge: &FakeJudge, dialect: &str, more: &[&str], code: i32) -> Value {
    let endpoint = judge.endpoint(dialect);
    let name = format!("{dialect}:fake");
    let mut args = judge_args(&endpoint, more);
    args[5] = &name;
    json_of(dir, &args, code)
}

#[test]
fn both_dialects_and_protocols_score_alike() {
    for dialect in ["openai", "gemini"] {
        for (protocol, calls) in [("whole", 4), ("independent", 20)] {
            let dir = workplace(4, 5);
            let server = fake(FakeConfig {
                answers: Answers::AllYes,
                ..FakeConfig::default()
            });
            let done = judge(dir.path(), &server, dialect, &["--protocol", protocol], 0);
            assert_eq!(done["calls"], calls, "{dialect} {protocol}");
            let scores = json_of(dir.path(), &["score", "r"], 0);
            let track = track(&scores, "m", "t2i");
            // One specification in five expects No.
            assert_eq!(track["score"]["value"], 80.0, "{dialect} {protocol}");
            assert_eq!(track["counters"]["judged"], 20);
        }
    }
}

#[test]
fn c08_a_finished_run_makes_no_call_and_the_same_report() {
    let dir = workplace(6, 3);
    let server = fake(FakeConfig::default());
    judge(dir.path(), &server, "openai", &[], 0);
    run(dir.path(), &["report", "r"]);
    let files = || {
        let mut files = tree(&dir.path().join("runs/r"));
        // Holds the process id of whoever had it last.
        files.retain(|(path, _)| !path.ends_with("run.lock"));
        files
    };
    let before = files();
    let calls = bodies(&server).len();
    let again = judge(dir.path(), &server, "openai", &[], 0);
    run(dir.path(), &["report", "r"]);
    assert_eq!(again["calls"], 0);
    assert_eq!(bodies(&server).len(), calls);
    let after = files();
    for ((path, was), (_, is)) in before.iter().zip(&after) {
        assert!(was == is, "{} changed", path.display());
    }
    assert_eq!(before.len(), after.len());
}

#[test]
fn another_run_reuses_answers_and_a_changed_output_is_asked_again() {
    let dir = workplace(5, 3);
    let server = fake(FakeConfig::default());
    judge(dir.path(), &server, "openai", &[], 0);
    let endpoint = server.endpoint("openai");
    let mut args = judge_args(&endpoint, &[]);
    let at = args.iter().position(|a| *a == "r").expect("run name");
    args[at] = "second";
    let second = json_of(dir.path(), &args, 0);
    assert_eq!(second["calls"], 0);
    crate::support::image(
        &dir.path().join("suite/model_outputs/t2i/m/comp_002.png"),
        999,
    );
    let third = json_of(dir.path(), &args, 0);
    assert_eq!(third["calls"], 1);
}

#[test]
fn an_output_that_goes_after_it_was_judged_is_no_zero() {
    let dir = workplace(4, 3);
    let server = fake(FakeConfig::default());
    judge(dir.path(), &server, "openai", &[], 0);
    let file = dir.path().join("suite/model_outputs/t2i/m/comp_002.png");
    let away = dir.path().join("away.png");
    std::fs::rename(&file, &away).expect("file");

    let scores = json_of(dir.path(), &["score", "r"], 0);
    let gone = track(&scores, "m", "t2i");
    assert_eq!(gone["score"]["value"], 100.0);
    assert_eq!(gone["counters"]["pending"], 3);
    assert_eq!(gone["counters"]["output_failed"], 0);
    assert_eq!(gone["rankable"], false);
    let told = text(&run(dir.path(), &["score", "r"]).stderr);
    assert!(told.contains("t2i/comp_002/m"), "{told}");
    let again = judge(dir.path(), &server, "openai", &[], 3);
    assert_eq!(again["calls"], 0);

    std::fs::rename(&away, &file).expect("file");
    let again = judge(dir.path(), &server, "openai", &[], 0);
    assert_eq!(again["calls"], 0);
}

#[test]
fn what_nobody_can_judge_is_no_zero_of_a_model_without_output() {
    let dir = workplace(2, 3);
    let task = r#"{"id": "comp_000", "question": "Draw.", "question_img": ["gone.png"]}
{"id": "comp_001", "question": "Draw."}"#;
    let tasks = dir.path().join("suite/eval_data/t2i/composition.jsonl");
    std::fs::write(tasks, task).expect("file");
    let outputs = dir.path().join("suite/model_outputs/t2i/m");
    std::fs::remove_file(outputs.join("comp_000.png")).expect("file");
    let server = fake(FakeConfig::default());
    let done = judge(dir.path(), &server, "openai", &[], 0);
    assert_eq!(done["counters"]["unjudgeable"], 3);
    assert_eq!(done["counters"]["output_failed"], 0);
}

#[test]
fn a_limit_marks_the_result_partial_and_unranked() {
    let dir = workplace(5, 3);
    let server = fake(FakeConfig::default());
    let done = judge(dir.path(), &server, "openai", &["--limit", "2"], 0);
    assert_eq!(done["calls"], 2);
    let scores = json_of(dir.path(), &["score", "r"], 0);
    assert_eq!(track(&scores, "m", "t2i")["rankable"], false);
    let ranks = json_of(dir.path(), &["rank", "r"], 0);
    assert_eq!(ranks["ranks"][0]["rows"].as_array().expect("rows").len(), 0);
}

#[test]
fn missing_ids_are_asked_again_and_recorded() {
    let dir = workplace(3, 6);
    let faults = Faults {
        containing: vec![("Statements:".into(), Fault::LackIds)],
        ..Faults::default()
    };
    let server = fake(FakeConfig {
        faults,
        ..FakeConfig::default()
    });
    let done = judge(dir.path(), &server, "openai", &["--reask", "single"], 0);
    assert!(done["calls"].as_u64().expect("calls") > 3);
    let shown = json_of(dir.path(), &["show", "r", "comp_000"], 0);
    let specs = shown["instances"][0]["specifications"]
        .as_array()
        .expect("specs");
    let asked: Vec<_> = specs
        .iter()
        .map(|s| s["asked_with"].as_u64().expect("asked"))
        .collect();
    assert!(asked.contains(&6) && asked.contains(&1), "{asked:?}");
}

#[test]
fn a_truncated_reply_is_asked_again_with_more_tokens() {
    let dir = workplace(3, 4);
    let faults = Faults {
        first: Some((1, Fault::Truncated)),
        ..Faults::default()
    };
    let server = fake(FakeConfig {
        faults,
        ..FakeConfig::default()
    });
    let done = judge(dir.path(), &server, "openai", &["--max-tokens", "300"], 0);
    assert_eq!(done["calls"], 4);
    assert_eq!(done["counters"]["judged"], 12);
}

#[test]
fn a01_unread_replies_are_unjudged_and_the_exit_code_says_so() {
    let dir = workplace(3, 4);
    let faults = Faults {
        containing: vec![("Draw scene 1.".into(), Fault::Malformed)],
        ..Faults::default()
    };
    let server = fake(FakeConfig {
        faults,
        ..FakeConfig::default()
    });
    let done = judge(dir.path(), &server, "openai", &[], 0);
    assert_eq!(done["counters"]["unjudged"], 4);
    assert_eq!(done["counters"]["judged"], 8);
    // The same result is not enough for who asks for all of it; no call is made for that.
    let calls = bodies(&server).len();
    judge(dir.path(), &server, "openai", &["--min-coverage", "1"], 3);
    judge(dir.path(), &server, "openai", &["--min-coverage", "0.6"], 0);
    assert_eq!(bodies(&server).len(), calls);
    let healthy = fake(FakeConfig::default());
    let retried = judge(dir.path(), &healthy, "openai", &["--only", "unjudged"], 0);
    assert_eq!(retried["calls"], 1);
    assert_eq!(retried["counters"]["judged"], 12);
}

#[test]
fn faults_of_every_kind_lose_nothing() {
    let dir = workplace(40, 3);
    let shares = [Fault::RateLimited, Fault::ServerError, Fault::Reset]
        .map(|fault| (fault, 0.05))
        .to_vec();
    let faults = Faults {
        shares,
        seed: 7,
        retry_after: Some("0".into()),
        ..Faults::default()
    };
    let server = fake(FakeConfig {
        faults,
        ..FakeConfig::default()
    });
    let done = judge(dir.path(), &server, "openai", &["-j", "8"], 0);
    assert_eq!(done["counters"]["judged"], 120);
    assert_eq!(done["pending"], 0);
}

#[test]
fn a_wrong_key_stops_at_once_and_names_the_cause() {
    let dir = workplace(20, 2);
    let server = fake(FakeConfig {
        api_key: Some("right".into()),
        ..FakeConfig::default()
    });
    let endpoint = server.endpoint("openai");
    let output = run(dir.path(), &judge_args(&endpoint, &["-j", "2"]));
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("key"),
        "{}",
        text(&output.stderr)
    );
    assert!(server.counters().started <= 4, "{:?}", server.counters());
}

#[test]
fn c10_a_server_that_never_answers_ends_in_timeout_or_pending_not_in_a_score() {
    let dir = workplace(2, 3);
    let faults = Faults {
        containing: vec![("Draw scene 0.".into(), Fault::Stall)],
        ..Faults::default()
    };
    let server = fake(FakeConfig {
        faults,
        ..FakeConfig::default()
    });
    let done = judge(
        dir.path(),
        &server,
        "openai",
        &["--timeout", "1", "--max-retries", "1"],
        0,
    );
    assert_eq!(done["counters"]["judged"], 3);
    assert_eq!(done["counters"]["unjudged_by"]["timeout"], 3);
    assert_eq!(done["pending"], 0);
    // One for the other item, the first attempt and the one retry: the end is known beforehand.
    assert_eq!(server.counters().started, 3);
    // Only what was judged is scored; the rest leaves the bounds open.
    let scores = json_of(dir.path(), &["score", "r"], 0);
    let score = &track(&scores, "m", "t2i")["score"];
    let met = done["counters"]["met"].as_f64().expect("met");
    let of = |name: &str| score[name].as_f64().expect("a number");
    assert!((of("value") - met / 3.0 * 100.0).abs() < 1e-9, "{score}");
    assert!((of("high") - of("low") - 50.0).abs() < 1e-9, "{score}");
}

#[test]
fn c12_two_runs_in_one_folder_do_not_meet() {
    let dir = workplace(10, 2);
    let server = fake(FakeConfig {
        latency: Latency::Fixed(Duration::from_millis(400)),
        ..FakeConfig::default()
    });
    let endpoint = server.endpoint("openai");
    // Started at once into one folder; the work takes far longer than both need to start.
    let start = || {
        let mut command = verispec(dir.path());
        command.args(judge_args(&endpoint, &["-j", "2", "--json"]));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    };
    let both = [start(), start()].map(|child| child.wait_with_output().expect("it ends"));
    let [winner, loser] = match both[0].status.code() {
        Some(0) => [&both[0], &both[1]],
        _ => [&both[1], &both[0]],
    };
    let (won, lost) = (text(&winner.stderr), text(&loser.stderr));
    assert_eq!(winner.status.code(), Some(0), "{won}\n{lost}");
    assert_eq!(loser.status.code(), Some(1), "{lost}");
    assert!(lost.contains("in use by another process"), "{lost}");
    let done: Value = serde_json::from_slice(&winner.stdout).expect("document");
    assert_eq!(done["counters"]["judged"], 20);
    // The other one asked nothing, and what the first recorded is whole.
    assert_eq!(server.counters().started, 10);
    assert_eq!(judge(dir.path(), &server, "openai", &[], 0)["calls"], 0);
}

#[test]
fn another_judge_in_the_same_run_is_refused() {
    let dir = workplace(2, 2);
    let server = fake(FakeConfig::default());
    judge(dir.path(), &server, "openai", &[], 0);
    let endpoint = server.endpoint("openai");
    let output = run(
        dir.path(),
        &judge_args(&endpoint, &["--temperature", "0.5"]),
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("another judge"));
}

#[test]
fn b09_filters_that_select_nothing_are_an_error() {
    let dir = workplace(2, 2);
    for filter in [
        ["--ids", "nope"],
        ["--dims", "nope"],
        ["--tracks", "edit"],
        ["--models", "x"],
    ] {
        let output = run(dir.path(), &judge_args("http://127.0.0.1:9/v1", &filter));
        assert_eq!(output.status.code(), Some(2), "{filter:?}");
        assert!(text(&output.stderr).contains(filter[1]), "{filter:?}");
    }
}

#[test]
fn a_declared_track_that_the_suite_lacks_is_an_error() {
    let dir = workplace(2, 2);
    let config = "[model.m]\noutputs = \"suite\"\ntracks = [\"t2l\"]\n";
    std::fs::write(dir.path().join("verispec.toml"), config).expect("file");
    let output = run(dir.path(), &["check", "specv", "--data", "suite"]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(
        told.contains("t2l") && told.contains("there is t2i"),
        "{told}"
    );
}

#[test]
fn a_run_is_not_scored_beside_itself() {
    let dir = workplace(2, 2);
    let server = fake(FakeConfig::default());
    judge(dir.path(), &server, "openai", &[], 0);
    let output = run(dir.path(), &["score", "r", "runs/r"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("named twice"));
}

#[test]
fn check_says_what_is_there_before_any_call() {
    let dir = workplace(4, 3);
    let outputs = dir.path().join("suite/model_outputs/t2i/m");
    std::fs::remove_file(outputs.join("comp_000.png")).expect("file");
    std::fs::write(outputs.join("comp_001.png"), b"").expect("file");
    std::fs::rename(outputs.join("comp_002.png"), outputs.join("comp_002.PNG")).expect("file");
    let args = ["check", "specv", "--data", "suite", "--judge", "openai:m"];
    let report = json_of(dir.path(), &args, 3);
    let row = &report["outputs"][0];
    assert_eq!(row["matched"], 1);
    assert_eq!(row["missing"], 2);
    assert_eq!(row["unreadable"], 1);
    assert_eq!(row["unmatched"], 1);
    let near = report["problems"]
        .as_array()
        .expect("list")
        .iter()
        .find(|p| p["kind"] == "unmatched");
    assert_eq!(near.expect("unmatched")["nearest"], "comp_002");
    assert_eq!(report["price"]["calls"], 1);
    assert!(report["price"]["tokens"].as_u64().expect("tokens") > 100);
}

#[test]
fn a_dotenv_file_and_a_config_file_name_the_judge() {
    let dir = workplace(2, 2);
    let server = fake(FakeConfig {
        api_key: Some("from-dotenv".into()),
        ..FakeConfig::default()
    });
    let config = format!(
        "[suite.specv]\ndata = \"suite\"\n[judge.mine]\nprovider = \"openai\"\nmodel = \"fake\"\n\
         endpoint = \"{}\"\napi_key_env = \"MY_KEY\"\nparams = {{ temperature = 0.1 }}\n",
        server.endpoint("openai")
    );
    std::fs::write(dir.path().join("verispec.toml"), config).expect("file");
    std::fs::write(dir.path().join(".env"), "MY_KEY=from-dotenv\n").expect("file");
    let done = json_of(dir.path(), &["judge", "specv", "--judge", "mine"], 0);
    assert_eq!(done["calls"], 2);
    let secret = tree(&dir.path().join("runs"))
        .iter()
        .any(|(_, bytes)| text(bytes).contains("from-dotenv"));
    assert!(!secret, "the key stands in the run's files");
    std::fs::write(
        dir.path().join("verispec.toml"),
        "[judge.mine]\nprovidr = \"x\"\n",
    )
    .expect("file");
    let output = run(dir.path(), &["judge", "specv", "--judge", "mine"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("providr"));
}
