//! `kill -9` in the middle of every stage.
#![cfg(unix)]

use std::collections::HashMap;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use verispec_engine::ledger::{LEDGER_FILE, LedgerReplies};

use super::program::{log, run_args, workplace};
use crate::support::{json_of, verispec};

/// Kills a run once so many requests were made, until it comes to its end.
#[test]
fn no_recorded_reply_is_asked_for_again() {
    let whole = workplace();
    json_of(whole.path(), &run_args(&[]), 0);
    let all = log(whole.path()).len();
    let scores = json_of(whole.path(), &["xtc", "score", "r"], 0);

    let dir = workplace();
    let root = dir.path();
    crate::support::write(&root.join("slow"), "");
    let mut lost = 0;
    for part in 1..=6 {
        let target = all * part / 7;
        lost += killed(root, target);
    }
    assert!(
        recorded(root) > all / 3,
        "kills came before anything was kept"
    );
    let done = json_of(root, &run_args(&[]), 0);
    assert_eq!(done["pending_requests"], 0);
    let asked = log(root);
    let mut times: HashMap<&str, usize> = HashMap::new();
    for line in &asked {
        *times.entry(line).or_default() += 1;
    }
    assert_eq!(times.len(), all, "the same requests as without a kill");
    // Each kill loses what was under way or not yet committed; all the rest is asked once.
    assert_eq!(
        asked.len() - all,
        lost,
        "asked again: more than what was lost"
    );
    let resumed = json_of(root, &["xtc", "score", "r"], 0);
    assert_eq!(resumed["tables"], scores["tables"]);
}

/// Starts the run and kills it at so many requests in all; how many of them left no reply.
fn killed(root: &Path, target: usize) -> usize {
    let before = recorded(root);
    let logged_before = log(root).len();
    let mut child = verispec(root)
        .args(run_args(&["--json"]))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    wait_for(root, target, &mut child);
    child.kill().expect("SIGKILL");
    child.wait().expect("ended");
    // Programs end once their input closes; what they were at is written down by then.
    settle(root);
    let asked = log(root).len() - logged_before;
    asked - (recorded(root) - before)
}

fn wait_for(root: &Path, target: usize, child: &mut Child) {
    let start = Instant::now();
    while log(root).len() < target {
        assert!(
            child.try_wait().expect("child").is_none(),
            "ended before it was killed"
        );
        assert!(start.elapsed() < Duration::from_secs(120), "no progress");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn settle(root: &Path) {
    let mut seen = (log(root).len(), Instant::now());
    while seen.1.elapsed() < Duration::from_millis(300) {
        std::thread::sleep(Duration::from_millis(10));
        let now = log(root).len();
        if now != seen.0 {
            seen = (now, Instant::now());
        }
    }
}

fn recorded(root: &Path) -> usize {
    let path = root.join("runs/r").join(LEDGER_FILE);
    if !path.exists() {
        return 0;
    }
    LedgerReplies::load(&path)
        .expect("a killed ledger opens")
        .len()
}
