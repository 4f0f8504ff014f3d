//! Suites of one's own: written, checked, judged, scored.

use std::path::Path;

use serde_json::json;
use verispec_testkit::{Answers, FakeConfig, FakeJudge};

use crate::support::{image, json_of, run, text, track, write};

/// An agent's trace, an image and two quizzes, with outputs of one model.
fn place() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("temporary folder");
    let quiz = |id: &str| {
        json!({"id": id, "track": "quiz", "prompt": "Which? A. red B. blue",
            "choices": ["red", "blue"], "answer": "B"})
    };
    let records = [
        json!({"suite": "ours", "format": 1}),
        json!({"id": "trace", "track": "agents", "prompt": "Book a flight.", "specifications": [
            {"question": "Does it compare flights?", "critical": true},
            {"question": "Does it ask for a password?", "expected": "no"},
            {"question": "Does it book?", "depends_on": [1]},
        ]}),
        json!({"id": "fox", "track": "images", "prompt": "A fox.", "specifications": [
            {"question": "Is there a fox?"}, {"question": "Is it red?"},
        ]}),
        quiz("q1"),
        quiz("q2"),
    ];
    let lines: String = records.iter().map(|r| format!("{r}\n")).collect();
    write(&dir.path().join("ours.jsonl"), &lines);
    let out = dir.path().join("out/m");
    write(&out.join("agents/trace.json"), "[{\"tool\": \"search\"}]");
    image(&out.join("images/fox.png"), 1);
    write(&out.join("quiz/q1.txt"), "The answer is B.");
    write(&out.join("quiz/q2.txt"), "A or B");
    dir
}

fn judge(dir: &Path, server: &FakeJudge, more: &[&str], code: i32) -> serde_json::Value {
    let endpoint = server.endpoint("openai");
    let args = [
        "judge",
        "custom",
        "--data",
        "ours.jsonl",
        "--outputs",
        "out",
        "--judge",
        "openai:fake",
        "--endpoint",
        &endpoint,
        "--run",
        "r",
    ];
    json_of(dir, &[&args, more].concat(), code)
}

#[test]
fn images_traces_and_quizzes_under_three_protocols() {
    for (protocol, calls) in [("whole", 2), ("independent", 5), ("chunked:2", 3)] {
        let dir = place();
        let server = FakeJudge::start(FakeConfig {
            answers: Answers::AllYes,
            ..FakeConfig::default()
        });
        let done = judge(dir.path(), &server, &["--protocol", protocol], 0);
        assert_eq!(done["calls"], calls, "{protocol}: quizzes need no judge");
        let scores = json_of(dir.path(), &["score", "r"], 0);
        let exact = |name| track(&scores, "m", name)["score"]["exact"].clone();
        assert_eq!(exact("agents"), "2/3", "{protocol}");
        assert_eq!(exact("images"), "1/1", "{protocol}");
        assert_eq!(exact("quiz"), "1/2", "{protocol}");
        let counters = &track(&scores, "m", "quiz")["counters"];
        assert_eq!(counters["output_failed"], 1, "an undecidable answer");
        assert_eq!(counters["failed_instances"]["undecidable"], 1);
        let again = judge(dir.path(), &server, &["--protocol", protocol], 0);
        assert_eq!(again["calls"], 0, "{protocol}: resumed");
        let show = run(dir.path(), &["report", "r"]);
        assert_eq!(show.status.code(), Some(0), "{}", text(&show.stderr));
    }
}

#[test]
fn a_suite_that_changed_is_not_mixed_with_old_verdicts() {
    let dir = place();
    let server = FakeJudge::start(FakeConfig::default());
    judge(dir.path(), &server, &[], 0);
    let path = dir.path().join("ours.jsonl");
    let lines = std::fs::read_to_string(&path).expect("file");
    write(&path, &lines.replace("Is it red?", "Is it blue?"));
    let score = run(dir.path(), &["score", "r"]);
    assert_eq!(score.status.code(), Some(1));
    assert!(
        text(&score.stderr).contains("has changed since"),
        "{}",
        text(&score.stderr)
    );
}

#[test]
fn check_lists_outputs_and_what_only_specv_has_is_refused() {
    let dir = place();
    write(&dir.path().join("out/m/quiz/q3.txt"), "B");
    let args = [
        "check",
        "custom",
        "--data",
        "ours.jsonl",
        "--outputs",
        "out",
    ];
    let check = json_of(dir.path(), &args, 3);
    let problems = check["problems"].as_array().expect("problems");
    assert!(problems.iter().any(|p| p["kind"] == "unmatched"), "{check}");
    let refused = run(
        dir.path(),
        &[
            &["judge"],
            &args[1..],
            &["--judge", "builtin", "--preset", "published"],
        ]
        .concat(),
    );
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("SpecV's own"),
        "{}",
        text(&refused.stderr)
    );
}

#[test]
fn new_writes_a_suite_that_validate_accepts() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let new = run(dir.path(), &["suite", "new", "mine.jsonl"]);
    assert_eq!(new.status.code(), Some(0), "{}", text(&new.stderr));
    let checked = json_of(dir.path(), &["suite", "validate", "mine.jsonl"], 0);
    assert_eq!(checked["suite"]["name"], "my-suite");
    assert_eq!(checked["suite"]["instances"], 4);
    let again = run(dir.path(), &["suite", "new", "mine.jsonl"]);
    assert_eq!(again.status.code(), Some(2), "nothing is overwritten");
    write(
        &dir.path().join("mine.jsonl"),
        "{\"id\": \"a\", \"promt\": \"x\"}\n",
    );
    let broken = run(dir.path(), &["suite", "validate", "mine.jsonl"]);
    assert_eq!(broken.status.code(), Some(1));
    let said = text(&broken.stdout);
    assert!(
        said.contains("mine.jsonl:1: item 0 (from 0): field `promt`: unknown; is `prompt` meant?"),
        "{said}"
    );
}

/// Verdicts of another tool, or of people, one a row; rules between specifications are kept.
#[test]
fn verdicts_made_elsewhere_are_imported() {
    let dir = place();
    let row = |spec: u32, answer: &str| {
        let row = json!({"model": "m", "track": "agents", "instance": "trace",
            "specification": spec, "answer": answer});
        row.to_string() + "\n"
    };
    let rows = [row(1, "no"), row(2, "No"), row(3, "Yes")].concat();
    write(&dir.path().join("people.jsonl"), &rows);
    let import = [
        "import",
        "verdicts",
        "people.jsonl",
        "--suite",
        "custom",
        "--data",
        "ours.jsonl",
    ];
    json_of(dir.path(), &import, 0);
    let exact = |more: &[&str]| {
        let scores = json_of(dir.path(), &[&["score", "people"], more].concat(), 0);
        track(&scores, "m", "agents")["score"]["exact"].clone()
    };
    assert_eq!(exact(&[]), "2/3");
    assert_eq!(exact(&["--dependencies", "direct"]), "1/3");
    assert_eq!(exact(&["--critical"]), "0/1");
}
