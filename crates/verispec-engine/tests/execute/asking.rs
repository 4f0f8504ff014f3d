//! Who is asked what, when and how often.

use super::*;

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
