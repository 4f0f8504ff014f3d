//! tau between true scores: what must hold without any simulation.
#![allow(clippy::unwrap_used)]

use verispec_stats::{
    Undefined,
    bootstrap::{
        LEAST_ITEMS, PairwiseTau, Plan, Sample, ScoreTable, TauTable, Variety, bootstrap, true_taus,
    },
    random::Stream,
};

/// Raters x items of `units` instances: item m has m, the rater's noise is `noise` wide.
fn table(raters: usize, items: usize, units: usize, noise: f64) -> TauTable {
    let mut stream = Stream::new(9, 0);
    let mut table = ScoreTable::new(raters * items, 1);
    for unit in 0..units {
        let row: Vec<Option<f64>> = (0..raters * items)
            .map(|column| Some((column % items) as f64 + noise * (stream.unit() - 0.5)))
            .collect();
        table.push(unit, 0, &row).unwrap();
    }
    TauTable::new(table, raters, items).unwrap()
}

fn plan(units: usize) -> Plan {
    Plan::simple(units).unwrap()
}

#[test]
fn the_estimate_is_tau_of_the_scores_found() {
    let tables = || vec![table(4, 7, 30, 20.0), table(3, 5, 30, 20.0)];
    let plain = bootstrap(&plan(30), &PairwiseTau::new(tables()), 50, 3).unwrap();
    let found = true_taus(&plan(30), tables(), 50, 3).unwrap();
    assert_eq!(found.estimate(), plain.estimate());
    assert_eq!(found.draws(), 50);
    assert!(found.rows().flatten().all(|tau| tau.is_some()));
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| true_taus(&plan(40), vec![table(3, 6, 40, 15.0)], 300, 8).unwrap())
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn scores_that_no_draw_changes_are_exact() {
    let found = true_taus(&plan(20), vec![table(2, 6, 20, 0.0)], 100, 1).unwrap();
    let sample = found.output(0);
    let interval = sample.outer_percentile(0.95).unwrap();
    assert_eq!((interval.low, interval.high), (1.0, 1.0));
    assert_eq!(sample.share_within(&interval).unwrap(), 1.0);
}

/// Two raters who are one: no noise in their difference, so that it is not divided by.
#[test]
fn a_rater_against_itself_is_one() {
    let mut stream = Stream::new(4, 0);
    let mut scores = ScoreTable::new(12, 1);
    for unit in 0..25 {
        let one: Vec<Option<f64>> = (0..6)
            .map(|m| Some(f64::from(m) + 5.0 * stream.unit()))
            .collect();
        scores.push(unit, 0, &[one.clone(), one].concat()).unwrap();
    }
    let tables = vec![TauTable::new(scores, 2, 6).unwrap()];
    let interval = true_taus(&plan(25), tables, 400, 1)
        .unwrap()
        .output(0)
        .outer_percentile(0.95)
        .unwrap();
    assert_eq!((interval.low, interval.high), (1.0, 1.0));
}

#[test]
fn few_items_and_level_scores_have_no_draws() {
    let found = true_taus(&plan(20), vec![table(2, LEAST_ITEMS - 1, 20, 5.0)], 60, 1).unwrap();
    let sample = found.output(0);
    assert!(sample.estimate.is_some());
    assert_eq!(sample.undefined, 60);
    assert!(matches!(
        sample.outer_percentile(0.95),
        Err(Undefined::TooFew { .. })
    ));
    let mut level = ScoreTable::new(10, 1);
    for unit in 0..8 {
        level.push(unit, 0, &[Some(1.0); 10]).unwrap();
    }
    let tables = vec![TauTable::new(level, 2, 5).unwrap()];
    let sample = true_taus(&plan(8), tables, 60, 1).unwrap().output(0);
    assert_eq!((sample.estimate, sample.undefined), (None, 60));
}

/// Groups change which pairs share a draw of the covariance, not what each pair may be.
#[test]
fn groups_are_checked_and_change_pairs_of_later_groups_only() {
    let of = |groups: &[u32]| {
        let table = table(4, 6, 30, 20.0).in_groups(groups).unwrap();
        true_taus(&plan(30), vec![table], 200, 2).unwrap()
    };
    let (one, two) = (of(&[0; 4]), of(&[0, 0, 1, 1]));
    assert_eq!(one.output(0), two.output(0));
    assert_ne!(one.output(5).values, two.output(5).values);
    assert!(table(4, 6, 30, 1.0).in_groups(&[0, 1]).is_err());
}

/// Ends are values that occur, and each leaves at most its share outside.
#[test]
fn outer_percentiles() {
    let sample = Sample {
        estimate: Some(0.5),
        values: (0..100).map(|i| f64::from(i / 10)).collect(),
        undefined: 0,
        variety: Variety::default(),
    };
    let interval = sample.outer_percentile(0.9).unwrap();
    assert_eq!((interval.low, interval.high), (0.0, 9.0));
    let interval = sample.outer_percentile(0.8).unwrap();
    assert_eq!((interval.low, interval.high), (1.0, 8.0));
    assert!((sample.share_within(&interval).unwrap() - 0.8).abs() < 1e-12);
    assert!(sample.outer_percentile(1.0).is_err());
}
