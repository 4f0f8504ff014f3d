//! What a new user runs into: what `check` counts, why a run stopped, what a mistake is told.

use std::path::Path;

use serde_json::{Value, json};
use verispec_testkit::{FakeConfig, FakeJudge, Fault, Faults};

use crate::support::{image, json_of, judge_args, run, text, track, verispec, workplace, write};

const CHECK: [&str; 6] = [
    "check",
    "specv",
    "--data",
    "suite",
    "--judge",
    "openai:fake",
];

/// Adds the track `edit` with one instance whose two reference images are not there, as in a git
/// clone.
fn add_edit(dir: &Path) {
    let suite = dir.join("suite");
    let task = json!({
        "id": "edit_001", "dimension": "local", "question": "Make it red.",
        "question_img": ["images/a.png", "images/b.png"],
    });
    write(
        &suite.join("eval_data/edit/local.jsonl"),
        &format!("{task}\n"),
    );
    let item = json!([{
        "id": 1, "question": "Is it red?", "category": "c", "subcategory": "s",
        "expected_answer": "Yes", "score": 9.0,
    }]);
    write(
        &suite.join("eval_checklist/edit/local/edit_001.json"),
        &item.to_string(),
    );
}

/// Exit code and what was printed on stderr.
fn outcome(dir: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = run(dir, args);
    (output.status.code(), text(&output.stderr))
}

fn malformed(containing: &str) -> FakeJudge {
    FakeJudge::start(FakeConfig {
        faults: Faults {
            containing: vec![(containing.into(), Fault::Malformed)],
            ..Faults::default()
        },
        ..FakeConfig::default()
    })
}

#[test]
fn check_prices_only_what_no_run_has_asked() {
    let dir = workplace(4, 3);
    let server = FakeJudge::start(FakeConfig::default());
    let endpoint = server.endpoint("openai");
    json_of(dir.path(), &judge_args(&endpoint, &["--limit", "3"]), 0);
    let price = |code| json_of(dir.path(), &CHECK, code)["price"].clone();
    let before = price(0);
    assert_eq!(
        (&before["reused"], &before["calls"]),
        (&json!(3), &json!(1))
    );
    image(
        &dir.path().join("suite/model_outputs/t2i/m/comp_000.png"),
        77,
    );
    let after = price(0);
    assert_eq!((&after["reused"], &after["calls"]), (&json!(2), &json!(2)));
    // The run that the same command would resume is looked at as well, failures included.
    let broken = malformed("Draw scene");
    let endpoint = broken.endpoint("openai");
    let args = [
        "judge",
        "specv",
        "--data",
        "suite",
        "--judge",
        "openai:other",
        "--endpoint",
        &endpoint,
    ];
    json_of(dir.path(), &args, 3);
    let other = [
        "check",
        "specv",
        "--data",
        "suite",
        "--judge",
        "openai:other",
    ];
    assert_eq!(json_of(dir.path(), &other, 0)["price"]["calls"], 0);
}

#[test]
fn check_looks_at_the_filtered_part_and_at_tracks_that_are_entered() {
    let dir = workplace(4, 3);
    add_edit(dir.path());
    let outputs = dir.path().join("suite/model_outputs");
    // A complete folder of one track needs no reference images of another.
    let report = json_of(dir.path(), &CHECK, 0);
    assert_eq!(report["inputs"]["expected"], 0);
    std::fs::remove_file(outputs.join("t2i/m/comp_003.png")).expect("file");
    std::fs::rename(
        outputs.join("t2i/m/comp_002.png"),
        outputs.join("t2i/m/comp_002_0.png"),
    )
    .expect("file");
    json_of(dir.path(), &CHECK, 3);
    let limited = json_of(dir.path(), &[&CHECK[..], &["--limit", "2"]].concat(), 0);
    assert_eq!(limited["outputs"][0]["expected"], 2);
    let one = json_of(
        dir.path(),
        &[&CHECK[..], &["--ids", "comp_002"]].concat(),
        3,
    );
    let problems = one["problems"].as_array().expect("list");
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(
        problems[1]["message"]
            .as_str()
            .is_some_and(|m| m.contains("expected comp_002.png")),
        "{problems:?}"
    );
    image(&outputs.join("edit/m/edit_001.png"), 3);
    let (code, said) = outcome(dir.path(), &CHECK);
    assert_eq!(code, Some(3));
    assert!(
        said.contains("eval_data") && said.contains("a.png"),
        "{said}"
    );
    let inputs = json_of(dir.path(), &CHECK, 3)["inputs"].clone();
    assert_eq!(
        (&inputs["missing"], &inputs["instances"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(inputs["by_track"], json!([["edit", 1]]));
    let t2i = [&CHECK[..], &["--tracks", "t2i", "--limit", "1"]].concat();
    json_of(dir.path(), &t2i, 0);
}

#[test]
fn a_stray_file_enters_no_track_and_is_told() {
    let dir = workplace(2, 2);
    add_edit(dir.path());
    write(
        &dir.path().join("suite/model_outputs/edit/m/readme.txt"),
        "notes",
    );
    let (code, said) = outcome(dir.path(), &CHECK);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("does not enter edit") && said.contains("readme.txt"),
        "{said}"
    );
}

#[test]
fn nothing_judged_is_not_success_and_odd_outputs_are_told() {
    let dir = workplace(2, 2);
    let outputs = dir.path().join("suite/model_outputs/t2i/m");
    std::fs::write(outputs.join("comp_000.png"), b"").expect("file");
    std::fs::rename(
        outputs.join("comp_001.png"),
        outputs.join("comp_001 (1).png"),
    )
    .expect("file");
    let server = FakeJudge::start(FakeConfig::default());
    let endpoint = server.endpoint("openai");
    let (code, said) = outcome(dir.path(), &judge_args(&endpoint, &[]));
    assert_eq!(code, Some(3), "{said}");
    for part in [
        "1 file belongs",
        "1 missing",
        "1 unreadable",
        "exit 3: none of 4",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_judge_that_is_not_there_is_named_with_its_address() {
    let dir = workplace(2, 2);
    let dead = "http://127.0.0.1:9/v1";
    let args = judge_args(dead, &["--limit", "1", "--max-retries", "0"]);
    let (code, said) = outcome(dir.path(), &args);
    assert_eq!(code, Some(3), "{said}");
    assert!(
        said.contains("127.0.0.1:9") && said.contains("last error"),
        "{said}"
    );
    assert!(said.contains("exit 3: 1 requests are pending"), "{said}");
}

#[test]
fn a_refused_key_says_whether_one_was_sent_and_from_where() {
    let dir = workplace(2, 2);
    let server = FakeJudge::start(FakeConfig {
        api_key: Some("right".into()),
        ..FakeConfig::default()
    });
    let endpoint = server.endpoint("openai");
    let (code, said) = outcome(dir.path(), &judge_args(&endpoint, &[]));
    assert_eq!(code, Some(1));
    assert!(
        said.contains("no key was sent") && said.contains("OPENAI_API_KEY"),
        "{said}"
    );
    let mut command = verispec(dir.path());
    command
        .env("OPENAI_API_KEY", "wrong")
        .args(judge_args(&endpoint, &[]));
    let said = text(&command.output().expect("the program starts").stderr);
    assert!(said.contains("came from OPENAI_API_KEY"), "{said}");
    assert!(!said.contains("wrong"), "{said}");
}

#[test]
fn a_public_address_without_a_key_and_a_bad_address_are_refused_before_a_run_is_made() {
    let dir = workplace(2, 2);
    for (judge, more) in [
        ("openai:gpt-4.1", &[][..]),
        ("gemini:gemini-2.5-pro", &[]),
        ("openai:m", &["--endpoint", "host/v1"]),
    ] {
        let mut command = verispec(dir.path());
        for name in [
            "OPENAI_BASE_URL",
            "OPENAI_API_BASE",
            "GEMINI_API_KEY",
            "GOOGLE_API_KEY",
        ] {
            command.env_remove(name);
        }
        command
            .args(["judge", "specv", "--data", "suite", "--judge", judge])
            .args(more);
        let output = command.output().expect("the program starts");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{judge}: {said}");
        assert!(said.contains("key") || said.contains("endpoint"), "{said}");
        assert!(!dir.path().join("runs").exists(), "{judge}");
    }
}

#[test]
fn an_address_that_leads_nowhere_is_shown_with_its_usual_mistake() {
    let dir = workplace(2, 2);
    let server = FakeJudge::start(FakeConfig::default());
    for (endpoint, hint) in [
        (server.url(), "want /v1"),
        (
            format!("{}/chat/completions", server.endpoint("openai")),
            "leave it out",
        ),
    ] {
        let (code, said) = outcome(dir.path(), &judge_args(&endpoint, &["-j", "1"]));
        assert_eq!(code, Some(1), "{said}");
        let tried = format!("{endpoint}/chat/completions");
        assert!(said.contains(&tried) && said.contains(hint), "{said}");
    }
}

#[test]
fn show_gives_what_the_judge_wrote_where_there_is_no_verdict() {
    let dir = workplace(2, 3);
    let server = malformed("Draw scene 1.");
    json_of(dir.path(), &judge_args(&server.endpoint("openai"), &[]), 0);
    let shown = text(&run(dir.path(), &["show", "r", "comp_001"]).stdout);
    assert!(shown.contains("the judge wrote:"), "{shown}");
    let shown = json_of(dir.path(), &["show", "r", "comp_000"], 0).to_string();
    assert!(!shown.contains("the judge wrote:"), "{shown}");
}

#[test]
fn unlike_runs_are_ranked_together_only_on_request() {
    let dir = workplace(2, 2);
    let server = FakeJudge::start(FakeConfig::default());
    let endpoint = server.endpoint("openai");
    json_of(dir.path(), &judge_args(&endpoint, &[]), 0);
    let mut other = judge_args(&endpoint, &["--seed", "3"]);
    let at = other.iter().position(|a| *a == "r").expect("run name");
    other[at] = "s";
    json_of(dir.path(), &other, 0);
    let (code, said) = outcome(dir.path(), &["rank", "r", "s"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("differ in the judge") && said.contains("--across-judges"),
        "{said}"
    );
    json_of(dir.path(), &["rank", "r", "s", "--across-judges"], 0);
    let policies = ["study", "policies", "r", "s"];
    let refused = run(dir.path(), &policies);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("differ in the judge"));
    json_of(
        dir.path(),
        &[&policies[..], &["--across-judges"]].concat(),
        0,
    );
    let (_, said) = outcome(dir.path(), &["rank", "r", "--with-published"]);
    assert!(said.contains("another judge and protocol"), "{said}");
}

#[test]
fn the_own_table_of_verdicts_comes_back_in() {
    let dir = workplace(4, 3);
    let outputs = dir.path().join("suite/model_outputs/t2i/m");
    std::fs::remove_file(outputs.join("comp_000.png")).expect("file");
    std::fs::write(outputs.join("comp_002.png"), b"").expect("file");
    let server = malformed("Draw scene 1.");
    json_of(dir.path(), &judge_args(&server.endpoint("openai"), &[]), 0);
    let table = run(dir.path(), &["score", "r", "--verdicts"]).stdout;
    std::fs::write(dir.path().join("v.csv"), table).expect("file");
    let import = [
        "import", "verdicts", "v.csv", "--data", "suite", "--run", "v",
    ];
    let (code, said) = outcome(dir.path(), &import);
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("is not read"), "{said}");
    let counters = |name: &str| {
        let scores = json_of(dir.path(), &["score", name], 0);
        let track = track(&scores, "m", "t2i").clone();
        (track["counters"].clone(), track["score"].clone())
    };
    assert_eq!(counters("r"), counters("v"));
    assert_eq!(counters("v").0["unjudged_by"]["unparsed"], 3);
    let shown = text(&run(dir.path(), &["show", "v", "comp_001"]).stdout);
    assert!(shown.contains("the judge wrote:"), "{shown}");
}

#[test]
fn imports_of_nothing_leave_no_run() {
    let dir = workplace(2, 2);
    let results = dir.path().join("tree/eval/t2i/results");
    write(&results.join("m/composition/comp_000.json"), "[]");
    write(&dir.path().join("v.txt"), "x");
    let rows = "model,track,instance,specification,answer\na,t2i,nope,1,Yes\n";
    write(&dir.path().join("v.csv"), rows);
    let rows = "model,track,instance,specification,answer,judge\n\
                a,t2i,comp_000,1,Yes,x\na,t2i,comp_000,1,Yes,y\n";
    write(&dir.path().join("two.csv"), rows);
    let results = "tree/eval/t2i/results";
    let model = "tree/eval/t2i/results/m";
    for (args, code, hint) in [
        (&["specv-results", model][..], 1, "all models"),
        (
            &["specv-results", model, "--track", "t2i"],
            2,
            "no result files",
        ),
        (&["verdicts", "v.csv", "--data", "suite"], 1, "no row"),
        (&["verdicts", "v.txt", "--data", "suite"], 2, ".csv"),
        (&["verdicts", "two.csv", "--data", "suite"], 2, "--judge"),
    ] {
        let (was, said) = outcome(dir.path(), &[&["import"][..], args].concat());
        assert_eq!(was, Some(code), "{args:?}: {said}");
        assert!(said.contains(hint), "{args:?}: {said}");
        assert!(!dir.path().join("runs").exists(), "{args:?}");
    }
    json_of(dir.path(), &["import", "specv-results", results], 0);
}

#[test]
fn a_broken_result_file_is_told_as_this_models() {
    let dir = workplace(2, 2);
    let results = dir.path().join("tree/eval/t2i/results/m/composition");
    write(&results.join("comp_000.json"), "{broken");
    write(&results.join("comp_001.json"), "[]");
    run(
        dir.path(),
        &["import", "specv-results", "tree", "--run", "t"],
    );
    let shown = text(&run(dir.path(), &["show", "t", "comp_000"]).stdout);
    assert!(
        shown.contains("this model") && !shown.contains("any model"),
        "{shown}"
    );
}

#[test]
fn slips_in_arguments_are_usage_errors_with_the_right_words() {
    let dir = workplace(2, 2);
    let server = FakeJudge::start(FakeConfig::default());
    let endpoint = server.endpoint("openai");
    json_of(dir.path(), &judge_args(&endpoint, &[]), 0);
    let low = judge_args(&endpoint, &["--min-coverage", "90"]);
    let hot = judge_args(
        &endpoint,
        &["--temperature", "0.5", "--structured", "json_schema"],
    );
    for (args, hint) in [
        (&low[..], "90 % is 0.9"),
        (&hot[..], "temperature not set, now 0.5"),
        (&["score", "r", "--track", "t2"], "there is"),
        (&["rank", "r", "--track", "t2"], "there is"),
        (
            &["export", "r", "--out", "x", "--unjudged", "exclude"],
            "na",
        ),
        (&["score", "q"], "no run \"q\"; in runs: r"),
    ] {
        let (code, said) = outcome(dir.path(), args);
        assert_eq!(code, Some(2), "{args:?}: {said}");
        assert!(said.contains(hint), "{args:?}: {said}");
    }
    let config = "[judge.a]\nprovider = \"openai\"\nmodel = \"m\"\nstructured = \"json-schema\"\n";
    write(&dir.path().join("verispec.toml"), config);
    let named = ["check", "specv", "--data", "suite", "--judge", "a"];
    let price = json_of(dir.path(), &named, 0)["price"].clone();
    assert!(
        price["judge"]
            .as_str()
            .is_some_and(|j| j.contains("schema")),
        "{price}"
    );
    let help = text(&run(dir.path(), &["check", "--help"]).stdout);
    assert!(
        help.contains("Global options:") && help.contains("think_with_img"),
        "{help}"
    );
}

#[test]
fn a_run_that_is_not_there_names_the_nearest_of_many() {
    let dir = workplace(1, 1);
    let rows = "model,track,instance,specification,answer\na,t2i,comp_000,1,Yes\n";
    write(&dir.path().join("v.csv"), rows);
    for i in 0..12 {
        let name = format!("import-{i:02}");
        let args = [
            "import", "verdicts", "v.csv", "--data", "suite", "--run", &name,
        ];
        json_of(dir.path(), &args, 0);
    }
    let (_, said) = outcome(dir.path(), &["score", "import-11x"]);
    assert!(
        said.contains(": import-11, ") && said.contains("and 2 more"),
        "{said}"
    );
    let value: Value = json_of(dir.path(), &["score", "import-11"], 0);
    assert_eq!(value["models"][0]["model"], "a");
}
