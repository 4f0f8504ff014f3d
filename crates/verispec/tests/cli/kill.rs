//! `kill -9`, twenty times.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use verispec_engine::ledger::{BATCH_ROWS, LEDGER_FILE, Ledger, LedgerReplies, Outcome};
use verispec_model::Hash;
use verispec_testkit::{FakeConfig, FakeJudge, Faults, Latency};

use crate::support::{bodies, json_of, judge_args, run, tree, verispec, workplace};

const INSTANCES: usize = 150;
const IN_FLIGHT: usize = 8;
const ROUNDS: usize = 20;

/// Nothing recorded is asked again; what is asked again was under way or not yet committed.
#[test]
fn c01_no_recorded_reply_is_sent_again() {
    for round in 0..ROUNDS {
        // Kill points spread over 5-95 % of all requests.
        let target = INSTANCES * (5 + 90 * round / (ROUNDS - 1)) / 100;
        one_kill(round, target.max(1));
    }
}

fn one_kill(round: usize, target: usize) {
    let dir = workplace(INSTANCES, 2);
    let latency = Latency::Uniform(Duration::from_millis(2), Duration::from_millis(12));
    let faults = Faults {
        seed: round as u64,
        ..Faults::default()
    };
    let server = FakeJudge::start(FakeConfig {
        latency,
        faults,
        ..FakeConfig::default()
    });
    let endpoint = server.endpoint("openai");
    let jobs = IN_FLIGHT.to_string();
    let args = judge_args(&endpoint, &["-j", &jobs, "--json"]);

    let mut child = verispec(dir.path())
        .args(&args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    wait_for(&server, target, &mut child, 60);
    child.kill().expect("SIGKILL");
    child.wait().expect("ended");
    // Requests that were under way when the client died may still complete at the server.
    wait_idle(&server);
    let completed = bodies(&server);
    let recorded = recorded(&dir.path().join("runs/r"));
    let share = recorded.len() * 100 / INSTANCES;
    assert!(
        completed.len() < INSTANCES,
        "round {round}: killed too late"
    );
    assert!(
        recorded.iter().all(|body| completed.contains(body)),
        "recorded but never completed"
    );

    let args = judge_args(&endpoint, &["-j", &jobs]);
    json_of(dir.path(), &args, 0);
    let all = bodies(&server);
    let again: HashSet<Hash> = all[completed.len()..].iter().copied().collect();
    let resent = again.iter().filter(|b| completed.contains(b)).count();
    assert!(
        recorded.is_disjoint(&again),
        "round {round}: recorded replies were sent again at {share} %"
    );
    assert!(
        resent <= IN_FLIGHT + BATCH_ROWS,
        "round {round}: {resent} sent again"
    );
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), INSTANCES);

    finished_run_is_quiet(dir.path(), &server, &args);
}

fn finished_run_is_quiet(dir: &Path, server: &FakeJudge, args: &[&str]) {
    run(dir, &["report", "r"]);
    let report = tree(&dir.join("runs/r/report"));
    let calls = bodies(server).len();
    assert_eq!(json_of(dir, args, 0)["calls"], 0);
    run(dir, &["report", "r"]);
    assert_eq!(bodies(server).len(), calls);
    assert!(
        report == tree(&dir.join("runs/r/report")),
        "the report changed"
    );
}

/// Waits until so many requests are completed, at most `patience` seconds.
pub(crate) fn wait_for(server: &FakeJudge, completed: usize, child: &mut Child, patience: u64) {
    let start = Instant::now();
    while server.counters().completed < completed as u64 {
        assert!(
            child.try_wait().expect("child").is_none(),
            "ended before it was killed"
        );
        assert!(
            start.elapsed() < Duration::from_secs(patience),
            "no progress"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

pub(crate) fn wait_idle(server: &FakeJudge) {
    let start = Instant::now();
    while server.counters().in_flight > 0 && start.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Bodies of the replies that the ledger holds; every file that it names is there.
pub(crate) fn recorded(run: &Path) -> HashSet<Hash> {
    let path = run.join(LEDGER_FILE);
    if !path.exists() {
        return HashSet::new();
    }
    let replies = LedgerReplies::load(&path).expect("a killed ledger opens");
    let ledger = Ledger::open_read(&path).expect("a killed ledger opens");
    let mut bodies = HashSet::new();
    for key in replies.keys_with(&[Outcome::Answered]) {
        let attempt = ledger.answered(key).expect("readable").expect("answered");
        let raw = attempt.raw.as_ref().expect("a response");
        let reply = verispec_engine::ledger::decode(&raw.dialect, &raw.response());
        for part in reply.expect("a reply").parts {
            if let verispec_model::ReplyPart::Image { hash, bytes, .. } = part {
                let file = run.join(verispec_engine::ledger::blob_path(&hash));
                assert_eq!(std::fs::metadata(&file).expect("a blob").len(), bytes);
            }
        }
        bodies.insert(attempt.sending.body_hash.expect("the whole body was sent"));
    }
    bodies
}
