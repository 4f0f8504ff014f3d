//! Scoring `board` on the released checklists, and beside `uniform`.

use serde_json::Value;
use verispec_model::score::{Policy, Scoring, SumRule, uniform};
use verispec_model::{Instance, Reading, Specification, Unjudged, YesNo};
use verispec_suites::specv::{AnswerRule, answered_by, board};

use crate::common::{json_fixture, released};

fn yes_if(condition: bool) -> Option<Reading> {
    Some(Reading::yes_no(if condition {
        YesNo::Yes
    } else {
        YesNo::No
    }))
}

/// The five judges of the golden table.
#[test]
fn golden_table_of_five_judges_on_the_released_checklists() {
    let (Some(golden), Some(loaded)) = (json_fixture("specv_golden_realdata.json"), released())
    else {
        return;
    };
    let mod5 = |_: &Instance, s: &Specification| yes_if(!s.id.is_multiple_of(5));
    let mod3 =
        |i: &Instance, s: &Specification| yes_if(!(s.id as usize + i.id.len()).is_multiple_of(3));
    let drop_last = |i: &Instance, s: &Specification| {
        if s.id as usize == i.specifications.len() {
            return Some(Reading::Unjudged(Unjudged::MissingId));
        }
        Some(Reading::yes_no(s.expected))
    };
    let (yes, no) = (
        |_: &Instance, _: &Specification| yes_if(true),
        |_: &Instance, _: &Specification| yes_if(false),
    );
    let rules: [(&str, AnswerRule<'_>); 5] = [
        ("all_yes", &yes),
        ("all_no", &no),
        ("mod5_no", &mod5),
        ("mod3_idlen", &mod3),
        ("drop_last", &drop_last),
    ];
    let results = answered_by(&loaded.suite, &rules);
    let mut cells = 0;
    for (python, sum) in [("py311", SumRule::Plain), ("py312", SumRule::Compensated)] {
        let table = board(&results, Policy::published(sum));
        for (track, expected) in golden["golden"].as_object().unwrap() {
            for model in &table.models {
                // Where the two Pythons agree, the fixture holds the older one's values only.
                let python = if expected["same"] == true {
                    "py311"
                } else {
                    python
                };
                let expected = &expected[python][&model.model];
                let score = model.track(track).unwrap();
                let at = format!("{track} {python} {}", model.model);
                assert_eq!(value(&score.score), expected["overall_average"], "{at}");
                for dimension in &score.dimensions {
                    let name = &dimension.name;
                    assert_eq!(
                        value(&dimension.score),
                        expected["tracks"][name],
                        "{at} {name}"
                    );
                    cells += 1;
                }
                cells += 1;
            }
        }
    }
    assert_eq!(cells, 2 * 5 * (28 + 6));
}

fn value(score: &Option<verispec_model::score::Score>) -> Value {
    score.as_ref().map(|s| s.value).into()
}

/// A model whose every final answer is wrong and all else right.
#[test]
fn all_final_answers_wrong() {
    let Some(loaded) = released() else { return };
    let is_final = |i: &Instance, s: &Specification| match i.track.as_str() {
        "understanding" => s.category.starts_with("Final Answer Correctness"),
        "think_with_img" => s.subcategory.starts_with("Final Answer"),
        _ => false,
    };
    let rule =
        |i: &Instance, s: &Specification| yes_if((s.expected == YesNo::Yes) != is_final(i, s));
    let results = answered_by(&loaded.suite, &[("m", &rule)]);
    let uniform = uniform(&results, Policy::default());
    let board = board(
        &results,
        Policy {
            scoring: Scoring::Board,
            ..Policy::default()
        },
    );
    for (track, by_uniform, by_board) in [
        ("understanding", "84.43", 0.0),
        ("think_with_img", "84.78", 30.0),
        ("t2i", "100.00", 100.0),
    ] {
        let of = |table: &verispec_model::score::ScoreTable| {
            table.models[0]
                .track(track)
                .unwrap()
                .score
                .as_ref()
                .unwrap()
                .value
        };
        assert_eq!(format!("{:.2}", of(&uniform)), by_uniform, "{track}");
        assert_eq!(of(&board), by_board, "{track}");
    }
}
