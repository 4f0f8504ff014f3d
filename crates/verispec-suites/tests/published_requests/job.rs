//! The job: one call, the same call again while the reply is no list, no item asked alone.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::json;
use verispec_model::{
    Finish, Hash, Job, JudgeIdentity, ReadStage, Reading, Reply, Request, Settled, SpecResult,
    Structured, Unjudged, YesNo, request_key,
};
use verispec_suites::specv::published::{ATTEMPTS, PublishedJob, RETRY, published_params};

use crate::checkout::{by_name, image, instance, templates};

fn job() -> PublishedJob {
    let judge = JudgeIdentity {
        provider: "gemini-dashscope".to_owned(),
        model: "judge-model".to_owned(),
        params: published_params(),
        structured: Structured::None,
        revision: None,
    };
    let instance = Arc::new(instance("t2i", "a cat", 0));
    let output = image("out.png");
    PublishedJob::new(
        "t2i/x_001/m",
        &Arc::new(templates()),
        judge.into(),
        instance,
        &output,
        &by_name,
    )
    .unwrap()
}

/// Feeds replies one after the other; returns the requests asked and the last readings.
fn run(job: &PublishedJob, replies: Vec<Settled>) -> (Vec<Request>, Vec<SpecResult>) {
    let mut settled: HashMap<Hash, Settled> = HashMap::new();
    let mut asked = Vec::new();
    let mut replies = replies.into_iter();
    loop {
        let step = job.step(&settled);
        let Some(request) = step.ask.first() else {
            return (asked, step.readings);
        };
        assert_eq!(step.ask.len(), 1);
        let Some(reply) = replies.next() else {
            return (asked, step.readings);
        };
        settled.insert(request_key(request), reply);
        asked.push(request.clone());
    }
}

fn answered(text: &str) -> Settled {
    Settled::Answered(Reply::text(text))
}

fn readings(results: &[SpecResult]) -> Vec<Option<Reading>> {
    results.iter().map(|r| r.reading.clone()).collect()
}

#[test]
fn one_call_with_the_whole_checklist() {
    let job = job();
    let (asked, results) = run(
        &job,
        vec![answered(
            r#"[{"id":1,"answer":"Yes"},{"id":2,"answer":"No"}]"#,
        )],
    );
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0], job.request());
    assert_eq!(asked[0].protocol, "specv-published@1");
    assert_eq!(asked[0].schema, None);
    assert_eq!(asked[0].questions.len(), 2);
    let yes_no = [YesNo::Yes, YesNo::No].map(|a| Some(Reading::yes_no(a)));
    assert_eq!(readings(&results), yes_no);
    for result in &results {
        assert_eq!(result.provenance.request, Some(request_key(&job.request())));
        assert_eq!(result.provenance.asked_with, Some(2));
        assert!(result.provenance.stage.is_some());
    }
}

#[test]
fn a_partial_reply_is_final() {
    let (asked, results) = run(&job(), vec![answered(r#"[{"id":2,"answer":"Yes"}]"#)]);
    assert_eq!(asked.len(), 1);
    let missing = Some(Reading::Unjudged(Unjudged::MissingId));
    assert_eq!(
        readings(&results),
        [missing, Some(Reading::yes_no(YesNo::Yes))]
    );
    assert_eq!(results[0].provenance.raw_answer, Some(json!("N/A")));
}

#[test]
fn an_empty_list_is_final_too() {
    let (asked, results) = run(&job(), vec![answered("[]")]);
    assert_eq!(asked.len(), 1);
    assert!(
        results
            .iter()
            .all(|r| r.reading == Some(Reading::Unjudged(Unjudged::MissingId)))
    );
}

#[test]
fn answers_count_to_the_letter_and_are_kept() {
    let text = r#"[{"id":1,"answer":"yes"},{"id":2,"answer":true}]"#;
    let (_, results) = run(&job(), vec![answered(text)]);
    let unparsed = Some(Reading::Unjudged(Unjudged::Unparsed));
    assert_eq!(readings(&results), [unparsed.clone(), unparsed]);
    assert_eq!(results[0].provenance.raw_answer, Some(json!("yes")));
    assert_eq!(results[1].provenance.raw_answer, Some(json!(true)));
}

#[test]
fn no_list_repeats_the_call() {
    let job = job();
    let good = r#"[{"id":1,"answer":"Yes"},{"id":2,"answer":"Yes"}]"#;
    let (asked, results) = run(
        &job,
        vec![
            answered("sorry"),
            answered(r#"{"id":1,"answer":"Yes"}"#),
            answered(good),
        ],
    );
    assert_eq!(asked.len(), 3);
    for (before, after) in asked.iter().zip(&asked[1..]) {
        assert_eq!(after.parent, Some(request_key(before)));
        assert_eq!(after.derivation.as_deref(), Some(RETRY));
        assert_eq!((&after.parts, &after.judge), (&before.parts, &before.judge));
    }
    assert!(results.iter().all(|r| r.verdict() == Some(YesNo::Yes)));
    assert_eq!(results[0].provenance.request, Some(request_key(&asked[2])));
}

/// The released ladder reads, corruptions included; the stage is recorded.
#[test]
fn replies_are_read_as_released() {
    let fenced = "```json\n[{\"id\":1,\"answer\":\"Yes\"},{\"id\":true,\"answer\":\"No\"}]\n```";
    let (_, results) = run(&job(), vec![answered(fenced)]);
    assert_eq!(results[0].verdict(), Some(YesNo::No));
    assert_eq!(results[0].provenance.stage, Some(ReadStage::Extracted));
    let no_comma = r#"[{"id":1,"answer":"Yes"} {"id":2,"answer":"No"}]"#;
    let (asked, results) = run(&job(), vec![answered(no_comma)]);
    assert_eq!(asked.len(), 1);
    assert_eq!(results[0].provenance.stage, Some(ReadStage::Repaired));
    assert!(results.iter().all(|r| r.verdict().is_none()));
    // An id that Python cannot look up makes the worker start again.
    let (asked, _) = run(&job(), vec![answered(r#"[{"id":[1],"answer":"Yes"}]"#); 9]);
    assert_eq!(asked.len(), ATTEMPTS as usize);
}

#[test]
fn after_three_replies_without_a_list_it_is_unjudged() {
    let (asked, results) = run(&job(), vec![answered("no"); 9]);
    assert_eq!(asked.len(), ATTEMPTS as usize);
    assert!(
        results
            .iter()
            .all(|r| r.reading == Some(Reading::Unjudged(Unjudged::Unparsed)))
    );
    assert!(
        results
            .iter()
            .all(|r| r.provenance.raw_answer.is_none() && r.verdict().is_none())
    );
    for (finish, reason) in [
        (Finish::Refused, Unjudged::Refused),
        (Finish::Length, Unjudged::Truncated),
    ] {
        let reply = Settled::Answered(Reply {
            finish,
            ..Reply::text("")
        });
        let (asked, results) = run(&job(), vec![reply; 9]);
        assert_eq!(asked.len(), ATTEMPTS as usize);
        assert!(
            results
                .iter()
                .all(|r| r.reading == Some(Reading::Unjudged(reason)))
        );
    }
}

#[test]
fn a_failed_request_and_a_pending_one() {
    let (asked, results) = run(&job(), vec![Settled::Failed(Unjudged::Timeout)]);
    assert_eq!(asked.len(), 1);
    assert!(
        results
            .iter()
            .all(|r| r.reading == Some(Reading::Unjudged(Unjudged::Timeout)))
    );
    let (_, results) = run(&job(), vec![]);
    assert!(results.iter().all(|r| r.reading.is_none()));
}

#[test]
fn a_repetition_has_keys_of_its_own() {
    let first = request_key(&job().request());
    assert_ne!(request_key(&job().repetition(1).request()), first);
    assert_eq!(request_key(&job().repetition(0).request()), first);
}
