//! Several opinions on one output: repeats, panels; and the protocols `chunked` and `holistic`.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use verispec_testkit::{Answers, FakeConfig, FakeJudge};

use crate::support::{json_of, judge_args, run, text, track, workplace};

fn fake(answers: Answers) -> FakeJudge {
    FakeJudge::start(FakeConfig {
        answers,
        ..FakeConfig::default()
    })
}

fn custom(answer: impl Fn(&str, &str) -> String + Send + Sync + 'static) -> Answers {
    Answers::Custom(Arc::new(move |prompt, question| {
        answer(&prompt.text, &question.text)
    }))
}

fn specifications(dir: &Path, args: &[&str]) -> Vec<Value> {
    let shown = json_of(dir, args, 0);
    let specs = &shown["instances"][0]["specifications"];
    specs.as_array().expect("specifications").clone()
}

#[test]
fn chunks_ask_a_few_specifications_a_call() {
    let dir = workplace(2, 7);
    let server = fake(Answers::AllYes);
    let endpoint = server.endpoint("openai");
    let args = judge_args(&endpoint, &["--protocol", "chunked:3"]);
    let done = json_of(dir.path(), &args, 0);
    assert_eq!(done["calls"], 6);
    assert_eq!(done["counters"]["judged"], 14);
    let specs = specifications(dir.path(), &["show", "r", "comp_000"]);
    let asked: Vec<_> = specs
        .iter()
        .map(|s| s["asked_with"].as_u64().expect("asked"))
        .collect();
    assert_eq!(asked, [3, 3, 3, 3, 3, 3, 1]);
    let scores = json_of(dir.path(), &["score", "r"], 0);
    assert_eq!(scores["context"]["protocol"], "chunked:3@1");
    for bad in ["chunked:0", "chunked", "chunked:x"] {
        let output = run(dir.path(), &judge_args(&endpoint, &["--protocol", bad]));
        assert_eq!(output.status.code(), Some(2), "{bad}");
    }
}

#[test]
fn a10_a_holistic_run_scores_grades_and_an_impossible_grade_is_no_score() {
    let dir = workplace(3, 2);
    let server = fake(custom(|prompt, _| {
        let grade = match () {
            () if prompt.contains("scene 0.") => 7,
            () if prompt.contains("scene 1.") => 90,
            () => 4,
        };
        format!("{{\"reason\": \"seen\", \"score\": {grade}}}")
    }));
    let endpoint = server.endpoint("openai");
    let args = judge_args(&endpoint, &["--protocol", "holistic"]);
    let output = run(dir.path(), &args);
    assert!(
        matches!(output.status.code(), Some(0 | 3)),
        "{}",
        text(&output.stderr)
    );
    let scores = json_of(dir.path(), &["score", "r"], 0);
    assert_eq!(scores["policy"]["scoring"], "holistic");
    let track = track(&scores, "m", "t2i");
    // Two grades, 7 and 4 of 10; the third is unjudged and leaves the bounds open.
    assert_eq!(track["score"]["value"], 55.0);
    assert_eq!(track["score"]["exact"], "11/20");
    assert!((track["score"]["low"].as_f64().expect("low") - 110.0 / 3.0).abs() < 1e-9);
    assert!((track["score"]["high"].as_f64().expect("high") - 70.0).abs() < 1e-9);
    assert_eq!(track["counters"]["graded"], 2);
    assert_eq!(track["counters"]["unjudged_by"]["unparsed"], 1);
    let shown = text(&run(dir.path(), &["score", "r"]).stdout);
    assert!(
        shown.contains("holistic grades") && shown.contains("holistic@1"),
        "{shown}"
    );
    let specs = specifications(dir.path(), &["show", "r", "comp_000"]);
    assert_eq!(specs[0]["grade"]["value"], 7.0);
    assert_eq!(specs[0]["expected"], Value::Null);
    // Neither board scores nor votes, nor a table with verdicts on specifications.
    for args in [
        &["score", "r", "--scoring", "board"][..],
        &["score", "r", "--with-published"],
        &["rank", "r", "--repeat-reduce", "majority"],
        &["export", "r", "--out", "x"],
    ] {
        let output = run(dir.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
    let mut whole = judge_args(&endpoint, &[]);
    let at = whole.iter().position(|a| *a == "r").expect("run name");
    whole[at] = "w";
    run(dir.path(), &whole);
    let output = run(dir.path(), &["score", "r", "w"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("holistic"));
}

#[test]
fn c04_repeats_are_asked_once_each_and_never_again() {
    let dir = workplace(1, 2);
    let calls = AtomicUsize::new(0);
    // Calls come one after the other: Yes, No, No to the first specification, Yes to the second.
    let server = fake(custom(move |_, question| {
        if question.contains("part 2") {
            return "Yes".into();
        }
        let first = calls.fetch_add(1, Ordering::SeqCst) == 0;
        if first { "Yes" } else { "No" }.into()
    }));
    let endpoint = server.endpoint("openai");
    let args = judge_args(&endpoint, &["--repeats", "3", "-j", "1"]);
    let first = json_of(dir.path(), &args, 0);
    assert_eq!(first["calls"], 3);
    assert_eq!(json_of(dir.path(), &args, 0)["calls"], 0);

    // Mean of the repeats' rates: (2/2 + 1/2 + 1/2) / 3.
    let scores = json_of(dir.path(), &["score", "r"], 0);
    let mean = track(&scores, "m", "t2i");
    assert_eq!(mean["score"]["exact"], "2/3");
    assert_eq!(mean["counters"]["judged"], 6);
    assert!(
        scores["context"]["repeats"]
            .as_str()
            .expect("named")
            .starts_with("3, mean")
    );

    let each = specifications(dir.path(), &["show", "r", "comp_000"]);
    let requests: std::collections::BTreeSet<_> =
        each.iter().map(|s| s["request"].to_string()).collect();
    assert_eq!((each.len(), requests.len()), (6, 3));

    let majority = ["--repeat-reduce", "majority"];
    let scores = json_of(dir.path(), &[&["score", "r"], &majority[..]].concat(), 0);
    let voted = track(&scores, "m", "t2i");
    assert_eq!(voted["score"]["exact"], "1/2");
    assert_eq!(voted["counters"]["judged"], 2);
    let specs = specifications(
        dir.path(),
        &[&["show", "r", "comp_000"], &majority[..]].concat(),
    );
    let votes = specs[0]["votes"].as_array().expect("votes");
    let said: Vec<_> = votes.iter().map(|v| v["reading"].to_string()).collect();
    assert_eq!(
        said.iter().filter(|s| s.contains("No")).count(),
        2,
        "{said:?}"
    );
    let shown = [&["show", "r", "comp_000"], &majority[..]].concat();
    let shown = text(&run(dir.path(), &shown).stdout);
    assert!(
        shown.contains("repeat 1 Yes") && shown.contains("repeat 3 No"),
        "{shown}"
    );
    // The published rule has room for one verdict only.
    let board = run(dir.path(), &["score", "r", "--scoring", "board"]);
    assert_eq!(board.status.code(), Some(2));
    json_of(
        dir.path(),
        &[&["score", "r", "--scoring", "board"], &majority[..]].concat(),
        0,
    );
}

/// Three judges: Yes to all; No to part 1; no answer to part 1 and No to part 2.
fn panel(dir: &Path) -> Vec<FakeJudge> {
    let judges = vec![
        fake(Answers::AllYes),
        fake(custom(|_, q| {
            if q.contains("part 1") { "No" } else { "Yes" }.into()
        })),
        fake(custom(|_, q| {
            match () {
                () if q.contains("part 1") => "maybe",
                () if q.contains("part 2") => "No",
                () => "Yes",
            }
            .into()
        })),
    ];
    let mut config = "[suite.specv]\ndata = \"suite\"\n".to_owned();
    for (name, judge) in ["a", "b", "c"].iter().zip(&judges) {
        config += &format!(
            "[judge.{name}]\nprovider = \"openai\"\nmodel = \"{name}\"\nendpoint = \"{}\"\n",
            judge.endpoint("openai")
        );
    }
    config += "[judge.panel]\nmembers = [\"a\", \"b\", \"c\"]\nreduce = \"majority\"\n";
    std::fs::write(dir.join("verispec.toml"), config).expect("file");
    judges
}

#[test]
fn c11_a_panel_keeps_each_judges_verdicts_and_recombines_them_without_calls() {
    let dir = workplace(1, 3);
    let judges = panel(dir.path());
    let judge = ["judge", "specv", "--judge", "panel", "--run", "p"];
    let output = run(dir.path(), &[&judge[..], &["--json"]].concat());
    let done: Value = serde_json::from_slice(&output.stdout).expect("document");
    assert_eq!(done["calls"], 3);
    assert_eq!(done["counters"]["judged"], 8);

    // Majority: part 1 has a tie of two valid votes, part 2 two of three, part 3 all.
    let score = |more: &[&str]| {
        let args = [&["score", "p"], more].concat();
        let scores = json_of(dir.path(), &args, 0);
        let track = track(&scores, "m", "t2i").clone();
        (scores, track)
    };
    let (scores, majority) = score(&[]);
    assert_eq!(majority["counters"]["unjudged_by"]["conflict"], 1);
    assert_eq!(majority["score"]["exact"], "1/1");
    assert_eq!(
        scores["context"]["ensemble"],
        "majority of 3 judges, at least 2 valid"
    );
    let who = scores["context"]["judge"].as_str().expect("judges");
    assert!(
        ["a=openai/a", "b=openai/b", "c=openai/c"]
            .iter()
            .all(|j| who.contains(j)),
        "{who}"
    );

    let (_, strict) = score(&["--min-valid", "3"]);
    assert_eq!(strict["counters"]["unjudged_by"]["too-few-votes"], 1);
    let (_, unanimous) = score(&["--ensemble", "unanimous"]);
    assert_eq!(unanimous["counters"]["unjudged_by"]["conflict"], 2);
    assert_eq!(unanimous["counters"]["met"], 1);
    // Mean of the members' rates: (3/3 + 2/3 + 1/2) / 3.
    let (_, mean) = score(&["--ensemble", "mean"]);
    assert_eq!(mean["score"]["exact"], "13/18");
    // How many judges the panel wants says nothing about one of them.
    for more in [
        &["--ensemble", "member:b"][..],
        &["--ensemble", "member:b", "--min-valid", "2"],
    ] {
        let (_, member) = score(more);
        assert_eq!(member["score"]["exact"], "2/3");
    }
    for (rule, word) in [("member:x", "a, b, c"), ("median", "majority")] {
        let output = run(dir.path(), &["score", "p", "--ensemble", rule]);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).contains(word),
            "{}",
            text(&output.stderr)
        );
    }

    let specs = specifications(dir.path(), &["show", "p", "comp_000"]);
    let votes = specs[0]["votes"].as_array().expect("votes");
    let members: Vec<_> = votes.iter().map(|v| v["member"].as_str()).collect();
    assert_eq!(members, [Some("a"), Some("b"), Some("c")]);
    let csv = text(
        &run(
            dir.path(),
            &["score", "p", "--verdicts", "--ensemble", "mean"],
        )
        .stdout,
    );
    assert_eq!(
        csv.lines().filter(|l| l.contains(",whole@1,c,")).count(),
        3,
        "{csv}"
    );
    // Nothing of this asked anybody anything.
    assert!(judges.iter().all(|j| j.log().len() == 1));
}

#[test]
fn a_panel_that_says_too_little_or_too_much_is_refused() {
    let dir = workplace(1, 1);
    let judge = ["judge", "specv", "--judge", "panel"];
    let one =
        "[judge.a]\nprovider = \"openai\"\nmodel = \"a\"\nendpoint = \"http://127.0.0.1:9/v1\"\n";
    for (panel, word) in [
        ("members = [\"a\"]", "reduce"),
        ("members = [\"a\"]\nreduce = \"pooled\"", "majority"),
        ("members = [\"a\", \"a\"]\nreduce = \"mean\"", "same judge"),
        (
            "members = [\"a\"]\nreduce = \"mean\"\nmin_valid = 2",
            "min-valid",
        ),
        (
            "members = [\"a\"]\nreduce = \"mean\"\nmodel = \"x\"",
            "nothing else",
        ),
        ("members = [\"panel\"]\nreduce = \"mean\"", "panel itself"),
    ] {
        let config = format!("[suite.specv]\ndata = \"suite\"\n{one}[judge.panel]\n{panel}\n");
        std::fs::write(dir.path().join("verispec.toml"), config).expect("file");
        let output = run(dir.path(), &judge);
        assert_eq!(output.status.code(), Some(2), "{panel}");
        assert!(
            text(&output.stderr).contains(word),
            "{panel}: {}",
            text(&output.stderr)
        );
    }
}
