//! A run in shares on several machines.

use std::collections::BTreeMap;
use std::path::Path;

use verispec_engine::ledger::{LEDGER_FILE, Ledger, LedgerReplies, Outcome};
use verispec_testkit::{Answers, FakeConfig, FakeJudge};

use crate::support::{bodies, copy, json_of, judge_args, run, suite, text, tree};

const ITEMS: usize = 40;

fn server() -> FakeJudge {
    FakeJudge::start(FakeConfig {
        answers: Answers::Hashed { seed: 5, yes: 0.6 },
        ..FakeConfig::default()
    })
}

/// What a ledger says, without times and addresses.
fn content(run: &Path) -> BTreeMap<String, Vec<u8>> {
    let file = run.join(LEDGER_FILE);
    let ledger = Ledger::open_read(&file).expect("a ledger");
    let replies = LedgerReplies::load(&file).expect("a ledger");
    let keys = replies.keys_with(&[Outcome::Answered]);
    keys.map(|key| {
        let attempt = ledger.answered(key).expect("readable").expect("answered");
        let request = ledger.request(key).expect("readable").expect("there");
        let body = attempt.raw.expect("a reply").body.to_vec();
        (format!("{key} {}", request.protocol), body)
    })
    .collect()
}

fn report(dir: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let out = run(dir, &["report", "r"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let root = dir.join("runs/r/report");
    let relative = |(path, bytes): (std::path::PathBuf, Vec<u8>)| {
        (path.strip_prefix(&root).expect("below").to_owned(), bytes)
    };
    tree(&root).into_iter().map(relative).collect()
}

#[test]
fn two_shards_of_two_hosts_merge_to_one_run_with_the_same_report() {
    let server = server();
    let endpoint = server.endpoint("openai");
    // Whole run on one host.
    let one = tempfile::tempdir().expect("folder");
    suite(&one.path().join("suite"), ITEMS, 3);
    json_of(one.path(), &judge_args(&endpoint, &[]), 0);
    let calls = bodies(&server).len();

    // The joining host has the data too, and nothing else.
    let joint = tempfile::tempdir().expect("folder");
    suite(&joint.path().join("suite"), ITEMS, 3);
    let mut sizes = vec![];
    for shard in ["1/2", "2/2"] {
        let host = tempfile::tempdir().expect("folder");
        let work = host.path().join(format!("node-{}/work", &shard[..1]));
        suite(&work.join("suite"), ITEMS, 3);
        let done = json_of(&work, &judge_args(&endpoint, &["--shard", shard]), 0);
        sizes.push(done["calls"].as_u64().expect("calls"));
        let name = format!("r.shard-{}", shard.replace('/', "-of-"));
        assert_eq!(done["run"], name);
        let ranks = json_of(&work, &["rank", &name], 0);
        assert_eq!(
            ranks["ranks"][0]["rows"].as_array().expect("rows").len(),
            0,
            "a share is not ranked"
        );
        copy(
            &work.join("runs").join(&name),
            &joint.path().join("in").join(&name),
        );
    }
    assert_eq!(sizes.iter().sum::<u64>(), ITEMS as u64);
    assert!(sizes.iter().all(|n| *n > 5), "{sizes:?}");
    assert_eq!(bodies(&server).len(), 2 * calls);

    let merge = |names: [&str; 2]| {
        let [a, b] = names.map(|n| format!("in/{n}"));
        let args = ["ledger", "merge", &a, &b, "--into", "r", "--data", "suite"];
        json_of(joint.path(), &args, 0)
    };
    let names = ["r.shard-1-of-2", "r.shard-2-of-2"];
    let merged = merge(names);
    assert_eq!(merged["requests"], ITEMS);
    assert_eq!(merged["conflicts"].as_array().expect("list").len(), 0);
    assert_eq!(
        content(&joint.path().join("runs/r")),
        content(&one.path().join("runs/r"))
    );
    assert!(report(joint.path()) == report(one.path()), "reports differ");

    // Again, in the other order: nothing new, nothing else.
    let again = merge([names[1], names[0]]);
    assert_eq!(
        (&again["attempts"], &again["known"]),
        (&0.into(), &ITEMS.into())
    );
    let resumed = json_of(joint.path(), &judge_args(&endpoint, &[]), 0);
    assert_eq!(
        resumed["calls"], 0,
        "the joined run is a run like any other"
    );
}

#[test]
fn runs_of_unlike_settings_do_not_merge_and_absent_shards_are_named() {
    let server = server();
    let endpoint = server.endpoint("openai");
    let dir = crate::support::workplace(12, 2);
    json_of(dir.path(), &judge_args(&endpoint, &["--shard", "1/3"]), 0);
    let warm = ["--shard", "2/3", "--temperature", "0.5"];
    json_of(dir.path(), &judge_args(&endpoint, &warm), 0);
    let merge = |from: &[&str]| {
        run(
            dir.path(),
            &[&["ledger", "merge"], from, &["--into", "all"]].concat(),
        )
    };
    let refused = merge(&["r.shard-1-of-3", "r.shard-2-of-3"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("judges differ"));
    assert!(!dir.path().join("runs/all").exists());
    let partial = merge(&["r.shard-1-of-3"]);
    assert_eq!(partial.status.code(), Some(0));
    let said = text(&partial.stderr);
    assert!(said.contains("2/3, 3/3"), "{said}");
    let itself = run(dir.path(), &["ledger", "merge", "all", "--into", "all"]);
    assert_eq!(itself.status.code(), Some(2));
    for bad in ["0/2", "3/2", "x"] {
        let out = run(dir.path(), &judge_args(&endpoint, &["--shard", bad]));
        assert_eq!(out.status.code(), Some(2), "{bad}");
    }
}
