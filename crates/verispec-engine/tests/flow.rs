//! Limits of accounts, deadlines of items, several addresses, the union of ledgers.
#![allow(clippy::unwrap_used)]

mod common;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use common::{Fake, answered, api_error, judge, record, request, text_of};
use verispec_engine::execute::{Budget, Costs, Lane, Setup, StopReason, execute};
use verispec_engine::ledger::{
    LEDGER_FILE, LedgerOptions, LedgerReplies, LedgerWriter, Outcome, RunLock, union,
};
use verispec_engine::transport::{Failure, Pool, Transport, account};
use verispec_model::{
    ApiErrorKind, Hash, ImagePart, ImageRole, Job, Part, Replies, Reply, Request, Settled, Step,
    Usage, request_key,
};
use verispec_providers::price::Money;

/// Asks one request.
struct One(String, Request);

impl Job for One {
    type Readings = Option<Settled>;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.0)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        let readings = replies.get(&request_key(&self.1));
        let ask = if readings.is_none() {
            vec![self.1.clone()]
        } else {
            vec![]
        };
        Step { ask, readings }
    }
}

fn yes(ms: u64) -> (Duration, Result<Reply, Failure>) {
    (Duration::from_millis(ms), Ok(Reply::text("Yes")))
}

#[tokio::test(start_paused = true)]
async fn judges_of_one_account_share_its_limit() {
    let dir = tempfile::tempdir().unwrap();
    let fake = Fake::new(|_, _| yes(100));
    let judges = [judge("a"), judge("b")];
    let jobs: Vec<One> = (0..60)
        .map(|i| {
            One(
                format!("{i}"),
                request(&judges[i % 2], &format!("item {i}")),
            )
        })
        .collect();
    let most = |shared: bool| {
        let fake = fake.clone();
        let lane = move |judge: &Arc<_>| {
            let lane = Lane::new(Arc::clone(judge), fake.clone(), 6);
            let id = if shared {
                "one".to_owned()
            } else {
                judge.model.clone()
            };
            lane.of_account(account(&id, &[], None))
        };
        judges.iter().map(lane).collect::<Vec<_>>()
    };
    let run = RunLock::acquire(dir.path()).unwrap();
    let done = execute(&jobs, &run, Setup::new(most(true))).await.unwrap();
    assert!(done.summary.is_complete());
    assert_eq!(fake.most(), 6);
    let other = tempfile::tempdir().unwrap();
    let run = RunLock::acquire(other.path()).unwrap();
    execute(&jobs, &run, Setup::new(most(false))).await.unwrap();
    assert_eq!(fake.most(), 12);
}

async fn with_item_timeout(
    failure: impl Fn() -> (Duration, Result<Reply, Failure>) + Send + Sync + 'static,
) -> (Outcome, u64, Duration) {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let fake = Fake::new(move |_, _| failure());
    let jobs = [One("one".into(), request(&judge, "item"))];
    let mut setup = Setup::new(vec![Lane::new(judge, fake, 2)]);
    setup.options.item_timeout = Some(Duration::from_secs(20));
    setup.options.retry.max_retries = 1_000;
    let run = RunLock::acquire(dir.path()).unwrap();
    let begin = tokio::time::Instant::now();
    let done = execute(&jobs, &run, setup).await.unwrap();
    let settled = done.summary.settled.keys().next().copied();
    (
        settled.unwrap_or(Outcome::Unreachable),
        done.summary.pending,
        begin.elapsed(),
    )
}

#[tokio::test(start_paused = true)]
async fn an_item_is_given_up_after_its_time_over_all_attempts() {
    let hang = || (Duration::from_secs(500), Ok(Reply::text("late")));
    let (outcome, pending, took) = with_item_timeout(hang).await;
    assert_eq!((outcome, pending), (Outcome::TimedOut, 0));
    assert!((20..22).contains(&took.as_secs()), "{took:?}");
    let broken = || {
        (
            Duration::from_secs(1),
            Err(api_error(ApiErrorKind::Server, 500)),
        )
    };
    let (outcome, pending, took) = with_item_timeout(broken).await;
    assert_eq!((outcome, pending), (Outcome::TimedOut, 0));
    assert!(took <= Duration::from_secs(21), "{took:?}");
}

/// Neither while a request waits for its next turn nor while it is under way: how long each
/// attempt takes and how long is waited in between decides where the time ends.
#[tokio::test(start_paused = true)]
async fn a_judge_that_asks_for_patience_says_nothing_about_an_item() {
    for seconds in [1, 3, 7, 12] {
        for _ in 0..5 {
            let busy = move || {
                (
                    Duration::from_secs(seconds),
                    Err(api_error(ApiErrorKind::RateLimit, 429)),
                )
            };
            let (_, pending, took) = with_item_timeout(busy).await;
            assert_eq!(pending, 1, "attempts of {seconds} s, {took:?}");
        }
    }
}

/// Waiting for a busy judge is no fault of the item either, unless its own last answer was an error.
#[tokio::test(start_paused = true)]
async fn a_pause_that_outlasts_an_item_leaves_it_as_its_last_answer_says() {
    for (kind, status, timed_out) in [
        (ApiErrorKind::RateLimit, 429, 0),
        (ApiErrorKind::Server, 500, 1),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let judge = judge("m");
        let fake = Fake::new(move |request, _| {
            if text_of(request) == "waits" {
                return (Duration::from_secs(1), Err(api_error(kind, status)));
            }
            let mut busy = api_error(ApiErrorKind::RateLimit, 429);
            if let Failure::Api { retry_after, .. } = &mut busy {
                *retry_after = Some(Duration::from_secs(60));
            }
            (Duration::from_millis(500), Err(busy))
        });
        let jobs = ["waits", "pauses"].map(|t| One(t.into(), request(&judge, t)));
        let mut setup = Setup::new(vec![Lane::new(judge, fake.clone(), 2)]);
        setup.options.item_timeout = Some(Duration::from_secs(20));
        let run = RunLock::acquire(dir.path()).unwrap();
        let done = execute(&jobs, &run, setup).await.unwrap();
        let settled = done.summary.settled.get(&Outcome::TimedOut);
        assert_eq!(settled.copied().unwrap_or_default(), timed_out);
        assert_eq!(done.summary.pending, 2 - timed_out);
        assert_eq!(fake.calls().len(), 2, "nothing is sent after its time");
    }
}

/// Its first attempts do not get through, later ones hang.
#[tokio::test(start_paused = true)]
async fn a_judge_that_is_gone_stops_the_run_although_items_time_out() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let gone = Fake::new(|_, before| match before {
        0 => {
            let refused = Failure::Unreachable("no route to host".into());
            (Duration::from_secs(5), Err(refused))
        }
        _ => yes(500_000),
    });
    let jobs: Vec<One> = (0..10)
        .map(|i| One(format!("{i}"), request(&judge, &format!("item {i}"))))
        .collect();
    let mut setup = Setup::new(vec![Lane::new(judge, gone, 2)]);
    setup.options.item_timeout = Some(Duration::from_secs(20));
    let run = RunLock::acquire(dir.path()).unwrap();
    let done = execute(&jobs, &run, setup).await.unwrap();
    let stopped = done.summary.stopped.map(|s| s.to_string());
    assert!(
        stopped
            .as_deref()
            .is_some_and(|s| s.contains("no route to host")),
        "{stopped:?}"
    );
    assert_eq!(done.summary.pending, 10);
}

/// A dollar a request.
struct Dollar;

impl Costs for Dollar {
    fn at_most(&self, _: &Request) -> Money {
        Money::dollars(1.0).unwrap()
    }

    fn of(&self, _: &Request, _: &Usage) -> Option<Money> {
        Money::dollars(1.0)
    }
}

#[tokio::test(start_paused = true)]
async fn repeats_of_what_timed_out_stay_within_the_budget() {
    let dir = tempfile::tempdir().unwrap();
    let judge = judge("m");
    let after = Duration::from_secs(3);
    let hangs = Fake::new(move |_, _| (after, Err(Failure::TimedOut(after))));
    let jobs: Vec<One> = (0..10)
        .map(|i| One(format!("{i}"), request(&judge, &format!("item {i}"))))
        .collect();
    let mut setup = Setup::new(vec![Lane::new(judge, hangs.clone(), 2)]);
    setup.budget = Some(Budget {
        limit: Money::dollars(4.5).unwrap(),
        spent: Money::ZERO,
        costs: Arc::new(Dollar),
    });
    let run = RunLock::acquire(dir.path()).unwrap();
    let done = execute(&jobs, &run, setup).await.unwrap();
    let stopped = done.summary.stopped;
    assert!(
        matches!(stopped, Some(StopReason::Budget { .. })),
        "{stopped:?}"
    );
    assert!(hangs.calls().len() <= 4, "{}", hangs.calls().len());
    assert_eq!(done.summary.pending, 10);
}

fn about_image(n: usize, question: usize) -> Request {
    let mut request = request(&judge("m"), &format!("question {question}"));
    let image = ImagePart {
        path: std::path::PathBuf::from(format!("{n}.png")).into(),
        source: Hash::of(format!("image {n}").as_bytes()),
        profile: "original@1".into(),
        role: ImageRole::Output,
    };
    request.parts.push(Part::Image(image));
    request
}

#[tokio::test(start_paused = true)]
async fn an_image_stays_at_its_address_and_all_addresses_work() {
    let fakes: Vec<_> = (0..3).map(|_| Fake::new(|_, _| yes(1))).collect();
    let pool = Pool::new(
        fakes
            .iter()
            .map(|f| f.clone() as Arc<dyn Transport>)
            .collect(),
    );
    for n in 0..60 {
        for question in 0..4 {
            let attempted = pool.send(&about_image(n, question)).await;
            assert!(attempted.result.is_ok());
        }
    }
    let asked: Vec<usize> = fakes.iter().map(|f| f.calls().len()).collect();
    assert_eq!(asked.iter().sum::<usize>(), 240);
    assert!(asked.iter().all(|n| *n >= 40 && n % 4 == 0), "{asked:?}");
}

#[tokio::test(start_paused = true)]
async fn a_busy_address_hands_over_to_the_idlest() {
    let fakes: Vec<_> = (0..2).map(|_| Fake::new(|_, _| yes(1_000))).collect();
    let pool = Arc::new(Pool::new(
        fakes
            .iter()
            .map(|f| f.clone() as Arc<dyn Transport>)
            .collect(),
    ));
    let tasks = (0..20).map(|question| {
        let pool = pool.clone();
        tokio::spawn(async move { pool.send(&about_image(0, question)).await })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    let (a, b) = (fakes[0].most(), fakes[1].most());
    assert_eq!(a + b, 20);
    assert!(a.abs_diff(b) <= 4, "{a} {b}");
}

#[tokio::test(start_paused = true)]
async fn an_address_that_is_gone_rests_and_others_take_over() {
    let gone = Fake::new(|_, _| {
        let refused = Failure::Unreachable("connection refused".into());
        (Duration::from_millis(1), Err(refused))
    });
    let there = Fake::new(|_, _| yes(1));
    let pool = Pool::new(vec![gone.clone(), there.clone()]);
    for n in 0..50 {
        assert!(pool.send(&about_image(n, 0)).await.result.is_ok());
    }
    assert_eq!(gone.calls().len(), 1, "it rests after one failure");
    assert_eq!(there.calls().len(), 50);
    tokio::time::advance(Duration::from_secs(11)).await;
    for n in 0..50 {
        assert!(pool.send(&about_image(n, 1)).await.result.is_ok());
    }
    assert_eq!(gone.calls().len(), 2, "it is tried again after its rest");
    let none = Pool::new(vec![gone]);
    let attempted = none.send(&about_image(1, 1)).await;
    assert!(matches!(attempted.result, Err(Failure::Unreachable(_))));
}

/// A run folder whose ledger holds these replies: text, time received.
async fn ledger(dir: &Path, replies: &[(&str, &str, i64)]) {
    std::fs::create_dir_all(dir).unwrap();
    let writer = LedgerWriter::open(&dir.join(LEDGER_FILE), LedgerOptions::default()).unwrap();
    for (question, text, at) in replies {
        let mut attempt = answered(Reply::text(*text));
        attempt.received_at = *at;
        let row = record(&request(&judge("m"), question), attempt);
        writer
            .handle()
            .record(row)
            .await
            .unwrap()
            .wait()
            .await
            .unwrap();
    }
    tokio::task::spawn_blocking(|| writer.finish())
        .await
        .unwrap()
        .unwrap();
}

#[tokio::test]
async fn a_union_keeps_all_replies_and_the_first_one_counts() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    ledger(
        &at("a"),
        &[("q1", "Yes", 5), ("q2", "Yes", 9), ("q3", "Yes", 7)],
    )
    .await;
    ledger(
        &at("b"),
        &[("q1", "Yes", 5), ("q2", "No", 6), ("q4", "No", 7)],
    )
    .await;
    let mut texts = vec![];
    for (name, order) in [("ab", ["a", "b"]), ("ba", ["b", "a"])] {
        std::fs::create_dir(at(name)).unwrap();
        let lock = RunLock::acquire(&at(name)).unwrap();
        let sources = order.map(at);
        let done = union(&sources, &lock).unwrap();
        assert_eq!((done.requests, done.attempts, done.known), (4, 5, 1));
        assert_eq!(done.conflicts.len(), 1);
        assert_eq!(
            done.conflicts[0].0,
            request_key(&request(&judge("m"), "q2"))
        );
        let again = union(&sources, &lock).unwrap();
        assert_eq!((again.requests, again.attempts, again.known), (0, 0, 6));
        let replies = LedgerReplies::load(&at(name).join(LEDGER_FILE)).unwrap();
        assert_eq!(replies.conflicts(), 1);
        let text = |q: &str| match replies.get(&request_key(&request(&judge("m"), q))) {
            Some(Settled::Answered(reply)) => reply.text,
            other => panic!("{other:?}"),
        };
        texts.push(["q1", "q2", "q3", "q4"].map(text));
    }
    assert_eq!(texts[0], ["Yes", "No", "Yes", "No"]);
    assert_eq!(texts[0], texts[1]);
}

#[tokio::test]
async fn a_source_that_is_no_ledger_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let bad = dir.path().join("bad");
    std::fs::create_dir(&bad).unwrap();
    std::fs::write(bad.join(LEDGER_FILE), "no database at all").unwrap();
    let lock = RunLock::acquire(dir.path()).unwrap();
    let error = union(&[bad], &lock).unwrap_err();
    assert!(error.to_string().contains("bad"), "{error}");
}
