use super::*;
use crate::matrix::Clusters;
use crate::testing::{Noise, Rows, matrix, results};

const OPTIONS: GateOptions = GateOptions {
    require: Require::NotWorse,
    min_delta: 0.0,
    alpha: 0.05,
    min_common: 0.0,
    each_track: false,
    draws: 2_000,
    seed: 0,
};

/// Instances of four specifications, of which so many are met.
fn rows(n: usize, met: impl Fn(usize) -> usize) -> Rows {
    (0..n)
        .map(|i| {
            let verdicts = (0..4).map(|s| Some(s < met(i))).collect();
            ("d".to_owned(), format!("{i:03}"), verdicts)
        })
        .collect()
}

fn two(tracks: &[&str], a: Vec<Rows>, b: Vec<Rows>) -> Matrix {
    let side = |rows: Vec<Rows>| {
        let rows: Vec<_> = tracks.iter().copied().zip(rows).collect();
        results(tracks, &[("x", rows)])
    };
    let levels = [("a", None, "g", side(a)), ("b", None, "g", side(b))];
    matrix(&levels, &Clusters::new())
}

fn gated(a: Rows, b: Rows, options: GateOptions) -> Check {
    let gate = gate(&two(&["t"], vec![a], vec![b]), &[], options);
    assert_eq!(gate.passed, gate.checks[0].passed);
    gate.checks[0].clone()
}

#[test]
fn a_shown_loss_fails_and_noise_does_not() {
    let base = rows(40, |_| 3);
    let lost = gated(base.clone(), rows(40, |i| 3 - i % 2), OPTIONS);
    assert_eq!((lost.shown, lost.passed), (Shown::Worse, false));
    assert_eq!(lost.difference.value, Some(-12.5));
    let noise = rows(40, |i| [2, 4, 3, 3][i % 4]);
    let same = gated(base.clone(), noise.clone(), OPTIONS);
    assert_eq!((same.shown, same.passed), (Shown::Unsure, true));
    // Nothing shows a gain either.
    let better = GateOptions {
        require: Require::Better,
        ..OPTIONS
    };
    assert!(!gated(base.clone(), noise, better).passed);
    let gained = gated(base, rows(40, |_| 4), better);
    assert_eq!((gained.shown, gained.passed), (Shown::Better, true));
}

#[test]
fn the_limit_moves_the_verdict() {
    let (a, b) = (rows(40, |_| 3), rows(40, |i| 3 - i % 2));
    let at = |min_delta| {
        let options = GateOptions {
            min_delta,
            ..OPTIONS
        };
        gated(a.clone(), b.clone(), options).shown
    };
    assert_eq!(at(-30.0), Shown::Better);
    assert_eq!(at(-12.5), Shown::Unsure);
    assert_eq!(at(5.0), Shown::Worse);
}

#[test]
fn a_few_instances_show_nothing() {
    // The bootstrap of three equal differences has no width; the test cannot reject.
    let found = gated(rows(3, |_| 4), rows(3, |_| 0), OPTIONS);
    let interval = found.difference.interval.unwrap();
    assert_eq!((interval.low, interval.high), (-100.0, -100.0));
    assert_eq!(found.p_worse, Some(0.125));
    assert_eq!((found.shown, found.passed), (Shown::Unsure, true));
    let found = gated(rows(5, |_| 4), rows(5, |_| 0), OPTIONS);
    assert_eq!(found.p_worse, Some(1.0 / 32.0));
    assert_eq!(found.shown, Shown::Worse);
}

#[test]
fn what_has_nothing_in_common_never_passes() {
    let unjudged: Rows = vec![("d".to_owned(), "000".to_owned(), vec![None; 4])];
    let found = gated(rows(1, |_| 4), unjudged, OPTIONS);
    assert_eq!((found.shown, found.passed), (Shown::Undefined, false));
    let none = Matrix {
        tracks: vec![],
        ..two(&["t"], vec![rows(1, |_| 4)], vec![rows(1, |_| 4)])
    };
    assert!(!gate(&none, &[], OPTIONS).passed);
}

#[test]
fn too_few_common_instances_fail() {
    let options = GateOptions {
        min_common: 0.9,
        ..OPTIONS
    };
    let found = gated(rows(10, |_| 3), rows(8, |_| 3), options);
    assert_eq!((found.common, found.instances), (8, 10));
    assert!(
        !found.passed && found.reason.contains("8 of 10"),
        "{}",
        found.reason
    );
}

#[test]
fn tracks_are_averaged_or_checked_each_at_its_share_of_alpha() {
    let tracks = ["t", "u"];
    let (base, loss, gain) = (rows(40, |_| 2), rows(40, |_| 1), rows(40, |_| 4));
    let both = two(&tracks, vec![base.clone(), base], vec![loss, gain]);
    let average = gate(&both, &[], OPTIONS);
    assert_eq!(average.checks[0].name, "average");
    assert_eq!(average.checks[0].difference.value, Some(12.5));
    assert!(average.passed);
    let options = GateOptions {
        each_track: true,
        ..OPTIONS
    };
    let each = gate(&both, &[], options);
    assert_eq!(each.alpha_each, 0.025);
    let passed: Vec<bool> = each.checks.iter().map(|c| c.passed).collect();
    assert_eq!((passed, each.passed), (vec![false, true], false));
}

/// Two noisy copies of the same model: a shown loss is an error of the gate, at most about alpha.
#[test]
fn equal_models_fail_about_as_often_as_alpha_says() {
    let mut noise = Noise(11);
    let mut sample = || -> Rows {
        (0..30)
            .map(|i| {
                let verdicts = (0..4).map(|_| Some(noise.unit() < 0.6)).collect();
                ("d".to_owned(), format!("{i:03}"), verdicts)
            })
            .collect()
    };
    let options = GateOptions {
        draws: 200,
        ..OPTIONS
    };
    let failed = (0..400)
        .filter(|_| !gated(sample(), sample(), options).passed)
        .count();
    // Mean 20 at alpha 0.05, standard deviation 4.4.
    assert!((1..=34).contains(&failed), "{failed} of 400");
}

#[test]
fn a_track_that_the_candidate_lacks_fails() {
    let base = rows(40, |_| 2);
    let one = two(&["t"], vec![base], vec![rows(40, |_| 4)]);
    assert!(gate(&one, &[], OPTIONS).passed);
    let lacking = Lacking {
        track: "u".to_owned(),
        instances: 12,
    };
    let found = gate(&one, &[lacking], OPTIONS);
    assert!(!found.passed && found.checks[0].passed);
    let absent = &found.checks[1];
    assert_eq!(
        (absent.name.as_str(), absent.common, absent.instances),
        ("u", 0, 12)
    );
    assert_eq!((absent.shown, absent.passed), (Shown::Undefined, false));
}
