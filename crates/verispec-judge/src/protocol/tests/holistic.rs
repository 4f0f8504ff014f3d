use verispec_model::{Answer, ReadStage, SpecResult};

use super::*;

fn job(structured: Structured) -> HolisticJob {
    let mut c = case(3);
    let judge = Arc::make_mut(&mut c.judge);
    judge.structured = structured;
    judge
        .params
        .insert("max_tokens".into(), serde_json::json!(50));
    HolisticJob::new(c)
}

fn graded(reply: &str) -> SpecResult {
    let (made, mut results) = drive(&job(Structured::None), |_| text(reply));
    assert_eq!((made.len(), results.len()), (1, 1), "{reply}");
    results.remove(0)
}

fn grade(value: f64) -> Option<Reading> {
    let range = HOLISTIC_RANGE;
    Some(Reading::Answer(Answer::Grade { value, range }))
}

#[test]
fn one_grade_for_the_whole_output() {
    let result = graded(r#"{"reason": "one thing is missing", "score": 7}"#);
    assert_eq!(result.reading, grade(7.0));
    assert_eq!(result.provenance.stage, Some(ReadStage::Strict));
    assert_eq!(
        result.provenance.note.as_deref(),
        Some("one thing is missing")
    );
    assert_eq!(result.provenance.raw_answer, Some(serde_json::json!(7)));
    assert_eq!(result.provenance.asked_with, Some(1));
    assert_eq!(*result.spec, Specification::holistic(HOLISTIC_RANGE));
    // It is neither met nor unmet.
    assert_eq!((result.verdict(), result.met()), (None, None));
}

#[test]
fn no_specification_reaches_the_judge() {
    let ask = |change: fn(&mut Specification)| {
        let mut c = case(3);
        let instance = Arc::make_mut(&mut c.instance);
        instance
            .specifications
            .iter_mut()
            .map(Arc::make_mut)
            .for_each(change);
        HolisticJob::new(c).step(&HashMap::new()).ask
    };
    let asked = ask(|_| {});
    assert_eq!(asked, ask(|s| s.question = "Is it something else?".into()));
    assert!(asked[0].questions.is_empty());
    let shown = format!("{:?}", asked[0].parts);
    assert!(shown.contains("Draw three things.") && !shown.contains("Is thing"));
}

#[test]
fn a10_a_grade_outside_of_the_scale_is_unjudged() {
    for reply in [
        r#"{"score": 90}"#,
        r#"{"score": -1}"#,
        r#"{"score": 10.01}"#,
        "Score: 90",
        "90%",
        "5/5",
    ] {
        let result = graded(reply);
        assert_eq!(
            result.reading,
            Some(Reading::Unjudged(Unjudged::Unparsed)),
            "{reply}"
        );
    }
    // The ends of the scale are inside.
    assert_eq!(graded(r#"{"score": 0}"#).reading, grade(0.0));
    assert_eq!(graded(r#"{"score": 10}"#).reading, grade(10.0));
}

#[test]
fn grades_that_contradict_each_other_are_a_conflict() {
    let result = graded("Score: 3\nScore: 8");
    assert_eq!(result.reading, Some(Reading::Unjudged(Unjudged::Conflict)));
}

#[test]
fn failures_are_told_apart_and_not_asked_again() {
    let refused = Reply {
        finish: Finish::Refused,
        ..Reply::text(r#"{"score": 10}"#)
    };
    for (reply, why) in [
        (Settled::Answered(refused), Unjudged::Refused),
        (Settled::Failed(Unjudged::Timeout), Unjudged::Timeout),
        (text("A fine picture."), Unjudged::Unparsed),
        (text(""), Unjudged::Unparsed),
    ] {
        let (made, results) = drive(&job(Structured::None), |_| reply.clone());
        assert_eq!(made.len(), 1, "{why}");
        assert_eq!(results[0].reading, Some(Reading::Unjudged(why)));
        assert_eq!(results[0].provenance.request, Some(request_key(&made[0])));
    }
}

#[test]
fn a07_a_truncated_grade_is_asked_again_once_with_a_larger_limit() {
    // The cut text holds a number that would be a grade.
    let cut = |r: &Request, ever: bool| {
        if ever || r.derivation.is_none() {
            Settled::Answered(Reply {
                finish: Finish::Length,
                ..Reply::text("Score: 1")
            })
        } else {
            text(r#"{"reason": "", "score": 10}"#)
        }
    };
    let (made, results) = drive(&job(Structured::None), |r| cut(r, false));
    assert_eq!(made.len(), 2);
    assert_eq!(made[1].derivation.as_deref(), Some("after-truncation"));
    assert_eq!(made[1].parent, Some(Hash::of(b"Score: 1")));
    assert_eq!(made[1].judge.params["max_tokens"], 100);
    assert_eq!(made[1].parts, made[0].parts);
    assert_eq!(results[0].reading, grade(10.0));
    assert_eq!(results[0].provenance.request, Some(request_key(&made[1])));

    let (made, results) = drive(&job(Structured::None), |r| cut(r, true));
    assert_eq!(made.len(), 2);
    assert_eq!(
        results[0].reading,
        Some(Reading::Unjudged(Unjudged::Truncated))
    );
}

#[test]
fn a_grade_that_waits_for_its_second_reply_is_pending() {
    let job = job(Structured::None);
    let first = job.step(&HashMap::new()).ask.remove(0);
    let cut = Reply {
        finish: Finish::Length,
        ..Reply::text("")
    };
    let replies = HashMap::from([(request_key(&first), Settled::Answered(cut))]);
    let step = job.step(&replies);
    assert_eq!(step.ask.len(), 1);
    assert_eq!(
        step.readings,
        [SpecResult::pending(Specification::holistic(HOLISTIC_RANGE))]
    );
}

#[test]
fn structured_judges_get_the_scale_in_the_schema() {
    let asked = |structured| job(structured).step(&HashMap::new()).ask.remove(0);
    assert_eq!(asked(Structured::None).schema, None);
    assert_eq!(asked(Structured::JsonObject).schema, None);
    let schema = asked(Structured::JsonSchema).schema.unwrap();
    let score = &schema["properties"]["score"];
    assert_eq!(
        (
            score["type"].as_str(),
            score["minimum"].as_i64(),
            score["maximum"].as_i64()
        ),
        (Some("integer"), Some(0), Some(10))
    );
    assert_eq!(schema["required"], serde_json::json!(["reason", "score"]));
}

#[test]
fn repeats_of_a_grade_have_keys_of_their_own() {
    let key = |repeat| {
        let job = HolisticJob::new(Case { repeat, ..case(1) });
        request_key(&job.step(&HashMap::new()).ask[0])
    };
    assert_ne!(key(0), key(1));
}
