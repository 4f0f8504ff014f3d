//! `judge --canary`: stored verdicts asked again before money is spent.

use std::path::Path;

use verispec_testkit::{Answers, FakeConfig, FakeJudge};

use crate::support::{bodies, json_of, run, text, workplace};

fn server(answers: Answers) -> FakeJudge {
    FakeJudge::start(FakeConfig {
        answers,
        ..FakeConfig::default()
    })
}

fn judge<'a>(endpoint: &'a str, name: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let fixed = [
        "judge",
        "specv",
        "--data",
        "suite",
        "--judge",
        "openai:fake",
        "--endpoint",
        endpoint,
        "--run",
        name,
    ];
    [&fixed[..], more].concat()
}

/// A run of eight outputs with five specifications each, judged twice.
fn old_run(repeats: &str) -> tempfile::TempDir {
    let dir = workplace(8, 5);
    let server = server(Answers::AllYes);
    let endpoint = server.endpoint("openai");
    let args = judge(&endpoint, "old", &["--repeats", repeats]);
    json_of(dir.path(), &args, 0);
    dir
}

fn stderr(dir: &Path, args: &[&str], code: i32) -> String {
    let done = run(dir, args);
    let told = text(&done.stderr);
    assert_eq!(done.status.code(), Some(code), "{told}");
    told
}

#[test]
fn an_unchanged_judge_goes_on_and_is_asked_once() {
    let dir = old_run("2");
    let server = server(Answers::AllYes);
    let endpoint = server.endpoint("openai");
    let more = [
        "--protocol",
        "independent",
        "--canary",
        "old",
        "--canary-n",
        "6",
    ];
    let args = judge(&endpoint, "new", &more);
    let told = stderr(dir.path(), &args, 0);
    let line = "canary: 0 of 30 verdicts on 6 outputs of old differ now: 0.0 % [0.0, 0.0]; its \
                own noise is 0.0 %";
    assert!(told.contains(line) && !told.contains("warning"), "{told}");
    assert_eq!(bodies(&server).len(), 6 + 40);
    // Six whole outputs again, then nothing: the canary is settled like everything else.
    stderr(dir.path(), &args, 0);
    assert_eq!(bodies(&server).len(), 6 + 40);
}

#[test]
fn a_changed_judge_is_named_before_the_run_costs_anything() {
    let dir = old_run("2");
    let server = server(Answers::AllNo);
    let endpoint = server.endpoint("openai");
    let more = [
        "--protocol",
        "independent",
        "--canary",
        "old",
        "--canary-stop",
    ];
    let args = judge(&endpoint, "new", &more);
    for _ in 0..2 {
        let told = stderr(dir.path(), &args, 4);
        assert!(told.contains("40 of 40 verdicts on 8 outputs"), "{told}");
        assert!(told.contains("nothing else was asked"), "{told}");
        assert_eq!(bodies(&server).len(), 8);
    }
    let told = stderr(dir.path(), &args[..args.len() - 1], 0);
    assert!(told.contains("warning: canary: 40 of 40"), "{told}");
    assert_eq!(bodies(&server).len(), 8 + 40);
}

#[test]
fn noise_has_to_be_known_and_the_judge_the_same() {
    let dir = old_run("1");
    let server = server(Answers::AllNo);
    let endpoint = server.endpoint("openai");
    let with = |more: &[&str]| {
        let args = judge(&endpoint, "new", &[&["--canary", "old"][..], more].concat());
        let args: Vec<String> = args.iter().map(|a| (*a).to_owned()).collect();
        args
    };
    let told = |more: &[&str], code: i32| {
        let args = with(more);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        stderr(dir.path(), &args, code)
    };
    let unknown = told(&[], 2);
    assert!(unknown.contains("--canary-tolerance"), "{unknown}");
    let other = told(&["--temperature", "0.5"], 2);
    assert!(
        other.contains("a difference would be one of judges"),
        "{other}"
    );
    assert_eq!(bodies(&server).len(), 0);
    let all = told(&["--canary-tolerance", "1", "--protocol", "independent"], 0);
    assert!(all.contains("100.0 % is tolerated"), "{all}");
    let batch = [
        "batch",
        "export",
        "specv",
        "--data",
        "suite",
        "--judge",
        "openai:fake",
        "--out",
        "b",
        "--canary",
        "old",
    ];
    let refused = stderr(dir.path(), &batch, 2);
    assert!(refused.contains("a batch file asks nobody"), "{refused}");
}
