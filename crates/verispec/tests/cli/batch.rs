//! Judging by batch files, with providers that are functions from a request file to a result
//! file: shuffled, duplicated, partly failed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use verispec_model::Hash;
use verispec_testkit::{FakeConfig, FakeJudge};

use crate::support::{bodies, json_of, judge_args, run, text, track, workplace, write};

const DIALECTS: [&str; 3] = ["openai", "gemini", "anthropic"];

/// What a provider does with a request.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Answer,
    /// Answers all but the last statement.
    LackOne,
    Fail,
    Refuse,
    Expire,
    /// No line at all.
    Lose,
}

fn export(dir: &Path, dialect: &str, out: &str, more: &[&str]) -> Value {
    let judge = format!("{dialect}:fake");
    let fixed = [
        "batch", "export", "specv", "--data", "suite", "--judge", &judge, "--run", "r", "--out",
        out,
    ];
    json_of(dir, &[&fixed[..], more].concat(), 0)
}

fn import(dir: &Path, files: &[&str], code: i32) -> Value {
    json_of(dir, &[&["batch", "import", "r"], files].concat(), code)
}

fn files(export: &Value) -> Vec<PathBuf> {
    let files = export["files"].as_array().expect("files");
    let path = |f: &Value| PathBuf::from(f["path"].as_str().expect("path"));
    files.iter().map(path).collect()
}

/// Requests of a file: id and body as written.
fn requests(dialect: &str, path: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(path).expect("a request file");
    if dialect == "anthropic" {
        let whole: Value = serde_json::from_str(&text).expect("one object");
        assert!(whole["requests"].is_array());
    }
    let (id, body) = match dialect {
        "openai" => ("custom_id", "body"),
        "gemini" => ("key", "request"),
        _ => ("custom_id", "params"),
    };
    let lines = text.lines().map(|l| l.trim_end_matches(','));
    let lines = lines.filter(|l| l.len() > 20);
    lines
        .map(|line| {
            let value: Value = serde_json::from_str(line).expect("a request");
            let id = value[id].as_str().expect("an id").to_owned();
            let at = line.find(&format!("\"{body}\":")).expect("a body") + body.len() + 3;
            (id, line[at..line.len() - 1].to_owned())
        })
        .collect()
}

/// Numbers of the statements that a body asks.
fn asked(body: &str) -> Vec<u64> {
    let parts = body.rsplit("Statements:\\n").next().expect("statements");
    let lines = parts.split("\\n");
    let number = |line: &str| line.split_once(". ")?.0.parse().ok();
    lines.map_while(number).collect()
}

fn result(dialect: &str, id: &str, body: &str, fate: Fate) -> Option<String> {
    let mut ids = asked(body);
    assert!(!ids.is_empty(), "{body}");
    if fate == Fate::LackOne {
        ids.pop();
    }
    let items: Vec<Value> = ids
        .iter()
        .map(|id| json!({"id": id, "reason": "seen", "answer": "Yes"}))
        .collect();
    let content = json!(items).to_string();
    let value = match (dialect, fate) {
        (_, Fate::Lose) => return None,
        ("openai", Fate::Fail) => json!({"custom_id": id, "error": null,
            "response": {"status_code": 500, "body": {"error": {"message": "oops"}}}}),
        ("openai", Fate::Refuse) => json!({"custom_id": id, "error": null,
            "response": {"status_code": 400, "body": {"error": {"message": "no"}}}}),
        ("openai", Fate::Expire) => json!({"custom_id": id, "response": null,
            "error": {"code": "batch_expired", "message": "late"}}),
        ("openai", _) => json!({"id": "b", "custom_id": id, "error": null,
            "response": {"status_code": 200, "body": {"model": "fake",
                "choices": [{"index": 0, "message": {"content": content}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 10}}}}),
        ("gemini", Fate::Fail) => json!({"key": id, "error": {"code": 13, "message": "oops"}}),
        ("gemini", Fate::Refuse) => json!({"key": id, "error": {"code": 3, "message": "no"}}),
        ("gemini", Fate::Expire) => json!({"key": id, "error": {"code": 4, "message": "late"}}),
        ("gemini", _) => json!({"key": id, "response": {
            "candidates": [{"content": {"parts": [{"text": content}]}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10}}}),
        (_, Fate::Fail) => json!({"custom_id": id, "result": {"type": "errored",
            "error": {"type": "error", "error": {"type": "api_error", "message": "oops"}}}}),
        (_, Fate::Refuse) => json!({"custom_id": id, "result": {"type": "errored",
            "error": {"type": "error", "error": {"type": "invalid_request_error", "message": "no"}}}}),
        (_, Fate::Expire) => json!({"custom_id": id, "result": {"type": "expired"}}),
        (_, _) => json!({"custom_id": id, "result": {"type": "succeeded", "message": {
            "type": "message", "role": "assistant", "model": "fake", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": content}],
            "usage": {"input_tokens": 100, "output_tokens": 10}}}}),
    };
    Some(value.to_string())
}

/// Lines of results for a request file, last request first.
fn provider(dialect: &str, path: &Path, fates: &[Fate]) -> Vec<String> {
    let all = requests(dialect, path);
    let fate = |i: usize| fates.get(i).copied().unwrap_or(Fate::Answer);
    let lines = all.iter().enumerate();
    let mut lines: Vec<String> = lines
        .filter_map(|(i, (id, body))| result(dialect, id, body, fate(i)))
        .collect();
    lines.reverse();
    lines
}

#[test]
fn a_run_by_waves_takes_in_what_comes_back_and_plans_only_the_rest() {
    for dialect in DIALECTS {
        let dir = workplace(8, 3);
        let at = dir.path();
        let first = export(at, dialect, "w1", &["--max-requests", "6"]);
        assert_eq!(first["requests"], 8, "{dialect}");
        let written = files(&first);
        assert_eq!(written.len(), 2, "{dialect}");

        use Fate::{Answer, Expire, Fail, LackOne, Lose, Refuse};
        let fates = [LackOne, Fail, Expire, Refuse, Answer, Lose];
        let mut lines = provider(dialect, &at.join(&written[0]), &fates);
        lines.push(lines[0].clone());
        lines.push("{\"custom_id\": cut off".to_owned());
        let foreign = lines[0].replace('\u{0}', "");
        let (id, _) = requests(dialect, &at.join(&written[0]))[4].clone();
        lines.push(foreign.replace(&id, &format!("{}-1", "a".repeat(32))));
        write(&at.join("one.jsonl"), &(lines.join("\n") + "\n\n"));
        let taken = import(at, &["one.jsonl"], 3);
        let file = &taken["files"][0];
        assert_eq!(file["taken"]["answered"], 2, "{dialect}: {taken}");
        assert_eq!(file["taken"]["server-error"], 1, "{dialect}: {taken}");
        assert_eq!(file["taken"]["bad-request"], 1, "{dialect}: {taken}");
        for (what, n) in [
            ("expired", 1),
            ("duplicates", 1),
            ("corrupt", 1),
            ("unknown", 1),
        ] {
            assert_eq!(file[what], n, "{dialect} {what}: {taken}");
        }
        assert_eq!(file["lines"], 8, "{dialect}");
        // Failed, expired, lost, one asked again, and two of the file that is still out.
        assert_eq!(
            (&taken["wanted"], &taken["out"]),
            (&json!(6), &json!(2)),
            "{dialect}"
        );

        // The same file again changes nothing.
        let again = import(at, &["one.jsonl"], 3);
        assert_eq!(again["wanted"], 6, "{dialect}");
        assert_eq!(
            again["files"][0]["taken"]["answered"],
            Value::Null,
            "{dialect}"
        );

        let second = export(at, dialect, "w2", &[]);
        assert_eq!(
            (&second["requests"], &second["out"]),
            (&json!(4), &json!(2)),
            "{dialect}"
        );
        let wave = files(&second);
        assert!(wave[0].to_string_lossy().contains("-w2-"), "{wave:?}");
        write(
            &at.join("two.jsonl"),
            &provider(dialect, &at.join(&wave[0]), &[]).join("\n"),
        );
        write(
            &at.join("three.jsonl"),
            &provider(dialect, &at.join(&written[1]), &[]).join("\n"),
        );
        let done = import(at, &["three.jsonl", "two.jsonl"], 0);
        assert_eq!(done["wanted"], 0, "{dialect}: {done}");

        let scores = json_of(at, &["score", "r"], 0);
        let t2i = track(&scores, "m", "t2i");
        // The request that was refused leaves its three statements unjudged.
        assert_eq!(t2i["counters"]["judged"], 21, "{dialect}");
        assert_eq!(t2i["counters"]["unjudged"], 3, "{dialect}");
        assert_eq!(t2i["score"]["value"], 100.0, "{dialect}");
    }
}

#[test]
fn bodies_of_a_batch_are_those_of_calls() {
    for dialect in DIALECTS {
        let dir = workplace(5, 2);
        let at = dir.path();
        let done = export(at, dialect, "out", &["--protocol", "independent"]);
        let batch: BTreeSet<Hash> = requests(dialect, &at.join(&files(&done)[0]))
            .iter()
            .map(|(_, body)| Hash::of(body.as_bytes()))
            .collect();
        let server = FakeJudge::start(FakeConfig::default());
        let (endpoint, judge) = (server.endpoint(dialect), format!("{dialect}:fake"));
        let mut args = judge_args(&endpoint, &["--protocol", "independent"]);
        (args[5], args[9]) = (&judge, "online");
        json_of(at, &args, 0);
        let calls: BTreeSet<Hash> = bodies(&server).into_iter().collect();
        assert_eq!(batch.len(), 10, "{dialect}");
        assert_eq!(batch, calls, "{dialect}");
    }
}

#[test]
fn what_is_out_is_not_written_twice_and_a_batch_costs_its_share() {
    let dir = workplace(4, 3);
    let at = dir.path();
    write(
        &at.join("prices.toml"),
        "[[price]]\nmodel = \"fake\"\ninput = 1000\noutput = 1000\nbatch = 0.5\n",
    );
    let first = export(at, "openai", "a", &[]);
    let second = export(at, "openai", "b", &[]);
    assert_eq!(
        (&second["requests"], &second["out"]),
        (&json!(0), &json!(4))
    );
    let third = export(at, "openai", "c", &["--again"]);
    assert_eq!(third["requests"], 4);
    let id = |export: &Value| requests("openai", &at.join(&files(export)[0]))[0].0.clone();
    assert!(id(&first).ends_with("-1") && id(&third).ends_with("-2"));
    assert_eq!(id(&first)[..32], id(&third)[..32]);

    write(
        &at.join("r.jsonl"),
        &provider("openai", &at.join(&files(&first)[0]), &[]).join("\n"),
    );
    let done = import(at, &["r.jsonl"], 0);
    // 110 tokens at a tenth of a cent, half price.
    let spent = done["spent"].as_f64().expect("a price is known");
    assert!((spent - 4.0 * 110.0 * 0.001 / 2.0).abs() < 1e-9, "{spent}");

    // Calls go on from there: nothing is left to ask, and nobody listens at this address.
    let judged = json_of(at, &judge_args("http://127.0.0.1:1/v1", &[]), 0);
    assert_eq!(judged["calls"], 0);
    let total = judged["cost"]["total"].as_f64().expect("a price is known");
    assert!((total - spent).abs() < 1e-9);
}

#[test]
fn d04_no_file_is_larger_than_allowed_and_what_fits_nowhere_is_named() {
    let dir = workplace(12, 3);
    let at = dir.path();
    let whole = export(at, "openai", "whole", &[]);
    let size = whole["files"][0]["bytes"].as_u64().expect("bytes");
    assert_eq!(
        fs::metadata(at.join(&files(&whole)[0]))
            .expect("file")
            .len(),
        size
    );
    let most = (size / 4).to_string();
    let cut = export(at, "openai", "cut", &["--again", "--max-bytes", &most]);
    let sizes = files(&cut)
        .into_iter()
        .map(|f| fs::metadata(at.join(f)).expect("file").len());
    let sizes: Vec<u64> = sizes.collect();
    assert!(
        sizes.len() >= 4 && sizes.iter().all(|s| *s <= size / 4),
        "{sizes:?}"
    );
    assert_eq!(cut["requests"], 12);

    let args = [
        "batch",
        "export",
        "specv",
        "--data",
        "suite",
        "--judge",
        "openai:fake",
        "--run",
        "r",
        "--again",
        "--out",
        "tiny",
        "--max-bytes",
        "200",
        "--json",
    ];
    let tiny = run(at, &args);
    assert_eq!(tiny.status.code(), Some(3));
    let tiny: Value = serde_json::from_str(&text(&tiny.stdout)).expect("a document");
    assert_eq!(tiny["too_large"].as_array().map(Vec::len), Some(12));
    assert_eq!(tiny["requests"], 0);
}

#[test]
fn judges_without_batches_are_refused() {
    let dir = workplace(2, 2);
    for judge in ["builtin", "gemini-dashscope:m"] {
        let args = [
            "batch",
            "export",
            "specv",
            "--data",
            "suite",
            "--judge",
            judge,
            "--endpoint",
            "http://127.0.0.1:1",
            "--out",
            "x",
        ];
        let output = run(dir.path(), &args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("batch"), "{said}");
    }
}
