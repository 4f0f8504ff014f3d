//! Distribution functions against 40-digit values, 1e-12 relative.
#![allow(clippy::unwrap_used)]
mod common;

use common::{close_relative, count, number, reference};
use verispec_stats::special::{
    half_binomial, normal_cdf, normal_quantile, normal_two_sided, t_quantile, t_two_sided,
};

#[test]
fn normal() {
    let rows = reference();
    for row in rows["special"]["normal"].as_array().unwrap() {
        let (z, wanted) = (number(&row[0]), number(&row[1]));
        close_relative(normal_two_sided(z), wanted, &format!("P(|Z| > {z})"));
        close_relative(normal_cdf(-z), wanted / 2.0, &format!("P(Z < -{z})"));
    }
    for row in rows["special"]["normal_quantile"].as_array().unwrap() {
        let p = number(&row[0]);
        close_relative(
            normal_quantile(p).unwrap(),
            number(&row[1]),
            &format!("quantile of {p}"),
        );
    }
    for p in [0.0, 1.0, -0.1, f64::NAN] {
        assert!(normal_quantile(p).unwrap_err().is_misuse());
    }
}

#[test]
fn student() {
    let rows = reference();
    for row in rows["special"]["t"].as_array().unwrap() {
        let (t, df) = (number(&row[0]), number(&row[1]));
        close_relative(
            t_two_sided(t, df).unwrap(),
            number(&row[2]),
            &format!("t {t}, {df} df"),
        );
    }
    for row in rows["special"]["t_quantile"].as_array().unwrap() {
        let (p, df) = (number(&row[0]), number(&row[1]));
        close_relative(
            t_quantile(p, df).unwrap(),
            number(&row[2]),
            &format!("t of {p}, {df} df"),
        );
    }
    assert_eq!(t_quantile(0.5, 3.0).unwrap(), 0.0);
    assert!(t_quantile(0.9, 0.0).unwrap_err().is_misuse());
    assert!(t_two_sided(1.0, f64::NAN).unwrap_err().is_misuse());
}

#[test]
fn binomial_with_one_half() {
    for row in reference()["special"]["half_binomial"].as_array().unwrap() {
        let (k, n) = (count(&row[0]) as u64, count(&row[1]) as u64);
        let (tail, mass) = half_binomial(k, n);
        close_relative(tail, number(&row[2]), &format!("P(X <= {k}), {n} trials"));
        close_relative(mass, number(&row[3]), &format!("P(X = {k}), {n} trials"));
    }
    assert_eq!(half_binomial(0, 0), (1.0, 1.0));
    assert_eq!(half_binomial(9, 4), (1.0, 0.0));
}
