//! What becomes of a call that fails.

use super::*;

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
