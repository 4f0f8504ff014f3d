//! What is known already, later steps, and asking again.

use std::borrow::Cow;

use super::*;

#[tokio::test(start_paused = true)]
async fn c08_a_finished_run_makes_no_call_and_touches_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let (judge, fake) = (judge("m"), Fake::echo());
    let jobs = one_each(&judge, (0..1000).map(|i| format!("item {i}")));
    let first = run(&dir, &jobs, setup(&judge, &fake, 64)).await;
    let path = dir.path().join(LEDGER_FILE);
    let bytes = std::fs::read(&path).unwrap();

    let mut again = setup(&judge, &fake, 64);
    let events = listen(&mut again);
    let second = run(&dir, &jobs, again).await;
    assert_eq!(fake.calls().len(), 1000);
    assert_eq!(second.summary.calls_made(), 0);
    assert_eq!(second.summary.settled_before, 1000);
    assert!(second.summary.is_complete());
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    assert_eq!(
        read_all(&jobs, &first.replies),
        read_all(&jobs, &second.replies)
    );
    let stored = LedgerReplies::load(&path).unwrap();
    assert_eq!(read_all(&jobs, &stored), read_all(&jobs, &second.replies));
    assert_eq!(events.lock().unwrap().len(), 2, "only start and end");
}

#[tokio::test(start_paused = true)]
async fn c05_other_runs_reuse_answers_but_not_refusals() {
    let runs = tempfile::tempdir().unwrap();
    let folder = |name: &str| {
        let path = runs.path().join(name);
        std::fs::create_dir(&path).unwrap();
        path
    };
    let judge = judge("m");
    let fake = Fake::new(|r, _| match text_of(r) {
        "item 0" => (
            NOW,
            Ok(Reply {
                finish: Finish::Refused,
                ..Reply::text("I will not")
            }),
        ),
        _ => (NOW, Ok(Reply::text("Yes"))),
    });
    let jobs = one_each(&judge, (0..10).map(|i| format!("item {i}")));
    let one = RunLock::acquire(&folder("one")).unwrap();
    execute(&jobs, &one, setup(&judge, &fake, 4)).await.unwrap();
    // The same run does not ask again.
    execute(&jobs, &one, setup(&judge, &fake, 4)).await.unwrap();
    assert_eq!(fake.calls().len(), 10);

    let two = RunLock::acquire(&folder("two")).unwrap();
    let mut second = setup(&judge, &fake, 4);
    second.reuse.add_siblings(runs.path(), two.dir()).unwrap();
    let events = listen(&mut second);
    let done = execute(&jobs, &two, second).await.unwrap();
    assert_eq!((done.summary.reused, done.summary.calls_made()), (9, 1));
    assert_eq!(fake.count(&jobs[0].requests[0]), 2);
    let copied = events
        .lock()
        .unwrap()
        .iter()
        .filter(|e| matches!(e, Event::RequestSettled { reused: true, .. }))
        .count();
    assert_eq!(copied, 9);
    let totals = Ledger::open_read(&two.dir().join(LEDGER_FILE))
        .unwrap()
        .totals()
        .unwrap();
    assert_eq!((totals.reused, totals.requests), (9, 10));
    // What was copied is there without the other run.
    let reuse_again = Setup {
        reuse: Reuse::none(),
        ..setup(&judge, &fake, 4)
    };
    assert_eq!(
        execute(&jobs, &two, reuse_again)
            .await
            .unwrap()
            .summary
            .calls_made(),
        0
    );
}

/// Asks, then asks about the reply, as a re-ask does.
struct ChainJob {
    first: Request,
}

impl ChainJob {
    fn second(&self) -> Request {
        Request {
            parent: Some(request_key(&self.first)),
            derivation: Some("reask".into()),
            ..self.first.clone()
        }
    }
}

impl Job for ChainJob {
    type Readings = Vec<Settled>;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed("chain")
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        let mut readings = vec![];
        for request in [self.first.clone(), self.second()] {
            match replies.get(&request_key(&request)) {
                Some(settled) => readings.push(settled),
                None => {
                    return Step {
                        ask: vec![request],
                        readings,
                    };
                }
            }
        }
        Step {
            ask: vec![],
            readings,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn later_steps_are_run_recorded_and_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|r, _| {
        (
            NOW,
            Ok(Reply::text(
                r.derivation.clone().unwrap_or_else(|| "first".into()),
            )),
        )
    });
    let jobs = [ChainJob {
        first: request(&judge, "q"),
    }];
    let mut setup_one = setup(&judge, &fake, 2);
    let events = listen(&mut setup_one);
    let done = run(&dir, &jobs, setup_one).await;
    assert_eq!(fake.calls().len(), 2);
    assert_eq!(read_all(&jobs, &done.replies)[0].readings.len(), 2);
    let more = events
        .lock()
        .unwrap()
        .contains(&Event::MoreWanted { requests: 1 });
    assert!(more);
    let ledger = Ledger::open_read(&dir.path().join(LEDGER_FILE)).unwrap();
    let stored = ledger
        .request(&request_key(&jobs[0].second()))
        .unwrap()
        .unwrap();
    assert_eq!(stored.parent, Some(request_key(&jobs[0].first)));
    run(&dir, &jobs, setup(&judge, &fake, 2)).await;
    assert_eq!(fake.calls().len(), 2);

    // Steps also follow each other from replies of another run.
    let other = tempfile::tempdir().unwrap();
    let mut copy = setup(&judge, &fake, 2);
    copy.reuse.add(dir.path()).unwrap();
    let done = run(&other, &jobs, copy).await;
    assert_eq!((done.summary.reused, fake.calls().len()), (2, 2));
    assert!(done.summary.is_complete());
}

/// A job with a fault: it never takes its answer.
struct Insatiable(Request);

impl Job for Insatiable {
    type Readings = ();

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed("insatiable")
    }

    fn step(&self, _: &dyn Replies) -> Step<()> {
        Step {
            ask: vec![self.0.clone()],
            readings: (),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_job_that_asks_for_what_it_has_does_not_run_for_ever() {
    let dir = tempfile::tempdir().unwrap();
    let (judge, fake) = (judge("m"), Fake::echo());
    let boxed: Vec<Box<dyn Job<Readings = ()>>> = vec![Box::new(Insatiable(request(&judge, "q")))];
    let mut setup = setup(&judge, &fake, 2);
    let events = listen(&mut setup);
    let done = run(&dir, &boxed, setup).await;
    assert_eq!(fake.calls().len(), 1);
    assert_eq!(done.summary.jobs_done, 0);
    let warned = events
        .lock()
        .unwrap()
        .iter()
        .any(|e| matches!(e, Event::Warning { message } if message.contains("insatiable")));
    assert!(warned);
}

#[tokio::test(start_paused = true)]
async fn requests_can_be_asked_again_by_key() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|_, n| (NOW, Ok(Reply::text(["garbled", "Yes"][n]))));
    let jobs = one_each(&judge, std::iter::once("q".to_owned()));
    let key = request_key(&jobs[0].requests[0]);
    run(&dir, &jobs, setup(&judge, &fake, 2)).await;
    let mut again = setup(&judge, &fake, 2);
    again.options.ask_again_keys.insert(key);
    let done = run(&dir, &jobs, again).await;
    assert_eq!(done.replies.get(&key), answer("Yes"));
    let path = dir.path().join(LEDGER_FILE);
    assert_eq!(LedgerReplies::load(&path).unwrap().get(&key), answer("Yes"));
    let attempts = Ledger::open_read(&path).unwrap().attempts(&key).unwrap();
    let rounds: Vec<u32> = attempts.iter().map(|a| a.round).collect();
    assert_eq!(rounds, [0, 1], "an old reply was edited");
}
