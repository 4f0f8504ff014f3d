//! Correlation against published goldens, SciPy and brute force.
#![allow(clippy::unwrap_used)]
mod common;

use common::{close, close_relative, number, numbers, printed, reference};
use proptest::prelude::*;
use serde_json::Value;
use verispec_stats::{
    Undefined,
    rank::{
        Method, PairSigns, mid_ranks, pair_counts, pearson, spearman, tau_b, weighted_tau,
        weighted_tau_by_first,
    },
};

fn fixture(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The vectors of `rank_correlation.json`; null there is undefined here.
#[test]
fn goldens_of_the_published_tables() {
    let cases = fixture(include_str!("data/rank_correlation.json"));
    for case in cases.as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let (x, y) = (numbers(&case["x"]), numbers(&case["y"]));
        let counts = pair_counts(&x, &y).unwrap();
        assert_eq!(
            counts.concordant,
            case["concordant"].as_u64().unwrap(),
            "{name}"
        );
        assert_eq!(
            counts.discordant,
            case["discordant"].as_u64().unwrap(),
            "{name}"
        );
        close(counts.tau_a(), number(&case["tau_a"]), name);
        let rho = spearman(&x, &y).map(|rho| rho.value);
        for (found, field) in [
            (counts.tau_b(), "tau_b"),
            (counts.tau_c(), "tau_c"),
            (rho, "spearman"),
        ] {
            match case[field].as_f64() {
                Some(wanted) => close(found.unwrap(), wanted, &format!("{name}: {field}")),
                None => assert_eq!(found.unwrap_err(), Undefined::Constant { input: "x" }),
            }
        }
    }
}

/// The same figures once more from the leaderboards themselves, with their tie at 83.25.
#[test]
fn columns_of_the_main_board() {
    let boards = fixture(include_str!("data/specv_leaderboards.json"));
    let column = |index: usize| -> Vec<f64> {
        let rows = boards["Leaderboard"]["rows"].as_array().unwrap();
        rows.iter()
            .map(|row| number(&row["values"][index]))
            .collect()
    };
    let understanding_t2i = pair_counts(&column(0), &column(1)).unwrap();
    assert_eq!(understanding_t2i.ties_x, 1);
    printed(
        understanding_t2i.tau_b().unwrap(),
        0.4728,
        4,
        "understanding, T2I",
    );
    printed(
        tau_b(&column(1), &column(2)).unwrap(),
        0.7857,
        4,
        "T2I, editing",
    );
    printed(
        spearman(&column(0), &column(6)).unwrap().value,
        0.7785,
        4,
        "understanding, average",
    );
}

/// "0.758 and 0.903 are reachable by three pairs of eleven untied models with 20 and 8
/// discordances in all."
#[test]
fn the_edit_table_fits_three_judge_pairs() {
    let mean = |discordances: [u64; 3]| {
        let taus = discordances.map(|wanted| {
            let mut order: Vec<f64> = (0..11).map(f64::from).collect();
            let sorted = order.clone();
            for _ in 0..wanted {
                let i = (0..10).find(|&i| order[i] < order[i + 1]).unwrap();
                order.swap(i, i + 1);
            }
            tau_b(&sorted, &order).unwrap()
        });
        taus.iter().sum::<f64>() / 3.0
    };
    printed(mean([7, 7, 6]), 0.758, 3, "holistic");
    printed(mean([3, 3, 2]), 0.903, 3, "independent");
}

#[test]
fn goldens_of_the_survey() {
    let counts = pair_counts(&[1., 2., 3., 4., 5.], &[1., 2., 3., 5., 4.]).unwrap();
    close(counts.tau_b().unwrap(), 0.8, "tau-b");
    let p = counts.p_value().unwrap();
    assert_eq!(p.method, Method::Exact);
    printed(p.value, 0.083_33, 5, "exact p");

    let x = [81.77, 78.78, 70.50, 65.72, 53.43, 50.91, 43.61, 41.06];
    let y = [81., 79., 70., 70., 53., 55., 43., 41.];
    let counts = pair_counts(&x, &y).unwrap();
    close(counts.tau_b().unwrap(), 0.909_241_209_316_634_9, "tau-b");
    printed(counts.tau_c().unwrap(), 0.911_458_333_3, 10, "tau-c");
    printed(
        weighted_tau(&x, &y).unwrap(),
        0.945_399_289_7,
        10,
        "weighted tau",
    );
    printed(spearman(&x, &y).unwrap().value, 0.970_077_272_1, 10, "rho");
    let p = counts.p_value().unwrap();
    assert_eq!(p.method, Method::Normal);
    // Printed as 0.00182767503: cut off, not rounded (SciPy: 0.00182767503545).
    common::within(p.value, 0.001_827_675_03, 1e-11, "p");

    let (x, y) = ([1., 2., 2., 3., 3., 3.], [1., 2., 3., 3., 2., 2.]);
    printed(pair_counts(&x, &y).unwrap().tau_a(), 0.2667, 4, "tau-a");
    printed(tau_b(&x, &y).unwrap(), 0.3636, 4, "tau-b");
    printed(spearman(&x, &y).unwrap().value, 0.4167, 4, "rho");
}

#[test]
fn scipy() {
    let rows = reference();
    let mut methods = [0, 0];
    for row in rows["correlation"].as_array().unwrap() {
        let (x, y) = (numbers(&row["x"]), numbers(&row["y"]));
        let n = x.len();
        let counts = pair_counts(&x, &y).unwrap();
        let say = |what: &str| format!("{what}, n = {n}");
        close(
            counts.tau_b().unwrap(),
            number(&row["tau_b"]),
            &say("tau-b"),
        );
        close(
            counts.tau_c().unwrap(),
            number(&row["tau_c"]),
            &say("tau-c"),
        );
        let p = counts.p_value().unwrap();
        methods[usize::from(p.method == Method::Exact)] += 1;
        close_relative(p.value, number(&row["tau_p"]), &say("p of tau"));
        close(
            weighted_tau(&x, &y).unwrap(),
            number(&row["weighted"]),
            &say("weighted tau"),
        );
        let by_first = weighted_tau_by_first(&x, &y).unwrap();
        close(
            by_first,
            number(&row["weighted_by_first"]),
            &say("weighted tau by first"),
        );
        let (rho, r) = (spearman(&x, &y).unwrap(), pearson(&x, &y).unwrap());
        close(rho.value, number(&row["spearman"]), &say("rho"));
        close(r.value, number(&row["pearson"]), &say("r"));
        if n == 2 {
            assert!(matches!(rho.p_value(), Err(Undefined::TooFew { .. })));
            continue;
        }
        let normal = counts.p_normal().unwrap().value;
        close_relative(
            normal,
            number(&row["tau_p_normal"]),
            &say("normal p of tau"),
        );
        for (found, wanted) in [(rho, "spearman_p"), (r, "pearson_p")] {
            match found.p_value() {
                Ok(p) => close(p.value, number(&row[wanted]), &say(wanted)),
                // SciPy prints 0 (or what rounding leaves of it).
                Err(reason) => {
                    assert_eq!(reason, Undefined::Perfect);
                    assert!(number(&row[wanted]) < 1e-15);
                }
            }
        }
    }
    assert!(methods[0] > 10 && methods[1] > 10, "{methods:?}");
}

#[test]
fn what_has_no_value_says_why() {
    let constant = [2., 2., 2.];
    let other = [1., 2., 3.];
    let reason = Undefined::Constant { input: "y" };
    assert_eq!(tau_b(&other, &constant).unwrap_err(), reason);
    assert_eq!(weighted_tau(&other, &constant).unwrap_err(), reason);
    assert_eq!(spearman(&other, &constant).unwrap_err(), reason);
    assert_eq!(pearson(&other, &constant).unwrap_err(), reason);
    assert_eq!(
        pair_counts(&other, &constant)
            .unwrap()
            .p_value()
            .unwrap_err(),
        reason
    );
    assert_eq!(
        tau_b(&other, &[1.0]).unwrap_err(),
        Undefined::Lengths { left: 3, right: 1 }
    );
    assert_eq!(
        tau_b(&other, &[1.0, f64::NAN, 2.0]).unwrap_err(),
        Undefined::NotFinite {
            input: "y",
            position: 1
        }
    );
    assert!(matches!(
        tau_b(&[1.0], &[1.0]),
        Err(Undefined::TooFew {
            found: 1,
            need: 2,
            ..
        })
    ));
    let tied = pair_counts(&[1., 1., 2.], &[1., 2., 3.]).unwrap();
    assert_eq!(tied.p_exact().unwrap_err(), Undefined::Ties);
    let many: Vec<f64> = (0..20_000).map(f64::from).collect();
    let mixed: Vec<f64> = many.iter().map(|v| (v * 7919.0) % 20_011.0).collect();
    let large = pair_counts(&many, &mixed).unwrap();
    assert!(large.p_exact().unwrap_err().is_misuse());
    assert_eq!(large.p_value().unwrap().method, Method::Normal);
    let json = serde_json::to_string(&reason).unwrap();
    assert_eq!(json, r#"{"reason":"constant","input":"y"}"#);
}

#[test]
fn negative_zero_is_zero() {
    assert_eq!(
        tau_b(&[0.0, -0.0, 1.0], &[2.0, 1.0, 3.0]),
        tau_b(&[0., 0., 1.], &[2., 1., 3.])
    );
    assert_eq!(mid_ranks(&[0.0, -0.0]).unwrap(), [1.5, 1.5]);
}

/// Pearson's r keeps its digits where a one-pass formula loses all of them.
#[test]
fn pearson_far_from_zero() {
    let x = [1e9, 1e9 + 1.0, 1e9 + 2.0, 1e9 + 4.0];
    let shifted = pearson(&x, &[3., 1., 4., 1.5]).unwrap().value;
    close(
        shifted,
        pearson(&[0., 1., 2., 4.], &[3., 1., 4., 1.5])
            .unwrap()
            .value,
        "shifted",
    );
    let tiny = pearson(&[1e-200, 2e-200, 4e-200], &[1., 3., 2.])
        .unwrap()
        .value;
    close(
        tiny,
        pearson(&[1., 2., 4.], &[1., 3., 2.]).unwrap().value,
        "scaled",
    );
}

/// Concordant minus discordant, pairs untied in x, pairs untied in y, each pair with a weight.
fn brute(x: &[f64], y: &[f64], weight: impl Fn(usize, usize) -> f64) -> (f64, f64, f64) {
    let mut sums = (0.0, 0.0, 0.0);
    for i in 0..x.len() {
        for j in 0..i {
            let sign = |v: &[f64]| f64::from(i8::from(v[i] > v[j]) - i8::from(v[i] < v[j]));
            let (a, b, w) = (sign(x), sign(y), weight(i, j));
            sums = (sums.0 + a * b * w, sums.1 + a * a * w, sums.2 + b * b * w);
        }
    }
    sums
}

fn scores() -> impl Strategy<Value = Vec<(f64, f64)>> {
    // Small integers, so that ties of every kind occur.
    proptest::collection::vec((0..12_i32, 0..7_i32), 2..90).prop_map(|pairs| {
        pairs
            .iter()
            .map(|&(a, b)| (f64::from(a), f64::from(b)))
            .collect()
    })
}

proptest! {
    #[test]
    fn tau_is_the_sum_over_pairs(pairs in scores()) {
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let (score, in_x, in_y) = brute(&x, &y, |_, _| 1.0);
        let counts = pair_counts(&x, &y).unwrap();
        prop_assert_eq!(counts.score() as f64, score);
        let mut signs = [PairSigns::new(), PairSigns::new()];
        signs[0].set(&x);
        signs[1].set(&y);
        let wanted = (in_x * in_y > 0.0).then(|| score / (in_x * in_y).sqrt());
        prop_assert_eq!(counts.tau_b().ok(), wanted);
        prop_assert_eq!(signs[0].tau_b(&signs[1]), counts.tau_b());
    }

    #[test]
    fn weighted_tau_is_the_weighted_sum_over_pairs(pairs in scores()) {
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        // Rank of i: how many objects come before it, best first by x, ties by y, then position
        // (objects alike in both may come in any order).
        let before = |i: usize, j: usize| (x[j], y[j], i) > (x[i], y[i], j);
        let rank = |i: usize| (0..x.len()).filter(|&j| j != i && before(i, j)).count();
        let weight = |i: usize| 1.0 / (rank(i) + 1) as f64;
        let (score, in_x, in_y) = brute(&x, &y, |i, j| weight(i) + weight(j));
        match weighted_tau_by_first(&x, &y) {
            Ok(tau) => prop_assert!((tau - score / (in_x * in_y).sqrt()).abs() < 1e-12),
            Err(_) => prop_assert!(in_x * in_y == 0.0),
        }
    }

    #[test]
    fn exact_p_counts_the_orders(mut y in Just([0., 1., 2., 3., 4., 5.].to_vec()).prop_shuffle()) {
        let x: Vec<f64> = (0..6).map(f64::from).collect();
        let counts = pair_counts(&x, &y).unwrap();
        let far = counts.score().abs();
        let mut as_far = 0;
        let mut all = 0;
        permutations(&mut y, 0, &mut |order| {
            all += 1;
            as_far += i32::from(pair_counts(&x, order).unwrap().score().abs() >= far);
        });
        prop_assert_eq!(all, 720);
        let wanted = f64::from(as_far) / 720.0;
        prop_assert!((counts.p_exact().unwrap().value - wanted).abs() < 1e-14);
    }

    #[test]
    fn mid_ranks_count_below_and_level(values in proptest::collection::vec(0..9_i32, 1..40)) {
        let values: Vec<f64> = values.into_iter().map(f64::from).collect();
        for (rank, value) in mid_ranks(&values).unwrap().iter().zip(&values) {
            let below = values.iter().filter(|v| *v < value).count() as f64;
            let level = values.iter().filter(|v| *v == value).count() as f64;
            prop_assert_eq!(*rank, below + (level + 1.0) / 2.0);
        }
    }
}

fn permutations(values: &mut Vec<f64>, from: usize, visit: &mut impl FnMut(&[f64])) {
    if from == values.len() {
        return visit(values);
    }
    for i in from..values.len() {
        values.swap(from, i);
        permutations(values, from + 1, visit);
        values.swap(from, i);
    }
}
