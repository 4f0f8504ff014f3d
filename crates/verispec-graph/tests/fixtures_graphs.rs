//! Cleaning and merging against the fixtures: the right value, and never the faulty one.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;

use std::collections::BTreeMap;

use common::{fixture, near};
use serde_json::{Value, json};
use verispec_graph::clean::{
    CleanReport, Strictness, Thresholds, Verdict, Verification, apply, candidates,
};
use verispec_graph::import::{annotations, cleaned_graph, raw_relations};
use verispec_graph::merge::{
    GroupRule, MergeError, PredicateKeep, merge_groups, merge_image, merge_relations,
};
use verispec_graph::scene::{
    Bbox, CleanedBox, CleanedGraph, CleanedRelation, Image, RawRelations, ScoredPredicate,
    SegmentId,
};

fn image(value: &Value) -> Image {
    let mut value = value.clone();
    value["image_id"] = json!(7);
    let document = json!({ "data": [value] });
    annotations("fixture", &document).unwrap().images.remove(0)
}

fn clean_refine() -> (Value, Image, RawRelations, Vec<String>, Vec<String>) {
    let section = fixture("clean_refine");
    let mut meta = section["meta"].clone();
    // The fixture gives only what the released function looks at.
    for segment in meta["data"][0]["segments_info"].as_array_mut().unwrap() {
        segment["category_id"] = json!(0);
    }
    meta["data"][0]["annotations"] = section["entry"]["bboxes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| json!({"bbox": b}))
        .collect();
    let all = annotations("custom_psg.json", &meta).unwrap();
    let raw = raw_relations("scene-graph.json", &json!([section["entry"]]))
        .unwrap()
        .remove(0);
    (
        section,
        all.images[0].clone(),
        raw,
        all.labels,
        all.predicates,
    )
}

#[test]
fn clean_refine_asks_and_keeps_what_it_should() {
    let (section, image, raw, labels, predicates) = clean_refine();
    let found = candidates(&raw, &predicates, Thresholds::default()).unwrap();
    let label = |at: usize| labels[raw.categories[at] as usize].clone();
    let asked: Vec<[String; 3]> = found
        .candidates
        .iter()
        .map(|c| [label(c.subject), c.predicate.clone(), label(c.object)])
        .collect();
    assert_eq!(serde_json::to_value(asked).unwrap(), section["asked"]);
    assert_eq!((found.unrelated_pairs, found.weak_pairs), (1, 0));
    let verdict = |beside: bool| if beside { Verdict::No } else { Verdict::Yes };
    let verdicts: Vec<Verdict> = found
        .candidates
        .iter()
        .map(|c| verdict(c.predicate == "beside"))
        .collect();
    let report = apply(&raw, &image, &labels, &found.candidates, &verdicts).unwrap();
    let expected = cleaned_graph("expected", &section["expected"]).unwrap();
    assert_eq!(report.graph, expected);
    assert_eq!(
        (report.denied, report.exclusive, report.unread.len()),
        (1, 1, 0)
    );
}

#[test]
fn a_triple_without_verdict_is_neither_kept_nor_denied() {
    let (_, image, raw, labels, predicates) = clean_refine();
    let found = candidates(&raw, &predicates, Thresholds::default())
        .unwrap()
        .candidates;
    // The released batch loop rejects a whole batch when one reply fails.
    let verdicts = [
        Verdict::Yes,
        Verdict::Unread,
        Verdict::Yes,
        Verdict::No,
        Verdict::Yes,
    ];
    let report: CleanReport = apply(&raw, &image, &labels, &found, &verdicts).unwrap();
    assert_eq!(report.unread.len(), 1);
    assert_eq!(report.unread[0].predicate, "flying over");
    assert_eq!(report.graph.relations.len(), 2);
    assert!(apply(&raw, &image, &labels, &found, &verdicts[..4]).is_err());
    let mut other = image.clone();
    other.image_id = 8;
    assert!(apply(&raw, &other, &labels, &found, &verdicts).is_err());
    let mut fewer = image;
    fewer.segments.pop();
    let error = apply(&raw, &fewer, &labels, &found, &verdicts).unwrap_err();
    assert_eq!(error.to_string(), "image 7: 2 segments for 3 boxes");
}

#[test]
fn lenient_asking_spares_exclusive_predicates() {
    for (predicate, strictness) in [
        ("holding", Strictness::Strict),
        ("driving", Strictness::Strict),
        ("on", Strictness::Lenient),
    ] {
        assert_eq!(Verification::Lenient.strictness(predicate), strictness);
        assert_eq!(
            Verification::Strict.strictness(predicate),
            Strictness::Strict
        );
    }
    assert_eq!(Verification::default(), Verification::Strict);
}

#[test]
fn merge_groups_by_padding_and_size() {
    let section = fixture("merge_groups");
    let image = image(&section["input"]);
    let cases = section["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 3);
    for case in cases {
        let rule = GroupRule {
            padding: case["padding"].as_f64().unwrap(),
            min_size: case["min_group_size"].as_u64().unwrap() as usize,
        };
        let found: BTreeMap<String, u64> = merge_groups(&image, rule)
            .group_of
            .iter()
            .map(|(segment, group)| (segment.to_string(), group.0))
            .collect();
        assert_eq!(
            serde_json::to_value(found).unwrap(),
            case["expected"],
            "{rule:?}"
        );
    }
}

/// B9: by overlap with the box of the whole group, none of 12 persons in a row has a group, and all
/// their relations are lost.
#[test]
fn members_of_a_wide_group_keep_their_relations() {
    let section = fixture("group_iou_drop_reference_bug");
    let lost = section["reference_box_to_group"].as_object().unwrap();
    assert!(lost.values().all(Value::is_null));
    let boxes = section["member_boxes"].as_array().unwrap();
    let mut segments: Vec<Value> = (1..=boxes.len())
        .map(|id| json!({"id": id, "category_id": 0}))
        .collect();
    segments.push(json!({"id": 99, "category_id": 1}));
    let mut annotated: Vec<Value> = boxes.iter().map(|b| json!({ "bbox": b })).collect();
    annotated.push(json!({"bbox": [0, 50, 10, 60]}));
    let image = image(&json!({"segments_info": segments, "annotations": annotated}));
    let cleaned = CleanedGraph {
        image_id: 7,
        file_name: String::new(),
        boxes: image
            .segments
            .iter()
            .map(|s| CleanedBox {
                label: String::new(),
                bbox: s.bbox,
                segment: Some(s.id),
            })
            .collect(),
        relations: (0..12)
            .map(|subject| relation(subject, 12, 0.1, &[("riding", 0.9)]))
            .collect(),
    };
    let labels = ["person".to_owned(), "bicycle".to_owned()];
    let report = merge_image(
        &image,
        Some(&cleaned),
        &labels,
        GroupRule::default(),
        PredicateKeep::All,
    )
    .unwrap();
    assert_eq!(report.without_segment, 0);
    assert!((1..=12).all(|id| report.segments.group_of[&SegmentId(id)] == SegmentId(1)));
    assert_eq!(report.graph.relations.len(), 1);
    assert_eq!(report.graph.relations[0].pairs.len(), 12);
    assert_eq!(
        report.graph.groups[0].bbox,
        Bbox::new(0.0, 0.0, 285.0, 10.0)
    );
}

fn relation(subject: usize, object: usize, no: f64, predicates: &[(&str, f64)]) -> CleanedRelation {
    CleanedRelation {
        subject,
        object,
        no_relation: no,
        predicates: predicates
            .iter()
            .map(|(predicate, score)| ScoredPredicate {
                predicate: (*predicate).into(),
                score: *score,
            })
            .collect(),
    }
}

fn merge_edges() -> (Value, Image, CleanedGraph) {
    let section = fixture("merge_edges");
    let image = image(&section["image"]);
    let mut document = json!({"image_id": 7, "relations": section["relations"]});
    document["boxes"] = section["boxes"].clone();
    for (at, segment) in [10, 20, 30, 40].into_iter().enumerate() {
        document["boxes"][at]["id"] = json!(segment);
    }
    let cleaned = cleaned_graph("fixture", &document).unwrap();
    (section, image, cleaned)
}

#[test]
fn merge_edges_from_verified_relations() {
    let (section, image, cleaned) = merge_edges();
    let rule = GroupRule::default();
    let groups = merge_groups(&image, rule);
    let merged = merge_relations(&cleaned, &groups);
    assert_eq!((merged.inside_groups, merged.without_segment), (1, 1));
    let expected = &section["from_validated_json"];
    assert_eq!(merged.relations.len(), expected.as_array().unwrap().len());
    let found = &merged.relations[0];
    let predicates: Vec<Value> = found
        .predicates
        .iter()
        .map(|p| json!({"predicate": p.predicate, "predicate_score": p.score}))
        .collect();
    assert_eq!(Value::from(predicates), expected[0]["predicates"]);
    assert!(near(found.no_relation.unwrap(), 0.3));
    // The pair of boxes with the single best score: segments 20 and 40.
    assert_eq!(
        (found.pairs[0].subject, found.pairs[0].object),
        (SegmentId(20), SegmentId(40))
    );
    assert_eq!(found.pairs.len(), 2);

    let labels: Vec<String> = ["person", "car", "road"].map(str::to_owned).into();
    let keep = PredicateKeep::Best;
    let report = merge_image(&image, Some(&cleaned), &labels, rule, keep).unwrap();
    let best = &report.graph.relations[0].predicates;
    assert_eq!(
        (best.len(), best[0].predicate.as_str(), best[0].score),
        (1, "beside", 0.95)
    );
    assert_eq!(report.graph.relations[0].pairs.len(), 1);
    let ids: Vec<(u64, usize)> = report
        .graph
        .groups
        .iter()
        .map(|g| (g.id.0, g.members.len()))
        .collect();
    assert_eq!(ids, [(10, 3), (40, 1)]);
}

/// B10: raw scores never stand in for verified relations, so neither `from_pkl_mean` nor
/// `from_pkl_max` can come out.
#[test]
fn raw_scores_are_no_substitute() {
    let (section, image, _) = merge_edges();
    let labels: Vec<String> = ["person", "car", "road"].map(str::to_owned).into();
    let rule = GroupRule::default();
    let missing = merge_image(&image, None, &labels, rule, PredicateKeep::All);
    assert_eq!(missing, Err(MergeError::NotCleaned { image: 7 }));

    let entry = json!([{
        "img_id": "7", "bboxes": section["boxes"].as_array().unwrap()[..4].iter()
            .map(|b| b["bbox_xyxy"].clone()).collect::<Value>(),
        "box_label": [0, 0, 0, 2], "pairs": section["pkl_pairs"],
        "rel_scores": section["pkl_rel_scores"],
    }]);
    let raw = raw_relations("dump", &entry).unwrap().remove(0);
    let names: Vec<String> = serde_json::from_value(section["predicate_classes"].clone()).unwrap();
    let found = candidates(&raw, &names, Thresholds::default())
        .unwrap()
        .candidates;
    let denied = vec![Verdict::No; found.len()];
    let report = apply(&raw, &image, &labels, &found, &denied).unwrap();
    let merged = merge_image(
        &image,
        Some(&report.graph),
        &labels,
        rule,
        PredicateKeep::All,
    )
    .unwrap();
    assert!(merged.graph.relations.is_empty(), "nothing was verified");
    let confirmed = vec![Verdict::Yes; found.len()];
    let report = apply(&raw, &image, &labels, &found, &confirmed).unwrap();
    let merged = merge_image(
        &image,
        Some(&report.graph),
        &labels,
        rule,
        PredicateKeep::Best,
    )
    .unwrap();
    let found = &merged.graph.relations[0];
    let best = &found.predicates[0];
    for faulty in ["from_pkl_mean", "from_pkl_max"] {
        let faulty = &section[faulty][0];
        let (score, no) = (
            &faulty["best_predicate_score"],
            &faulty["no_relation_score"],
        );
        assert_ne!(
            (Some(best.score), found.no_relation),
            (score.as_f64(), no.as_f64())
        );
    }
}
