//! Counts, anomalies by item and baselines of the released data.

use std::collections::BTreeSet;

use serde_json::Value;
use verispec_suites::specv::{ANOMALY_KINDS, inspect};

use crate::common::{json_fixture, released};

fn places(kind: &str) -> Option<BTreeSet<String>> {
    let of_kind = released()?.warnings.iter().filter(|w| w.kind == kind);
    let all: Vec<String> = of_kind.map(|w| w.place.clone()).collect();
    let set: BTreeSet<String> = all.iter().cloned().collect();
    assert_eq!(all.len(), set.len(), "{kind}: nothing is reported twice");
    Some(set)
}

/// Fixture entries are a file, or a file and an item, with further values that do not identify.
fn fixture_place(entry: &Value) -> String {
    match entry {
        Value::String(place) => place.clone(),
        Value::Array(parts) => format!("{}#{}", parts[0].as_str().unwrap(), parts[1]),
        other => panic!("unexpected entry {other}"),
    }
}

#[test]
fn the_eight_kinds_of_the_fixture_are_exact() {
    let (Some(fixture), Some(_)) = (json_fixture("specv_anomalies.json"), released()) else {
        return;
    };
    let kinds = [
        ("expected_answer_No", "expected-no", 177),
        ("score_below_8", "rating-below-8", 96),
        ("no_final_question_mark", "no-final-question-mark", 9),
        ("several_question_marks", "several-question-marks", 8),
        ("cjk_text", "cjk-text", 22),
        (
            "IMAGEn_inside_checklist_question",
            "placeholder-in-specification",
            4,
        ),
        ("trailing_newline_files", "trailing-newline", 6),
        ("wrong_dimension_field", "wrong-dimension", 35),
    ];
    assert_eq!(fixture.as_object().unwrap().len(), kinds.len());
    for (name, kind, n) in kinds {
        let expected: BTreeSet<String> = fixture[name]
            .as_array()
            .unwrap()
            .iter()
            .map(fixture_place)
            .collect();
        assert_eq!(expected.len(), n, "{name}");
        assert_eq!(places(kind).unwrap(), expected, "{kind}");
    }
}

#[test]
fn further_anomalies_are_exact_by_item() {
    if released().is_none() {
        return;
    }
    let cases: [(&str, &[&str]); 9] = [
        (
            "no-final-answer-item",
            &["understanding/mmmu/mmmu_029.json"],
        ),
        (
            "second-image-missing",
            &["many2one/cross_domain.jsonl:cross_028"],
        ),
        (
            "image-beyond-references",
            &[
                "many2one/cross_domain.jsonl:cross_039",
                "many2one/cross_domain/cross_039.json#9",
            ],
        ),
        (
            "bracketed-image-reference",
            &["many2one/element_replacement.jsonl:elem_033"],
        ),
        (
            "unusual-image-count",
            &[
                "think_with_img/math.jsonl:math_010",
                "think_with_img/math.jsonl:math_014",
                "understanding/mmmu.jsonl:mmmu_014",
            ],
        ),
        (
            "double-braces",
            &[
                "t2i/text_rendering.jsonl:text_hard_040",
                "think_with_img/math.jsonl:math_012",
                "think_with_img/math.jsonl:math_017",
                "think_with_img/math.jsonl:math_024",
                "think_with_img/math.jsonl:math_033",
                "think_with_img/math.jsonl:math_037",
                "think_with_img/math.jsonl:math_045",
                "think_with_img/physics.jsonl:physics_003",
                "think_with_img/physics.jsonl:physics_009",
                "think_with_img/physics.jsonl:physics_017",
                "think_with_img/physics.jsonl:physics_022",
                "think_with_img/physics.jsonl:physics_023",
                "think_with_img/physics.jsonl:physics_024",
                "think_with_img/physics.jsonl:physics_031",
            ],
        ),
        (
            "reference-path-not-in-checklist",
            &[
                "think_with_img/maze.jsonl:maze_014",
                "think_with_img/maze.jsonl:maze_046",
                "think_with_img/maze.jsonl:maze_048",
            ],
        ),
        (
            "stringified-list-answer",
            &["understanding/mmmu.jsonl:mmmu_002"],
        ),
        ("stray-file", &[]),
    ];
    for (kind, expected) in cases {
        let expected: BTreeSet<String> = expected.iter().map(|s| (*s).to_owned()).collect();
        assert_eq!(places(kind).unwrap(), expected, "{kind}");
    }
    let latex: BTreeSet<String> = places("latex-braces")
        .unwrap()
        .iter()
        .map(|place| {
            place
                .rsplit_once('/')
                .unwrap()
                .1
                .split('.')
                .next()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(
        latex.into_iter().collect::<Vec<_>>(),
        ["math_012", "math_026", "physics_003", "physics_014"]
    );
}

#[test]
fn identical_prompts_and_white_space() {
    if released().is_none() {
        return;
    }
    let numbered = |prefix: &str, range: std::ops::RangeInclusive<u32>| -> Vec<String> {
        range.map(|n| format!("{prefix}_{n:03}")).collect()
    };
    let mut expected: BTreeSet<String> = BTreeSet::new();
    expected.extend(numbered("think_with_img/maze.jsonl:maze", 1..=50));
    expected.extend(numbered("think_with_img/jigsaw.jsonl:jigsaw", 1..=50));
    for n in [12, 25, 36, 38, 39, 40, 15, 26] {
        expected.insert(format!("understanding/countbench.jsonl:countbench_{n:03}"));
    }
    for n in [13, 33] {
        expected.insert(format!("understanding/mmbench.jsonl:mmbench_{n:03}"));
    }
    assert_eq!(places("identical-prompt").unwrap(), expected);
    let message = |place: &str| {
        let of_kind =
            |w: &&verispec_model::Warning| w.kind == "identical-prompt" && w.place == place;
        released()
            .unwrap()
            .warnings
            .iter()
            .find(of_kind)
            .unwrap()
            .message
            .clone()
    };
    assert_eq!(
        message("think_with_img/jigsaw.jsonl:jigsaw_030"),
        "same prompt as 24 others, first jigsaw_026"
    );
    assert_eq!(
        message("understanding/countbench.jsonl:countbench_026"),
        "same prompt as 1 others, first countbench_015"
    );
    let spaced = places("surrounding-whitespace").unwrap();
    assert_eq!(spaced.len(), 120);
    assert!(
        spaced
            .iter()
            .all(|place| place.starts_with("understanding/"))
    );
}

#[test]
fn every_kind_occurs_and_is_known() {
    let Some(loaded) = released() else { return };
    let found: BTreeSet<&str> = loaded.warnings.iter().map(|w| w.kind.as_str()).collect();
    let known: BTreeSet<&str> = ANOMALY_KINDS.into_iter().collect();
    assert_eq!(found, known);
}

#[test]
fn counts_equal_the_audit() {
    let (Some(fixture), Some(loaded)) = (json_fixture("specv_counts.json"), released()) else {
        return;
    };
    let inspection = inspect(loaded);
    for track in &inspection.tracks {
        let expected = fixture[&track.name].as_object().unwrap();
        assert_eq!(track.dimensions.len(), expected.len(), "{}", track.name);
        for dimension in &track.dimensions {
            let c = &dimension.counts;
            let expected = &expected[&dimension.name];
            for (field, value) in [
                ("tasks", c.tasks),
                ("specs", c.specs),
                ("kmin", c.k_min),
                ("kmax", c.k_max),
                ("expected_no", c.expected_no),
                ("score_lt_8", c.rating_below_8),
                ("questions_with_images", c.tasks_with_images),
                ("images", c.images),
            ] {
                assert_eq!(expected[field], value, "{} {field}", dimension.name);
            }
        }
    }
    let all = &inspection.counts;
    assert_eq!(
        (all.tasks, all.specs, all.expected_no, all.images),
        (1200, 17_604, 177, 1454)
    );
    assert_eq!(all.mean_k(), Some(14.67));
    assert_eq!((all.k_min, all.k_max), (2, 43));
}

/// Board baselines are the golden table's judges all_yes and all_no.
#[test]
fn baselines_of_judges_that_never_look() {
    let Some(loaded) = released() else { return };
    let inspection = inspect(loaded);
    let board: Vec<(Option<f64>, Option<f64>)> = inspection
        .tracks
        .iter()
        .map(|t| (t.baseline.yes_board, t.baseline.no_board))
        .collect();
    let expected = [
        (99.5, 0.0),
        (98.6, 1.4),
        (100.0, 0.0),
        (97.73, 2.27),
        (100.0, 0.0),
        (99.11, 0.89),
    ];
    assert_eq!(board, expected.map(|(yes, no)| (Some(yes), Some(no))));
    for track in &inspection.tracks {
        let (yes, no) = (
            track.baseline.yes_uniform.unwrap(),
            track.baseline.no_uniform.unwrap(),
        );
        assert!(
            (yes + no - 100.0).abs() < 1e-9,
            "{}: {yes} + {no}",
            track.name
        );
    }
    assert_eq!(inspection.tracks[0].baseline.yes_uniform, Some(100.0));
}
