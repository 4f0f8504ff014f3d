use super::*;
use crate::scene::{Bbox, CleanedRelation, RawRelations, ScoredPredicate};

#[test]
fn verdicts() {
    for (reply, expected) in [
        (r#"{"answer": "Yes"}"#, Verdict::Yes),
        (r#" {"answer":"no"} "#, Verdict::No),
        (r#"{"answer": "Maybe"}"#, Verdict::Unread),
        (r#"{"answer": true}"#, Verdict::Unread),
        (r#"["Yes"]"#, Verdict::Unread),
        (r#""yes""#, Verdict::Yes),
        ("Yes, the man holds it.", Verdict::Yes),
        ("NO.", Verdict::No),
        ("yesterday", Verdict::Unread),
        ("nothing of the kind", Verdict::Unread),
        (r#"{"answer": "Ye"#, Verdict::Unread),
        ("", Verdict::Unread),
    ] {
        assert_eq!(read_verdict(reply), expected, "{reply}");
    }
}

fn relation(subject: usize, object: usize, predicates: &[(&str, f64)]) -> CleanedRelation {
    let scored = |(predicate, score): &(&str, f64)| ScoredPredicate {
        predicate: (*predicate).into(),
        score: *score,
    };
    CleanedRelation {
        subject,
        object,
        no_relation: 0.0,
        predicates: predicates.iter().map(scored).collect(),
    }
}

#[test]
fn one_exclusive_predicate_an_object() {
    let mut relations = vec![
        relation(0, 2, &[("holding", 0.8), ("beside", 0.5)]),
        relation(1, 2, &[("carrying", 0.8)]),
        relation(1, 3, &[("carrying", 0.6), ("holding", 0.4)]),
    ];
    // Of equal scores the first stays, over both predicates; object 3 is judged on its own.
    assert_eq!(exclusive::enforce(&mut relations), 2);
    assert_eq!(
        relations,
        [
            relation(0, 2, &[("holding", 0.8), ("beside", 0.5)]),
            relation(1, 3, &[("carrying", 0.6)]),
        ]
    );
}

#[test]
fn a_row_of_another_width_is_refused() {
    let raw = RawRelations {
        image_id: 3,
        boxes: vec![Bbox::new(0.0, 0.0, 1.0, 1.0); 2],
        categories: vec![0, 0],
        pairs: vec![(0, 1)],
        scores: vec![vec![0.1, 0.9]],
    };
    let names: Vec<String> = vec!["on".into(), "over".into()];
    let error = candidates(&raw, &names, Thresholds::default()).unwrap_err();
    let text = error.to_string();
    assert_eq!(
        text,
        "image 3: row 0 of the relation scores has 2 numbers, not 3"
    );
    let found = candidates(&raw, &names[..1], Thresholds::default()).unwrap();
    assert_eq!(found.candidates.len(), 1);
    let strict = Thresholds {
        predicate: 0.95,
        ..Thresholds::default()
    };
    assert_eq!(candidates(&raw, &names[..1], strict).unwrap().weak_pairs, 1);
}
