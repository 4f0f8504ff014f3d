use super::*;

fn codes(question: &str, expected: YesNo) -> Vec<&'static str> {
    let about = About {
        max_words: 40,
        references: 2,
        nameable: Some(2),
    };
    let found = lint_text(question, expected, &about);
    found.into_iter().map(|(code, _)| code).collect()
}

#[test]
fn a_good_specification_has_no_finding() {
    for good in [
        "Is the car red?",
        "Are there exactly three cups on the table?",
        "Does the sign read 'NOT TODAY'?",
        "Is the dog of the second image in the scene?",
    ] {
        assert_eq!(codes(good, YesNo::Yes), [""; 0], "{good}");
    }
}

#[test]
fn every_item_rule_finds_its_fault() {
    let long = format!("Is {}?", "the old ".repeat(25));
    let cases = [
        ("?", "empty"),
        ("Which car is red?", "not-yes-no"),
        ("Is the hat that of Image 3?", "missing-image"),
        ("Is it red? Is it round?", "several-questions"),
        ("Does it say 'Why?' in red?", "quoted-question"),
        ("Is it red and is it round?", "two-claims"),
        ("Does it look realistic?", "vague-word"),
        (long.as_str(), "over-long"),
        ("Is nothing without a label?", "double-negation"),
        ("Is there no dog?", "negation"),
        ("Does it match the reference path?", "unseen-reference"),
        ("Is it the dog of [IMAGE1]?", "placeholder"),
        ("Is it red", "no-question-mark"),
        (r"Is it \frac{1}{2}?", "template-braces"),
        ("Does it say '電音'?", "other-script"),
    ];
    for (question, code) in cases {
        assert!(
            codes(question, YesNo::Yes).contains(&code),
            "{question}: {code}"
        );
    }
    assert!(codes("Is it red?", YesNo::No).contains(&"expected-no"));
    assert!(codes("Is it not red?", YesNo::No).contains(&"double-negation"));
}

#[test]
fn codes_are_distinct_and_explained() {
    for (i, rule) in RULES.iter().enumerate() {
        assert!(
            RULES[..i].iter().all(|r| r.code != rule.code),
            "{}",
            rule.code
        );
        assert!(!rule.explanation.is_empty() && !rule.hint.is_empty());
    }
    assert!(rule("two-claims").is_some() && rule("x").is_none());
}

proptest::proptest! {
    #[test]
    fn any_text_is_linted_by_known_rules(text in "\\PC{0,80}") {
        for code in codes(&text, YesNo::Yes) {
            proptest::prop_assert!(rule(code).is_some(), "{}", code);
        }
    }
}
