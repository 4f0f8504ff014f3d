//! On the released files, read where they are.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use verispec_model::score::{DependencyRule, Policy, Rules, ScoreTable, outcomes, uniform};
use verispec_model::{InstanceState, Reading, Results, Unjudged};
use verispec_suites::dsg::{AnswerReader, Dataset, QuestionSet, load, read_tifa};
use verispec_testkit::data::{require_or_skip, test_data};

fn released() -> Option<&'static Dataset> {
    static LOADED: OnceLock<Option<Dataset>> = OnceLock::new();
    let load_it = || {
        let root = test_data()?.join("data/dsg");
        let root = require_or_skip(root.is_dir().then_some(root), "no data/dsg")?;
        Some(load(&root).unwrap_or_else(|e| panic!("{e}")))
    };
    LOADED.get_or_init(load_it).as_ref()
}

const JUDGES: [&str; 3] = ["instructblip", "mplug", "pali17b"];

#[test]
fn counts_are_those_of_the_files() {
    let Some(data) = released() else { return };
    let specs: usize = data
        .annotations
        .prompts
        .values()
        .map(|p| p.specifications.len())
        .sum();
    assert_eq!((data.annotations.prompts.len(), specs), (1060, 8182));
    let mut categories: BTreeMap<&str, usize> = BTreeMap::new();
    for spec in data
        .annotations
        .prompts
        .values()
        .flat_map(|p| &p.specifications)
    {
        *categories.entry(&spec.category).or_default() += 1;
    }
    let expected = [
        ("attribute", 1950),
        ("entity", 3395),
        ("global", 475),
        ("other", 293),
    ];
    assert_eq!(categories.remove("relation"), Some(2069));
    assert_eq!(categories.into_iter().collect::<Vec<_>>(), expected);
    assert_eq!(data.ratings.len(), 3995);
    assert_eq!(data.judges(), JUDGES);
    for judge in JUDGES {
        let rows = |set| data.file(judge, set).unwrap().rows.len();
        let rows = QuestionSet::ALL.map(rows);
        assert_eq!(rows, [11_858, 7_896, 3_178], "{judge}");
    }
}

#[test]
fn every_fault_is_named() {
    let Some(data) = released() else { return };
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for warning in &data.warnings {
        *kinds.entry(&warning.kind).or_default() += 1;
    }
    assert_eq!(kinds["malformed-dependency"], 10);
    assert_eq!(kinds["duplicated-question"], 3 * 76);
    assert_eq!(
        kinds["wrapped-question"], 1,
        "PaLI's answers to TIFA's questions"
    );
    assert_eq!(kinds["few-ratings"], 4);
    assert_eq!(kinds["repeated-label"], 3);
    assert_eq!(kinds["absent-item"], 3);
    // Of two files of prompts: 8 and 2 unknown; the unused one lacks 78 questions.
    assert_eq!(kinds["self-dependency"], 44);
    assert_eq!(kinds["unknown-dependency"], 10);
    assert_eq!(kinds["empty-question"], 78);
    assert_eq!(kinds.len(), 9, "{kinds:?}");
    for judge in JUDGES {
        let file = format!("{judge}_dsg.csv");
        let of = |kind: &str| {
            let here = data.warnings.iter().filter(|w| w.place.starts_with(&file));
            here.filter(|w| w.kind == kind).count()
        };
        assert_eq!(of("duplicated-question"), 76, "{judge}");
        let absent = format!("{file}: tifa160_134");
        assert!(
            data.warnings
                .iter()
                .any(|w| w.kind == "absent-item" && w.place == absent)
        );
    }
    let malformed: Vec<&str> = data
        .warnings
        .iter()
        .filter(|w| w.kind == "malformed-dependency")
        .map(|w| w.message.split(':').next().unwrap())
        .collect();
    assert_eq!(
        malformed,
        [
            "posescript_69 #9",
            "posescript_41 #10",
            "posescript_55 #8",
            "stanford_paragraph_54 #13",
            "tifa160_67 #8",
            "stanford_paragraph_55 #10",
            "stanford_paragraph_72 #14",
            "posescript_19 #8",
            "posescript_19 #10",
            "posescript_19 #12",
        ]
    );
}

fn readings(results: &Results, track: &str) -> [usize; 3] {
    let mut counts = [0; 3];
    for track in results
        .models
        .iter()
        .flat_map(|m| &m.tracks)
        .filter(|t| t.track == track)
    {
        for instance in track.dimensions.iter().flat_map(|d| &d.instances) {
            let InstanceState::Generated(specs) = &instance.state else {
                continue;
            };
            for spec in specs {
                match (&spec.reading, spec.met()) {
                    (_, Some(true)) => counts[0] += 1,
                    (_, Some(false)) => counts[1] += 1,
                    (Some(Reading::Unjudged(Unjudged::Unparsed)), None) => counts[2] += 1,
                    other => panic!("{other:?}"),
                }
            }
        }
    }
    counts
}

/// What says neither yes nor no is unjudged by default and a no as released.
#[test]
fn readings_of_real_judges() {
    let Some(data) = released() else { return };
    let count = |judge, reader, track| readings(&data.results(judge, reader, None).unwrap(), track);
    use AnswerReader::{Default, Published};
    assert_eq!(count("mplug", Published, "dsg"), [10_552, 1_306, 0]);
    assert_eq!(
        count("mplug", Default, "dsg"),
        [10_552, 1_292, 14],
        "\"no bus\" is no answer"
    );
    // "yes 1000..." says yes, "no\n<1000..." says no; numbers alone say nothing.
    assert_eq!(count("instructblip", Published, "dsg"), [10_828, 1_030, 0]);
    assert_eq!(count("instructblip", Default, "dsg"), [10_839, 956, 63]);
    assert_eq!(count("pali17b", Published, "dsg"), [9_753, 2_105, 0]);
    assert_eq!(count("pali17b", Default, "dsg"), [9_753, 2_023, 82]);
    assert_eq!(count("pali17b", Published, "vq2a"), [2_041, 1_137, 0]);
    assert_eq!(count("pali17b", Default, "vq2a"), [2_041, 180, 957]);
}

fn scores(results: &Results, dependencies: DependencyRule) -> ScoreTable {
    let rules = Rules {
        dependencies,
        ..Rules::PLAIN
    };
    uniform(
        results,
        Policy {
            rules,
            ..Policy::default()
        },
    )
}

/// Means over the 160 items, the absent one counting 0 as in the released scorer, percent.
fn means(table: &ScoreTable) -> Vec<String> {
    let mean = |m: &verispec_model::score::ModelScore| {
        let dimension = &m.track("dsg").expect("entered").dimensions[0];
        assert_eq!(dimension.instances.len(), 160);
        let sum: f64 = dimension.instances.iter().filter_map(|(_, s)| *s).sum();
        format!("{:.2}", sum / 160.0)
    };
    table
        .models
        .iter()
        .filter(|m| m.track("dsg").is_some())
        .map(mean)
        .collect()
}

#[test]
fn model_means_with_dependencies() {
    let Some(data) = released() else { return };
    let means = |judge, rule| {
        let results = data
            .results(judge, AnswerReader::Published, Some("tifa160"))
            .unwrap();
        means(&scores(&results, rule))
    };
    let direct = DependencyRule::Direct;
    assert_eq!(
        means("mplug", direct),
        ["90.45", "87.92", "87.15", "93.33", "89.86"]
    );
    assert_eq!(
        means("instructblip", direct),
        ["91.63", "90.99", "90.10", "94.75", "91.01"]
    );
    assert_eq!(
        means("pali17b", direct),
        ["84.28", "81.52", "81.26", "88.11", "81.68"]
    );
    // The one item with an unreadable dependency keeps its other dependencies under `direct`.
    let published = means("pali17b", DependencyRule::Published);
    assert_eq!(published, ["84.28", "81.52", "81.32", "88.11", "81.68"]);
}

#[test]
fn the_absent_item_is_nobodys_score_and_other_sources_are_told_apart() {
    let Some(data) = released() else { return };
    let results = data.results("mplug", AnswerReader::Default, None).unwrap();
    assert_eq!(results.all_tracks, ["dsg", "vq2a"]);
    for model in &results.models {
        let dsg = model.tracks.iter().find(|t| t.track == "dsg");
        let Some(dsg) = dsg else {
            assert!(["imagen2dot4", "muse2dot3"].contains(&model.model.as_str()));
            continue;
        };
        let all = model.model == "sd2dot1";
        assert_eq!(
            (dsg.dimensions.len(), dsg.partial),
            if all { (10, false) } else { (1, true) }
        );
        let tifa = dsg.dimensions.iter().find(|d| d.name == "tifa160").unwrap();
        let absent = tifa
            .instances
            .iter()
            .find(|i| i.id == "tifa160_134")
            .unwrap();
        assert!(
            matches!(absent.state, InstanceState::Unjudgeable(_, 8)),
            "{:?}",
            absent.state
        );
    }
    let rated = data
        .results("mplug", AnswerReader::Default, Some("tifa160"))
        .unwrap();
    let dsg = |m: &verispec_model::ModelResults| m.tracks.iter().any(|t| t.track == "dsg");
    assert_eq!(rated.models.iter().filter(|m| dsg(m)).count(), 5);
    assert!(
        rated
            .models
            .iter()
            .flat_map(|m| &m.tracks)
            .all(|t| !t.partial)
    );
}

/// Dependencies only ever lower a score: direct below plain, transitive below direct.
#[test]
fn gating_is_monotone_on_real_verdicts() {
    let Some(data) = released() else { return };
    let results = data
        .results("pali17b", AnswerReader::Default, None)
        .unwrap();
    let (mut specs_seen, mut lost) = (0, [0; 2]);
    for track in results.models.iter().flat_map(|m| &m.tracks) {
        for instance in track.dimensions.iter().flat_map(|d| &d.instances) {
            let InstanceState::Generated(specs) = &instance.state else {
                continue;
            };
            let under = |dependencies| {
                let rules = Rules {
                    dependencies,
                    ..Rules::PLAIN
                };
                outcomes(
                    specs,
                    Policy {
                        rules,
                        ..Policy::default()
                    },
                )
            };
            let plain = under(DependencyRule::Ignore);
            let direct = under(DependencyRule::Direct);
            let transitive = under(DependencyRule::Transitive);
            for ((p, d), t) in plain.iter().zip(&direct).zip(&transitive) {
                specs_seen += 1;
                assert!(*p != Some(false) || *d == Some(false));
                assert!(*d != Some(false) || *t == Some(false));
                lost[0] += usize::from(*p == Some(true) && *d == Some(false));
                lost[1] += usize::from(*d == Some(true) && *t == Some(false));
            }
        }
    }
    assert_eq!(specs_seen, 11_858 + 3_178);
    assert!(lost[0] > 0 && lost[1] > 0, "{lost:?}");
}

#[test]
fn tifas_own_study() {
    let Some(root) = test_data() else { return };
    let path = root.join("data/tifa/human_annotations_with_scores.json");
    let Some(path) = require_or_skip(path.is_file().then_some(path), "no data/tifa") else {
        return;
    };
    let images = read_tifa(&path).unwrap();
    assert_eq!(images.len(), 800);
    let models: std::collections::BTreeSet<&str> =
        images.iter().map(|i| i.model.as_str()).collect();
    assert_eq!(models.len(), 5, "{models:?}");
    assert!(
        images
            .iter()
            .all(|i| i.metrics.contains_key("tifa_mplug-large"))
    );
    assert!(
        images
            .iter()
            .all(|i| i.ratings.iter().all(|r| (1.0..=5.0).contains(r)))
    );
}
