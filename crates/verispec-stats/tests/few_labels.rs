//! PPI, PPI++, sampling with known probabilities, Rogan-Gladen.
#![allow(clippy::unwrap_used)]
mod common;

use common::{close, count, number, numbers, printed, reference, within};
use verispec_stats::{
    Undefined,
    few_labels::{
        Calibrator, Label, Lambda, ppi_mean, rogan_gladen, rogan_gladen_smoothed, sampled_mean,
    },
};

#[test]
fn goldens_of_the_survey() {
    let y = [1., 0., 1., 1., 0., 1., 0., 1., 1., 0.];
    let f = [1., 0., 1., 0., 0., 1., 1., 1., 1., 0.];
    let others: Vec<f64> = (0..100).map(|i| f64::from(u8::from(i < 70))).collect();
    let plain = ppi_mean(&y, &f, &others, Lambda::One).unwrap();
    let interval = plain.interval(0.95).unwrap();
    close(plain.value, 0.7, "PPI");
    printed(interval.low, 0.408_630_41, 8, "PPI, low");
    printed(interval.high, 0.991_369_59, 8, "PPI, high");
    let tuned = ppi_mean(&y, &f, &others, Lambda::Tuned).unwrap();
    let interval = tuned.interval(0.95).unwrap();
    printed(tuned.value, 0.659_055_73, 8, "PPI++");
    printed(interval.low, 0.406_783_33, 8, "PPI++, low");
    printed(interval.high, 0.911_328_12, 8, "PPI++, high");

    let part = |share| Calibrator { share, n: 100.0 };
    let corrected = rogan_gladen(part(0.7), part(0.85), part(0.9)).unwrap();
    printed(corrected.value, 0.733_333_333_3, 10, "Rogan-Gladen");
}

#[test]
fn ppi_python() {
    for row in reference()["few_labels"]["ppi"].as_array().unwrap() {
        let (y, f, others) = (
            numbers(&row["y"]),
            numbers(&row["f"]),
            numbers(&row["others"]),
        );
        for (lambda, name) in [
            (Lambda::One, "one"),
            (Lambda::Tuned, "tuned"),
            (Lambda::Fixed(0.5), "half"),
        ] {
            let found = ppi_mean(&y, &f, &others, lambda).unwrap();
            let interval = found.interval(0.95).unwrap();
            let wanted = numbers(&row[name]);
            close(found.value, wanted[0], &format!("{name}: value"));
            close(interval.low, wanted[1], &format!("{name}: low"));
            close(interval.high, wanted[2], &format!("{name}: high"));
        }
    }
}

/// The tuned weight is the minimum of the variance that a numerical search finds.
#[test]
fn sampling_with_known_probabilities() {
    for row in reference()["few_labels"]["sampled"].as_array().unwrap() {
        let f = numbers(&row["f"]);
        let labels: Vec<Label> = (0..row["items"].as_array().unwrap().len())
            .map(|i| Label {
                item: count(&row["items"][i]),
                y: number(&row["y"][i]),
                inclusion: number(&row["pi"][i]),
            })
            .collect();
        let plain = sampled_mean(&f, &labels, Lambda::One).unwrap();
        close(plain.value, number(&row["one"][0]), "value, lambda 1");
        close(plain.se, number(&row["one"][1]), "se, lambda 1");
        let tuned = sampled_mean(&f, &labels, Lambda::Tuned).unwrap();
        // A search by values finds a minimum to the root of the precision.
        within(tuned.lambda, number(&row["lambda"]), 1e-6, "lambda");
        within(
            tuned.se,
            number(&row["tuned"][1]),
            1e-12,
            "se at the minimum",
        );
        assert!(tuned.se <= plain.se);
    }
}

/// Labels for all items: the answer is their mean, and the judge does not matter.
#[test]
fn full_labelling_gives_the_mean_of_the_labels() {
    let f = [1., 0., 0., 1., 1.];
    let y = [1., 1., 0., 0., 1.];
    let labels: Vec<Label> = (0..5)
        .map(|item| Label {
            item,
            y: y[item],
            inclusion: 1.0,
        })
        .collect();
    for lambda in [Lambda::One, Lambda::Fixed(0.0), Lambda::Fixed(0.3)] {
        let found = sampled_mean(&f, &labels, lambda).unwrap();
        close(found.value, 0.6, "mean");
        close(found.se, (0.24_f64 / 5.0).sqrt(), "se of a mean of five");
    }
}

#[test]
fn unknown_probabilities_are_refused() {
    let f = [1., 0., 1.];
    let label = |item, inclusion| Label {
        item,
        y: 1.0,
        inclusion,
    };
    for bad in [f64::NAN, 0.0, 1.5] {
        let labels = [label(0, 0.5), label(1, bad)];
        assert!(
            sampled_mean(&f, &labels, Lambda::One)
                .unwrap_err()
                .is_misuse()
        );
    }
    assert!(
        sampled_mean(&f, &[label(0, 0.5), label(3, 0.5)], Lambda::One)
            .unwrap_err()
            .is_misuse()
    );
    assert!(matches!(
        sampled_mean(&f, &[label(0, 0.5), label(0, 0.5)], Lambda::One),
        Err(Undefined::Degenerate { .. })
    ));
    assert!(matches!(
        sampled_mean(&f, &[label(0, 0.5)], Lambda::One),
        Err(Undefined::TooFew { what: "labels", .. })
    ));
    let level = [1.0; 4];
    let constant = Undefined::Constant {
        input: "the judge's answers",
    };
    let labels = [label(0, 0.5), label(1, 0.5)];
    assert_eq!(
        sampled_mean(&level, &labels, Lambda::Tuned).unwrap_err(),
        constant
    );
    assert_eq!(
        ppi_mean(&[0., 1.], &[1., 1.], &level, Lambda::Tuned).unwrap_err(),
        constant
    );
    // With lambda given there is a value.
    close(
        ppi_mean(&[0., 1.], &[1., 1.], &level, Lambda::One)
            .unwrap()
            .value,
        0.5,
        "level judge",
    );
}

#[test]
fn rogan_gladen_references() {
    for row in reference()["few_labels"]["rogan_gladen"]
        .as_array()
        .unwrap()
    {
        let input = numbers(&row["in"]);
        let part = |k: usize| Calibrator {
            share: input[k],
            n: input[k + 1],
        };
        let found = rogan_gladen(part(0), part(2), part(4)).unwrap();
        close(found.value, number(&row["value"]), "value");
        within(
            found.se,
            number(&row["se_numeric"]),
            1e-6,
            "se by numerical derivatives",
        );
        let (_, smoothed) = rogan_gladen_smoothed(part(0), part(2), part(4), 0.95).unwrap();
        close(smoothed.low, number(&row["smoothed"][0]), "smoothed, low");
        close(smoothed.high, number(&row["smoothed"][1]), "smoothed, high");
    }
}

#[test]
fn a_judge_no_better_than_a_coin_cannot_be_corrected() {
    let part = |share| Calibrator { share, n: 50.0 };
    assert_eq!(
        rogan_gladen(part(0.7), part(0.25), part(0.75)).unwrap_err(),
        Undefined::Uninformative { sum: 1.0 }
    );
    assert!(matches!(
        rogan_gladen(part(0.7), part(0.2), part(0.3)),
        Err(Undefined::Uninformative { .. })
    ));
    // Fewer yes than the false alarms alone: below 0, and clipped only on request.
    let below = rogan_gladen(part(0.05), part(0.8), part(0.9)).unwrap();
    close(below.value, -0.15 / 0.7, "not clipped");
    assert_eq!(below.clipped(), 0.0);
    assert!(below.interval(0.95).unwrap().low < below.value);
    assert_eq!(below.interval(0.95).unwrap().clipped(0.0, 1.0).low, 0.0);
    assert!(
        rogan_gladen(part(1.2), part(0.9), part(0.9))
            .unwrap_err()
            .is_misuse()
    );
    let empty = Calibrator { share: 0.9, n: 0.0 };
    assert!(matches!(
        rogan_gladen(part(0.5), empty, part(0.9)),
        Err(Undefined::TooFew { .. })
    ));
}
