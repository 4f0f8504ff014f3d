//! Calibration error and Brier score.
#![allow(clippy::unwrap_used)]
mod common;

use common::{close, count, number, numbers, reference};
use verispec_stats::{
    Undefined,
    calibration::{Binning, brier, brier_weighted, calibration, calibration_weighted},
};

#[test]
fn second_implementation() {
    for row in reference()["calibration"].as_array().unwrap() {
        let p = numbers(&row["p"]);
        let y: Vec<bool> = row["y"]
            .as_array()
            .unwrap()
            .iter()
            .map(|y| y.as_bool().unwrap())
            .collect();
        let bins = count(&row["bins"]);
        let found = calibration(&p, &y, bins, Binning::EqualWidth).unwrap();
        close(found.ece, number(&row["ece"]), "ECE");
        assert_eq!(found.bins.iter().map(|bin| bin.n).sum::<usize>(), p.len());
        close(brier(&p, &y).unwrap(), number(&row["brier"]), "Brier");
    }
}

/// Brier 1950 scores a forecast of .7 for rain that comes .09 an event, and .25 for one of .5.
#[test]
fn by_hand() {
    close(brier(&[0.7], &[true]).unwrap(), 0.09, "Brier");
    close(brier(&[0.7, 0.5], &[true, false]).unwrap(), 0.17, "Brier");
    // Guo et al. 2017, equation 3: bins (0, .5] and (.5, 1].
    let (p, y) = ([0.1, 0.5, 0.6, 0.8], [false, true, true, true]);
    let found = calibration(&p, &y, 2, Binning::EqualWidth).unwrap();
    close(found.ece, 0.5 * (0.5 - 0.3) + 0.5 * (1.0 - 0.7), "ECE");
    close(found.largest, 0.3, "largest");
    // An edge belongs to the bin below it, whatever rounding does: 0.3 of ten bins is in the third.
    let edge = calibration(
        &[0.3, 0.3, 0.25],
        &[true, true, true],
        10,
        Binning::EqualWidth,
    )
    .unwrap();
    assert_eq!(edge.bins.len(), 1);
}

#[test]
fn equal_mass_bins_keep_ties_together() {
    let p = [0.9, 0.1, 0.9, 0.2, 0.9, 0.9];
    let y = [true, false, false, true, true, true];
    let found = calibration(&p, &y, 3, Binning::EqualMass).unwrap();
    let sizes: Vec<usize> = found.bins.iter().map(|bin| bin.n).collect();
    assert_eq!(sizes, [2, 4]);
    // The order of the input does not matter.
    let order = [5, 3, 0, 1, 4, 2];
    let (p2, y2): (Vec<f64>, Vec<bool>) = order.iter().map(|&i| (p[i], y[i])).unzip();
    assert_eq!(
        calibration(&p2, &y2, 3, Binning::EqualMass).unwrap().ece,
        found.ece
    );
    let even: Vec<f64> = (0..10).map(|i| f64::from(i) / 10.0).collect();
    let bins = calibration(&even, &[true; 10], 5, Binning::EqualMass)
        .unwrap()
        .bins;
    assert!(bins.iter().all(|bin| bin.n == 2));
}

#[test]
fn what_has_no_value_says_why() {
    assert!(matches!(brier(&[], &[]), Err(Undefined::TooFew { .. })));
    assert!(brier(&[0.5], &[]).unwrap_err().is_misuse());
    assert!(brier(&[1.5], &[true]).unwrap_err().is_misuse());
    assert!(
        calibration(&[f64::NAN], &[true], 5, Binning::EqualMass)
            .unwrap_err()
            .is_misuse()
    );
    assert!(matches!(
        calibration(&[0.5], &[true], 0, Binning::EqualWidth),
        Err(Undefined::TooFew { what: "bins", .. })
    ));
}

/// A weight of three is the same as three cases, and equal weights are none.
#[test]
fn weights_are_repetitions() {
    let (p, y) = ([0.1, 0.5, 0.6, 0.8], [false, true, true, false]);
    let weights = [3.0, 1.0, 1.0, 2.0];
    let repeated: Vec<usize> = vec![0, 0, 0, 1, 2, 3, 3];
    let (more_p, more_y): (Vec<f64>, Vec<bool>) = repeated.iter().map(|i| (p[*i], y[*i])).unzip();
    for bins in [1, 2, 5, 10] {
        let weighted = calibration_weighted(&p, &y, &weights, bins).unwrap();
        let plain = calibration(&more_p, &more_y, bins, Binning::EqualWidth).unwrap();
        close(weighted.ece, plain.ece, "ECE");
        close(weighted.largest, plain.largest, "largest");
        let equal = calibration_weighted(&p, &y, &[0.2; 4], bins).unwrap();
        let once = calibration(&p, &y, bins, Binning::EqualWidth).unwrap();
        close(equal.ece, once.ece, "ECE with equal weights");
        assert_eq!(equal.bins.len(), once.bins.len());
    }
    let weighted = brier_weighted(&p, &y, &weights).unwrap();
    close(weighted, brier(&more_p, &more_y).unwrap(), "Brier");
    for wrong in [[1.0, 0.0, 1.0, 1.0], [1.0, f64::NAN, 1.0, 1.0]] {
        let found = brier_weighted(&p, &y, &wrong);
        assert!(
            matches!(found, Err(Undefined::OutOfRange { .. })),
            "{found:?}"
        );
    }
    let short = calibration_weighted(&p, &y, &weights[..3], 2);
    assert!(matches!(short, Err(Undefined::Lengths { .. })), "{short:?}");
}
