//! A run that is killed goes on where the ledger ends.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::HashSet;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::{ListJob, judge, one_each};
use verispec_engine::execute::{Executed, Lane, Setup, execute, read_all};
use verispec_engine::ledger::{BATCH_ROWS, LEDGER_FILE, LedgerReplies, RunLock};
use verispec_engine::transport::{InProcess, LocalError};
use verispec_model::{Replies as _, Reply, Request, Settled, request_key};

const ITEMS: usize = 3000;
const IN_FLIGHT: usize = 8;
const LOG: &str = "completed.log";

fn jobs() -> Vec<ListJob> {
    one_each(&judge("m"), (0..ITEMS).map(|i| format!("item {i}")))
}

/// Answers after a moment and notes each request in a file of its own, as a server would.
fn run_logged(dir: &Path) -> Executed<Vec<Option<Settled>>> {
    let log = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(dir.join(LOG))
        .unwrap();
    let log = Mutex::new(log);
    let answer = move |request: &Request| -> Result<Reply, LocalError> {
        std::thread::sleep(Duration::from_millis(2));
        writeln!(log.lock().unwrap(), "{}", request_key(request)).unwrap();
        Ok(Reply::text(common::text_of(request)))
    };
    let lane = Lane::new(judge("m"), Arc::new(InProcess::new(answer)), IN_FLIGHT);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let lock = RunLock::acquire(dir).unwrap();
    runtime
        .block_on(execute(&jobs(), &lock, Setup::new(vec![lane])))
        .unwrap()
}

fn logged(dir: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(dir.join(LOG)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_killed_run_asks_again_only_what_was_not_recorded() {
    for (round, part) in [0.1, 0.4, 0.8].into_iter().enumerate() {
        let dir = tempfile::tempdir().unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child_that_is_killed", "--ignored"])
            .env("VERISPEC_KILL_DIR", dir.path())
            .spawn()
            .unwrap();
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss
        )]
        let enough = (ITEMS as f64 * part) as usize;
        while logged(dir.path()).len() < enough {
            assert!(
                child.try_wait().unwrap().is_none(),
                "the child ended by itself"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();

        let before = logged(dir.path());
        let recorded = LedgerReplies::load(&dir.path().join(LEDGER_FILE)).unwrap();
        assert!(
            !recorded.is_empty() && recorded.len() < ITEMS,
            "round {round}"
        );
        let done = run_logged(dir.path());
        assert!(done.summary.is_complete());
        assert_eq!(done.summary.settled_before, recorded.len() as u64);

        let known: HashSet<_> = before.iter().collect();
        let after = logged(dir.path());
        let asked_again: Vec<_> = after[before.len()..]
            .iter()
            .filter(|k| known.contains(k))
            .collect();
        let bound = BATCH_ROWS + IN_FLIGHT;
        assert!(
            asked_again.len() <= bound,
            "{} requests were sent twice",
            asked_again.len()
        );
        for key in &asked_again {
            let key = key.parse().unwrap();
            assert_eq!(recorded.get(&key), None, "a recorded reply was asked again");
        }
        for (job, step) in jobs().iter().zip(read_all(&jobs(), &done.replies)) {
            assert_eq!(
                step.readings,
                [Some(Settled::Answered(Reply::text(&*job.id)))]
            );
        }
    }
}

#[test]
#[ignore = "run by a_killed_run_asks_again_only_what_was_not_recorded"]
fn child_that_is_killed() {
    if let Some(dir) = std::env::var_os("VERISPEC_KILL_DIR") {
        run_logged(Path::new(&dir));
    }
}
