//! Rank sets against a second implementation and in their limits.
#![allow(clippy::unwrap_used)]
mod common;

use common::{numbers, reference};
use verispec_stats::{
    Undefined,
    bootstrap::{Function, Plan, Replicates, bootstrap},
    rank_sets::{RankSet, Scope, rank_sets},
};

/// Replicates with given numbers: the draws of the plan only say which row it is.
fn replicates(estimate: &[f64], draws: &[Vec<f64>]) -> Replicates {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let statistic = Function::new(estimate.len(), |_: &[u32], out: &mut [Option<f64>]| {
        let call = next.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let row = if call == 0 {
            estimate
        } else {
            &draws[call - 1]
        };
        out.iter_mut()
            .zip(row)
            .for_each(|(slot, value)| *slot = Some(*value));
    });
    // Order of the rows does not matter to rank sets, only that each comes once.
    bootstrap(&Plan::simple(40).unwrap(), &statistic, draws.len(), 0).unwrap()
}

#[test]
fn second_implementation() {
    let mut narrower = 0;
    for case in reference()["rank_sets"].as_array().unwrap() {
        let draws: Vec<Vec<f64>> = case["draws"]
            .as_array()
            .unwrap()
            .iter()
            .map(numbers)
            .collect();
        let estimate = numbers(&case["estimate"]);
        let replicates = replicates(&estimate, &draws);
        let columns: Vec<usize> = (0..estimate.len()).collect();
        let sets = |scope| rank_sets(&replicates, &columns, 0.95, scope).unwrap().sets;
        let wanted = |field: &str| -> Vec<RankSet> {
            let rows = case[field].as_array().unwrap().iter().map(numbers);
            rows.map(|r| RankSet {
                best: r[0] as usize,
                worst: r[1] as usize,
            })
            .collect()
        };
        let (together, alone) = (sets(Scope::Simultaneous), sets(Scope::Marginal));
        assert_eq!(together, wanted("simultaneous"));
        assert_eq!(alone, wanted("marginal"));
        for (rank, (wide, narrow)) in (1..).zip(together.iter().zip(&alone)) {
            assert!(
                wide.best <= rank && rank <= wide.worst,
                "the observed rank is inside"
            );
            narrower += usize::from(narrow.worst - narrow.best < wide.worst - wide.best);
        }
    }
    assert!(narrower > 0, "marginal sets should be narrower somewhere");
}

#[test]
fn limits() {
    // Far apart: one rank each. Columns may be any, in any order.
    let draws: Vec<Vec<f64>> = (0..50)
        .map(|i| {
            (0..3)
                .map(|k| f64::from(k) * 10.0 + f64::from(i * (k + 3) % 7) * 0.1)
                .collect()
        })
        .collect();
    let apart = replicates(&[0.3, 10.3, 20.3], &draws);
    let found = rank_sets(&apart, &[2, 0], 0.9, Scope::Simultaneous).unwrap();
    let single = |rank| RankSet {
        best: rank,
        worst: rank,
    };
    assert_eq!(found.sets, [single(1), single(2)]);
    assert_eq!((found.draws, found.constant_pairs.len()), (50, 0));
    // The same object twice: their difference never varies, so they are not told apart.
    let twins = rank_sets(&apart, &[0, 0, 1], 0.9, Scope::Simultaneous).unwrap();
    assert_eq!(twins.constant_pairs, [(0, 1)]);
    assert_eq!(twins.sets[0], RankSet { best: 2, worst: 3 });
    assert_eq!(twins.sets[2], single(1));
    assert!(matches!(
        rank_sets(&apart, &[0, 1], 0.99, Scope::Marginal),
        Err(Undefined::TooFew {
            found: 50,
            need: 100,
            ..
        })
    ));
    assert!(matches!(
        rank_sets(&apart, &[0, 9], 0.9, Scope::Marginal),
        Err(Undefined::Degenerate { .. })
    ));
    assert!(
        rank_sets(&apart, &[0, 1], 1.0, Scope::Marginal)
            .unwrap_err()
            .is_misuse()
    );
}
