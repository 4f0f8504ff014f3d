//! The assignment against SciPy and against brute force.

#![allow(clippy::unwrap_used, reason = "a test may")]

use proptest::prelude::*;
use serde_json::Value;
use verispec_graph::{AssignError, Assigner, linear_sum_assignment};

struct Case {
    rows: usize,
    columns: usize,
    cost: Vec<f64>,
    pairs: Option<Vec<(usize, usize)>>,
    total: f64,
}

fn cases(section: &str) -> Vec<Case> {
    let document: Value = serde_json::from_str(include_str!("data/assignment.json")).unwrap();
    let list = document[section].as_array().unwrap();
    let place = |v: &Value| v.as_u64().unwrap() as usize;
    let pair = |v: &Value| (place(&v[0]), place(&v[1]));
    let cost = |v: &Value| v.as_f64().unwrap_or(f64::INFINITY);
    list.iter()
        .map(|case| Case {
            rows: place(&case["shape"][0]),
            columns: place(&case["shape"][1]),
            cost: case["cost"].as_array().unwrap().iter().map(cost).collect(),
            pairs: case["pairs"]
                .as_array()
                .map(|p| p.iter().map(pair).collect()),
            total: case["total"].as_f64().unwrap_or(f64::NAN),
        })
        .collect()
}

fn total(cost: &[f64], columns: usize, pairs: &[(usize, usize)]) -> f64 {
    pairs.iter().map(|&(r, c)| cost[r * columns + c]).sum()
}

#[test]
fn equal_cost_on_1000_random_rectangular_matrices() {
    let cases = cases("random");
    assert_eq!(cases.len(), 1000);
    let mut solver = Assigner::default();
    for case in &cases {
        let pairs = solver.assign(&case.cost, case.rows, case.columns).unwrap();
        assert_eq!(pairs.len(), case.rows.min(case.columns));
        let found = total(&case.cost, case.columns, &pairs);
        assert!((found - case.total).abs() < 1e-12, "{found} {}", case.total);
        assert_eq!(Some(pairs), case.pairs);
    }
    assert!(cases.iter().any(|c| c.rows > c.columns) && cases.iter().any(|c| c.rows < c.columns));
}

#[test]
fn equal_pairs_on_200_matrices_with_ties() {
    let cases = cases("ties");
    assert_eq!(cases.len(), 200);
    let mut solver = Assigner::default();
    for case in &cases {
        let pairs = solver.assign(&case.cost, case.rows, case.columns).unwrap();
        assert_eq!(
            Some(pairs),
            case.pairs,
            "{:?} {:?}",
            (case.rows, case.columns),
            case.cost
        );
    }
}

#[test]
fn forbidden_pairs_are_avoided_or_named() {
    let cases = cases("forbidden");
    let mut infeasible = 0;
    for case in &cases {
        match linear_sum_assignment(&case.cost, case.rows, case.columns) {
            Ok(pairs) => assert_eq!(Some(pairs), case.pairs),
            Err(error) => {
                assert_eq!((error, &case.pairs), (AssignError::Infeasible, &None));
                infeasible += 1;
            }
        }
    }
    assert!((10..90).contains(&infeasible), "{infeasible}");
}

/// Section 2.5 of the specification of XTC-Bench, found by running SciPy.
#[test]
fn named_goldens() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2)] {
        let pairs = linear_sum_assignment(&vec![1.0; rows * columns], rows, columns).unwrap();
        assert_eq!(pairs, [(0, 0), (1, 1)]);
    }
    let cost = [2.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 2.0];
    assert_eq!(
        linear_sum_assignment(&cost, 3, 3).unwrap(),
        [(0, 2), (1, 0), (2, 1)]
    );
    assert_eq!(
        linear_sum_assignment(&[0.5, 0.5, 0.5, 0.2], 2, 2).unwrap(),
        [(0, 0), (1, 1)]
    );
}

#[test]
fn empty_and_malformed_matrices() {
    assert_eq!(linear_sum_assignment(&[], 0, 5).unwrap(), []);
    assert_eq!(linear_sum_assignment(&[], 5, 0).unwrap(), []);
    let shape = AssignError::Shape {
        rows: 2,
        columns: 2,
        found: 3,
    };
    assert_eq!(linear_sum_assignment(&[1.0; 3], 2, 2), Err(shape));
    let bad = AssignError::Cost { row: 1, column: 0 };
    assert_eq!(
        linear_sum_assignment(&[0.0, 0.0, f64::NAN, 0.0], 2, 2),
        Err(bad)
    );
    assert_eq!(
        linear_sum_assignment(&[0.0, 0.0, f64::NEG_INFINITY, 0.0], 2, 2),
        Err(bad)
    );
}

/// Least total over all ways to give each of the fewer side a partner.
fn brute_force(cost: &[f64], rows: usize, columns: usize) -> f64 {
    fn go(
        cost: &dyn Fn(usize, usize) -> f64,
        row: usize,
        rows: usize,
        free: &mut Vec<usize>,
    ) -> f64 {
        if row == rows {
            return 0.0;
        }
        let mut best = f64::INFINITY;
        for at in 0..free.len() {
            let column = free.swap_remove(at);
            best = best.min(cost(row, column) + go(cost, row + 1, rows, free));
            free.push(column);
            let last = free.len() - 1;
            free.swap(at, last);
        }
        best
    }
    let by_row = |r: usize, c: usize| cost[r * columns + c];
    let by_column = |c: usize, r: usize| cost[r * columns + c];
    if rows <= columns {
        go(&by_row, 0, rows, &mut (0..columns).collect())
    } else {
        go(&by_column, 0, columns, &mut (0..rows).collect())
    }
}

proptest! {
    #[test]
    fn least_total_of_all(
        (rows, columns, cost) in (1..6_usize, 1..6_usize).prop_flat_map(|(r, c)| {
            (Just(r), Just(c), prop::collection::vec(-3.0..3.0_f64, r * c))
        })
    ) {
        let pairs = linear_sum_assignment(&cost, rows, columns).unwrap();
        prop_assert_eq!(pairs.len(), rows.min(columns));
        prop_assert!(pairs.windows(2).all(|w| w[0].0 < w[1].0));
        let mut used: Vec<usize> = pairs.iter().map(|p| p.1).collect();
        used.sort_unstable();
        used.dedup();
        prop_assert_eq!(used.len(), pairs.len());
        let least = brute_force(&cost, rows, columns);
        prop_assert!((total(&cost, columns, &pairs) - least).abs() < 1e-9);
    }
}
