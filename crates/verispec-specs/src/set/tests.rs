use verispec_model::{Hash, YesNo};

use super::*;

fn record() -> InstanceRecord {
    let group = |id: u32, holds: Vec<Hold>| Group {
        id,
        members: vec![id],
        question: format!("Is thing {id} there?"),
        category: "General".into(),
        subcategory: "x".into(),
        expected: YesNo::Yes,
        holds,
    };
    let rating = |rater: usize, points: f64| {
        let p = Points::of(points).unwrap();
        Rating {
            rater,
            relevance: p,
            clarity: p,
            verifiability: p,
        }
    };
    let rated = |group: u32, points: f64, decision: Decision| Rated {
        group,
        ratings: vec![rating(0, points), rating(1, 9.5)],
        decision,
    };
    InstanceRecord {
        track: "t2i".into(),
        dimension: "d".into(),
        id: "one".into(),
        input: Hash::of(b"input"),
        generators: vec![GeneratorState::Pending],
        candidates: vec![],
        merger: None,
        groups: Some(vec![
            group(1, vec![]),
            group(2, vec![]),
            group(3, vec![Hold::Contradicts(1)]),
        ]),
        rated: Some(vec![
            rated(1, 8.25, Decision::Kept),
            rated(2, 2.0, Decision::Dropped),
            rated(3, 9.0, Decision::Kept),
        ]),
        review: vec![],
    }
}

fn questions(record: &InstanceRecord) -> Vec<String> {
    let specs = record.specs(&Which::Complete).unwrap();
    specs.into_iter().map(|s| s.wording.question).collect()
}

fn action(group: u32, act: Act) -> ReviewAction {
    ReviewAction {
        group,
        act,
        reason: "seen".into(),
        by: "ann".into(),
        at: "2026-01-01T00:00:00Z".into(),
    }
}

#[test]
fn what_is_dropped_or_on_hold_is_no_part_of_the_set_until_a_reviewer_says_so() {
    let mut record = record();
    assert_eq!(questions(&record), ["Is thing 1 there?"]);
    record.review.push(action(2, Act::Accept));
    record.review.push(action(3, Act::Accept));
    record.review.push(action(1, Act::Reject));
    assert_eq!(
        questions(&record),
        ["Is thing 2 there?", "Is thing 3 there?"]
    );
    let wording = |question: &str| Wording {
        question: question.into(),
        category: "General".into(),
        subcategory: "x".into(),
        expected: YesNo::No,
    };
    // The last action about a group counts.
    record
        .review
        .push(action(1, Act::Split(vec![wording("A?"), wording("B?")])));
    record.review.push(action(3, Act::Edit(wording("C?"))));
    assert_eq!(questions(&record), ["A?", "B?", "Is thing 2 there?", "C?"]);
}

#[test]
fn an_instance_that_is_not_ready_says_what_it_waits_for() {
    let mut record = record();
    assert_eq!(record.specs(&Which::Only(0)), Err(NotYet::Generate));
    record.rated.as_mut().unwrap()[0].decision = Decision::Unrated { missing: vec![1] };
    assert_eq!(record.specs(&Which::Complete), Err(NotYet::Filter));
    record.review.push(action(1, Act::Reject));
    assert_eq!(
        record.specs(&Which::Complete),
        Ok(vec![]),
        "a reviewer decides"
    );
    record.groups = None;
    assert_eq!(record.specs(&Which::WithoutFiltering), Err(NotYet::Merge));
}

#[test]
fn the_score_is_the_mean_with_two_decimals_and_the_record_survives_its_file() {
    let record = record();
    // (3 * 8.25 + 3 * 9.5) / 6 = 8.875
    let text = checklist(&record, &Which::Complete).unwrap();
    assert!(
        text.contains("\"score\": 8.88") && text.contains("\"id\": 1"),
        "{text}"
    );
    let stored = serde_json::to_string(&record).unwrap();
    let again: InstanceRecord = serde_json::from_str(&stored).unwrap();
    assert_eq!(again, record);
    assert_eq!(checklist(&again, &Which::Complete).unwrap(), text);
}
