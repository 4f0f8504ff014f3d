//! Replies of finished jobs leave memory and are read from the ledger where somebody asks again.

use std::borrow::Cow;

use verispec_engine::execute::execute_keeping;

use super::*;

#[tokio::test(start_paused = true)]
async fn replies_of_finished_jobs_are_in_the_ledger_alone() {
    let dir = tempfile::tempdir().unwrap();
    let (judge, fake) = (judge("m"), Fake::echo());
    let jobs = one_each(&judge, (0..300).map(|i| format!("item {i}")));
    let lock = RunLock::acquire(dir.path()).unwrap();
    let keep = |readings: Vec<Option<Settled>>| readings.len();
    let mine = || jobs.iter().collect();
    let done = execute_keeping(mine(), &lock, setup(&judge, &fake, 16), keep).await;
    let done = done.unwrap();
    assert!(done.summary.is_complete());
    assert_eq!(done.readings, vec![1; 300]);

    let path = dir.path().join(LEDGER_FILE);
    let stored = LedgerReplies::load(&path).unwrap();
    assert_eq!(read_all(&jobs, &done.replies), read_all(&jobs, &stored));
    // Another run, whose ledger goes away before anything is read back from it.
    let gone = tempfile::tempdir().unwrap();
    let lock = RunLock::acquire(gone.path()).unwrap();
    let done = execute_keeping(mine(), &lock, setup(&judge, &fake, 16), keep).await;
    let replies = done.unwrap().replies;
    std::fs::remove_file(gone.path().join(LEDGER_FILE)).unwrap();
    let key = request_key(&jobs[0].requests[0]);
    assert_eq!(replies.len(), 300);
    assert_eq!(replies.get(&key), None, "its text was still in memory");
}

/// Asks one thing after the other.
struct InTurn(Vec<Request>);

impl Job for InTurn {
    type Readings = Vec<Settled>;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed("in turn")
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        let mut readings = vec![];
        for request in &self.0 {
            match replies.get(&request_key(request)) {
                Some(settled) => readings.push(settled),
                None => {
                    let ask = vec![request.clone()];
                    return Step { ask, readings };
                }
            }
        }
        let ask = vec![];
        Step { ask, readings }
    }
}

/// A request that no first step shares can still be wanted again, long after the job that asked
/// it is done.
#[tokio::test(start_paused = true)]
async fn a_late_job_finds_what_an_early_one_has_asked() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|r, _| {
        let wait = if text_of(r) == "slow" { 60 } else { 0 };
        let text = format!("about {}", text_of(r));
        (Duration::from_secs(wait), Ok(Reply::text(text)))
    });
    let common = request(&judge, "common");
    let jobs = vec![
        InTurn(vec![common.clone()]),
        InTurn(vec![request(&judge, "slow"), common.clone()]),
    ];
    let lock = RunLock::acquire(dir.path()).unwrap();
    let done = execute_keeping(jobs, &lock, setup(&judge, &fake, 4), |said| said).await;
    let done = done.unwrap();
    assert!(done.summary.is_complete());
    assert_eq!(fake.count(&common), 1);
    let (slow, common) = (answer("about slow"), answer("about common"));
    assert_eq!(done.readings[0], [common.clone().unwrap()]);
    assert_eq!(done.readings[1], [slow.unwrap(), common.unwrap()]);
}

/// What is set aside to be asked again counts until another reply has come.
#[tokio::test(start_paused = true)]
async fn jobs_that_were_not_asked_again_in_time_keep_what_they_had() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|r, n| match (text_of(r), n) {
        ("item 1", 1..) => (Duration::from_secs(3600), Ok(Reply::text("too late"))),
        (text, _) => (NOW, Ok(Reply::text(format!("about {text}")))),
    });
    let jobs = one_each(&judge, (0..3).map(|i| format!("item {i}")));
    let lock = RunLock::acquire(dir.path()).unwrap();
    let keep = |readings| readings;
    let mine = || jobs.iter().collect();
    execute_keeping(mine(), &lock, setup(&judge, &fake, 4), keep)
        .await
        .unwrap();
    let mut again = setup(&judge, &fake, 4);
    again.options.ask_again.insert(Outcome::Answered);
    again.options.grace = Duration::from_secs(1);
    let stop = again.stop.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(10)).await;
        stop.raise(StopLevel::Drain);
    });
    let done = execute_keeping(mine(), &lock, again, keep).await.unwrap();
    assert_eq!(done.summary.pending, 1);
    let read: Vec<_> = done.readings.into_iter().flatten().collect();
    let expected = (0..3).map(|i| answer(&format!("about item {i}")));
    assert_eq!(read, expected.collect::<Vec<_>>());
}
