use std::collections::HashMap;
use std::sync::Arc;

use verispec_model::{
    Finish, Hash, InstanceState, Job, Reading, Reply, Request, Settled, SpecResult, Unjudged,
    YesNo, request_key,
};
use verispec_suites::realunify::published::{ATTEMPTS, PROTOCOL, PolledJob};
use verispec_suites::realunify::{Item, ItemResult, Outcome};

use crate::common::{item, set};
use crate::readers::{image, judge};

fn job(item: &Item, loaded: &verispec_suites::realunify::Loaded) -> PolledJob {
    let instance = loaded
        .suite
        .instance(&item.split.track(), &item.id)
        .unwrap();
    PolledJob::new("job", item, instance.clone(), image(), Arc::new(judge()))
}

/// Answers each request by its question until none is wanted; says how many were made.
fn run(
    job: &PolledJob,
    mut answer: impl FnMut(usize, &Request) -> Settled,
) -> (Vec<SpecResult>, Vec<Request>) {
    let (mut replies, mut made): (HashMap<Hash, Settled>, Vec<Request>) = (HashMap::new(), vec![]);
    loop {
        let step = job.step(&replies);
        let Some(request) = step.ask.first() else {
            return (step.readings, made);
        };
        assert_eq!(step.ask.len(), 1, "one at a time");
        let settled = answer(made.len(), request);
        assert!(
            replies.insert(request_key(request), settled).is_none(),
            "asked twice"
        );
        made.push(request.clone());
    }
}

fn says(text: &str) -> Settled {
    Settled::Answered(Reply::text(text))
}

#[test]
fn it_stops_at_the_first_miss() {
    let (_dir, loaded) = set();
    let item = item(&loaded, "ueg_direct", "logical_reasoning/0");
    let (readings, made) = run(&job(item, &loaded), |_, _| says("No."));
    assert_eq!(made.len(), 1);
    assert_eq!(made[0].protocol, PROTOCOL);
    assert_eq!(readings[0].verdict(), Some(YesNo::No));
    assert_eq!(
        readings[1].reading,
        Some(Reading::Unjudged(Unjudged::NotAsked))
    );
    let result = ItemResult::new(item, &InstanceState::Generated(readings));
    assert_eq!(result.outcome, Outcome::Wrong);
    assert_eq!(result.share, None, "not all were asked");
}

#[test]
fn all_as_wanted_is_right() {
    let (_dir, loaded) = set();
    let item = item(&loaded, "ueg_direct", "logical_reasoning/0");
    let (readings, made) = run(&job(item, &loaded), |n, request| {
        assert_eq!(request.questions[0].id as usize, n + 1);
        says(["yes", "No, it does not"][n])
    });
    assert_eq!(made.len(), 2);
    let result = ItemResult::new(item, &InstanceState::Generated(readings));
    assert_eq!(result.outcome, Outcome::Correct);
    assert_eq!(result.share.unwrap().to_string(), "1/1");
}

#[test]
fn a_substring_decides_as_released() {
    let (_dir, loaded) = set();
    let item = item(&loaded, "ueg_direct", "logical_reasoning/0");
    let (readings, _) = run(&job(item, &loaded), |n, _| {
        says(["yes", "No. The eyes are blue"][n])
    });
    assert_eq!(readings[1].verdict(), Some(YesNo::Yes), "e-y-e-s");
}

#[test]
fn empty_replies_are_asked_again_15_times_in_all() {
    let (_dir, loaded) = set();
    let item = item(&loaded, "ueg_direct", "logical_reasoning/0");
    let (readings, made) = run(&job(item, &loaded), |_, _| says(""));
    assert_eq!(made.len(), ATTEMPTS as usize);
    assert!(
        made[1..]
            .iter()
            .all(|r| r.parent.is_some() && r.derivation.is_some())
    );
    assert_eq!(readings[0].met(), Some(false), "an empty text is no yes");
    let refused = Reply {
        finish: Finish::Refused,
        ..Reply::text("")
    };
    let (readings, made) = run(&job(item, &loaded), |_, _| {
        Settled::Answered(refused.clone())
    });
    assert_eq!(made.len(), ATTEMPTS as usize);
    let result = ItemResult::new(item, &InstanceState::Generated(readings));
    assert_eq!(result.outcome, Outcome::Unjudged(Unjudged::ProviderError));
    let (readings, made) = run(&job(item, &loaded), |n, _| {
        says(if n % 3 == 2 { "yes" } else { "" })
    });
    assert_eq!(
        (made.len(), readings[0].met(), readings[1].met()),
        (6, Some(true), Some(false))
    );
}

#[test]
fn what_the_engine_gave_up_on_ends_the_item() {
    let (_dir, loaded) = set();
    let item = item(&loaded, "ueg_direct", "logical_reasoning/0");
    let (readings, made) = run(&job(item, &loaded), |n, _| match n {
        0 => says("yes"),
        _ => Settled::Failed(Unjudged::Timeout),
    });
    assert_eq!(made.len(), 2);
    assert_eq!(readings[0].met(), Some(true));
    let result = ItemResult::new(item, &InstanceState::Generated(readings));
    assert_eq!(result.outcome.correct(), None);
}

#[test]
fn an_interrupted_poll_keeps_what_it_knows() {
    let (_dir, loaded) = set();
    let item = item(&loaded, "ueg_direct", "logical_reasoning/0");
    let job = job(item, &loaded);
    let first = job.step(&HashMap::new());
    assert!(first.readings.iter().all(|r| r.reading.is_none()));
    let replies = HashMap::from([(request_key(&first.ask[0]), says("yes"))]);
    let second = job.step(&replies);
    assert_eq!(second.ask.len(), 1);
    assert_eq!(second.readings[0].met(), Some(true));
    let state = InstanceState::Generated(second.readings);
    assert_eq!(Outcome::of_state(&state), Outcome::Pending);
}

#[test]
fn no_request_holds_a_wanted_answer() {
    let (_dir, loaded) = set();
    let item = item(&loaded, "ueg_direct", "logical_reasoning/0");
    let mut turned = item.clone();
    let mut instance = (**loaded.suite.instance("ueg_direct", &item.id).unwrap()).clone();
    if let verispec_suites::realunify::Body::Poll(questions) = &mut turned.body {
        for (question, spec) in questions.iter_mut().zip(&mut instance.specifications) {
            question.written = "no".to_owned();
            std::sync::Arc::make_mut(spec).expected = YesNo::No;
        }
    }
    let other = PolledJob::new(
        "job",
        &turned,
        Arc::new(instance),
        image(),
        Arc::new(judge()),
    );
    let keys = |job: &PolledJob| request_key(&job.step(&HashMap::new()).ask[0]);
    assert_eq!(keys(&job(item, &loaded)), keys(&other));
}
