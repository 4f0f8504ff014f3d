use verispec_model::score::{Policy, Scoring};
use verispec_model::{DataFailure, OutputFailure, Reading, SpecId, Unjudged, YesNo};

use super::*;

/// Items of one group: `y` met, `n` unmet, `u` unjudged, `p` pending.
fn items(group: &str, verdicts: &str) -> Vec<SpecResult> {
    let item = |(index, verdict): (usize, char)| SpecResult {
        reading: match verdict {
            'y' => Some(Reading::yes_no(YesNo::Yes)),
            'n' => Some(Reading::yes_no(YesNo::No)),
            'u' => Some(Reading::Unjudged(Unjudged::Abstained)),
            _ => None,
        },
        ..SpecResult::pending(Specification {
            id: SpecId::try_from(index).unwrap(),
            question: String::new(),
            category: group.to_owned(),
            subcategory: group.to_owned(),
            expected: YesNo::Yes,
            rating: None,
            rules: verispec_model::SpecRules::default(),
            record: Default::default(),
        })
    };
    verdicts.chars().enumerate().map(item).collect()
}

fn state(groups: &[(&str, &str)]) -> InstanceState {
    InstanceState::Generated(groups.iter().flat_map(|(g, v)| items(g, v)).collect())
}

fn default() -> Policy {
    Policy {
        scoring: Scoring::Board,
        ..Policy::default()
    }
}

fn na() -> Policy {
    Policy {
        unjudged: UnjudgedRule::Na,
        ..default()
    }
}

/// Score, low, high, correct, total.
fn score(
    track: &str,
    groups: &[(&str, &str)],
    policy: Policy,
) -> (Option<f64>, f64, f64, usize, usize) {
    let q = question_score(track, &state(groups), policy).unwrap();
    (q.score, q.low, q.high, q.correct, q.total)
}

#[test]
fn plain_tracks_are_fractions() {
    assert_eq!(
        score("edit", &[("g", "yyn")], default()),
        (Some(66.67), 66.67, 66.67, 2, 3)
    );
    assert_eq!(
        score("edit", &[("g", "ynu")], default()),
        (Some(50.0), 33.33, 66.67, 1, 2)
    );
    assert_eq!(
        score("edit", &[("g", "ynu")], na()),
        (Some(33.33), 33.33, 33.33, 1, 3)
    );
    assert_eq!(
        score("edit", &[("g", "ynp")], na()),
        (Some(50.0), 33.33, 66.67, 1, 2),
        "pending stays open"
    );
    assert_eq!(
        score("edit", &[("g", "uu")], default()),
        (None, 0.0, 100.0, 0, 0)
    );
    assert_eq!(score("own_track", &[("g", "yn")], default()).0, Some(50.0));
}

#[test]
fn an_empty_list_is_zero_only_where_the_release_s_rule_is_asked_for() {
    assert_eq!(score("t2i", &[], default()), (None, 0.0, 100.0, 0, 0));
    assert_eq!(score("t2i", &[], na()), (Some(0.0), 0.0, 0.0, 0, 0));
}

#[test]
fn think_weighs_four_groups() {
    let track = "think_with_img";
    let all = [
        ("Final Answer", "yn"),
        ("Reasoning Quality", "yyn"),
        ("Image Quality - Visual Fidelity", "n"),
        ("Image Quality - Semantic Correctness", "y"),
        ("Image-Text Alignment", "y"),
    ];
    // 35 + 6.667 + 5 + 10
    assert_eq!(
        score(track, &all, default()),
        (Some(56.67), 56.67, 56.67, 5, 8)
    );
    assert_eq!(
        score(track, &[("Final Answer", "y")], default()).0,
        Some(70.0),
        "absent groups give 0"
    );
    assert_eq!(
        score(track, &[("final answer", "y")], default()),
        (Some(0.0), 0.0, 0.0, 1, 1)
    );
}

/// One unjudged item that decides 70 points must not turn into 0 of them.
#[test]
fn a_group_without_a_verdict_leaves_the_score_open() {
    let groups = [("Final Answer", "u"), ("Reasoning Quality", "y")];
    assert_eq!(
        score("think_with_img", &groups, default()),
        (None, 10.0, 80.0, 1, 1)
    );
    assert_eq!(
        score("think_with_img", &groups, na()),
        (Some(10.0), 10.0, 10.0, 1, 2)
    );
}

#[test]
fn understanding_looks_at_final_answers_alone() {
    let track = "understanding";
    let groups = [
        ("Final Answer Correctness", "yn"),
        ("Process-Level Evaluation", "nnu"),
    ];
    assert_eq!(
        score(track, &groups, default()),
        (Some(50.0), 50.0, 50.0, 1, 4)
    );
    let process = [("Process-Level Evaluation", "yy")];
    assert_eq!(
        score(track, &process, default()),
        (Some(0.0), 0.0, 0.0, 2, 2)
    );
    let open = [
        ("Final Answer Correctness", "u"),
        ("Process-Level Evaluation", "y"),
    ];
    assert_eq!(score(track, &open, default()), (None, 0.0, 100.0, 1, 1));
}

#[test]
fn failures_of_outputs_and_data() {
    let failed = InstanceState::OutputFailed(OutputFailure::Empty, 7);
    let q = question_score("t2i", &failed, default()).unwrap();
    assert_eq!(
        (q.score, q.high, q.correct, q.total),
        (Some(0.0), 0.0, 0, 7)
    );
    let exclude = Policy {
        missing: MissingRule::Exclude,
        ..default()
    };
    assert_eq!(question_score("t2i", &failed, exclude), None);
    let broken = InstanceState::Unjudgeable(DataFailure::Task("x".to_owned()), 7);
    assert_eq!(question_score("t2i", &broken, default()), None);
}

proptest::proptest! {
    /// Bounds hold the score, whatever is judged.
    #[test]
    fn bounds_hold_the_score(verdicts in "[ynup]{1,8}", final_answers in "[ynup]{0,3}") {
        let groups = [("Final Answer Correctness", final_answers.as_str()), ("Reasoning Quality", verdicts.as_str())];
        for track in ["t2i", "think_with_img", "understanding"] {
            for policy in [default(), na()] {
                let (score, low, high, correct, total) = score(track, &groups, policy);
                proptest::prop_assert!(correct <= total);
                proptest::prop_assert!(0.0 <= low && low <= high && high <= 100.0);
                if let Some(score) = score {
                    proptest::prop_assert!(low <= score + 0.011 && score <= high + 0.011, "{} {:?}", track, (score, low, high));
                }
            }
        }
    }
}
