use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value, json};
use verispec_model::{
    Finish, Hash, Job, JudgeIdentity, Params, Part, Reply, Request, Settled, Structured, Unjudged,
    YesNo, request_key,
};

use super::*;
use crate::merge::Proposer;
use crate::set::{Candidate, Decision, FilterVariant, GeneratorState, Group, Hold, Points};

type Known = HashMap<Hash, Settled>;

/// Steps a job until it wants nothing; how many requests that took.
fn drive<J: Job>(
    job: &J,
    known: &mut Known,
    answer: &dyn Fn(&Request) -> Settled,
) -> (J::Readings, usize) {
    let mut calls = 0;
    loop {
        let step = job.step(known);
        if step.ask.is_empty() {
            return (step.readings, calls);
        }
        for request in step.ask {
            calls += 1;
            assert!(calls < 50, "the job never ends");
            known.insert(request_key(&request), answer(&request));
        }
    }
}

fn judge(name: &str) -> Arc<JudgeIdentity> {
    Arc::new(JudgeIdentity {
        provider: "command".into(),
        model: name.into(),
        params: Params::new(),
        structured: Structured::None,
        revision: None,
    })
}

fn task() -> Arc<Task> {
    Arc::new(Task {
        track: "t2i".into(),
        dimension: "composition".into(),
        id: "one".into(),
        prompt: "A red car beside three dogs".into(),
        references: vec![],
    })
}

fn said(text: impl std::fmt::Display) -> Settled {
    Settled::Answered(Reply::text(text.to_string()))
}

fn spec(question: &str) -> Value {
    json!({"question": question, "category": "Composition", "subcategory": "objects", "expected_answer": "Yes"})
}

fn text_of(request: &Request) -> String {
    let texts = request.parts.iter().filter_map(|p| match p {
        Part::Text(t) => Some(t.as_str()),
        Part::Image(_) => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn generate(answer: &dyn Fn(&Request) -> Settled) -> (Generated, usize) {
    let generators: Arc<[_]> = ["a", "b"].map(judge).to_vec().into();
    let job = GenerateJob::new(task(), generators, Arc::new(Taxonomy::of_track("t2i")));
    drive(&job, &mut Known::new(), answer)
}

#[test]
fn candidates_keep_their_source_and_broken_ones_are_kept_and_blocked() {
    let (made, calls) = generate(&|r| {
        let own = format!("Is it as {} says?", r.judge.model);
        said(
            json!({"specifications": [spec("Is the car red?"), spec(&own), spec("How many dogs?")]}),
        )
    });
    assert_eq!((calls, made.candidates.len()), (2, 6));
    assert!(made.is_done());
    let ids: Vec<_> = made
        .candidates
        .iter()
        .map(|c| (c.id, c.generator, c.position))
        .collect();
    assert_eq!(ids[..4], [(1, 0, 1), (2, 0, 2), (3, 0, 3), (4, 1, 1)]);
    assert!(made.candidates[2].is_blocked() && !made.candidates[0].is_blocked());
}

#[test]
fn a_reply_that_cannot_be_read_is_asked_again_with_its_fault_and_then_fails() {
    let good = json!({"specifications": [spec("Is the car red?")]});
    let (made, calls) = generate(&|r| match (r.judge.model.as_str(), &r.derivation) {
        ("a", None) => said("{\"specifications\": [{\"question\": \"Is it?\"}]}"),
        ("a", Some(_)) => {
            assert!(text_of(r).contains("expected_answer"), "the fault is named");
            said(&good)
        }
        _ => said("no list today"),
    });
    assert_eq!(calls, 2 + 3);
    assert!(!made.is_done() && matches!(made.generators[0], GeneratorState::Done { .. }));
    let GeneratorState::Failed { why, .. } = &made.generators[1] else {
        panic!()
    };
    assert_eq!(*why, Unjudged::Unparsed);
}

#[test]
fn no_request_shows_more_than_task_and_taxonomy() {
    generate(&|r| {
        let text = text_of(r);
        assert!(text.contains("A red car beside three dogs") && text.contains("Text Rendering"));
        assert!(r.questions.is_empty() && r.schema.is_none());
        said(json!({"specifications": [spec("Is the car red?")]}))
    });
}

fn candidates(list: &[(&str, usize, YesNo)]) -> Vec<Candidate> {
    let one = |(i, (q, generator, expected)): (usize, &(&str, usize, YesNo))| {
        let proposed = Proposed {
            question: (*q).into(),
            category: "Composition".into(),
            subcategory: "x".into(),
            expected: *expected,
        };
        Candidate::new(i + 1, (*generator, i + 1), proposed, &task())
    };
    list.iter().enumerate().map(one).collect()
}

fn four() -> Vec<Candidate> {
    candidates(&[
        ("Is the car red?", 0, YesNo::Yes),
        ("Are there three dogs?", 0, YesNo::Yes),
        ("Is the colour of the car red?", 1, YesNo::Yes),
        ("Are three dogs to be seen?", 1, YesNo::Yes),
    ])
}

fn group(ids: &[u32], question: &str) -> Value {
    let mut group = spec(question);
    group["ids"] = json!(ids);
    group
}

fn merge(candidates: &[Candidate], answer: &dyn Fn(&Request) -> Settled) -> (Merged, usize) {
    let job = MergeJob::new(task(), candidates, Some(judge("m")), &Proposer::Lexical).unwrap();
    drive(&job, &mut Known::new(), answer)
}

#[test]
fn equal_keys_are_one_before_the_model_is_asked() {
    let (merged, calls) = merge(&four(), &|r| {
        let ids: Vec<u32> = r.questions.iter().map(|q| q.id).collect();
        assert_eq!(ids, [1, 2, 4], "3 says what 1 says");
        said(
            json!({"groups": [group(&[2, 4], "Are there exactly three dogs?"), group(&[1], "Is the car red?")]}),
        )
    });
    let groups = merged.groups.unwrap();
    assert_eq!(calls, 1);
    assert_eq!((groups[0].id, &groups[0].members[..]), (1, &[1, 3][..]));
    assert_eq!((groups[1].id, &groups[1].members[..]), (2, &[2, 4][..]));
    assert!(groups.iter().all(|g| g.holds.is_empty()), "{groups:?}");
}

#[test]
fn a_lost_or_doubled_number_is_refused_and_asked_again() {
    let right = json!({"groups": [group(&[1], "Is the car red?"), group(&[2, 4], "Are there three dogs?")], "contradictions": []});
    for wrong in [
        json!({"groups": [group(&[2, 4], "Are there three dogs?")]}),
        json!({"groups": [group(&[1, 2], "Is it?"), group(&[2, 4], "Is it?")]}),
        json!({"groups": [group(&[1], "Is it?"), group(&[2, 4, 9], "Is it?")]}),
        json!({"groups": [group(&[1, 2, 4], "")]}),
        json!({"groups": [group(&[], "Is it?"), group(&[1, 2, 4], "Is it?")]}),
        json!({"groups": [group(&[1], "Is it?"), group(&[2, 4], "Is it?")], "contradictions": [[1, 1]]}),
    ] {
        let (merged, calls) = merge(&four(), &|r| match r.derivation {
            None => said(&wrong),
            Some(_) => said(&right),
        });
        assert_eq!((calls, merged.groups.unwrap().len()), (2, 2), "{wrong}");
        let (merged, calls) = merge(&four(), &|_| said(&wrong));
        assert_eq!((calls, merged.groups), (3, None), "{wrong}");
        assert!(matches!(merged.merger, Some(GeneratorState::Failed { .. })));
    }
}

#[test]
fn contradictions_and_joined_differences_wait_for_a_reviewer() {
    let list = candidates(&[
        ("Is the car red?", 0, YesNo::Yes),
        ("Is the car blue?", 1, YesNo::Yes),
        ("Are there three dogs?", 0, YesNo::Yes),
        ("Are there four dogs?", 1, YesNo::Yes),
    ]);
    let (merged, _) = merge(&list, &|_| {
        said(json!({
            "groups": [group(&[1], "Is the car red?"), group(&[2], "Is the car blue?"), group(&[3, 4], "Are there three dogs?")],
            "contradictions": [[1, 2]],
        }))
    });
    let groups = merged.groups.unwrap();
    assert_eq!(groups[0].holds, [Hold::Contradicts(2)]);
    assert_eq!(groups[1].holds, [Hold::Contradicts(1)]);
    assert!(
        matches!(groups[2].holds[..], [Hold::Differs { .. }]),
        "{:?}",
        groups[2].holds
    );
}

#[test]
fn without_a_model_nothing_is_asked() {
    let job = MergeJob::new(task(), &four(), None, &Proposer::Lexical).unwrap();
    let (merged, calls) = drive(&job, &mut Known::new(), &|_| panic!("asked"));
    assert_eq!(
        (calls, merged.merger, merged.groups.unwrap().len()),
        (0, None, 3)
    );
}

fn plan(variant: FilterVariant) -> RatePlan {
    RatePlan {
        raters: ["a", "b", "c"].map(judge).to_vec().into(),
        tau: Points::whole(8).unwrap(),
        variant,
        seed: 7,
        generators: 2,
    }
}

fn groups() -> Vec<Group> {
    let group = |id: u32, members: &[u32]| Group {
        id,
        members: members.to_vec(),
        question: format!("Is thing {id} there?"),
        category: "Composition".into(),
        subcategory: "x".into(),
        expected: YesNo::Yes,
        holds: vec![],
    };
    vec![group(1, &[1, 3]), group(2, &[2]), group(3, &[4])]
}

/// A reply that rates every asked group with what `points` says for rater and group.
fn rated(request: &Request, points: &dyn Fn(&str, u32) -> f64) -> Settled {
    let each = request.questions.iter().map(|q| {
        let p = points(&request.judge.model, q.id);
        json!({"id": q.id, "relevance": p, "clarity": p, "verifiability": p})
    });
    said(json!({"ratings": each.collect::<Vec<_>>()}))
}

fn rate(variant: FilterVariant, answer: &dyn Fn(&Request) -> Settled) -> (RatedGroups, usize) {
    let job = RateJob::new(task(), &groups(), &four(), plan(variant));
    drive(&job, &mut Known::new(), answer)
}

fn decisions(rated: &RatedGroups) -> Vec<Decision> {
    rated.rated.iter().map(|r| r.decision.clone()).collect()
}

#[test]
fn the_mean_is_exact_and_the_bound_inclusive() {
    let points = |rater: &str, group: u32| match (group, rater) {
        (1, "a") => 7.0,
        (1, "b") => 8.0,
        (1, _) => 9.0,
        (2, "a") => 7.99,
        (2, _) => 8.0,
        _ => 10.0,
    };
    let (made, calls) = rate(FilterVariant::Full, &|r| rated(r, &points));
    assert_eq!(calls, 3);
    assert_eq!(
        decisions(&made),
        [Decision::Kept, Decision::Dropped, Decision::Kept]
    );
    assert_eq!(
        made.rated[1].score(),
        Some(8.0),
        "7.997 shows as 8.00 and is under the bound"
    );
    assert_eq!((made.calls_saved, made.ratings_saved), (0, 0));
}

#[test]
fn each_rater_sees_its_own_order() {
    let orders = std::cell::RefCell::new(vec![]);
    let job = |seed| {
        let mut plan = plan(FilterVariant::Full);
        plan.seed = seed;
        let all: Vec<Group> = (1..=9)
            .map(|id| Group {
                id,
                ..groups()[0].clone()
            })
            .collect();
        RateJob::new(task(), &all, &four(), plan)
    };
    let record = |r: &Request| {
        orders
            .borrow_mut()
            .push(r.questions.iter().map(|q| q.id).collect::<Vec<_>>());
        rated(r, &|_, _| 9.0)
    };
    drive(&job(1), &mut Known::new(), &record);
    drive(&job(1), &mut Known::new(), &record);
    let orders = orders.into_inner();
    assert!(orders[0] != orders[1] && orders[1] != orders[2]);
    assert_eq!(orders[..3], orders[3..], "and the same one every time");
}

#[test]
fn a_missing_rating_is_asked_again_and_never_averaged_away() {
    // Rater b leaves out group 2, once or always.
    for always in [false, true] {
        let (made, calls) = rate(FilterVariant::Full, &|r| {
            let again = r.derivation.is_some();
            if again {
                let ids: Vec<u32> = r.questions.iter().map(|q| q.id).collect();
                assert_eq!(ids, [2], "only what is missing");
            }
            let leave = r.judge.model == "b" && (always || !again);
            let mut reply = r.clone();
            reply.questions.retain(|q| !(leave && q.id == 2));
            rated(&reply, &|_, _| 9.0)
        });
        let expected = if always {
            Decision::Unrated { missing: vec![1] }
        } else {
            Decision::Kept
        };
        assert_eq!(made.rated[1].decision, expected);
        assert_eq!(calls, if always { 5 } else { 4 });
        assert_eq!(made.rated[0].decision, Decision::Kept);
    }
}

#[test]
fn a_number_given_twice_is_asked_again_even_if_one_of_both_is_impossible() {
    for first in [json!(12), json!(9)] {
        let (made, calls) = rate(FilterVariant::Full, &|r| {
            if r.derivation.is_some() {
                assert_eq!(r.questions[0].id, 2);
                return rated(r, &|_, _| 3.0);
            }
            let one = |id: u32, p: Value| json!({"id": id, "relevance": p, "clarity": p, "verifiability": p});
            let twice = [
                one(2, first.clone()),
                one(1, json!(9)),
                one(3, json!(9)),
                one(2, json!(9)),
            ];
            said(json!({"ratings": twice}))
        });
        assert_eq!((calls, &made.rated[1].decision), (6, &Decision::Dropped));
    }
}

#[test]
fn a_limit_that_was_doubled_stays_so_when_a_reply_is_asked_again() {
    let limited = |name: &str| {
        let mut judge = (*judge(name)).clone();
        judge.params.insert("max_tokens".into(), json!(100));
        Arc::new(judge)
    };
    let limit = |r: &Request| r.judge.params["max_tokens"].as_u64().unwrap();
    let cut = || {
        Settled::Answered(Reply {
            finish: verispec_model::Finish::Length,
            ..Reply::text("{")
        })
    };
    let seen = std::cell::RefCell::new(vec![]);
    let answer = |r: &Request| {
        seen.borrow_mut().push(limit(r));
        match limit(r) {
            100 => cut(),
            _ if seen.borrow().len() < 4 => said("no list today"),
            _ if r.protocol.starts_with("specs-rate") => rated(r, &|_, _| 9.0),
            _ => said(json!({"specifications": [spec("Is there a car?")]})),
        }
    };
    let taxonomy = Arc::new(Taxonomy::of_track("t2i"));
    let writers: Arc<[_]> = vec![limited("a")].into();
    let job = GenerateJob::new(task(), writers.clone(), taxonomy);
    assert!(drive(&job, &mut Known::new(), &answer).0.is_done());
    assert_eq!(seen.take(), [100, 200, 200, 200]);

    let mut plan = plan(FilterVariant::Full);
    plan.raters = writers;
    let job = RateJob::new(task(), &groups(), &four(), plan);
    let (made, _) = drive(&job, &mut Known::new(), &answer);
    assert_eq!(
        decisions(&made),
        [Decision::Kept, Decision::Kept, Decision::Kept]
    );
    assert_eq!(seen.take(), [100, 200, 200, 200]);
}

#[test]
fn only_who_stops_early_gives_up_before_all_are_asked() {
    // Raters b and c have not answered yet.
    for (variant, expected) in [
        (FilterVariant::Full, Decision::Pending),
        (FilterVariant::Disputed, Decision::Pending),
        (FilterVariant::EarlyStop, Decision::Hopeless),
    ] {
        let job = RateJob::new(task(), &groups(), &four(), plan(variant));
        let mut known = Known::new();
        let first = job.step(&known).ask;
        let first = first.iter().find(|r| r.judge.model == "a").unwrap();
        known.insert(request_key(first), rated(first, &|_, _| 2.0));
        assert_eq!(
            job.step(&known).readings.rated[1].decision,
            expected,
            "{variant:?}"
        );
    }
}

#[test]
fn impossible_numbers_are_not_ratings() {
    let (made, _) = rate(FilterVariant::Full, &|r| {
        rated(r, &|_, g| if g == 3 { 11.0 } else { 9.0 })
    });
    assert_eq!(
        made.rated[2].decision,
        Decision::Unrated {
            missing: vec![0, 1, 2]
        }
    );
    assert!(made.rated[2].ratings.is_empty());
}

#[test]
fn cheaper_variants_save_what_they_say() {
    // Group 1 holds candidates of both generators.
    let (made, calls) = rate(FilterVariant::Disputed, &|r| rated(r, &|_, _| 9.0));
    assert_eq!(calls, 3);
    assert_eq!(
        decisions(&made),
        [Decision::Agreed, Decision::Kept, Decision::Kept]
    );
    assert_eq!((made.calls_saved, made.ratings_saved), (0, 3));

    // 3 of the first rater: (3 + 10 + 10) / 3 is under 8.
    let low = |_: &str, g: u32| if g == 2 { 3.0 } else { 9.0 };
    let (made, calls) = rate(FilterVariant::EarlyStop, &|r| rated(r, &low));
    assert_eq!(calls, 3);
    assert_eq!(
        decisions(&made),
        [Decision::Kept, Decision::Hopeless, Decision::Kept]
    );
    assert_eq!((made.calls_saved, made.ratings_saved), (0, 2));
    let (made, calls) = rate(FilterVariant::EarlyStop, &|r| rated(r, &|_, _| 2.0));
    assert_eq!((calls, made.calls_saved, made.ratings_saved), (1, 2, 6));

    // Where the mean can still reach the bound, both say the same as the full one.
    let near = |rater: &str, g: u32| if rater == "a" && g == 2 { 4.0 } else { 10.0 };
    let (full, _) = rate(FilterVariant::Full, &|r| rated(r, &near));
    let (early, _) = rate(FilterVariant::EarlyStop, &|r| rated(r, &near));
    assert_eq!(full.rated, early.rated);
}

#[test]
fn templates_render_and_schemas_are_sent_on_request_only() {
    let mut strict = (*judge("a")).clone();
    strict.structured = Structured::JsonSchema;
    let generators: Arc<[_]> = vec![Arc::new(strict)].into();
    let job = GenerateJob::new(
        task(),
        generators,
        Arc::new(Taxonomy::of_track("think_with_img")),
    );
    let step = job.step(&Known::new());
    let schema = step.ask[0].schema.as_ref().unwrap();
    assert_eq!(
        schema["properties"]["specifications"]["items"]["required"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
    assert!(
        text_of(&step.ask[0]).contains("Image-Text Alignment"),
        "a closed list of subcategories"
    );
}

#[test]
fn the_worst_course_of_a_request_is_as_long_as_a_job_can_make_it() {
    let mut writer = (*judge("w")).clone();
    let limit = |r: &Request| r.judge.params["max_tokens"].as_u64().unwrap();
    writer.params.insert("max_tokens".into(), json!(100));
    let job = GenerateJob::new(
        task(),
        [Arc::new(writer)].into(),
        Arc::new(Taxonomy::of_track("t2i")),
    );
    let first = job.step(&Known::new()).ask.remove(0);
    let course = worst_course(&first);
    let limits: Vec<u64> = course.iter().map(limit).collect();
    assert_eq!(limits, [100, 200, 200, 400, 400, 800]);
    // No way to answer makes the job ask more.
    for pattern in 0..1 << 8_u32 {
        let (mut known, mut calls, mut most) = (Known::new(), 0, 0);
        while let [request] = job.step(&known).ask.as_slice() {
            let finish = match pattern >> calls & 1 {
                0 => Finish::Length,
                _ => Finish::Stop,
            };
            let reply = Reply {
                finish,
                ..Reply::text("?")
            };
            most += limit(request);
            calls += 1;
            known.insert(request_key(request), Settled::Answered(reply));
        }
        assert!(calls <= course.len() && most <= limits.iter().sum::<u64>());
    }
}
