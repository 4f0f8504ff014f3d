//! JSON and CSV.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{HOSTILE, context, golden, output, results, suite, table};
use serde_json::Value;
use verispec_model::score::{Counters, ScoreTable};
use verispec_report::*;

fn scores(table: &ScoreTable) -> Value {
    let context = context();
    let scores = json::Scores {
        table,
        context: &context,
        categories: None,
    };
    serde_json::to_value(scores).unwrap()
}

#[test]
fn scores_document() {
    let document = scores(&table());
    golden("scores.json", &json::to_text(&document));
    assert_eq!(document["models"][2]["average"], Value::Null);
    assert_eq!(document["models"][2]["why"], "tracks without a score: edit");
    assert_eq!(document["models"][2]["tracks"][1]["why"], "not entered");
    let text = &document["models"][2]["tracks"][0]["dimensions"][1];
    assert_eq!(text["score"], Value::Null);
    assert_eq!(text["why"], "nothing judged: the judge failed on all");
}

#[test]
fn documents_start_alike_and_hold_no_nan() {
    let rank = RankTable::build(&table(), &RankBy::Average, &[]).unwrap();
    let (results, suite, table) = (results(), suite(), table());
    let views = views(&results, Some(&suite), &table, output);
    let summary = RunSummary {
        seconds: f64::NAN,
        ..RunSummary::default()
    };
    for (kind, document) in [
        ("scores", scores(&table)),
        ("rank", json::rank(&rank, &context())),
        ("inspect", json::inspect(&Inspection::default())),
        ("check", json::check(&CheckReport::default())),
        ("show", json::show(&views[3], &context())),
        ("run", json::run(&summary, &context())),
        ("error", json::error("no such run", &[], 2)),
    ] {
        let keys: Vec<&String> = document.as_object().unwrap().keys().take(3).collect();
        assert_eq!(keys, ["format", "kind", "verispec"]);
        assert_eq!(document["format"], 1);
        assert_eq!(document["kind"], kind);
        let text = json::to_text(&document);
        assert!(text.ends_with("}\n"));
        let again: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(again, document);
    }
}

#[test]
fn show_document_keeps_untrusted_text_as_it_is() {
    let (results, suite, table) = (results(), suite(), table());
    let views = views(&results, Some(&suite), &table, output);
    let document = json::show(&views[3], &context());
    assert_eq!(document["prompt"], HOSTILE);
    assert_eq!(document["specifications"][1]["note"], HOSTILE);
    assert_eq!(document["specifications"][2]["state"], "unjudged");
    assert_eq!(document["specifications"][2]["why"], "refused");
    assert_eq!(document["specifications"][2]["answer"], Value::Null);
}

#[test]
fn counters_add_up_in_every_line() {
    let text = csv::scores(&table(), &context()).unwrap();
    golden("scores.csv", &text);
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|h| h == name).unwrap();
    let mut lines = 0;
    for line in reader.records() {
        let line = line.unwrap();
        let n = |name: &str| line[at(name)].parse::<usize>().unwrap();
        assert_eq!(
            n("expected"),
            n("output_failed") + n("judged") + n("unjudged") + n("unjudgeable") + n("pending")
        );
        assert!(n("met") <= n("judged"));
        lines += 1;
    }
    assert_eq!(lines, 3 + 5 + 8, "averages, tracks, dimensions");
}

#[test]
fn verdicts_stand_for_every_expected_specification() {
    let text = csv::verdicts(&results(), &context()).unwrap();
    golden("verdicts.csv", &text);
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|h| h == name).unwrap();
    let records: Vec<_> = reader.records().map(Result::unwrap).collect();
    let sum = |state: &str| -> usize {
        records
            .iter()
            .filter(|r| state.is_empty() || &r[at("state")] == state)
            .map(|r| r[at("count")].parse::<usize>().unwrap())
            .sum()
    };
    let mut c = Counters::default();
    for model in &table().models {
        c += &model.counters;
    }
    assert_eq!(sum(""), c.expected);
    assert_eq!(sum("met"), c.met);
    assert_eq!(sum("unmet"), c.judged - c.met);
    assert_eq!(sum("unjudged"), c.unjudged);
    assert_eq!(sum("unjudgeable"), c.unjudgeable);
    assert_eq!(sum("pending"), c.pending);
    assert_eq!(sum("output-failed"), c.output_failed);
}

#[test]
fn tables_for_papers() {
    let statistics = verispec_report::Statistics {
        intervals: vec![verispec_report::ScoreInterval {
            judge: "j".into(),
            model: "alpha".into(),
            place: verispec_report::Place::Track {
                track: "t2i".into(),
            },
            interval: verispec_report::Interval {
                low: 40.0,
                high: 61.5,
                level: 0.95,
                method: "made-up".into(),
            },
        }],
        ..verispec_report::Statistics::default()
    };
    let with = ("j", &statistics);
    let (table, context) = (table(), context());
    let md = verispec_report::paper::markdown(&table, &context, None, with).unwrap();
    golden("scores.md", &md);
    let tex = verispec_report::paper::latex(&table, &context, Some("t2i"), with).unwrap();
    golden("scores_t2i.tex", &tex);
    assert!(tex.contains(" $\\pm$ 10.75"), "{tex}");
    assert!(verispec_report::paper::latex(&table, &context, Some("t3i"), with).is_err());
}
