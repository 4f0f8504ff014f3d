use verispec_model::{Answer, InstanceState, Reading, Results, SpecResult, YesNo};

use super::*;
use crate::matrix::Clusters;
use crate::testing::{Noise, Rows, matrix, results};

const INSTANCES: usize = 80;
const SPECS: usize = 6;

const fn other(answer: YesNo) -> YesNo {
    match answer {
        YesNo::Yes => YesNo::No,
        YesNo::No => YesNo::Yes,
    }
}

/// Outputs that meet most of what is asked, by a judge without noise.
fn plain() -> Results {
    let mut noise = Noise(11);
    let rows: Rows = (0..INSTANCES)
        .map(|i| {
            let met = (0..SPECS).map(|_| Some(noise.unit() < 0.8)).collect();
            (format!("d{}", i / 40), format!("{i:02}"), met)
        })
        .collect();
    results(
        &["t"],
        &[("a", vec![("t", rows.clone())]), ("b", vec![("t", rows)])],
    )
}

fn each_spec(results: &mut Results, mut change: impl FnMut(usize, &mut SpecResult)) {
    for (m, model) in results.models.iter_mut().enumerate() {
        let dimensions = model.tracks.iter_mut().flat_map(|t| &mut t.dimensions);
        for instance in dimensions.flat_map(|d| &mut d.instances) {
            if let InstanceState::Generated(specs) = &mut instance.state {
                specs.iter_mut().for_each(|s| change(m, s));
            }
        }
    }
}

fn say(spec: &mut SpecResult, answer: YesNo) {
    spec.reading = Some(Reading::Answer(Answer::YesNo(answer)));
}

/// Turns the keys of odd labels round; `follow` says whether the judge then says what the key says.
fn flipped(mut follow: impl FnMut(usize) -> bool) -> Results {
    let mut results = plain();
    each_spec(&mut results, |m, spec| {
        if !spec.spec.id.is_multiple_of(2) {
            let turned = other(spec.spec.expected);
            std::sync::Arc::make_mut(&mut spec.spec).expected = turned;
            if follow(m) {
                let key = spec.spec.expected;
                say(spec, key);
            }
        }
    });
    results
}

fn noisy(seed: u64, rate: f64) -> Results {
    let mut noise = Noise(seed);
    let mut results = plain();
    each_spec(&mut results, |_, spec| {
        if noise.unit() < rate {
            let said = spec.verdict().unwrap();
            say(spec, other(said));
        }
    });
    results
}

fn study(flipped: Results, repeat: Option<Results>) -> Option<Leak> {
    let mut levels = vec![
        ("plain", None, "g", plain()),
        ("flipped", None, "g", flipped),
    ];
    levels.extend(repeat.map(|r| ("repeat", None, "g", r)));
    leak(&matrix(&levels, &Clusters::new()), Options::default())
}

#[test]
fn a_judge_that_looks_at_the_output_leaks_nothing() {
    let leak = study(flipped(|_| false), None).unwrap();
    assert_eq!(leak.rows.len(), 3);
    let all = &leak.rows[0];
    assert_eq!(all.turned.verdicts, 2 * INSTANCES * SPECS / 2);
    assert_eq!(all.kept.verdicts, all.turned.verdicts);
    assert_eq!(all.turned.difference.value, Some(0.0));
    assert_eq!((all.changes.clone(), leak.unpaired), (None, 0));
}

#[test]
fn a_judge_that_copies_the_key_of_one_model_is_found_there() {
    let leak = study(flipped(|model| model == 1), Some(noisy(3, 0.05))).unwrap();
    let row = |name: &str| {
        let found = leak.rows.iter().find(|r| r.model.as_deref() == Some(name));
        found.unwrap()
    };
    let (a, b) = (row("a"), row("b"));
    assert_eq!(a.turned.difference.value, Some(0.0));
    assert_eq!(b.turned.after, Some(1.0));
    // Of the turned ones, those that were met said the key's contrary.
    let before = b.turned.before.unwrap();
    assert!((0.1..0.3).contains(&before), "{before}");
    let interval = b.turned.difference.interval.unwrap();
    assert!(
        interval.low > 0.6 && interval.contains(1.0 - before),
        "{interval:?}"
    );
    assert_eq!(b.kept.difference.value, Some(0.0));
    let changes = b.changes.as_ref().unwrap();
    assert!((changes.flipped.unwrap() - (1.0 - before)).abs() < 1e-12);
    assert!((0.0..0.12).contains(&changes.repeat.unwrap()));
    let value = changes.flipped.unwrap() - changes.repeat.unwrap();
    assert!((changes.difference.value.unwrap() - value).abs() < 1e-12);
}

#[test]
fn noise_that_does_not_know_the_key_is_no_leak() {
    // A tenth of the verdicts differs, for no reason.
    let mut noise = Noise(21);
    let mut second = flipped(|_| false);
    each_spec(&mut second, |_, spec| {
        if noise.unit() < 0.1 {
            let said = spec.verdict().unwrap();
            say(spec, other(said));
        }
    });
    let first = noisy(8, 0.1);
    let levels = [("plain", None, "g", first), ("flipped", None, "g", second)];
    let leak = leak(&matrix(&levels, &Clusters::new()), Options::default()).unwrap();
    let interval = leak.rows[0].turned.difference.interval.unwrap();
    assert!(interval.contains(0.0), "{interval:?}");
}

#[test]
fn runs_with_the_same_keys_are_no_test() {
    assert_eq!(study(plain(), None), None);
}
