//! Pairwise accuracy with ties against a worked example and brute force.
#![allow(clippy::unwrap_used)]
mod common;

use common::close;
use proptest::prelude::*;
use verispec_stats::{
    Undefined,
    rank::{calibrate_ties, pair_table},
};

/// Deutsch et al. 2023, section 4: acc_eq rewards a metric for predicting a tie, which tau-b and
/// its kin do not. By hand: gold ties (0, 1); metric differences .01, .30, .29.
#[test]
fn worked_example() {
    let gold = [1.0, 1.0, 0.0];
    let metric = [0.90, 0.89, 0.60];
    let exact = pair_table(&gold, &metric, 0.0).unwrap();
    assert_eq!(
        (exact.concordant, exact.tied_gold, exact.total()),
        (2, 1, 3)
    );
    close(exact.accuracy().unwrap(), 2.0 / 3.0, "without a threshold");
    let found = calibrate_ties(&[(&gold, &metric)]).unwrap();
    close(found.accuracy, 1.0, "calibrated");
    close(found.epsilon, 0.01, "threshold");
    close(found.uncalibrated, 2.0 / 3.0, "uncalibrated");
    // A threshold too wide ties everything: only the gold tie is right.
    close(
        pair_table(&gold, &metric, 1.0).unwrap().accuracy().unwrap(),
        1.0 / 3.0,
        "too wide",
    );
}

/// Values that the authors' own implementation gives (google-research/mt-metrics-eval,
/// `tau_optimization_test.py`, `acc_23`): accuracy at each threshold, and the threshold chosen.
#[test]
fn values_of_the_authors() {
    let metric = [0., 2., 6., 8.];
    for (gold, wanted, best) in [
        ([1., 2., 3., 4.], [6., 4., 3., 1., 0.], (0., 6.)),
        ([1., 1., 1., 4.], [3., 3., 4., 4., 3.], (4., 4.)),
    ] {
        for (epsilon, right) in [0., 2., 4., 6., 8.].into_iter().zip(wanted) {
            let found = pair_table(&gold, &metric, epsilon)
                .unwrap()
                .accuracy()
                .unwrap();
            close(found, right / 6.0, "accuracy");
        }
        let found = calibrate_ties(&[(&gold, &metric)]).unwrap();
        assert_eq!(found.epsilon, best.0);
        close(found.accuracy, best.1 / 6.0, "best");
    }
    // Their matrix with missing scores; rows are groups.
    let groups: [(&[f64], &[f64]); 4] = [
        (&[1., 5., 2., 1., 1.], &[0., 5., 2., 3., 2.]),
        (&[2., 2., 1., 4.], &[2., 1., 5., 3.]),
        (&[5., 9., 2., 8., 7.], &[9., 1., 5., 3., 8.]),
        (&[7., 6., 3., 2.], &[9., 3., 4., 1.]),
    ];
    let found = calibrate_ties(&groups).unwrap();
    close(found.epsilon, 1.0, "threshold");
    close(found.accuracy, 0.491_666_666_666_666_8, "calibrated");
    close(found.uncalibrated, 0.466_666_666_666_666_7, "uncalibrated");
}

#[test]
fn groups_count_alike_and_empty_ones_not() {
    let (small, large) = ([1.0, 2.0], [1.0, 2.0, 3.0, 4.0]);
    let down = [2.0, 1.0];
    let found = calibrate_ties(&[(&small, &down), (&large, &large), (&[1.0], &[5.0])]).unwrap();
    assert_eq!((found.groups, found.pairs), (2, 7));
    close(found.uncalibrated, 0.5, "mean of 0 and 1");
    assert_eq!(
        calibrate_ties(&[(&[1.0], &[1.0])]).unwrap_err(),
        Undefined::NoPairs
    );
    assert_eq!(
        pair_table(&[], &[], 0.0).unwrap().accuracy().unwrap_err(),
        Undefined::NoPairs
    );
    assert!(pair_table(&small, &down, f64::NAN).unwrap_err().is_misuse());
}

proptest! {
    #[test]
    fn no_other_threshold_is_better(
        groups in proptest::collection::vec(
            proptest::collection::vec((0..4_i32, 0..20_i32), 2..9), 1..5),
    ) {
        let groups: Vec<(Vec<f64>, Vec<f64>)> = groups
            .iter()
            .map(|group| group.iter().map(|&(g, m)| (f64::from(g), f64::from(m))).unzip())
            .collect();
        let borrowed: Vec<(&[f64], &[f64])> =
            groups.iter().map(|(gold, metric)| (gold.as_slice(), metric.as_slice())).collect();
        let found = calibrate_ties(&borrowed).unwrap();
        for epsilon in 0..20 {
            let epsilon = f64::from(epsilon);
            let mean = borrowed
                .iter()
                .map(|(gold, metric)| pair_table(gold, metric, epsilon).unwrap().accuracy().unwrap())
                .sum::<f64>() / borrowed.len() as f64;
            prop_assert!(mean <= found.accuracy + 1e-12);
            if epsilon < found.epsilon {
                prop_assert!(mean < found.accuracy - 1e-13);
            }
        }
    }
}
