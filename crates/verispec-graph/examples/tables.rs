//! Speed of reading scored files, joining both sides and computing every number of the tables, on
//! files of the size of the released benchmark: 31,530 facts and 10 models, one core.
//!
//! `cargo run --release -p verispec-graph --example tables`
//!
//! Prints the median of three runs and its ratio to the time of the released table script (8.5 s for
//! its tables alone, on another machine). Exits with 1 if the bound is missed.

#![allow(clippy::print_stdout, reason = "it prints its figures")]

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::json;
use verispec_graph::facts::FactKind;
use verispec_graph::import::{MatchedImage, scored_lines};
use verispec_graph::metrics::{IdMatch, MetricPolicy, Released, Tally, Variant, join};
use verispec_graph::scene::{GtId, PredId};
use verispec_stats::random::Stream;

const FACTS: u64 = 31_530;
const MODELS: usize = 10;
const PER_IMAGE: u64 = 16;
const BOUND: f64 = 2.0;
const RELEASED: f64 = 8.5;

const TYPES: [&str; 3] = [
    "label_to_attribute",
    "attributes_to_label",
    "label_attributes_to_relationship",
];

fn file(side: u64, placed: bool) -> String {
    let mut text = String::new();
    let mut stream = Stream::new(side, 0);
    for id in 0..FACTS {
        let kind = (id % 3) as usize;
        let (object, subject) = (id % 7 + 1, id % 5 + 1);
        let mut line = json!({
            "question_id": id, "question_type": TYPES[kind],
            "question": format!("A question of the usual length about the thing number {id}, is it?"),
            "gt_answer": "dark red", "model_answer": "red", "llm_judge_score": stream.below(6),
            "score": 0.2, "is_correct": false,
        });
        if placed {
            line["image_id"] = json!((id / PER_IMAGE).to_string());
            line["image_name"] = json!(format!("{}.jpg", id / PER_IMAGE));
            line["reference"] = match kind {
                0 => json!({"type": "attribute", "scene_graph": "1", "object_id": object,
                    "attribute_key": "primary_color"}),
                1 => json!({"type": "attribute_to_label", "scene_graph": "1", "object_id": object,
                    "attribute_keys": ["primary_color"]}),
                _ => json!({"type": "relationship", "scene_graph": "1", "object_id": object,
                    "subject_id": subject, "predicates": ["on"]}),
            };
            line["debug"] = json!({"lookup_path": "success"});
        }
        text.push_str(&line.to_string());
        text.push('\n');
    }
    text
}

fn matched() -> BTreeMap<u64, Option<MatchedImage>> {
    let image = MatchedImage {
        pairs: (1..6)
            .map(|id| (GtId::new(id), PredId::new(id + 3)))
            .collect(),
        gt_nodes: 7,
        pred_nodes: 8,
    };
    (0..=FACTS / PER_IMAGE)
        .map(|id| (id, Some(image.clone())))
        .collect()
}

/// All numbers of one model; returns how many there are.
fn model(
    generation: &str,
    understanding: &str,
    matched: &BTreeMap<u64, Option<MatchedImage>>,
) -> usize {
    let generation = scored_lines("ige_scored", generation)
        .expect("well-formed")
        .records;
    let understanding = scored_lines("scored", understanding)
        .expect("well-formed")
        .records;
    let released = Released {
        dataset: "bench",
        generation: &generation,
        understanding: &understanding,
        matched,
    };
    let facts = join(released, IdMatch::GroundTruth)
        .expect("the same questions")
        .facts;
    let mut numbers = 0;
    for variant in Variant::ALL {
        let tally = Tally::new(&facts, variant, MetricPolicy::default());
        let kinds = FactKind::ALL.map(Some);
        for kind in std::iter::once(None).chain(kinds) {
            numbers += usize::from(tally.consistency(None, kind).is_some());
            numbers += usize::from(tally.chance(None, kind).is_some());
        }
    }
    numbers
}

fn main() -> ExitCode {
    let (generation, understanding, matched) = (file(1, true), file(2, false), matched());
    let megabytes = (generation.len() + understanding.len()) * MODELS / 1_000_000;
    let mut seconds: Vec<f64> = (0..3)
        .map(|_| {
            let start = Instant::now();
            let numbers: usize = (0..MODELS)
                .map(|_| model(&generation, &understanding, &matched))
                .sum();
            assert_eq!(numbers, MODELS * 24, "every number is there");
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    let (median, ratio) = (seconds[1], seconds[1] / RELEASED);
    let verdict = if median < BOUND { "under" } else { "MISSED" };
    println!(
        "tables of {FACTS} facts x {MODELS} models, {megabytes} MB of JSON lines: {median:.3} s, \
         {ratio:.3} of {RELEASED} s  {verdict} {BOUND} s"
    );
    if median < BOUND {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
