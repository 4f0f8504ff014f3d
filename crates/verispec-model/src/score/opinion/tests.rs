use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::reading::{Unjudged, YesNo};
use crate::results::{DataFailure, Origin, OutputFailure, Provenance};
use crate::suite::Specification;

/// One opinion, a letter for each specification: `Y` met, `N` unmet, `?` unjudged, `.` pending, `-`
/// not asked.
fn opinion(judge: &str, repeat: u32, letters: &str) -> Vec<SpecResult> {
    let one = |letter: char| {
        let reading = match letter {
            'Y' => Some(Reading::yes_no(YesNo::Yes)),
            'N' => Some(Reading::yes_no(YesNo::No)),
            '?' => Some(Reading::Unjudged(Unjudged::Unparsed)),
            '.' => None,
            '-' => Some(Reading::Unjudged(Unjudged::NotAsked)),
            other => panic!("no reading {other:?}"),
        };
        result(judge, repeat, reading)
    };
    letters.chars().map(one).collect()
}

fn result(judge: &str, repeat: u32, reading: Option<Reading>) -> SpecResult {
    let spec = Specification {
        id: 1,
        question: "q?".into(),
        category: String::new(),
        subcategory: String::new(),
        expected: YesNo::Yes,
        rating: None,
        rules: crate::suite::SpecRules::default(),
        record: Default::default(),
    };
    SpecResult {
        reading,
        provenance: Provenance::from(Origin {
            judge: Some(Arc::from(judge)),
            repeat,
            ..Origin::default()
        }),
        ..SpecResult::pending(spec)
    }
}

fn grade(judge: &str, repeat: u32, value: f64) -> SpecResult {
    let range = (0.0, 10.0);
    let answer = Answer::Grade { value, range };
    result(judge, repeat, Some(Reading::Answer(answer)))
}

fn of(specs: Vec<SpecResult>, policy: Policy) -> (Option<Ratio>, Ratio, Ratio) {
    let rate = instance(&InstanceState::Generated(specs), policy).expect("an instance that counts");
    (rate.value, rate.low, rate.high)
}

fn ratio(n: usize, d: usize) -> Ratio {
    Ratio::new(n, d).expect("a denominator")
}

fn as_released() -> Policy {
    Policy {
        unjudged: UnjudgedRule::Na,
        ..Policy::default()
    }
}

fn of_grades() -> Policy {
    Policy {
        scoring: Scoring::Holistic,
        ..Policy::default()
    }
}

#[test]
fn one_opinion_is_met_over_judged_between_its_bounds() {
    let specs = || opinion("a", 0, "YYN?.");
    assert_eq!(
        of(specs(), Policy::default()),
        (Some(ratio(2, 3)), ratio(2, 5), ratio(4, 5))
    );
    // As released: what the judge failed on is not met; what is pending stays open.
    assert_eq!(
        of(specs(), as_released()),
        (Some(ratio(2, 4)), ratio(2, 5), ratio(3, 5))
    );
}

#[test]
fn nothing_decided_has_no_rate_but_bounds() {
    for letters in ["??", "..", "?."] {
        let specs = opinion("a", 0, letters);
        assert_eq!(
            of(specs, Policy::default()),
            (None, ratio(0, 1), ratio(1, 1))
        );
    }
    let empty = InstanceState::Generated(vec![]);
    assert!(instance(&empty, Policy::default()).is_none());
}

#[test]
fn a_judge_weighs_the_same_however_many_repeats_it_has() {
    let specs = [
        opinion("a", 0, "YY"),
        opinion("a", 1, "YY"),
        opinion("a", 2, "YN"),
        opinion("b", 0, "NN"),
    ]
    .concat();
    // a: (1 + 1 + 1/2) / 3 = 5/6; b: 0.
    assert_eq!(of(specs, Policy::default()).0, Some(ratio(5, 12)));
}

#[test]
fn an_opinion_that_failed_enters_no_mean_but_the_bounds() {
    let specs = [
        opinion("a", 0, "YN"),
        opinion("a", 1, "??"),
        opinion("b", 0, "YY"),
    ]
    .concat();
    // a: 1/2 of the one repeat that says something, between (1/2 + 0) / 2 and (1/2 + 1) / 2.
    let (value, low, high) = of(specs, Policy::default());
    assert_eq!(value, Some(ratio(3, 4)));
    assert_eq!((low, high), (ratio(5, 8), ratio(7, 8)));
}

#[test]
fn grades_are_shares_of_their_scale() {
    let specs = || vec![grade("a", 0, 7.0), grade("a", 1, 4.0), grade("b", 0, 10.0)];
    let (value, low, high) = of(specs(), of_grades());
    // a: 11/20, b: 1.
    assert_eq!(value, Some(ratio(31, 40)));
    assert_eq!((low, high), (ratio(31, 40), ratio(31, 40)));
    let unread = result("a", 0, Some(Reading::Unjudged(Unjudged::Unparsed)));
    let (value, low, high) = of(vec![unread], of_grades());
    assert_eq!((value, low, high), (None, ratio(0, 1), ratio(1, 1)));
    // Exact in the decimals that were written, not in their nearest doubles.
    assert_eq!(
        of(vec![grade("a", 0, 0.1)], of_grades()).0,
        Some(ratio(1, 100))
    );
}

#[test]
fn failures_of_the_model_score_zero_or_are_left_out_by_name() {
    let failed = InstanceState::OutputFailed(OutputFailure::Missing, 3);
    let rate = instance(&failed, Policy::default()).expect("counts");
    assert_eq!(rate.value, Some(Ratio::zero()));
    assert_eq!((rate.low, rate.high), (Ratio::zero(), Ratio::zero()));
    let exclude = Policy {
        missing: MissingRule::Exclude,
        ..Policy::default()
    };
    assert!(instance(&failed, exclude).is_none());
    let data = InstanceState::Unjudgeable(DataFailure::Reference("a.png".into()), 3);
    assert!(instance(&data, Policy::default()).is_none());
}

#[test]
fn opinions_are_told_apart_by_judge_and_repeat() {
    let specs = [
        opinion("a", 0, "YN"),
        opinion("a", 1, "YY"),
        opinion("b", 1, "N"),
    ]
    .concat();
    let sizes: Vec<usize> = each(&specs).map(<[SpecResult]>::len).collect();
    assert_eq!(sizes, [2, 2, 1]);
}

/// Judges with their repeats, all on the same specifications.
fn any_opinions() -> impl Strategy<Value = Vec<Vec<String>>> {
    (1usize..8).prop_flat_map(|k| {
        let letters = prop::collection::vec(prop::sample::select(vec!['Y', 'N', '?', '.']), k);
        let repeats = prop::collection::vec(letters.prop_map(String::from_iter), 1..4);
        prop::collection::vec(repeats, 1..4)
    })
}

fn all(judges: &[Vec<String>]) -> Vec<SpecResult> {
    let named = ["a", "b", "c"].iter().zip(judges);
    let each = named.flat_map(|(name, repeats)| {
        let numbered = (0..).zip(repeats);
        numbered.flat_map(|(repeat, letters)| opinion(name, repeat, letters))
    });
    each.collect()
}

proptest! {
    #[test]
    fn a_rate_lies_between_its_bounds(judges in any_opinions()) {
        for policy in [Policy::default(), as_released()] {
            let (value, low, high) = of(all(&judges), policy);
            prop_assert!(Ratio::zero() <= low && low <= high && high <= ratio(1, 1));
            if let Some(value) = value {
                prop_assert!(low <= value && value <= high, "{low} {value} {high}");
            }
        }
    }

    /// The bounds are what the rate would be with everything open unmet, or met.
    #[test]
    fn bounds_are_reached(judges in any_opinions()) {
        let (_, low, high) = of(all(&judges), Policy::default());
        let with = |to: &str| {
            let settled = |l: &String| l.replace(['?', '.'], to);
            let judges: Vec<Vec<String>> = judges
                .iter()
                .map(|repeats| repeats.iter().map(settled).collect())
                .collect();
            of(all(&judges), Policy::default()).0
        };
        prop_assert_eq!(with("N"), Some(low));
        prop_assert_eq!(with("Y"), Some(high));
    }

    #[test]
    fn opinions_that_agree_are_worth_one(letters in "[YN?]{1,8}", judges in 1usize..4, repeats in 1usize..4) {
        let many = vec![vec![letters.clone(); repeats]; judges];
        prop_assert_eq!(of(all(&many), Policy::default()), of(opinion("a", 0, &letters), Policy::default()));
    }
}

#[test]
fn strict_is_all_or_nothing_and_decided_by_one_miss() {
    let policy = Policy {
        scoring: Scoring::Strict,
        ..Policy::default()
    };
    for (letters, value, low, high) in [
        ("YYY", Some(1), 1, 1),
        ("YNY", Some(0), 0, 0),
        ("N--", Some(0), 0, 0),
        ("N?.", Some(0), 0, 0),
        ("YY?", None, 0, 1),
        ("YY.", None, 0, 1),
        ("YY-", None, 0, 1),
    ] {
        let rate = of(opinion("a", 0, letters), policy);
        let wanted = (
            value.map(Ratio::whole),
            Ratio::whole(low),
            Ratio::whole(high),
        );
        assert_eq!(rate, wanted, "{letters}");
    }
    // Two judges who disagree give a half; without specifications there is nothing to say.
    let two = [opinion("a", 0, "YY"), opinion("b", 0, "YN")].concat();
    assert_eq!(of(two, policy).0, Some(ratio(1, 2)));
    let none = instance(&InstanceState::Generated(vec![]), policy);
    assert!(none.is_none());
}

#[test]
fn what_was_not_asked_is_no_gap_and_no_zero() {
    let specs = opinion("a", 0, "YN--");
    let c = Counters::of(&InstanceState::Generated(specs.clone()));
    assert_eq!((c.judged, c.not_asked, c.unjudged), (2, 2, 0));
    assert_eq!(
        c.generated,
        c.judged + c.unjudged + c.unjudgeable + c.pending + c.not_asked
    );
    assert_eq!(c.coverage(), Some(1.0));
    let (value, low, high) = of(specs, Policy::default());
    assert_eq!(
        (value, low, high),
        (Some(ratio(1, 2)), ratio(1, 4), ratio(3, 4))
    );
}
