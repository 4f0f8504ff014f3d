use super::*;
use crate::matrix::Clusters;
use crate::testing::{Noise, Rows, matrix, results};

/// Models of SpecV's boards: how many entered each track, 65 cells in all.
const TRACKS: [(&str, usize, usize); 6] = [
    ("understanding", 13, 200),
    ("t2i", 14, 400),
    ("edit", 11, 200),
    ("many2one", 11, 120),
    ("interleave", 8, 120),
    ("think_with_img", 8, 160),
];

/// Judges of SpecV's study: one of one family, three of another, one of a third.
const JUDGES: [(&str, &str); 5] = [
    ("gpt-4.1", "gpt"),
    ("gemini-2.5-flash-lite", "gemini"),
    ("gemini-2.5-flash", "gemini"),
    ("gemini-3-flash", "gemini"),
    ("qwen-3.5-plus", "qwen"),
];

/// A judge's verdicts on the ragged matrix: model m meets a specification with a probability that
/// grows with m, and the judge errs at rate `error` in its own way.
fn judged(judge: usize, error: f64, instances: impl Fn(usize) -> usize) -> verispec_model::Results {
    let names: Vec<String> = (0..14).map(|m| format!("m{m:02}")).collect();
    let models: Vec<(&str, Vec<(&str, Rows)>)> = names
        .iter()
        .enumerate()
        .map(|(m, name)| {
            let entered = TRACKS.iter().filter(|(_, models, _)| m < *models);
            let tracks =
                entered.map(|(track, _, n)| (*track, rows(track, m, judge, error, instances(*n))));
            (name.as_str(), tracks.collect())
        })
        .collect();
    results(&TRACKS.map(|t| t.0), &models)
}

fn rows(track: &str, model: usize, judge: usize, error: f64, n: usize) -> Rows {
    (0..n)
        .map(|i| {
            let truth_seed = (i * 1009 + model * 31 + track.len() * 7) as u64;
            let mut truth = Noise(truth_seed);
            let mut judge = Noise(truth_seed ^ ((judge as u64 + 1) << 40));
            let verdicts = (0..6)
                .map(|_| {
                    let met = truth.unit() < 0.35 + 0.035 * model as f64;
                    Some(met != (judge.unit() < error))
                })
                .collect();
            (format!("d{}", i * 4 / n), format!("i{i:04}"), verdicts)
        })
        .collect()
}

fn ragged(
    error: f64,
    group: &'static str,
    instances: impl Fn(usize) -> usize + Copy,
) -> Vec<Named> {
    JUDGES
        .iter()
        .enumerate()
        .map(|(j, (name, family))| (*name, Some(*family), group, judged(j, error, instances)))
        .collect()
}

type Named = (
    &'static str,
    Option<&'static str>,
    &'static str,
    verispec_model::Results,
);

fn few(options: Options) -> Options {
    Options {
        draws: 200,
        ..options
    }
}

#[test]
fn places_count_up() {
    for n in 2..7 {
        let mut next = 0;
        for i in 0..n {
            for j in i + 1..n {
                assert_eq!(pairs::place(i, j, n), next);
                next += 1;
            }
        }
        assert_eq!(next, pairs::count(n));
    }
}

#[test]
fn the_ragged_matrix_of_65_cells() {
    let m = matrix(&ragged(0.1, "svp", |n| n / 8), &Clusters::new());
    let cells: usize = m.tracks.iter().map(|t| t.models.len()).sum();
    assert_eq!(cells, 65);
    let study = stability(&m, &few(Options::default()));
    let pairs: Vec<(Selection, usize)> = study
        .overall
        .iter()
        .map(|s| (s.selection, s.pairs))
        .collect();
    // Three families: three pairs inside the middle one, seven across, three if each is
    // represented once, as the published edit figures demand.
    assert_eq!(
        pairs,
        [
            (Selection::All, 10),
            (Selection::Intra, 3),
            (Selection::CrossAllPairs, 7),
            (Selection::CrossOnePerFamily, 3)
        ]
    );
    for summary in &study.overall {
        let tau = summary.tau_b.value.unwrap();
        let interval = summary.tau_b.interval.unwrap();
        assert!(tau > 0.7 && tau <= 1.0, "{tau}");
        assert!(interval.low < interval.high && interval.high <= 1.0);
        assert!(summary.tau_b.within.unwrap() >= 0.95);
        assert!(summary.rho.value.unwrap() > tau);
    }
    // The mean over tracks of the tracks' means, by hand.
    let of_tracks: Vec<f64> = study
        .tracks
        .iter()
        .map(|t| {
            let taus = t.pairs.iter().map(|p| p.tau_b.value.unwrap());
            taus.sum::<f64>() / 10.0
        })
        .collect();
    let by_hand = of_tracks.iter().sum::<f64>() / 6.0;
    assert!((study.overall[0].tau_b.value.unwrap() - by_hand).abs() < 1e-12);
}

#[test]
fn every_pair_is_tau_of_the_scores() {
    let m = matrix(&ragged(0.2, "svp", |n| n / 10), &Clusters::new());
    let study = stability(&m, &few(Options::default()));
    for (track, of) in m.tracks.iter().zip(&study.tracks) {
        for pair in &of.pairs {
            let (a, b) = pair.levels;
            let scores = |l| complete(track, l).unwrap();
            let tau = verispec_stats::rank::tau_b(&scores(a), &scores(b)).unwrap();
            assert_eq!(pair.tau_b.value, Some(tau));
        }
        assert_eq!(of.ranks.len(), 5 * of.models.len());
        for range in &of.ranks {
            assert!(range.best <= range.worst && range.worst <= of.models.len());
        }
    }
}

#[test]
fn a_noisier_protocol_is_less_stable_and_the_interval_says_so() {
    let mut levels = ragged(0.05, "independent", |n| n / 4);
    levels.extend(ragged(0.4, "holistic", |n| n / 4));
    let study = stability(&matrix(&levels, &Clusters::new()), &few(Options::default()));
    let all = |d: &&Difference| d.selection == Selection::All;
    let difference = study.differences.iter().find(all).unwrap();
    assert_eq!(
        (difference.minuend.as_str(), difference.subtrahend.as_str()),
        ("independent", "holistic")
    );
    assert!(difference.tau_b.value.unwrap() > 0.0);
    assert!(difference.tau_b.interval.unwrap().low > 0.0);
    // Pairs never cross groups.
    for pair in study.tracks.iter().flat_map(|t| &t.pairs) {
        assert!(["independent", "holistic"].contains(&pair.group.as_str()));
    }
    assert_eq!(study.tracks[0].pairs.len(), 20);
}

/// Noise lowers tau: the interval of the true scores lies higher than the percentile interval, which
/// stays to be had by its name.
#[test]
fn noise_is_taken_off() {
    let m = matrix(&ragged(0.2, "svp", |n| n / 8), &Clusters::new());
    let of = |intervals| {
        let options = few(Options {
            intervals,
            ..Options::default()
        });
        let study = stability(&m, &options);
        assert_eq!(study.intervals, intervals);
        study.overall[0].tau_b.clone()
    };
    let (own, plain) = (of(Intervals::TrueScores), of(Intervals::Percentile));
    assert_eq!(own.value, plain.value);
    let (high, low) = (own.interval.unwrap(), plain.interval.unwrap());
    assert!(
        high.low > low.low && high.high > low.high,
        "{high:?} {low:?}"
    );
    assert!(own.bias.unwrap() > 0.0 && plain.bias.unwrap() < 0.0);
    assert_eq!(plain.within, None);
}

/// Three models say nothing of how judges vary together.
#[test]
fn three_models_have_no_interval_and_it_is_said() {
    let mut levels = ragged(0.1, "svp", |n| n / 20);
    for level in &mut levels {
        level.3.models.truncate(3);
    }
    let m = matrix(&levels, &Clusters::new());
    let study = stability(&m, &few(Options::default()));
    let tau = &study.overall[0].tau_b;
    assert!(tau.value.is_some() && tau.interval.is_none());
    assert_eq!(tau.undefined_draws, 200);
    assert_eq!(study.warnings.len(), 6);
    assert!(study.warnings.iter().all(|w| w.contains("no interval")));
    let options = few(Options {
        intervals: Intervals::Percentile,
        ..Options::default()
    });
    assert!(stability(&m, &options).overall[0].tau_b.interval.is_some());
}

/// All judges rank the models the same way, people the other way round.
#[test]
fn agreement_without_validity_is_named() {
    let m = matrix(&ragged(0.0, "svp", |n| n / 8), &Clusters::new());
    let mut human = HumanScores::new();
    for track in &m.tracks {
        for (i, model) in track.models.iter().enumerate() {
            human.insert((track.name.clone(), model.clone()), -(i as f64));
        }
    }
    let options = few(Options {
        human,
        ..Options::default()
    });
    let study = stability(&m, &options);
    assert_eq!(study.overall[0].tau_b.value, Some(1.0));
    for level in &study.levels {
        assert!(level.human_tau.as_ref().unwrap().value.unwrap() < -0.7);
    }
    assert!(
        study
            .warnings
            .iter()
            .any(|w| w.contains("not shown to be valid"))
    );
    let without = stability(&m, &few(Options::default()));
    assert!(without.warnings.is_empty());
}

#[test]
fn models_that_a_judge_lacks_are_left_out_and_named() {
    let mut levels = ragged(0.1, "svp", |n| n / 20);
    levels[3].3.models.retain(|m| m.model != "m02");
    let m = matrix(&levels, &Clusters::new());
    for track in &m.tracks {
        let left: Vec<(&str, &str)> = track.left_out.iter().map(|(m, l)| (&**m, &**l)).collect();
        assert_eq!(left, [("m02", "gemini-3-flash")]);
        assert!(!track.models.contains(&"m02".to_owned()));
    }
}

#[test]
fn level_scores_are_undefined_and_not_zero() {
    let flat = |rows: usize| -> Rows {
        (0..rows)
            .map(|i| ("d".to_owned(), format!("i{i}"), vec![Some(true)]))
            .collect()
    };
    let one = || {
        results(
            &["t"],
            &[("a", vec![("t", flat(3))]), ("b", vec![("t", flat(3))])],
        )
    };
    let levels = [("x", None, "g", one()), ("y", None, "g", one())];
    let study = stability(&matrix(&levels, &Clusters::new()), &few(Options::default()));
    let pair = &study.tracks[0].pairs[0];
    assert_eq!(pair.kind, Kind::Unknown);
    assert_eq!(pair.tau_b.value, None);
    let text = serde_json::to_string(&study).unwrap();
    assert!(text.contains("\"reason\""));
    assert!(!text.contains("NaN"));
    assert_eq!(study.overall[0].undefined, 1);
}
