//! Facts against the fixtures.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;

use common::fixture;
use serde_json::{Value, json};
use verispec_graph::facts::{
    Fact, FactPolicy, FactTarget, Overlap, SkipReason, generate, overlap, stem,
};
use verispec_graph::import::merged_graph;
use verispec_graph::scene::{SceneGraph, ScenePolicy};

fn values(value: &Value) -> Vec<String> {
    serde_json::from_value(value.clone()).unwrap_or_default()
}

#[test]
fn the_published_overlap_rule_by_name() {
    let cases = fixture("value_overlap").as_array().unwrap().clone();
    assert_eq!(cases.len(), 13);
    for case in &cases {
        let (a, b) = (values(&case["a"]), values(&case["b"]));
        let expected = case["expected"].as_bool().unwrap();
        assert_eq!(overlap(&a, &b, Overlap::Published), expected, "{case}");
    }
}

/// B32: the default does not take "tan" for a part of "standing"; otherwise it agrees.
#[test]
fn the_default_overlap_rule_has_no_substrings() {
    let mut differ = Vec::new();
    for case in fixture("value_overlap").as_array().unwrap() {
        let (a, b) = (values(&case["a"]), values(&case["b"]));
        if Some(overlap(&a, &b, Overlap::default())) != case["expected"].as_bool() {
            differ.push(format!("{a:?} {b:?}"));
        }
    }
    assert_eq!(differ, [r#"["tan"] ["standing"]"#]);
    let list = |s: &str| vec![s.to_owned()];
    assert!(overlap(&list("t-shirt"), &list("shirt"), Overlap::Tokens));
    assert!(overlap(&list("dark red"), &list("Red"), Overlap::Tokens));
    assert!(!overlap(&list("red"), &list("bored"), Overlap::Tokens));
    assert!(overlap(&list("red"), &list("bored"), Overlap::Published));
}

#[test]
fn stems() {
    let cases = fixture("stem").as_object().unwrap().clone();
    assert_eq!(cases.len(), 17);
    for (word, expected) in cases {
        assert_eq!(stem(&word), expected.as_str().unwrap(), "{word}");
    }
}

fn reference(fact: &Fact) -> Value {
    match &fact.key.target {
        FactTarget::Attribute { node, key } => json!({
            "type": "attribute", "scene_graph": "7", "object_id": node.0.0, "attribute_key": key,
        }),
        FactTarget::Object { node } => json!({
            "type": "attribute_to_label", "scene_graph": "7", "object_id": node.0.0,
            "attribute_keys": fact.described_by,
        }),
        FactTarget::Relation { subject, object } => json!({
            "type": "relationship", "scene_graph": "7", "subject_id": subject.0.0,
            "object_id": object.0.0, "predicates": fact.gold_values,
        }),
    }
}

#[test]
fn the_worked_example_gives_13_facts() {
    let section = fixture("questions");
    let graph = merged_graph("scene", &section["scene"]).unwrap();
    let built = SceneGraph::build(&graph, ScenePolicy::default());
    // B15: this relation is in no question, and now in no graph either.
    assert_eq!((built.implausible, built.scene.edges.len()), (1, 4));
    for rule in [Overlap::Tokens, Overlap::Published] {
        let set = generate("coco", &built.scene, FactPolicy { overlap: rule });
        let expected = section["expected"].as_array().unwrap();
        assert_eq!((set.facts.len(), expected.len()), (13, 13));
        for (fact, expected) in set.facts.iter().zip(expected) {
            assert_eq!(reference(fact), expected["reference"]);
            assert_eq!(fact.gold, expected["answer"].as_str().unwrap());
        }
        // The persons differ in the color of their clothes only.
        let skipped: Vec<String> = set
            .skipped
            .iter()
            .map(|s| serde_json::to_string(&s.target).unwrap())
            .collect();
        assert_eq!(skipped.len(), 2);
        assert!(skipped.iter().all(|s| s.contains("upper_clothing_color")));
        assert!(
            set.skipped
                .iter()
                .all(|s| s.reason == SkipReason::Indistinguishable)
        );
    }
}

#[test]
fn keys_and_questions_of_the_worked_example() {
    let section = fixture("questions");
    let graph = merged_graph("scene", &section["scene"]).unwrap();
    let scene = SceneGraph::build(&graph, ScenePolicy::default()).scene;
    let set = generate("coco", &scene, FactPolicy::default());
    let lines: Vec<String> = set
        .facts
        .iter()
        .map(|f| format!("{} | {} | {}", f.key, f.question, f.gold))
        .collect();
    let expected = [
        "coco/7/attribute/11/upper_clothing_type | Find the person wearing red upper clothing in the image and name its upper clothing type. | t-shirt",
        "coco/7/attribute/22/upper_clothing_type | Find the person wearing blue upper clothing in the image and name its upper clothing type. | shirt",
        "coco/7/attribute/33/primary_color | Find the skateboard in the image and name its color. | black and red",
        "coco/7/attribute/44/surface_material | Find the pavement in the image and name its surface material. | concrete",
        "coco/7/attribute/44/wet_dry_state | Find the pavement in the image and name its condition. | dry",
        "coco/7/object/11 | Exactly one object in the image has these properties: upper clothing color red. What kind of object is it? | person",
        "coco/7/object/22 | Exactly one object in the image has these properties: upper clothing color blue. What kind of object is it? | person",
        "coco/7/object/33 | Exactly one object in the image has these properties: color black and red. What kind of object is it? | skateboard",
        "coco/7/object/44 | Exactly one object in the image has these properties: surface material concrete. What kind of object is it? | pavement",
        "coco/7/relation/22/44 | Where is the person wearing blue upper clothing as seen from the pavement? | on",
        "coco/7/relation/33/44 | Where is the skateboard as seen from the pavement? | on",
        "coco/7/relation/11/22 | How does the person wearing red upper clothing relate to the person wearing blue upper clothing? | behind",
        "coco/7/relation/11/33 | In which way does the person wearing red upper clothing move with respect to the skateboard? | riding",
    ];
    assert_eq!(lines, expected);
}
