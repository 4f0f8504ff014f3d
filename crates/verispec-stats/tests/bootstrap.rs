//! Bootstrap against SciPy, brute force, and its own promises.
#![allow(clippy::unwrap_used)]
mod common;

use common::{close, number, numbers, reference};
use proptest::prelude::*;
use verispec_stats::{
    Undefined,
    bootstrap::{
        Coefficient, Function, MeanScratch, PairwiseTau, Plan, Sample, ScoreTable, Statistic,
        TauTable, Variety, bootstrap, jackknife, merged_strata, quantile,
    },
    rank::{spearman, tau_b, weighted_tau},
};

fn weighted_mean(values: &[f64], times: &[u32]) -> f64 {
    let sum: f64 = values
        .iter()
        .zip(times)
        .map(|(v, &t)| v * f64::from(t))
        .sum();
    sum / times.iter().map(|&t| f64::from(t)).sum::<f64>()
}

fn skewness(values: &[f64], times: &[u32]) -> f64 {
    let mean = weighted_mean(values, times);
    let moment = |k| {
        let powers: Vec<f64> = values.iter().map(|v| (v - mean).powi(k)).collect();
        weighted_mean(&powers, times)
    };
    moment(3) / moment(2).powf(1.5)
}

/// SciPy's draws and intervals: percentile, standard error, BCa for one sample and for two (strata).
#[test]
fn scipy() {
    for row in reference()["bootstrap"].as_array().unwrap() {
        let name = row["name"].as_str().unwrap();
        let strata: Vec<Vec<f64>> = row["strata"]
            .as_array()
            .unwrap()
            .iter()
            .map(numbers)
            .collect();
        let labels: Vec<u32> = strata
            .iter()
            .zip(0..)
            .flat_map(|(s, k)| vec![k; s.len()])
            .collect();
        let plan = Plan::stratified(&labels).unwrap();
        let statistic = Function::new(1, |times: &[u32], out: &mut [Option<f64>]| {
            let mut start = 0;
            let mut sum = 0.0;
            for values in &strata {
                let here = &times[start..start + values.len()];
                start += values.len();
                let of = if name == "skewness" {
                    skewness
                } else {
                    weighted_mean
                };
                sum += of(values, here);
            }
            out[0] = Some(sum / strata.len() as f64);
        });
        let sample = Sample {
            estimate: bootstrap(&plan, &statistic, 1, 0).unwrap().estimate()[0],
            values: numbers(&row["draws"]),
            undefined: 0,
            variety: Variety::default(),
        };
        close(sample.estimate.unwrap(), number(&row["estimate"]), name);
        close(
            sample.se().unwrap(),
            number(&row["se"]),
            &format!("{name}: se"),
        );
        let acceleration = jackknife(&plan, &statistic).acceleration(0).unwrap();
        let found = [
            ("percentile", sample.percentile(0.95).unwrap()),
            ("BCa", sample.bca(0.95, acceleration).unwrap()),
        ];
        for (method, interval) in found {
            let wanted = numbers(&row[method]);
            close(interval.low, wanted[0], &format!("{name}: {method}, low"));
            close(interval.high, wanted[1], &format!("{name}: {method}, high"));
        }
    }
}

/// Hyndman and Fan 1996, type 7.
#[test]
fn quantiles_are_linear_between_order_statistics() {
    let values = [4.0, 1.0, 3.0, 2.0];
    assert_eq!(quantile(&values, 0.0).unwrap(), 1.0);
    assert_eq!(quantile(&values, 0.5).unwrap(), 2.5);
    close(quantile(&values, 0.9).unwrap(), 3.7, "0.9");
    assert_eq!(quantile(&values, 1.0).unwrap(), 4.0);
    assert!(quantile(&values, 1.1).unwrap_err().is_misuse());
}

/// Hesterberg 2015, section 3.5: for n = 40 and 95 % the tails are taken at about 2.0 % instead of
/// 2.5 % (Phi(-sqrt(40/39) t) with t = 2.0227).
#[test]
fn expanded_percentile_takes_smaller_tails() {
    let plan = Plan::simple(40).unwrap();
    let values: Vec<f64> = (0..40).map(f64::from).collect();
    let statistic = Function::new(1, |times: &[u32], out: &mut [Option<f64>]| {
        out[0] = Some(weighted_mean(&values, times));
    });
    let sample = bootstrap(&plan, &statistic, 5000, 1).unwrap().output(0);
    let wide = sample.expanded_percentile(0.95).unwrap();
    let tail =
        verispec_stats::special::normal_cdf(-(40.0_f64 / 39.0).sqrt() * 2.022_690_920_036_761);
    close(wide.low, quantile(&sample.values, tail).unwrap(), "low");
    close(
        wide.high,
        quantile(&sample.values, 1.0 - tail).unwrap(),
        "high",
    );
    let plain = sample.percentile(0.95).unwrap();
    assert!(wide.low < plain.low && wide.high > plain.high);
}

#[test]
fn a_draw_keeps_strata_and_clusters() {
    // Strata of 4 and 3 clusters; clusters of 1 to 3 units.
    let strata = [7, 7, 7, 7, 7, 7, 2, 2, 2, 2];
    let clusters = [0, 0, 1, 2, 2, 3, 10, 11, 11, 12];
    let plan = Plan::new(&strata, &clusters).unwrap();
    assert_eq!(
        (
            plan.units(),
            plan.clusters(),
            plan.strata(),
            plan.lone_strata()
        ),
        (10, 7, 2, 0)
    );
    let mut times = Vec::new();
    let mut totals = [0; 10];
    for draw in 0..2000 {
        plan.draw(1, draw, &mut times);
        let count = |unit: usize| times[unit];
        assert_eq!(
            (count(0), count(3), count(7)),
            (count(1), count(4), count(8))
        );
        assert_eq!(
            count(0) + count(2) + count(3) + count(5),
            4,
            "clusters of the first stratum"
        );
        assert_eq!(count(6) + count(7) + count(9), 3, "clusters of the second");
        totals
            .iter_mut()
            .zip(&times)
            .for_each(|(total, t)| *total += t);
    }
    // Each unit is drawn once on average; the standard deviation of the mean is about .02.
    assert!(
        totals
            .iter()
            .all(|t| (f64::from(*t) / 2000.0 - 1.0).abs() < 0.1),
        "{totals:?}"
    );
}

#[test]
fn clusters_across_strata_are_refused_or_joined() {
    let (strata, clusters) = ([0, 0, 1, 1, 2, 3], [5, 6, 6, 7, 7, 8]);
    assert_eq!(
        Plan::new(&strata, &clusters).unwrap_err(),
        Undefined::ClusterSpansStrata {
            cluster: 6,
            first: 0,
            second: 1
        }
    );
    let merged = merged_strata(&strata, &clusters).unwrap();
    assert_eq!(merged, [0, 0, 0, 0, 0, 3]);
    assert_eq!(Plan::new(&merged, &clusters).unwrap().lone_strata(), 1);
    assert!(matches!(Plan::simple(0), Err(Undefined::TooFew { .. })));
}

/// Three raters, two tracks with two dimensions each, some values missing.
fn taus() -> (Plan, PairwiseTau) {
    let mut stream = verispec_stats::random::Stream::new(99, 0);
    let mut tables = Vec::new();
    let mut strata = Vec::new();
    for (track, items) in [(0, 8), (1, 5)] {
        let mut table = ScoreTable::new(3 * items, 2);
        for unit in 0..40 {
            let row: Vec<Option<f64>> = (0..3 * items)
                .map(|column| {
                    let met = stream.below(4 + (column % items) as u32);
                    (stream.below(20) > 0).then(|| f64::from(met) / 3.0)
                })
                .collect();
            table.push(track * 40 + unit, unit / 20, &row).unwrap();
            strata.push((track * 2 + unit / 20) as u32);
        }
        tables.push(TauTable::new(table, 3, items).unwrap());
    }
    (Plan::stratified(&strata).unwrap(), PairwiseTau::new(tables))
}

#[test]
fn threads_do_not_matter() {
    let (plan, statistic) = taus();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            (
                bootstrap(&plan, &statistic, 500, 8).unwrap(),
                jackknife(&plan, &statistic),
            )
        })
    };
    let (one, jackknife_one) = with(1);
    for threads in [2, 3, 7] {
        let (found, jackknife_found) = with(threads);
        assert_eq!(found, one, "{threads} threads");
        assert_eq!(jackknife_found, jackknife_one, "{threads} threads");
    }
    let other_seed = bootstrap(&plan, &statistic, 500, 9).unwrap();
    assert_ne!(one, other_seed);
    assert_eq!(one.estimate(), other_seed.estimate());
    // Fewer draws are the beginning of more.
    let fewer = bootstrap(&plan, &statistic, 20, 8).unwrap();
    assert!(fewer.rows().eq(one.rows().take(20)));
}

type Plain = fn(&[f64], &[f64]) -> Result<f64, Undefined>;

/// The statistic against scores and coefficients computed plainly from the repeated units.
#[test]
fn rater_pairs_correlate_the_scores() {
    let rows: Vec<[f64; 6]> = (0..12_i32)
        .map(|i| std::array::from_fn(|c| f64::from((i * 7 + c as i32 * 5) % 4) / 3.0))
        .collect();
    let plan = Plan::stratified(&[0, 1].repeat(6)).unwrap();
    let rho = |x: &[f64], y: &[f64]| Ok(spearman(x, y)?.value);
    let plain: [(Coefficient, Plain); 3] = [
        (Coefficient::TauB, tau_b),
        (Coefficient::WeightedTau, weighted_tau),
        (Coefficient::Spearman, rho),
    ];
    for (coefficient, plain) in plain {
        let mut table = ScoreTable::new(6, 2);
        for (unit, row) in rows.iter().enumerate() {
            table.push(unit, unit % 2, &row.map(Some)).unwrap();
        }
        let statistic =
            PairwiseTau::new(vec![TauTable::new(table, 2, 3).unwrap()]).with(coefficient);
        let found = bootstrap(&plan, &statistic, 200, 4).unwrap();
        let mut times = Vec::new();
        let mut undefined = 0;
        for (draw, row) in found.rows().enumerate() {
            plan.draw(4, draw as u64, &mut times);
            // Exact in units of 1 / 18: both dimensions have six units.
            let thirds =
                |unit: usize, column: usize| f64::from(times[unit]) * 3.0 * rows[unit][column];
            let score = |column: usize| {
                (0..12)
                    .map(|unit| thirds(unit, column))
                    .sum::<f64>()
                    .round()
            };
            let scores: Vec<f64> = (0..6).map(score).collect();
            let wanted = plain(&scores[..3], &scores[3..]).ok();
            undefined += usize::from(wanted.is_none());
            assert_eq!(row[0], wanted, "{coefficient:?}, draw {draw}");
        }
        assert!(undefined > 0, "some draws should be level");
        assert_eq!(found.output(0).undefined, undefined);
    }
}

#[test]
fn scores_are_means_of_group_means() {
    let mut table = ScoreTable::new(2, 2);
    table.push(0, 0, &[Some(1.0), Some(0.5)]).unwrap();
    table.push(1, 0, &[Some(0.0), None]).unwrap();
    table.push(2, 1, &[Some(0.5), Some(1.0)]).unwrap();
    let (mut scratch, mut out) = (MeanScratch::default(), [None, None]);
    let mut scores = |times: &[u32]| {
        table.scores(times, &mut scratch, &mut out);
        out
    };
    assert_eq!(scores(&[1, 1, 1]), [Some(0.5), Some(0.75)]);
    assert_eq!(scores(&[3, 1, 1]), [Some(0.625), Some(0.75)]);
    assert_eq!(
        scores(&[0, 2, 1]),
        [Some(0.25), None],
        "no value in the first group"
    );
    assert_eq!(scores(&[1, 1, 0]), [None, None]);
    assert!(table.push(3, 2, &[None, None]).unwrap_err().is_misuse());
    assert!(table.push(3, 0, &[None]).unwrap_err().is_misuse());
    assert!(
        table
            .push(3, 0, &[None, Some(f64::NAN)])
            .unwrap_err()
            .is_misuse()
    );
}

#[test]
fn undefined_draws_are_counted_and_left_out() {
    let plan = Plan::simple(4).unwrap();
    let values = [1.0, 1.0, 1.0, 5.0];
    let statistic = Function::new(2, |times: &[u32], out: &mut [Option<f64>]| {
        out[0] = (times[3] > 0).then(|| weighted_mean(&values, times));
        out[1] = None;
    });
    let found = bootstrap(&plan, &statistic, 1000, 0).unwrap();
    let sample = found.output(0);
    // (3/4)^4 of the draws lack the last unit.
    assert!(
        (sample.undefined as f64 / 1000.0 - 0.316).abs() < 0.05,
        "{}",
        sample.undefined
    );
    assert_eq!(sample.values.len() + sample.undefined, 1000);
    let never = found.output(1);
    assert_eq!((never.estimate, never.undefined), (None, 1000));
    assert!(matches!(
        never.se(),
        Err(Undefined::TooFew { found: 0, .. })
    ));
    assert!(matches!(
        never.percentile(0.9),
        Err(Undefined::TooFew { .. })
    ));
    let without = jackknife(&plan, &statistic).acceleration(0);
    assert!(matches!(without, Err(Undefined::Degenerate { .. })));
    let values = vec![1.0, 2.0, 3.0];
    let one_side = Sample {
        estimate: Some(9.0),
        values,
        undefined: 0,
        variety: Variety::default(),
    };
    assert!(matches!(
        one_side.expanded_percentile(0.9),
        Err(Undefined::TooFew { .. })
    ));
    assert!(matches!(
        one_side.bca(0.95, 0.0),
        Err(Undefined::Degenerate { .. })
    ));
    close(one_side.bias().unwrap(), -7.0, "bias");
}

/// Protocol a minus protocol b in the same draws: far less noise than either alone.
#[test]
fn differences_are_paired() {
    let plan = Plan::simple(50).unwrap();
    let hardness: Vec<f64> = (0..50).map(|i| f64::from(i % 10) / 10.0).collect();
    let second: Vec<f64> = hardness
        .iter()
        .zip(0..)
        .map(|(h, i)| h + f64::from(i % 3) * 0.01)
        .collect();
    let statistic = Function::new(2, |times: &[u32], out: &mut [Option<f64>]| {
        out[0] = Some(weighted_mean(&hardness, times));
        out[1] = Some(weighted_mean(&second, times));
    });
    assert_eq!(statistic.outputs(), 2);
    let found = bootstrap(&plan, &statistic, 400, 2).unwrap();
    let difference = found.derived(|row| Some(row[0]? - row[1]?));
    assert!(difference.se().unwrap() * 10.0 < found.output(0).se().unwrap());
}

proptest! {
    #[test]
    fn merged_strata_hold_whole_clusters(
        units in proptest::collection::vec((0..6_u32, 0..8_u32), 1..30),
    ) {
        let (strata, clusters): (Vec<u32>, Vec<u32>) = units.into_iter().unzip();
        let merged = merged_strata(&strata, &clusters).unwrap();
        prop_assert!(Plan::new(&merged, &clusters).is_ok());
        for i in 0..strata.len() {
            for j in 0..i {
                if strata[i] == strata[j] || clusters[i] == clusters[j] {
                    prop_assert_eq!(merged[i], merged[j]);
                }
            }
        }
    }
}
