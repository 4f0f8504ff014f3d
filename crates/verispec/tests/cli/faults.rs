//! Two thousand items against a judge that fails in every way that passes.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use verispec_model::Hash;
use verispec_testkit::{Answers, FakeConfig, FakeJudge, Fault, Faults};

use crate::support::{json_of, judge_args, run, text, workplace};

const ITEMS: usize = 2_000;

fn server(faults: Faults) -> FakeJudge {
    FakeJudge::start(FakeConfig {
        // By question, so that a reply on the wrong item gives other verdicts.
        answers: Answers::Hashed { seed: 3, yes: 0.5 },
        faults,
        ..FakeConfig::default()
    })
}

fn judge(dir: &Path, server: &FakeJudge, more: &[&str]) -> serde_json::Value {
    let endpoint = server.endpoint("openai");
    json_of(dir, &judge_args(&endpoint, more), 0)
}

fn verdicts(dir: &Path) -> String {
    let out = run(dir, &["score", "r", "--verdicts"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    text(&out.stdout)
}

/// A table of verdicts without the reader's stage: fences and prose around a reply change how it
/// was read, not what it says.
fn without_stage(table: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let stage = reader
        .headers()
        .expect("headers")
        .iter()
        .position(|h| h == "stage");
    let keep = |row: csv::StringRecord| {
        let kept = row.iter().enumerate().filter(|(i, _)| Some(*i) != stage);
        kept.map(|(_, field)| field.to_owned()).collect()
    };
    reader
        .records()
        .map(|row| keep(row.expect("row")))
        .collect()
}

/// Bodies with the number of times they were answered for money.
fn paid(server: &FakeJudge) -> HashMap<Hash, usize> {
    let mut paid = HashMap::new();
    for entry in server.log() {
        if entry.status == 200 && entry.fault != Some(Fault::InBandError.name()) {
            *paid.entry(entry.body).or_default() += 1;
        }
    }
    paid
}

/// The same items with these faults, at most two in a row per request, and without any.
fn same_as_without(shares: Vec<(Fault, f64)>, more: &[&str]) {
    let dir = workplace(ITEMS, 2);
    let faulty = server(Faults {
        seed: 11,
        shares,
        attempts: Some(2),
        retry_after: Some("0".into()),
        trickle: Duration::from_millis(1),
        ..Faults::default()
    });
    let more = [&["-j", "64", "--backoff", "0.02"], more].concat();
    let done = judge(dir.path(), &faulty, &more);
    assert_eq!(done["counters"]["judged"], 2 * ITEMS, "{done}");
    assert_eq!(done["pending"], 0);
    let paid = paid(&faulty);
    assert_eq!(paid.len(), ITEMS);
    let twice = paid.values().filter(|n| **n > 1).count();
    assert_eq!(twice, 0, "requests were paid twice");
    let with = verdicts(dir.path());

    let calm = server(Faults::default());
    std::fs::remove_dir_all(dir.path().join("runs")).expect("runs");
    judge(dir.path(), &calm, &["-j", "64"]);
    assert_eq!(without_stage(&with), without_stage(&verdicts(dir.path())));
}

#[test]
fn transient_faults_lose_nothing_and_pay_nothing_twice() {
    let shares = [
        Fault::ServerError,
        Fault::HtmlError,
        Fault::Reset,
        Fault::ResetMidway,
        Fault::Stall,
        Fault::Trickle,
        Fault::InBandError,
        Fault::Fenced,
        Fault::Prose,
        Fault::ExtraIds,
        Fault::DuplicateIds,
    ];
    let shares = shares.map(|fault| (fault, 0.05)).to_vec();
    same_as_without(shares, &["--timeout", "2"]);
}

#[test]
fn rate_limits_lose_nothing_and_pay_nothing_twice() {
    same_as_without(vec![(Fault::RateLimited, 0.05)], &[]);
}

#[test]
fn refusals_leave_exactly_the_seeded_items_unjudged() {
    let dir = workplace(200, 2);
    let seeded: Vec<usize> = (0..200).filter(|i| i % 20 == 7).collect();
    let texts = seeded.iter().map(|i| format!("Draw scene {i}."));
    let refusing = server(Faults {
        containing: texts.map(|t| (t, Fault::Refusal)).collect(),
        ..Faults::default()
    });
    let done = judge(dir.path(), &refusing, &[]);
    assert_eq!(done["counters"]["unjudged"], 2 * seeded.len());
    let table = verdicts(dir.path());
    let refused: Vec<usize> = table
        .lines()
        .filter(|line| line.contains("refused"))
        .map(|line| {
            let at = line.find("comp_").expect("an id");
            line[at + 5..at + 8].parse().expect("a number")
        })
        .collect();
    let twice: Vec<usize> = seeded.iter().flat_map(|i| [*i, *i]).collect();
    assert_eq!(refused, twice, "{table}");
}
