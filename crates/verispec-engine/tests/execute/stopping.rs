//! Stops, a full disk, the lock.

use super::*;

/// A setup of four calls at a time that is stopped after so many seconds.
fn stopped_after(seconds: u64, judge: &Arc<JudgeIdentity>, fake: &Arc<Fake>) -> Setup {
    let setup = setup(judge, fake, 4);
    let stop = setup.stop.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        stop.raise_once();
    });
    setup
}

#[tokio::test(start_paused = true)]
async fn a_stop_lets_calls_finish_and_sends_no_more() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|_, _| (Duration::from_secs(5), Ok(Reply::text("Yes"))));
    let jobs = one_each(&judge, (0..20).map(|i| format!("item {i}")));
    let done = run(&dir, &jobs, stopped_after(7, &judge, &fake)).await;
    assert_eq!(done.summary.stopped, Some(StopReason::Interrupted));
    assert_eq!((fake.calls().len(), done.summary.pending), (8, 12));
    assert_eq!(done.summary.jobs_done, 8);
    let stored = LedgerReplies::load(&dir.path().join(LEDGER_FILE)).unwrap();
    assert_eq!(stored.len(), 8, "a paid reply was lost");
    let rest = run(&dir, &jobs, setup(&judge, &fake, 4)).await;
    assert!(rest.summary.is_complete());
    assert_eq!(fake.calls().len(), 20);
}

/// What comes in while a run is being stopped counts as if it had come in time.
#[tokio::test(start_paused = true)]
async fn a_stop_during_the_last_calls_leaves_a_complete_run() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|_, _| (Duration::from_secs(5), Ok(Reply::text("Yes"))));
    let jobs = one_each(&judge, (0..4).map(|i| format!("item {i}")));
    let done = run(&dir, &jobs, stopped_after(2, &judge, &fake)).await;
    assert!(done.summary.is_complete());
    assert_eq!((done.summary.jobs_done, done.summary.stopped), (4, None));
}

#[tokio::test(start_paused = true)]
async fn calls_that_outlast_the_grace_are_given_up() {
    let judge = judge("m");
    for (second_signal, expected) in [(None, 17), (Some(3), 10)] {
        let dir = tempfile::tempdir().unwrap();
        let fake = Fake::new(|_, _| (Duration::from_secs(500), Ok(Reply::text("Yes"))));
        let jobs = one_each(&judge, (0..20).map(|i| format!("item {i}")));
        let mut setup = setup(&judge, &fake, 4);
        setup.stop = Stop::new();
        let stop = setup.stop.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(7)).await;
            stop.raise_once();
            if let Some(seconds) = second_signal {
                tokio::time::sleep(Duration::from_secs(seconds)).await;
                stop.raise(StopLevel::Abort);
            }
        });
        let begin = tokio::time::Instant::now();
        let done = run(&dir, &jobs, setup).await;
        assert_eq!(begin.elapsed().as_secs(), expected);
        assert_eq!((done.summary.pending, done.replies.len()), (20, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn c02_a_full_disk_stops_the_run_and_keeps_what_was_written() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|r, n| {
        let noise = |i: usize| {
            verispec_model::Hash::of(format!("{} {n} {i}", text_of(r)).as_bytes()).to_string()
        };
        (
            Duration::from_millis(100),
            Ok(Reply::text((0..30).map(noise).collect::<String>())),
        )
    });
    let jobs = one_each(&judge, (0..3000).map(|i| format!("item {i}")));
    let mut small = setup(&judge, &fake, 4);
    // Room for the first transaction, not for all.
    small.options.ledger.max_pages = Some(200);
    let done = run(&dir, &jobs, small).await;
    let stopped = done.summary.stopped.unwrap();
    assert!(
        matches!(&stopped, StopReason::Ledger(e) if e.contains("no space")),
        "{stopped}"
    );
    assert!(fake.calls().len() < 3000, "calls went on without a ledger");
    let stored = LedgerReplies::load(&dir.path().join(LEDGER_FILE))
        .unwrap()
        .len();
    assert!(stored > 0);
    let rest = run(&dir, &jobs, setup(&judge, &fake, 4)).await;
    assert!(rest.summary.is_complete());
    assert_eq!(rest.summary.settled_before, stored as u64);
}

#[test]
fn c12_two_executions_of_one_run_exclude_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let _first = RunLock::acquire(dir.path()).unwrap();
    assert!(
        RunLock::acquire(dir.path())
            .unwrap_err()
            .to_string()
            .contains("in use")
    );
}
