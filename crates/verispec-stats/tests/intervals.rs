//! Intervals of means and shares against SciPy, statsmodels and named values.
#![allow(clippy::unwrap_used)]
mod common;

use common::{close, count, number, numbers, printed, reference};
use verispec_stats::{
    Undefined,
    interval::{SmallSample, clustered_mean, mean, wilson},
};

#[test]
fn goldens_of_the_survey() {
    let scores = [1., 1., 1., 0., 0., 0., 1., 1.];
    let clusters = [0, 0, 0, 1, 1, 1, 2, 2];
    let clustered = clustered_mean(&scores, &clusters, SmallSample::None).unwrap();
    close(clustered.value, 0.625, "mean");
    printed(mean(&scores).unwrap().se, 0.182_981_263_7, 10, "iid SE");
    printed(clustered.se, 0.288_956_906_4, 10, "clustered SE");
    let enlarged = clustered_mean(&scores, &clusters, SmallSample::Clusters).unwrap();
    close(enlarged.factor, 1.5, "factor");
    close(enlarged.se, clustered.se * 1.5_f64.sqrt(), "CR1");

    let a = [1., 1., 0., 1., 1., 0., 1., 1., 1., 0.];
    let b = [1., 0., 0., 1., 0., 0., 1., 1., 0., 0.];
    let differences: Vec<f64> = a.iter().zip(&b).map(|(x, y)| x - y).collect();
    let paired = mean(&differences).unwrap();
    close(paired.value, 0.3, "difference");
    printed(paired.se, 0.152_752_523_2, 10, "paired SE");
    let unpaired = mean(&a).unwrap().se.hypot(mean(&b).unwrap().se);
    printed(unpaired, 0.223_606_797_7, 10, "unpaired SE");

    let found = wilson(8, 10, 0.95).unwrap();
    printed(found.low, 0.4902, 4, "Wilson");
    printed(found.high, 0.9433, 4, "Wilson");
}

#[test]
fn packages() {
    let rows = reference();
    let rows = &rows["intervals"];
    for row in rows["mean"].as_array().unwrap() {
        let found = mean(&numbers(&row["x"])).unwrap();
        let interval = found.interval(0.95).unwrap();
        close(found.value, number(&row["mean"]), "mean");
        close(found.se, number(&row["se"]), "se");
        close(interval.low, number(&row["low"]), "low");
        close(interval.high, number(&row["high"]), "high");
    }
    for row in rows["clustered"].as_array().unwrap() {
        let x = numbers(&row["x"]);
        let clusters: Vec<u32> = numbers(&row["clusters"])
            .iter()
            .map(|c| *c as u32)
            .collect();
        let plain = clustered_mean(&x, &clusters, SmallSample::None).unwrap();
        let enlarged = clustered_mean(&x, &clusters, SmallSample::Clusters).unwrap();
        close(plain.se, number(&row["se_none"]), "without a factor");
        close(enlarged.se, number(&row["se_clusters"]), "CR1");
        let interval = enlarged.interval(0.95).unwrap();
        close(interval.low, number(&row["low"]), "low");
        close(interval.high, number(&row["high"]), "high");
    }
    for row in rows["wilson"].as_array().unwrap() {
        let (k, n) = (count(&row[0]) as u64, count(&row[1]) as u64);
        let found = wilson(k, n, number(&row[2])).unwrap();
        close(found.low, number(&row[3]), "Wilson, low");
        close(found.high, number(&row[4]), "Wilson, high");
        assert!(found.low >= 0.0 && found.high <= 1.0);
    }
}

#[test]
fn what_has_no_value_says_why() {
    assert!(matches!(
        mean(&[1.0]),
        Err(Undefined::TooFew {
            found: 1,
            need: 2,
            ..
        })
    ));
    assert!(matches!(
        clustered_mean(&[1., 2.], &[3, 3], SmallSample::Clusters),
        Err(Undefined::TooFew {
            what: "clusters",
            found: 1,
            need: 2
        })
    ));
    assert!(mean(&[1.0, f64::INFINITY]).unwrap_err().is_misuse());
    assert!(matches!(wilson(0, 0, 0.95), Err(Undefined::TooFew { .. })));
    assert!(wilson(3, 2, 0.95).unwrap_err().is_misuse());
    assert!(wilson(1, 2, 1.0).unwrap_err().is_misuse());
    let level = mean(&[0.1, 0.1, 0.1]).unwrap();
    assert_eq!((level.value, level.se), (0.1, 0.0));
}
