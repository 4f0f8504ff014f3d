use proptest::prelude::*;

use super::*;

fn text() -> impl Strategy<Value = String> {
    "[a-zA-Zé☃&=+%<>\"'?]{1,12}( [a-z\\n]{1,8})?".prop_map(|t| t.trim().to_owned())
}

fn yes_or_no() -> impl Strategy<Value = YesNo> {
    prop_oneof![Just(YesNo::Yes), Just(YesNo::No)]
}

fn decision() -> impl Strategy<Value = Decision> {
    let part = (text(), yes_or_no()).prop_map(|(question, expected)| Part { question, expected });
    let said = prop_oneof![Just(Said::Yes), Just(Said::No), Just(Said::CannotTell)];
    prop_oneof![
        text().prop_map(|reason| Decision::Accept { reason }),
        text().prop_map(|reason| Decision::Reject { reason }),
        (text(), yes_or_no(), text()).prop_map(|(question, expected, reason)| Decision::Edit {
            question,
            expected,
            reason
        }),
        (prop::collection::vec(part, 2..5), text())
            .prop_map(|(parts, reason)| Decision::Split { parts, reason }),
        (said, text()).prop_map(|(said, reason)| Decision::Answer { said, reason }),
        (0..9_u8, text()).prop_map(|(grade, reason)| Decision::Grade { grade, reason }),
    ]
}

proptest! {
    #[test]
    fn a_form_says_what_was_decided(decision in decision()) {
        prop_assert_eq!(parse(&fields_of(&decision)), Ok(decision));
    }
}

#[test]
fn what_is_missing_is_named() {
    let form = |pairs: &[(&str, &str)]| -> Fields {
        let own = |(n, v): &(&str, &str)| ((*n).to_owned(), (*v).to_owned());
        pairs.iter().map(own).collect()
    };
    assert!(parse(&form(&[])).is_err());
    assert!(
        parse(&form(&[("do", "answer")]))
            .unwrap_err()
            .contains("cannot tell")
    );
    assert!(parse(&form(&[("do", "grade"), ("grade", "-1")])).is_err());
    assert!(
        parse(&form(&[("do", "edit"), ("question", "q")]))
            .unwrap_err()
            .contains("expected")
    );
    let lines = form(&[("do", "reject"), ("reason", " a\r\nb ")]);
    assert_eq!(
        parse(&lines),
        Ok(Decision::Reject {
            reason: "a\nb".to_owned()
        })
    );
}
