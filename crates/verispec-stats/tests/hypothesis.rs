//! Tests of paired data against SciPy, statsmodels and named values.
#![allow(clippy::unwrap_used)]
mod common;

use common::{close, count, number, numbers, reference};
use verispec_stats::{
    Undefined,
    hypothesis::{
        SignFlipMethod, benjamini_hochberg, cluster_sums, equal_rates, holm, mcnemar, sign_flip,
    },
};

#[test]
fn goldens_of_the_survey() {
    // A = 1101101110 against B = 1001001100.
    let differences = [0., 1., 0., 0., 1., 0., 0., 0., 1., 0.];
    let found = sign_flip(&differences, 0, 0).unwrap();
    close(found.mean, 0.3, "difference");
    close(found.p, 0.25, "sign flip");
    assert_eq!(
        found.method,
        SignFlipMethod::Exact {
            as_extreme: 2,
            patterns: 8
        }
    );
    close(mcnemar(3, 0).exact, 0.25, "McNemar");
    close(mcnemar(3, 0).mid_p, 0.125, "mid-p");
}

#[test]
fn packages() {
    let rows = reference();
    let rows = &rows["hypothesis"];
    for row in rows["sign_flip"].as_array().unwrap() {
        let d = numbers(&row["d"]);
        let found = sign_flip(&d, 0, 0).unwrap();
        close(
            found.p,
            number(&row["p"]),
            &format!("sign flip, n = {}", d.len()),
        );
    }
    for row in rows["mcnemar"].as_array().unwrap() {
        let found = mcnemar(count(&row[0]) as u64, count(&row[1]) as u64);
        close(found.exact, number(&row[2]), "McNemar, exact");
        close(found.mid_p, number(&row[3]), "McNemar, mid-p");
    }
    for row in rows["multiple"].as_array().unwrap() {
        let p = numbers(&row["p"]);
        for (found, wanted) in [
            (holm(&p), &row["holm"]),
            (benjamini_hochberg(&p), &row["bh"]),
        ] {
            for (a, b) in found.unwrap().into_iter().zip(numbers(wanted)) {
                close(a, b, "adjusted p");
            }
        }
    }
}

/// Benjamini and Hochberg 1995, section 4.1: of 15 p-values Bonferroni and Holm reject 3 at .05,
/// the false discovery rate 4.
#[test]
fn benjamini_hochberg_1995() {
    let p = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
        0.5719, 0.6528, 0.7590, 1.0000,
    ];
    let rejected = |adjusted: Vec<f64>| adjusted.iter().filter(|p| **p <= 0.05).count();
    assert_eq!(rejected(holm(&p).unwrap()), 3);
    assert_eq!(rejected(benjamini_hochberg(&p).unwrap()), 4);
}

/// With 21 differences the test draws; the exact tail (all signs alike) is 2 / 2^21.
#[test]
fn many_differences_are_drawn_and_never_give_zero() {
    let same = [0.5; 21];
    let found = sign_flip(&same, 999, 5).unwrap();
    close(found.p, 1.0 / 1000.0, "p");
    assert_eq!(
        found.method,
        SignFlipMethod::MonteCarlo {
            as_extreme: 0,
            draws: 999,
            seed: 5
        }
    );
    assert!(matches!(
        sign_flip(&same, 0, 5),
        Err(Undefined::TooFew { what: "draws", .. })
    ));
}

/// Drawn and exact p-values agree: the same data, once with 20 and once with 21 differences.
#[test]
fn drawn_p_is_near_the_exact_one() {
    let mut d: Vec<f64> = (0..20).map(|i| f64::from(i % 7) - 1.9).collect();
    let exact = sign_flip(&d, 0, 0).unwrap();
    assert!(matches!(exact.method, SignFlipMethod::Exact { .. }));
    d.push(1e-9); // Too small to matter, but it is the twenty-first.
    let drawn = sign_flip(&d, 200_000, 11).unwrap();
    let se = (exact.p * (1.0 - exact.p) / 200_000.0).sqrt();
    assert!(
        (drawn.p - exact.p).abs() < 5.0 * se,
        "{} against {}",
        drawn.p,
        exact.p
    );
}

#[test]
fn threads_do_not_matter() {
    let d: Vec<f64> = (0..40).map(|i| (f64::from(i) * 0.77).sin() + 0.2).collect();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| sign_flip(&d, 5000, 3).unwrap())
    };
    assert_eq!(with(1), with(4));
}

#[test]
fn no_difference_is_no_evidence() {
    let found = sign_flip(&[0.0; 30], 0, 0).unwrap();
    assert_eq!((found.p, found.nonzero, found.n), (1.0, 0, 30));
    let none = mcnemar(0, 0);
    assert_eq!((none.exact, none.mid_p), (1.0, 1.0));
    assert!(matches!(
        sign_flip(&[], 10, 0),
        Err(Undefined::TooFew { .. })
    ));
    assert!(holm(&[0.5, f64::NAN]).unwrap_err().is_misuse());
    assert!(benjamini_hochberg(&[-0.1]).unwrap_err().is_misuse());
    assert_eq!(holm(&[]).unwrap(), Vec::<f64>::new());
}

/// Rounding must not break ties: 0.1 + 0.2 and 0.3 are the same distance.
#[test]
fn equal_sums_tie_in_spite_of_rounding() {
    let found = sign_flip(&[0.1, 0.2, -0.3], 0, 0).unwrap();
    close(found.p, 1.0, "every pattern is as far from 0 as a sum of 0");
    let found = sign_flip(&[0.1, 0.2, 0.3, -0.6], 0, 0).unwrap();
    close(found.p, 1.0, "the same with four");
}

/// The drawn p-value against the exact one over all tables with the same margins.
#[test]
fn equal_rates_of_groups() {
    let rows = reference();
    for row in rows["hypothesis"]["equal_rates"].as_array().unwrap() {
        let counts = |name: &str| -> Vec<u32> {
            numbers(&row[name])
                .into_iter()
                .map(|count| count as u32)
                .collect()
        };
        let found = equal_rates(&counts("yes"), &counts("n"), 100_000, 6).unwrap();
        close(found.chi_square, number(&row["chi_square"]), "chi-square");
        let exact = number(&row["p"]);
        let se = (exact * (1.0 - exact) / 100_000.0).sqrt();
        assert!(
            (found.p - exact).abs() < 4.0 * se,
            "{} against {exact}",
            found.p
        );
    }
    assert!(equal_rates(&[3], &[2], 9, 0).is_err());
    assert!(equal_rates(&[3, 1], &[2, 2], 9, 0).unwrap_err().is_misuse());
    assert!(matches!(
        equal_rates(&[0, 1], &[0, 2], 9, 0),
        Err(Undefined::TooFew { .. })
    ));
    let constant = Undefined::Constant {
        input: "the outcomes",
    };
    assert_eq!(equal_rates(&[2, 5], &[2, 5], 9, 0).unwrap_err(), constant);
    // A difference as large as can be, and never a p of 0.
    close(
        equal_rates(&[0, 30], &[30, 30], 999, 0).unwrap().p,
        0.001,
        "smallest p",
    );
}

#[test]
fn clusters_flip_together() {
    let d = [1., 1., 1., -1., -1., 2.];
    let sums = cluster_sums(&d, &[4, 4, 4, 1, 1, 9]).unwrap();
    assert_eq!(sums, [-2., 3., 2.]);
    close(
        sign_flip(&sums, 0, 0).unwrap().p,
        1.0 * 6.0 / 8.0,
        "patterns with |sum| >= 3",
    );
    assert!(cluster_sums(&d, &[1]).unwrap_err().is_misuse());
}
