use std::sync::Arc;

use proptest::prelude::*;

use super::super::opinion::{rate, ruled};
use super::super::{by_category, uniform};
use super::*;
use crate::reading::{Unjudged, YesNo};
use crate::results::*;
use crate::suite::SpecRules;

/// A specification: its label, what it presupposes, and `Y` met, `N` unmet, `?` unjudged,
/// `.` pending.
fn spec(id: u32, depends_on: &[u32], letter: char) -> SpecResult {
    let reading = match letter {
        'Y' => Some(Reading::yes_no(YesNo::Yes)),
        'N' => Some(Reading::yes_no(YesNo::No)),
        '?' => Some(Reading::Unjudged(Unjudged::Unparsed)),
        _ => None,
    };
    let spec = Specification {
        id,
        question: format!("q{id}?"),
        category: String::new(),
        subcategory: String::new(),
        expected: YesNo::Yes,
        rating: None,
        rules: SpecRules {
            depends_on: depends_on.to_vec(),
            ..SpecRules::default()
        },
        record: Default::default(),
    };
    SpecResult {
        reading,
        ..SpecResult::pending(spec)
    }
}

/// A chain: each specification presupposes the one before it.
fn chain(letters: &str) -> Vec<SpecResult> {
    let each = (1..).zip(letters.chars());
    each.map(|(id, letter)| match id {
        1 => spec(1, &[], letter),
        _ => spec(id, &[id - 1], letter),
    })
    .collect()
}

fn policy(dependencies: DependencyRule) -> Policy {
    let rules = Rules {
        dependencies,
        ..Rules::PLAIN
    };
    Policy {
        rules,
        ..Policy::default()
    }
}

fn letters(specs: &[SpecResult], policy: Policy) -> String {
    let letter = |o: Option<bool>| match o {
        Some(true) => 'Y',
        Some(false) => 'N',
        None => '?',
    };
    outcomes(specs, policy).into_iter().map(letter).collect()
}

const RULES: [DependencyRule; 4] = [
    DependencyRule::Ignore,
    DependencyRule::Published,
    DependencyRule::Direct,
    DependencyRule::Transitive,
];

#[test]
fn a_chain_under_every_rule() {
    let under = |text| RULES.map(|rule| letters(&chain(text), policy(rule)));
    assert_eq!(under("YYY"), ["YYY", "YYY", "YYY", "YYY"]);
    assert_eq!(under("NYY"), ["NYY", "NNY", "NNY", "NNN"]);
    assert_eq!(under("YNY"), ["YNY", "YNN", "YNN", "YNN"]);
    // An undecided gate leaves open what is not unmet itself; a pending one too.
    assert_eq!(under("?YN"), ["?YN", "??N", "??N", "??N"]);
    assert_eq!(under(".YY"), ["?YY", "??Y", "??Y", "???"]);
    // One unmet gate decides, whatever else is undecided.
    assert_eq!(under("N?Y"), ["N?Y", "NN?", "NN?", "NNN"]);
}

#[test]
fn one_unreadable_dependency_drops_all_of_its_instance_in_published_only() {
    let mut specs = chain("NYY");
    Arc::make_mut(&mut specs[2].spec).rules = SpecRules {
        unreadable_dependency: true,
        ..SpecRules::default()
    };
    let under = RULES.map(|rule| letters(&specs, policy(rule)));
    assert_eq!(under, ["NYY", "NYY", "NNY", "NNY"]);
}

#[test]
fn unjudged_gates_count_as_unmet_where_judge_failures_do() {
    let na = Policy {
        unjudged: UnjudgedRule::Na,
        ..policy(DependencyRule::Direct)
    };
    assert_eq!(letters(&chain("?YY"), na), "NNY");
    assert_eq!(
        letters(&chain(".YY"), na),
        "??Y",
        "pending is not a failure"
    );
}

#[test]
fn unknown_labels_and_circles_do_no_harm() {
    let specs = [spec(1, &[7], 'Y'), spec(2, &[2], 'Y')];
    for rule in RULES {
        assert_eq!(letters(&specs, policy(rule)), "YY");
    }
    let circle = [spec(1, &[2], 'Y'), spec(2, &[3], 'Y'), spec(3, &[1], 'N')];
    assert_eq!(letters(&circle, policy(DependencyRule::Transitive)), "NNN");
    assert_eq!(letters(&circle, policy(DependencyRule::Direct)), "YNN");
}

fn ratio(n: usize, d: usize) -> Ratio {
    Ratio::new(n, d).unwrap()
}

fn rated(specs: &[SpecResult], policy: Policy) -> (Option<Ratio>, Ratio, Ratio) {
    let rate = rate(specs, policy).unwrap();
    (rate.value, rate.low, rate.high)
}

#[test]
fn an_undecided_child_is_open_in_value_and_bounds() {
    let specs = chain("?YN");
    let direct = rated(&specs, policy(DependencyRule::Direct));
    assert_eq!(direct, (Some(ratio(0, 1)), ratio(0, 3), ratio(2, 3)));
    let plain = rated(&specs, policy(DependencyRule::Ignore));
    assert_eq!(plain, (Some(ratio(1, 2)), ratio(1, 3), ratio(2, 3)));
}

#[test]
fn weights_of_the_suite_and_ratings() {
    let mut specs = chain("YN?");
    for (spec, (weight, rating)) in specs.iter_mut().zip([(3.0, 9.5), (1.0, 8.0), (1.0, 8.33)]) {
        Arc::make_mut(&mut spec.spec).rules.weight = Some(weight);
        Arc::make_mut(&mut spec.spec).rating = Some(rating);
    }
    let under = |weights| {
        let rules = Rules {
            weights,
            ..Rules::PLAIN
        };
        rated(
            &specs,
            Policy {
                rules,
                ..Policy::default()
            },
        )
    };
    let own = under(WeightRule::Weight);
    assert_eq!(own, (Some(ratio(3, 4)), ratio(3, 5), ratio(4, 5)));
    let by_rating = under(WeightRule::Rating);
    assert_eq!(
        by_rating.0,
        Some(ratio(950, 950 + 800)),
        "exact in the decimals"
    );
    assert_eq!(by_rating.1, ratio(950, 950 + 800 + 833));
    Arc::make_mut(&mut specs[1].spec).rating = None;
    let rules = Rules {
        weights: WeightRule::Rating,
        ..Rules::PLAIN
    };
    let lacking = Policy {
        rules,
        ..Policy::default()
    };
    assert_eq!(rated(&specs, lacking), (None, ratio(0, 1), ratio(1, 1)));
    Arc::make_mut(&mut specs[1].spec).rating = Some(-1.0);
    assert_eq!(rated(&specs, lacking).0, None, "no weight below 0");
}

#[test]
fn a_critical_specification_decides_alone() {
    let rules = Rules {
        critical: CriticalRule::Gate,
        ..Rules::PLAIN
    };
    let gate = Policy {
        rules,
        ..Policy::default()
    };
    let with = |text: &str| {
        let mut specs = chain(text);
        Arc::make_mut(&mut specs[0].spec).rules.critical = true;
        rated(&specs, gate)
    };
    let zero = || ratio(0, 1);
    assert_eq!(with("NYY"), (Some(zero()), zero(), zero()));
    assert_eq!(with("YYN").0, Some(ratio(2, 3)));
    assert_eq!(with("?YN"), (None, zero(), ratio(2, 3)));
    assert_eq!(with("N??"), (Some(zero()), zero(), zero()));
}

fn results(specs: Vec<SpecResult>) -> Results {
    let instance = |id: &str, state| InstanceResult {
        id: id.into(),
        state,
    };
    let dimension = DimensionResults {
        name: "d".into(),
        instances: vec![
            instance("a", InstanceState::Generated(specs)),
            instance("b", InstanceState::OutputFailed(OutputFailure::Missing, 3)),
        ],
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
        measure: crate::vote::Measure::Specifications,
        warnings: vec![],
    }
}

#[test]
fn categories_are_gated_by_specifications_of_others() {
    let mut specs = chain("NYY");
    for (spec, category) in specs.iter_mut().zip(["entity", "attribute", "attribute"]) {
        Arc::make_mut(&mut spec.spec).category = category.into();
    }
    let results = results(specs);
    let scores = |rule| {
        let found = by_category(&results, policy(rule));
        let values = found.iter().map(|c| (c.category.clone(), c.specifications));
        let percent = found.iter().map(|c| c.score.as_ref().map(|s| s.value));
        (values.collect::<Vec<_>>(), percent.collect::<Vec<_>>())
    };
    let names = vec![("attribute".to_owned(), 2), ("entity".to_owned(), 1)];
    let plain = vec![Some(100.0), Some(0.0)];
    assert_eq!(scores(DependencyRule::Ignore), (names.clone(), plain));
    let direct = vec![Some(50.0), Some(0.0)];
    assert_eq!(scores(DependencyRule::Direct), (names, direct));
}

#[test]
fn the_name_of_a_policy_says_its_rules() {
    let policy = Policy {
        rules: Rules {
            dependencies: DependencyRule::Transitive,
            weights: WeightRule::Rating,
            critical: CriticalRule::Gate,
        },
        ..Policy::default()
    };
    assert_eq!(
        policy.to_string(),
        "scoring=uniform missing=zero unjudged=exclude dependencies=transitive weights=rating \
         critical=gate"
    );
    let json = serde_json::to_value(Policy::default()).unwrap();
    assert_eq!(
        json.get("rules"),
        None,
        "documents of plain policies stay as they are"
    );
}

/// Instances with dependencies that point anywhere, also in circles.
fn instances() -> impl Strategy<Value = Vec<SpecResult>> {
    let one = (proptest::collection::vec(1u32..9, 0..3), "[YN?.]");
    proptest::collection::vec(one, 1..8).prop_map(|all| {
        let each = (1..).zip(all);
        each.map(|(id, (parents, letter))| spec(id, &parents, letter.chars().next().unwrap()))
            .collect()
    })
}

/// All ways to decide what is undecided.
fn completions(specs: &[SpecResult]) -> Vec<Vec<SpecResult>> {
    let mut done = vec![vec![]];
    for spec in specs {
        let readings: Vec<YesNo> = match spec.verdict() {
            Some(verdict) => vec![verdict],
            None => vec![YesNo::Yes, YesNo::No],
        };
        done = done
            .into_iter()
            .flat_map(|before: Vec<SpecResult>| {
                readings.iter().map(move |verdict| {
                    let mut next = before.clone();
                    next.push(spec.clone());
                    let last = next.len() - 1;
                    next[last].reading = Some(Reading::yes_no(*verdict));
                    next
                })
            })
            .collect();
    }
    done
}

proptest! {
    /// Undecided exactly where the missing verdicts could decide either way, by brute force.
    #[test]
    fn three_values_are_what_all_completions_agree_on(specs in instances(), rule in 0usize..4) {
        let policy = policy(RULES[rule]);
        let complete: Vec<Vec<Option<bool>>> =
            completions(&specs).iter().map(|c| outcomes(c, policy)).collect();
        for (i, outcome) in outcomes(&specs, policy).into_iter().enumerate() {
            let first = complete[0][i];
            let agree = complete.iter().all(|c| c[i] == first);
            prop_assert_eq!(outcome, if agree { first } else { None });
        }
    }

    /// The bounds are the lowest and highest rate over all ways to decide what is undecided.
    #[test]
    fn bounds_are_attained(specs in instances(), rule in 0usize..4) {
        let policy = policy(RULES[rule]);
        let found = ruled(&specs, policy, |_| true).unwrap();
        let rates: Vec<Ratio> = completions(&specs)
            .iter()
            .map(|c| ruled(c, policy, |_| true).unwrap().value.unwrap())
            .collect();
        prop_assert_eq!(&found.low, rates.iter().min().unwrap());
        prop_assert_eq!(&found.high, rates.iter().max().unwrap());
    }

    /// Transitive gating is direct gating repeated until nothing changes.
    #[test]
    fn transitive_is_the_fixed_point_of_direct(specs in instances()) {
        let mut step = specs.clone();
        for _ in 0..specs.len() {
            let next = outcomes(&step, policy(DependencyRule::Direct));
            for (spec, outcome) in step.iter_mut().zip(next) {
                spec.reading = outcome.map(|met| {
                    Reading::yes_no(if met { YesNo::Yes } else { YesNo::No })
                });
            }
        }
        let direct = outcomes(&step, policy(DependencyRule::Ignore));
        prop_assert_eq!(outcomes(&specs, policy(DependencyRule::Transitive)), direct);
    }

    /// Rules that change nothing leave every number as the plain rule has it.
    #[test]
    fn equal_weights_score_as_the_plain_rule(text in "[YN?.]{1,9}") {
        let mut specs = chain(&text);
        for spec in &mut specs {
            Arc::make_mut(&mut spec.spec).rules = SpecRules { weight: Some(2.5), ..SpecRules::default() };
        }
        let rules = Rules { weights: WeightRule::Weight, ..Rules::PLAIN };
        let weighted = Policy { rules, ..Policy::default() };
        let results = results(specs);
        let (a, b) = (uniform(&results, Policy::default()), uniform(&results, weighted));
        prop_assert_eq!(a.models, b.models);
    }
}
