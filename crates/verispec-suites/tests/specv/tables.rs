//! Published tables, and numbers that follow from them.

use verispec_model::score::{Policy, Scoring, SumRule};
use verispec_model::{
    DimensionResults, InstanceResult, InstanceState, ModelResults, Reading, Results, SpecResult,
    Specification, TrackResults, YesNo,
};
use verispec_suites::specv::boards::{main_board, tables, track_table};
use verispec_suites::specv::{TRACKS, board, decimal_mean};

use crate::common::json_fixture;

#[test]
fn tables_equal_the_fixture() {
    let Some(fixture) = json_fixture("specv_leaderboards.json") else {
        return;
    };
    let fixture = fixture.as_object().unwrap();
    assert_eq!(tables().len(), fixture.len());
    for table in tables() {
        let expected = &fixture[&table.name];
        assert_eq!(expected["columns"], serde_json::json!(table.labels));
        let rows = expected["rows"].as_array().unwrap();
        assert_eq!(rows.len(), table.rows.len());
        for (row, expected) in table.rows.iter().zip(rows) {
            assert_eq!(expected["model"], row.model);
            assert_eq!(expected["values"], serde_json::json!(row.values));
        }
    }
}

#[test]
fn published_values_equal_the_fixture() {
    let Some(fixture) = json_fixture("published_values.json") else {
        return;
    };
    let own: serde_json::Value =
        serde_json::from_str(include_str!("../../src/specv/data/published_values.json")).unwrap();
    assert_eq!(own, fixture["specv"]);
}

#[test]
fn all_eight_averages_follow_from_the_stated_tracks() {
    let main = main_board().unwrap();
    assert_eq!(main.rows.len(), 8);
    for row in &main.rows {
        assert_eq!(decimal_mean(row.cells()), row.average(), "{}", row.model);
        for (track, value) in main.columns.iter().zip(row.cells()) {
            let own = track_table(track).unwrap().row(&row.model).unwrap();
            assert_eq!(own.average(), Some(*value), "{} {track}", row.model);
        }
    }
    let bagel = main.row("bagel_think").unwrap();
    assert_eq!(bagel.average(), Some(43.61));
}

/// A model with the given percentages, one instance of `hundredths` met of 10,000 a track.
fn model(name: &str, tracks: &[(&str, f64)]) -> ModelResults {
    let spec = Specification {
        id: 1,
        question: String::new(),
        category: "Final Answer Correctness".to_owned(),
        subcategory: "Final Answer".to_owned(),
        expected: YesNo::Yes,
        rating: None,
        rules: verispec_model::SpecRules::default(),
        record: Default::default(),
    };
    let track = |(track, percent): &(&str, f64)| {
        let met = (percent * 100.0).round() as usize;
        let specs = (0..10_000).map(|i| SpecResult {
            reading: Some(Reading::yes_no(if i < met {
                YesNo::Yes
            } else {
                YesNo::No
            })),
            ..SpecResult::pending(spec.clone())
        });
        let instance = InstanceResult {
            id: "a".to_owned(),
            state: InstanceState::Generated(specs.collect()),
        };
        let dimension = DimensionResults {
            name: "d".to_owned(),
            instances: vec![instance],
            folder_present: true,
        };
        TrackResults {
            track: (*track).to_owned(),
            dimensions: vec![dimension],
            partial: false,
        }
    };
    ModelResults {
        model: name.to_owned(),
        tracks: tracks.iter().map(track).collect(),
    }
}

#[test]
fn averages_are_decimal_half_up_and_need_every_track() {
    let bagel = main_board().unwrap().row("bagel_think").unwrap();
    let mut tracks: Vec<(&str, f64)> = TRACKS.into_iter().zip(bagel.cells().to_vec()).collect();
    // `think_with_img` weighs its groups; with final answers alone 0.7 is the most it gives.
    tracks[5].1 = 0.0;
    let all = model("all", &tracks);
    let some = model("some", &tracks[1..3]);
    let results = Results {
        suite: "specv".to_owned(),
        all_tracks: TRACKS.map(str::to_owned).to_vec(),
        models: vec![all, some],
        measure: verispec_model::Measure::Specifications,
        warnings: vec![],
    };
    for sum in [SumRule::Plain, SumRule::Compensated] {
        let table = board(
            &results,
            Policy {
                scoring: Scoring::Board,
                sum,
                ..Policy::default()
            },
        );
        let value = |i: usize| table.models[i].average.as_ref().map(|s| s.value);
        let stated: Vec<f64> = table.models[0]
            .tracks
            .iter()
            .map(|t| t.score.as_ref().unwrap().value)
            .collect();
        assert_eq!(stated, tracks.iter().map(|(_, v)| *v).collect::<Vec<_>>());
        assert_eq!(value(0), decimal_mean(&stated));
        assert_eq!(value(1), None, "a track not entered is a dash");
        assert_eq!(table.models[1].tracks.len(), 2);
    }
}
