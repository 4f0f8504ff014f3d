use verispec_suites::realunify::{
    Axis, Finding, ItemResult, MixedRun, Outcome, Pairing, Runs, Stage, readout, same_ids,
};

use crate::common::result;

/// Results of which `right` says which items are right.
fn run(n: usize, right: impl Fn(usize) -> bool) -> Vec<ItemResult> {
    let outcome = |i| {
        if right(i) {
            Outcome::Correct
        } else {
            Outcome::Wrong
        }
    };
    (0..n)
        .map(|i| result("world_knowledge", i, outcome(i)))
        .collect()
}

fn pairing(direct: &[ItemResult], step: &[ItemResult]) -> Pairing {
    Pairing {
        pairs: same_ids(direct, step),
        ..Pairing::default()
    }
}

#[test]
fn step_minus_direct_with_exact_test_interval_and_quadrants() {
    let (direct, step) = (run(40, |i| i < 12), run(40, |i| (2..24).contains(&i)));
    let runs = Runs {
        direct: Some(&direct),
        step: Some(&step),
        ..Runs::default()
    };
    let readout = readout(Axis::Ueg, &runs, &pairing(&direct, &step));
    let paired = readout.step_minus_direct.unwrap();
    let q = paired.quadrants;
    assert_eq!(
        (q.both, q.only_first, q.only_second, q.neither),
        (10, 2, 12, 16)
    );
    assert_eq!(paired.difference, Some(0.25));
    // 2 * P(X <= 2), X binomial(14, 1/2) = 2 * 106 / 16384.
    assert!((paired.test.exact - 212.0 / 16_384.0).abs() < 1e-12);
    let interval = paired.interval.unwrap();
    assert!(
        interval.low > 0.0 && interval.low < 0.25 && interval.high > 0.25,
        "{interval:?}"
    );
    assert_eq!(readout.findings, [Finding::NotIntegrated]);
    assert!(readout.sentences[0].contains("does not put them together"));
}

#[test]
fn no_oracle_no_missing_ability() {
    let (direct, step) = (run(40, |_| false), run(40, |_| false));
    let runs = Runs {
        direct: Some(&direct),
        step: Some(&step),
        ..Runs::default()
    };
    let readout = readout(Axis::Geu, &runs, &pairing(&direct, &step));
    assert_eq!(
        readout.findings,
        [Finding::NoDifference],
        "however low the stepwise run"
    );
    let harmed = run(40, |i| i < 20);
    let runs = Runs {
        direct: Some(&harmed),
        ..runs
    };
    let readout = verispec_suites::realunify::readout(Axis::Geu, &runs, &pairing(&harmed, &step));
    assert_eq!(readout.findings, [Finding::StepsHarm]);
}

#[test]
fn an_oracle_tells_which_ability_is_missing() {
    let step = run(60, |i| i < 20);
    let of = |oracle: &[ItemResult], axis| {
        let runs = Runs {
            step: Some(&step),
            oracle: Some(oracle),
            ..Runs::default()
        };
        let names = |f: &Finding| match f {
            Finding::AbilityMissing {
                ability,
                mended,
                left,
                ..
            } => (*ability, *mended, *left),
            other => panic!("{other:?}"),
        };
        readout(axis, &runs, &Pairing::default())
            .findings
            .iter()
            .map(names)
            .collect::<Vec<_>>()
    };
    let mends = run(60, |i| i < 55);
    assert_eq!(of(&mends, Axis::Ueg), [("understanding", 35, 5)]);
    assert_eq!(of(&mends, Axis::Geu), [("generation", 35, 5)]);
    let leaves = run(60, |i| i < 24);
    assert_eq!(of(&leaves, Axis::Ueg), [("generation", 4, 36)]);
    let halves = run(60, |i| i < 40);
    assert_eq!(
        of(&halves, Axis::Ueg),
        [("understanding", 20, 20), ("generation", 20, 20)]
    );
}

#[test]
fn a_specialist_shows_the_ability_of_its_stage() {
    let step = run(60, |i| i < 20);
    let (better, same) = (run(60, |i| i < 40), run(60, |i| (1..21).contains(&i)));
    let mixed = [
        MixedRun {
            specialist: "painter",
            stage: Stage::Last,
            results: &better,
        },
        MixedRun {
            specialist: "reader",
            stage: Stage::First,
            results: &same,
        },
    ];
    let runs = Runs {
        step: Some(&step),
        mixed: &mixed,
        ..Runs::default()
    };
    let readout = readout(Axis::Ueg, &runs, &Pairing::default());
    assert_eq!(readout.mixed_minus_step.len(), 2);
    assert_eq!(readout.findings.len(), 1);
    assert!(
        readout.sentences[0].contains("generation is missing"),
        "{:?}",
        readout.sentences
    );
    assert!(readout.sentences[0].contains("20 are right with painter in that stage"));
}

#[test]
fn undecided_items_are_left_out_and_counted() {
    let (direct, mut step) = (run(5, |_| true), run(5, |_| true));
    step[0].outcome = Outcome::Pending;
    step[1].outcome = Outcome::Unjudgeable;
    let runs = Runs {
        direct: Some(&direct),
        step: Some(&step),
        ..Runs::default()
    };
    let paired = readout(Axis::Ueg, &runs, &pairing(&direct, &step))
        .step_minus_direct
        .unwrap();
    assert_eq!((paired.items, paired.left_out), (3, 2));
}

#[test]
fn runs_without_items_decide_nothing() {
    let runs = Runs {
        direct: Some(&[]),
        step: Some(&[]),
        ..Runs::default()
    };
    let readout = readout(Axis::Ueg, &runs, &Pairing::default());
    let paired = readout.step_minus_direct.unwrap();
    assert_eq!(paired.difference, None);
    assert!(paired.interval.is_err());
    assert!(readout.findings.is_empty() && readout.sentences.is_empty());
}
