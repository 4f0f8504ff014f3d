use proptest::prelude::*;

use super::*;
use crate::reading::{Reading, Unjudged, YesNo};
use crate::results::*;
use crate::suite::Specification;

fn spec(id: u32, reading: Option<Reading>) -> SpecResult {
    let spec = Specification {
        id,
        question: format!("q{id}?"),
        category: String::new(),
        subcategory: String::new(),
        expected: YesNo::Yes,
        rating: None,
        rules: crate::suite::SpecRules::default(),
        record: Default::default(),
    };
    SpecResult {
        reading,
        ..SpecResult::pending(spec)
    }
}

fn generated(verdicts: &[Option<bool>]) -> InstanceState {
    let specs = verdicts.iter().enumerate().map(|(i, v)| {
        let reading = match v {
            Some(true) => Reading::yes_no(YesNo::Yes),
            Some(false) => Reading::yes_no(YesNo::No),
            None => Reading::Unjudged(Unjudged::Unparsed),
        };
        spec(u32::try_from(i).unwrap() + 1, Some(reading))
    });
    InstanceState::Generated(specs.collect())
}

fn results(states: Vec<InstanceState>) -> Results {
    let instances = states
        .into_iter()
        .enumerate()
        .map(|(i, state)| InstanceResult {
            id: format!("i{i}"),
            state,
        })
        .collect();
    let dimension = DimensionResults {
        name: "d".into(),
        instances,
        folder_present: true,
    };
    let track = TrackResults {
        track: "t".into(),
        dimensions: vec![dimension],
        partial: false,
    };
    Results {
        suite: "s".into(),
        all_tracks: vec!["t".into()],
        models: vec![ModelResults {
            model: "m".into(),
            tracks: vec![track],
        }],
        measure: crate::vote::Measure::default(),
        warnings: vec![],
    }
}

fn track_score(states: Vec<InstanceState>, policy: Policy) -> TrackScore {
    uniform(&results(states), policy).models[0].tracks[0].clone()
}

#[test]
fn paper_worked_example_is_exactly_two_thirds() {
    let t = track_score(
        vec![generated(&[Some(true), Some(true), Some(false)])],
        Policy::default(),
    );
    assert_eq!(t.score.unwrap().exact, Ratio::new(2, 3));
}

#[test]
fn a01_unjudged_is_neither_met_nor_unmet() {
    let t = track_score(
        vec![generated(&[Some(true), Some(false), None])],
        Policy::default(),
    );
    let score = t.score.unwrap();
    assert_eq!(score.exact, Ratio::new(1, 2));
    assert!((t.counters.coverage().unwrap() - 2.0 / 3.0).abs() < 1e-12);
    assert!((score.low - 100.0 / 3.0).abs() < 1e-9 && (score.high - 200.0 / 3.0).abs() < 1e-9);
}

#[test]
fn b01_missing_outputs_score_zero_by_default_and_are_excluded_by_name() {
    let states = || {
        let nine_of_ten: Vec<_> = (0..10).map(|i| Some(i != 0)).collect();
        let eight_of_ten: Vec<_> = (0..10).map(|i| Some(i > 1)).collect();
        vec![
            generated(&nine_of_ten),
            generated(&eight_of_ten),
            InstanceState::OutputFailed(OutputFailure::Missing, 10),
            InstanceState::OutputFailed(OutputFailure::Missing, 10),
        ]
    };
    let zero = track_score(states(), Policy::default());
    assert_eq!(zero.score.unwrap().exact, Ratio::new(425, 1000));
    assert_eq!(zero.counters.failed_instances["missing"], 2);
    let exclude = Policy {
        missing: MissingRule::Exclude,
        ..Policy::default()
    };
    assert_eq!(
        track_score(states(), exclude).score.unwrap().exact,
        Ratio::new(85, 100)
    );
}

#[test]
fn nothing_judged_is_undefined() {
    let t = track_score(vec![generated(&[None, None])], Policy::default());
    assert_eq!(t.score, None);
    assert!(!t.rankable);
}

#[test]
fn unjudgeable_instances_are_nobodys_zero() {
    let data = InstanceState::Unjudgeable(DataFailure::Reference("a.png".into()), 3);
    let t = track_score(vec![generated(&[Some(true)]), data], Policy::default());
    assert_eq!(t.score.unwrap().exact, Ratio::new(1, 1));
    assert_eq!(t.counters.unjudgeable, 3);
}

#[test]
fn all_met_is_three_valued() {
    let states = vec![
        generated(&[Some(true), Some(true)]),
        generated(&[Some(true), None]),
        generated(&[Some(false), None]),
    ];
    assert_eq!(track_score(states, Policy::default()).all_met, Some(50.0));
}

#[test]
fn nothing_is_not_all_met() {
    let states = vec![generated(&[]), generated(&[Some(false)])];
    assert_eq!(track_score(states, Policy::default()).all_met, Some(0.0));
}

#[test]
fn average_needs_every_track() {
    let mut r = results(vec![generated(&[Some(true)])]);
    r.all_tracks.push("other".into());
    assert_eq!(uniform(&r, Policy::default()).models[0].average, None);
}

fn verdicts() -> impl Strategy<Value = Vec<Option<bool>>> {
    prop::collection::vec(prop::option::weighted(0.8, any::<bool>()), 1..40)
}

proptest! {
    #[test]
    fn counters_add_up(v in verdicts(), failed in 0usize..5) {
        let mut c = Counters::of(&generated(&v));
        c += &Counters::of(&InstanceState::OutputFailed(OutputFailure::Empty, failed));
        prop_assert_eq!(c.expected, c.generated + c.output_failed);
        prop_assert_eq!(c.generated, c.judged + c.unjudged + c.unjudgeable + c.pending);
    }

    #[test]
    fn one_changed_verdict_moves_an_instance_by_one_over_k(v in prop::collection::vec(any::<bool>(), 1..40), at in any::<prop::sample::Index>()) {
        let k = v.len();
        let at = at.index(k);
        let mut w = v.clone();
        w[at] = !w[at];
        let rate = |v: &[bool]| {
            let v: Vec<_> = v.iter().copied().map(Some).collect();
            track_score(vec![generated(&v)], Policy::default()).score.unwrap().exact.unwrap()
        };
        let (low, high) = if v[at] { (rate(&w), rate(&v)) } else { (rate(&v), rate(&w)) };
        prop_assert_eq!(low + Ratio::new(1, k).unwrap(), high);
    }

    #[test]
    fn bounds_hold(v in verdicts()) {
        if let Some(s) = track_score(vec![generated(&v)], Policy::default()).score {
            prop_assert!(s.low <= s.value + 1e-9 && s.value <= s.high + 1e-9);
        }
    }
}
