//! The executor, with a judge that answers by script and a clock that jumps.
#![allow(clippy::unwrap_used)]

mod common;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::{Fake, ListJob, api_error, judge, one_each, request, text_of};
use tempfile::TempDir;
use verispec_engine::events::{Event, Observers};
use verispec_engine::execute::{
    Executed, Jitter, Lane, RetryPolicy, Setup, Stop, StopLevel, StopReason, execute, read_all,
};
use verispec_engine::ledger::{LEDGER_FILE, Ledger, LedgerReplies, Outcome, Reuse, RunLock};
use verispec_engine::transport::{Failure, InProcess, LocalError};
use verispec_model::{
    ApiError, ApiErrorKind, Finish, Job, JudgeIdentity, Replies, Reply, Request, Settled, Step,
    Unjudged, request_key,
};

const NOW: Duration = Duration::ZERO;

fn lane(judge: &Arc<JudgeIdentity>, fake: &Arc<Fake>, concurrency: usize) -> Lane {
    Lane::new(judge.clone(), fake.clone(), concurrency)
}

fn setup(judge: &Arc<JudgeIdentity>, fake: &Arc<Fake>, concurrency: usize) -> Setup {
    let mut setup = Setup::new(vec![lane(judge, fake, concurrency)]);
    setup.options.retry.jitter = Jitter::Fixed(0.5);
    setup
}

async fn run<J>(dir: &TempDir, jobs: &[J], setup: Setup) -> Executed<J::Readings>
where
    J: Job<Readings: PartialEq + std::fmt::Debug>,
{
    let lock = RunLock::acquire(dir.path()).unwrap();
    let done = execute(jobs, &lock, setup).await.unwrap();
    let again = read_all(jobs, &done.replies)
        .into_iter()
        .map(|s| s.readings);
    assert_eq!(done.readings, again.collect::<Vec<_>>());
    done
}

/// What observers are told.
fn listen(setup: &mut Setup) -> Arc<Mutex<Vec<Event>>> {
    let events = Arc::new(Mutex::new(vec![]));
    let sink = events.clone();
    setup.observers = std::mem::take(&mut setup.observers)
        .with(move |e: &Event| sink.lock().unwrap().push(e.clone()));
    events
}

fn answer(text: &str) -> Option<Settled> {
    Some(Settled::Answered(Reply::text(text)))
}

#[tokio::test(start_paused = true)]
async fn c06_answers_reach_the_item_that_asked() {
    let dir = tempfile::tempdir().unwrap();
    let (judge, fake) = (judge("m"), Fake::echo());
    let jobs = one_each(&judge, (0..200).map(|i| format!("item {i}")));
    let done = run(&dir, &jobs, setup(&judge, &fake, 50)).await;
    assert!(done.summary.is_complete(), "{:?}", done.summary);
    assert_eq!(done.summary.calls_made(), 200);
    assert_eq!(fake.most(), 50, "slots were left empty or overrun");
    for (job, step) in jobs.iter().zip(read_all(&jobs, &done.replies)) {
        assert_eq!(step.readings, [answer(&format!("about {}", job.id))]);
    }
}

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
async fn c04_repeats_are_requests_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|r, _| (NOW, Ok(Reply::text(format!("try {}", r.repeat)))));
    let requests = (0..3)
        .map(|repeat| Request {
            repeat,
            ..request(&judge, "q")
        })
        .collect();
    let jobs = [ListJob {
        id: "j".into(),
        requests,
    }];
    let done = run(&dir, &jobs, setup(&judge, &fake, 4)).await;
    assert_eq!(fake.calls().len(), 3);
    let readings = &read_all(&jobs, &done.replies)[0].readings;
    assert_eq!(
        readings,
        &[answer("try 0"), answer("try 1"), answer("try 2")]
    );
    run(&dir, &jobs, setup(&judge, &fake, 4)).await;
    assert_eq!(fake.calls().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn equal_requests_of_two_jobs_are_one_call() {
    let dir = tempfile::tempdir().unwrap();
    let (judge, fake) = (judge("m"), Fake::echo());
    let shared = request(&judge, "shared");
    let job = |id: &str, own: &str| ListJob {
        id: id.into(),
        requests: vec![request(&judge, own), shared.clone(), shared.clone()],
    };
    let jobs = [job("a", "x"), job("b", "y"), job("c", "x")];
    let done = run(&dir, &jobs, setup(&judge, &fake, 8)).await;
    assert_eq!((fake.count(&shared), fake.calls().len()), (1, 3));
    assert!(done.summary.is_complete());
}

#[tokio::test(start_paused = true)]
async fn a_free_slot_is_filled_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|r, _| {
        let seconds = if text_of(r) == "item 0" { 100 } else { 1 };
        (Duration::from_secs(seconds), Ok(Reply::text("Yes")))
    });
    let jobs = one_each(&judge, (0..100).map(|i| format!("item {i}")));
    let begin = tokio::time::Instant::now();
    run(&dir, &jobs, setup(&judge, &fake, 2)).await;
    // 99 short ones beside the long one; waves of two would take 149 s.
    assert_eq!(begin.elapsed().as_secs(), 100);
}

#[tokio::test(start_paused = true)]
async fn the_first_request_of_a_step_goes_alone() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|_, _| (Duration::from_secs(1), Ok(Reply::text("Yes"))));
    let requests: Vec<_> = (0..4).map(|i| request(&judge, &format!("{i}"))).collect();
    let jobs = [ListJob {
        id: "j".into(),
        requests: requests.clone(),
    }];
    let begin = tokio::time::Instant::now();
    run(&dir, &jobs, setup(&judge, &fake, 4)).await;
    assert_eq!(begin.elapsed().as_secs(), 2);
    assert_eq!(
        (fake.calls()[0], fake.most()),
        (request_key(&requests[0]), 3)
    );

    let dir = tempfile::tempdir().unwrap();
    let mut together = setup(&judge, &fake, 4);
    together.lanes[0].first_alone = false;
    run(&dir, &jobs, together).await;
    assert_eq!(fake.most(), 4);
}

#[tokio::test(start_paused = true)]
async fn d01_a_rate_limit_is_waited_out() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let first_five = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let fake = Fake::new(move |_, _| {
        let n = first_five.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        if n >= 5 {
            return (Duration::from_millis(10), Ok(Reply::text("Yes")));
        }
        let Failure::Api { error, .. } = api_error(ApiErrorKind::RateLimit, 429) else {
            unreachable!()
        };
        (
            Duration::from_millis(5),
            Err(Failure::Api {
                error,
                retry_after: Some(Duration::from_secs(2)),
            }),
        )
    });
    let jobs = one_each(&judge, (0..50).map(|i| format!("item {i}")));
    let mut setup = setup(&judge, &fake, 5);
    let events = listen(&mut setup);
    let begin = tokio::time::Instant::now();
    let done = run(&dir, &jobs, setup).await;
    assert!(done.summary.is_complete());
    assert_eq!(done.summary.calls[&Outcome::RateLimited], 5);
    assert_eq!(done.summary.settled[&Outcome::Answered], 50);
    assert!(
        begin.elapsed() >= Duration::from_secs(2),
        "{:?}",
        begin.elapsed()
    );
    assert!(
        begin.elapsed() < Duration::from_secs(10),
        "{:?}",
        begin.elapsed()
    );
    let waits: Vec<f64> = events
        .lock()
        .unwrap()
        .iter()
        .filter_map(|e| match e {
            Event::Retrying { after, .. } => Some(*after),
            _ => None,
        })
        .collect();
    assert_eq!(waits, [2.25; 5]);
}

#[tokio::test(start_paused = true)]
async fn a_refused_key_stops_the_run_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|_, _| (NOW, Err(api_error(ApiErrorKind::Auth, 401))));
    let jobs = one_each(&judge, (0..100).map(|i| format!("item {i}")));
    let done = run(&dir, &jobs, setup(&judge, &fake, 4)).await;
    assert!(
        matches!(done.summary.stopped, Some(StopReason::Auth(_))),
        "{:?}",
        done.summary
    );
    assert!(
        done.summary
            .stopped
            .unwrap()
            .to_string()
            .contains("api_key_env")
    );
    assert!(
        fake.calls().len() <= 4,
        "{} calls with a bad key",
        fake.calls().len()
    );
    assert_eq!(done.summary.pending, 100);
    assert!(done.replies.is_empty(), "a bad key settled something");

    // With a good key the same run goes on.
    let good = Fake::echo();
    assert!(
        run(&dir, &jobs, setup(&judge, &good, 4))
            .await
            .summary
            .is_complete()
    );
    assert_eq!(good.calls().len(), 100);
}

#[tokio::test(start_paused = true)]
async fn d06_a_bad_request_is_asked_once_and_spoils_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|r, _| match text_of(r) {
        "item 30" => (NOW, Err(api_error(ApiErrorKind::BadRequest, 400))),
        _ => (NOW, Ok(Reply::text("Yes"))),
    });
    let jobs = one_each(&judge, (0..60).map(|i| format!("item {i}")));
    let mut setup = setup(&judge, &fake, 4);
    let events = listen(&mut setup);
    let done = run(&dir, &jobs, setup).await;
    assert_eq!(fake.count(&jobs[30].requests[0]), 1);
    assert!(done.summary.is_complete() && done.summary.stopped.is_none());
    let key = request_key(&jobs[30].requests[0]);
    assert_eq!(
        done.replies.get(&key),
        Some(Settled::Failed(Unjudged::ProviderError))
    );
    let warned = events
        .lock()
        .unwrap()
        .iter()
        .any(|e| matches!(e, Event::Warning { message } if message.contains("item 30")));
    assert!(warned);
}

#[tokio::test(start_paused = true)]
async fn d05_a_parameter_that_is_refused_every_time_stops_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|_, _| {
        let error = ApiError {
            kind: ApiErrorKind::BadRequest,
            status: 400,
            code: Some("unsupported_parameter".into()),
            param: Some("max_tokens".into()),
            message: "use max_completion_tokens".into(),
        };
        (
            Duration::from_millis(1),
            Err(Failure::Api {
                error,
                retry_after: None,
            }),
        )
    });
    let jobs = one_each(&judge, (0..100).map(|i| format!("item {i}")));
    let done = run(&dir, &jobs, setup(&judge, &fake, 2)).await;
    let stopped = done.summary.stopped.unwrap();
    assert!(stopped.to_string().contains("\"max_tokens\""), "{stopped}");
    assert!(fake.calls().len() <= 4, "{}", fake.calls().len());
}

#[tokio::test(start_paused = true)]
async fn c10_a_stalled_judge_becomes_a_timeout_after_its_allowance() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let limit = Duration::from_secs(180);
    let fake = Fake::new(move |r, _| match text_of(r) {
        "item 3" => (limit, Err(Failure::TimedOut(limit))),
        _ => (NOW, Ok(Reply::text("Yes"))),
    });
    let jobs = one_each(&judge, (0..5).map(|i| format!("item {i}")));
    let mut first = setup(&judge, &fake, 2);
    first.options.retry.max_retries = 2;
    let begin = tokio::time::Instant::now();
    let done = run(&dir, &jobs, first).await;
    assert_eq!(fake.count(&jobs[3].requests[0]), 3);
    assert!(begin.elapsed() < Duration::from_secs(600));
    assert!(done.summary.is_complete());
    let key = request_key(&jobs[3].requests[0]);
    assert_eq!(
        done.replies.get(&key),
        Some(Settled::Failed(Unjudged::Timeout))
    );
    // Settled: a resume leaves it alone, a retry does not.
    run(&dir, &jobs, setup(&judge, &fake, 2)).await;
    assert_eq!(fake.count(&jobs[3].requests[0]), 3);
    let mended = Fake::echo();
    let mut retry = setup(&judge, &mended, 2);
    retry
        .options
        .ask_again
        .extend(Outcome::meant_by(Unjudged::Timeout));
    let done = run(&dir, &jobs, retry).await;
    assert_eq!((mended.calls().len(), done.summary.settled_before), (1, 4));
    assert_eq!(done.replies.get(&key), answer("about item 3"));
    let stored = LedgerReplies::load(&dir.path().join(LEDGER_FILE)).unwrap();
    assert_eq!(stored.get(&key), answer("about item 3"));
}

#[tokio::test(start_paused = true)]
async fn d02_zero_retries_means_one_attempt() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|_, _| (NOW, Err(api_error(ApiErrorKind::Server, 500))));
    let jobs = one_each(&judge, std::iter::once("q".to_owned()));
    let mut setup = setup(&judge, &fake, 2);
    setup.options.retry = RetryPolicy {
        max_retries: 0,
        ..RetryPolicy::default()
    };
    let begin = tokio::time::Instant::now();
    let done = run(&dir, &jobs, setup).await;
    assert_eq!(fake.calls().len(), 1);
    assert_eq!(begin.elapsed(), NOW);
    assert_eq!(done.summary.settled[&Outcome::ServerError], 1);
}

#[tokio::test(start_paused = true)]
async fn a_lost_connection_leaves_requests_pending() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|_, _| (NOW, Err(Failure::Unreachable("connection refused".into()))));
    let jobs = one_each(&judge, (0..40).map(|i| format!("item {i}")));
    let done = run(&dir, &jobs, setup(&judge, &fake, 4)).await;
    assert!(
        matches!(done.summary.stopped, Some(StopReason::Unreachable(_))),
        "{:?}",
        done.summary
    );
    assert_eq!(done.summary.pending, 40);
    assert!(done.replies.is_empty());
    assert!(
        fake.calls().len() < 40,
        "{} calls into the void",
        fake.calls().len()
    );
    let back = Fake::echo();
    assert!(
        run(&dir, &jobs, setup(&judge, &back, 4))
            .await
            .summary
            .is_complete()
    );
}

#[tokio::test(start_paused = true)]
async fn e07_an_image_that_has_gone_is_neither_sent_nor_settled() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|r, _| match text_of(r) {
        "item 1" => (NOW, Err(Failure::Unsendable("a.png: no such file".into()))),
        _ => (NOW, Ok(Reply::text("Yes"))),
    });
    let jobs = one_each(&judge, (0..3).map(|i| format!("item {i}")));
    let mut setup = setup(&judge, &fake, 2);
    let events = listen(&mut setup);
    let done = run(&dir, &jobs, setup).await;
    assert_eq!((done.summary.pending, done.summary.calls_made()), (1, 2));
    assert_eq!(fake.count(&jobs[1].requests[0]), 1);
    let said =
        events.lock().unwrap().iter().any(
            |e| matches!(e, Event::RequestPending { why, .. } if why.contains("no such file")),
        );
    assert!(said);
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

    fn id(&self) -> &str {
        "chain"
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

#[tokio::test(start_paused = true)]
async fn c11_two_judges_keep_apart() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (judge("one"), judge("two"));
    let says = |name: &'static str| Fake::new(move |_, _| (NOW, Ok(Reply::text(name))));
    let (fake_one, fake_two) = (says("one"), says("two"));
    let requests = [request(&one, "q"), request(&two, "q")];
    for order in [[0, 1], [1, 0]] {
        let requests = order.map(|i| requests[i].clone()).to_vec();
        let jobs = [ListJob {
            id: "j".into(),
            requests,
        }];
        let lanes = vec![lane(&one, &fake_one, 2), lane(&two, &fake_two, 2)];
        let done = run(&dir, &jobs, Setup::new(lanes)).await;
        let expected = order.map(|i| answer(["one", "two"][i]));
        assert_eq!(read_all(&jobs, &done.replies)[0].readings, expected);
    }
    assert_eq!((fake_one.calls().len(), fake_two.calls().len()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_judge_without_a_lane_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let fake = Fake::echo();
    let jobs = one_each(&judge("other"), std::iter::once("q".to_owned()));
    let done = run(&dir, &jobs, setup(&judge("m"), &fake, 2)).await;
    assert!(done.summary.stopped.unwrap().to_string().contains("other"));
}

#[tokio::test(start_paused = true)]
async fn a_stop_lets_calls_finish_and_sends_no_more() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|_, _| (Duration::from_secs(5), Ok(Reply::text("Yes"))));
    let jobs = one_each(&judge, (0..20).map(|i| format!("item {i}")));
    let setup_one = setup(&judge, &fake, 4);
    let stop = setup_one.stop.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(7)).await;
        stop.raise_once();
    });
    let done = run(&dir, &jobs, setup_one).await;
    assert_eq!(done.summary.stopped, Some(StopReason::Interrupted));
    assert_eq!((fake.calls().len(), done.summary.pending), (8, 12));
    let stored = LedgerReplies::load(&dir.path().join(LEDGER_FILE)).unwrap();
    assert_eq!(stored.len(), 8, "a paid reply was lost");
    let rest = run(&dir, &jobs, setup(&judge, &fake, 4)).await;
    assert!(rest.summary.is_complete());
    assert_eq!(fake.calls().len(), 20);
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

/// A job with a fault: it never takes its answer.
struct Insatiable(Request);

impl Job for Insatiable {
    type Readings = ();

    fn id(&self) -> &str {
        "insatiable"
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

#[test]
fn executions_can_be_spawned() {
    fn is_send<T: Send>(_: &T) {}
    let dir = tempfile::tempdir().unwrap();
    let lock = RunLock::acquire(dir.path()).unwrap();
    let jobs: Vec<ListJob> = vec![];
    let setup = Setup {
        observers: Observers::default(),
        ..Setup::new(vec![])
    };
    is_send(&execute(&jobs, &lock, setup));
}

#[tokio::test]
async fn a_judge_inside_the_process_may_fail_or_crash() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("builtin");
    let local = InProcess::new(|r: &Request| match text_of(r) {
        "no file" => Err(LocalError::File("a.png: no such file".into())),
        "never" => Err(LocalError::Request("not a question".into())),
        "crash" => panic!("on purpose"),
        text => Ok(Reply::text(format!("about {text}"))),
    });
    let texts = ["fine", "no file", "never", "crash"].map(str::to_owned);
    let jobs = one_each(&judge, texts.into_iter());
    let done = run(
        &dir,
        &jobs,
        Setup::new(vec![Lane::new(judge, Arc::new(local), 1)]),
    )
    .await;
    let readings: Vec<_> = read_all(&jobs, &done.replies)
        .into_iter()
        .map(|s| s.readings[0].clone())
        .collect();
    let failed = Some(Settled::Failed(Unjudged::ProviderError));
    assert_eq!(
        readings,
        [answer("about fine"), None, failed.clone(), failed]
    );
    let stored = LedgerReplies::load(&dir.path().join(LEDGER_FILE)).unwrap();
    assert_eq!(
        stored.get(&request_key(&jobs[0].requests[0])),
        answer("about fine")
    );
}

#[tokio::test(start_paused = true)]
async fn a_fault_of_our_own_costs_one_request_and_no_slot() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(|r, _| match text_of(r) {
        "item 0" => panic!("on purpose"),
        _ => (NOW, Ok(Reply::text("Yes"))),
    });
    let jobs = one_each(&judge, (0..5).map(|i| format!("item {i}")));
    let mut setup = setup(&judge, &fake, 1);
    let events = listen(&mut setup);
    let done = run(&dir, &jobs, setup).await;
    assert_eq!((done.summary.pending, done.summary.jobs_done), (1, 4));
    let said = events
        .lock()
        .unwrap()
        .iter()
        .any(|e| matches!(e, Event::RequestPending { why, .. } if why.contains("on purpose")));
    assert!(said);
}
