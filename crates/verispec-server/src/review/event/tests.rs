use verispec_media::HashCache;

use super::*;
use crate::review::samples::{accept, of_output, reject, said, specification};
use crate::review::{ItemRow, ReviewSet};

fn fault(row: ItemRow, decision: &Decision) -> Option<String> {
    decision.fault(
        &ReviewSet::new("x", vec![row], &HashCache::in_memory())
            .unwrap()
            .items()[0],
    )
}

#[test]
fn a_decision_fits_its_kind() {
    assert_eq!(fault(specification("s"), &accept()), None);
    assert!(fault(specification("s"), &said(Said::Yes)).is_some());
    assert_eq!(
        fault(of_output(Kind::Verdict, "v"), &said(Said::CannotTell)),
        None
    );
    assert!(fault(of_output(Kind::Graph, "g"), &accept()).is_some());
    let grade = |grade| Decision::Grade {
        grade,
        reason: String::new(),
    };
    assert_eq!(fault(of_output(Kind::Answer, "a"), &grade(0)), None);
    assert!(fault(of_output(Kind::Answer, "a"), &grade(6)).is_some());
    assert!(fault(of_output(Kind::Rating, "r"), &grade(0)).is_some());
}

#[test]
fn edit_reject_and_split_need_a_reason() {
    let unreasoned = Decision::Reject {
        reason: " ".to_owned(),
    };
    assert!(
        fault(specification("s"), &unreasoned)
            .unwrap()
            .contains("why")
    );
    assert_eq!(fault(specification("s"), &reject()), None);
    let split = |n: usize| Decision::Split {
        parts: vec![
            Part {
                question: "q".to_owned(),
                expected: YesNo::Yes
            };
            n
        ],
        reason: "two".to_owned(),
    };
    assert!(fault(specification("s"), &split(1)).is_some());
    assert_eq!(fault(specification("s"), &split(2)), None);
    let edit = |question: &str| Decision::Edit {
        question: question.to_owned(),
        expected: YesNo::Yes,
        reason: "clearer".to_owned(),
    };
    assert!(
        fault(specification("s"), &edit("Is there a red boat?")).is_some(),
        "unchanged"
    );
    assert!(fault(specification("s"), &edit("")).is_some());
    assert!(fault(specification("s"), &edit(&"x".repeat(5_000))).is_some());
    assert_eq!(
        fault(specification("s"), &edit("Is a red boat there?")),
        None
    );
}
