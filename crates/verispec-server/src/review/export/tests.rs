use verispec_media::HashCache;

use super::*;
use crate::review::samples::{accept, event, of_output, said, set};
use crate::review::{Action, Part, ReviewSet, State};

fn review(set: ReviewSet, said: &[(&str, usize, Decision)]) -> Review {
    let mut state = State::default();
    for (by, place, decision) in said {
        let item = &set.items()[*place];
        let action = Action::Decide(decision.clone());
        state
            .apply(&event(state.last() + 1, by, item, 0, action))
            .unwrap();
    }
    Review::new(set, state, &[] as &[&str], &[]).unwrap()
}

#[test]
fn reviewed_rows_say_what_is_used_and_why() {
    let reason = || "two claims".to_owned();
    let part = |q: &str| Part {
        question: q.to_owned(),
        expected: YesNo::Yes,
    };
    let edit = Decision::Edit {
        question: "Is there one red boat?".to_owned(),
        expected: YesNo::No,
        reason: reason(),
    };
    let split = Decision::Split {
        parts: vec![part("Is there a boat?"), part("Is it red?")],
        reason: reason(),
    };
    let reject = Decision::Reject { reason: reason() };
    let all = [
        ("ann", 0, accept()),
        ("ann", 1, edit),
        ("ann", 2, split),
        ("ann", 3, reject.clone()),
        ("ann", 4, accept()),
        ("bob", 4, reject),
    ];
    let rows = reviewed_rows(&review(set(6), &all));
    let states: Vec<&str> = rows.iter().map(|r| r["state"].as_str().unwrap()).collect();
    assert_eq!(
        states,
        [
            "accepted", "edited", "split", "split", "rejected", "conflict", "open"
        ]
    );
    assert_eq!(rows[1]["question"], "Is there one red boat?");
    assert_eq!(rows[1]["expected"], "No");
    assert_eq!(
        (&rows[3]["part"], &rows[3]["question"]),
        (&json!(2), &json!("Is it red?"))
    );
    assert_eq!(rows[4]["actions"][0]["decision"]["reason"], "two claims");
    assert_eq!(rows[5]["actions"].as_array().unwrap().len(), 2);
}

#[test]
fn verdicts_leave_empty_what_nobody_could_tell() {
    let rows = (0..5)
        .map(|i| of_output(Kind::Verdict, &format!("v{i}")))
        .collect();
    let set = ReviewSet::new("v", rows, &HashCache::in_memory()).unwrap();
    let all = [
        ("ann", 0, said(Said::Yes)),
        ("bob", 0, said(Said::Yes)),
        ("ann", 1, said(Said::No)),
        ("ann", 2, said(Said::CannotTell)),
        ("ann", 3, said(Said::Yes)),
        ("bob", 3, said(Said::No)),
    ];
    let rows = human_rows(&review(set, &all), Kind::Verdict);
    let told: Vec<(&str, &str)> = rows
        .iter()
        .map(|r| (r["human"].as_str().unwrap(), r["state"].as_str().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            ("Yes", "agreed"),
            ("No", "agreed"),
            ("", "cannot tell"),
            ("", "conflict"),
            ("", "open")
        ]
    );
    assert_eq!(rows[0]["inclusion"], 0.25);
    assert_eq!(rows[0]["spec"], 3);
    assert_eq!(rows[3]["annotators"], json!({"ann": "yes", "bob": "no"}));
}

#[test]
fn grades_stay_each_persons_own() {
    let rows = vec![of_output(Kind::Rating, "r"), of_output(Kind::Answer, "a")];
    let set = ReviewSet::new("r", rows, &HashCache::in_memory()).unwrap();
    let grade = |grade| Decision::Grade {
        grade,
        reason: String::new(),
    };
    let all = [
        ("ann", 0, grade(5)),
        ("bob", 0, grade(2)),
        ("bob", 1, grade(0)),
    ];
    let review = review(set, &all);
    assert_eq!(review.conflicts().next(), None);
    let rows = rating_rows(&review, Kind::Rating);
    assert_eq!(rows.len(), 2);
    assert_eq!(
        (&rows[1]["annotator"], &rows[1]["rating"]),
        (&json!("bob"), &json!(2))
    );
    assert_eq!(rating_rows(&review, Kind::Answer)[0]["fact"], "a");
}

#[test]
fn only_a_whole_set_has_a_probability_that_nobody_gave() {
    let bare = |id: &str| {
        let mut row = of_output(Kind::Verdict, id);
        row.inclusion = None;
        row
    };
    let set = ReviewSet::new("v", vec![bare("a"), bare("b")], &HashCache::in_memory()).unwrap();
    let some = review(set.clone(), &[("ann", 0, said(Said::Yes))]);
    assert!(
        human_rows(&some, Kind::Verdict)
            .iter()
            .all(|r| r["inclusion"].is_null())
    );
    let all = review(
        set,
        &[("ann", 0, said(Said::Yes)), ("ann", 1, said(Said::No))],
    );
    assert!(
        human_rows(&all, Kind::Verdict)
            .iter()
            .all(|r| r["inclusion"] == 1.0)
    );
}
