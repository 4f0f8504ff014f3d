use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::answers::UndAnswer;
use crate::facts::{FactKind, FactTarget};
use crate::scene::{GtId, PredId, SegmentId};

#[test]
fn errors_name_file_and_field() {
    let box_ = json!({"bbox": [0, 0, 1, 1]});
    let image = |segment: serde_json::Value| json!({"data": [{"image_id": 1, "segments_info": [segment], "annotations": [box_]}]});
    let message = |document| annotations("anno.json", &document).unwrap_err().to_string();
    assert_eq!(
        message(image(json!({"id": "x", "category_id": 3}))),
        "anno.json: data[0].segments_info[0].id: expected a whole number from 0 on, found text"
    );
    assert_eq!(
        message(image(json!({"id": 4}))),
        "anno.json: data[0].segments_info[0].category_id: is missing"
    );
    assert_eq!(
        message(json!([])),
        "anno.json: document: expected an object, found a list"
    );
    assert_eq!(
        message(json!({"data": [{"image_id": 1, "segments_info": [], "annotations": [box_]}]})),
        "anno.json: data[0].annotations: 1 boxes for 0 segments"
    );
}

#[test]
fn numbers_come_in_many_shapes() {
    let document = json!({
        "data": [{"image_id": "000000213422", "file_name": "a.jpg",
            "segments_info": [{"id": 3.0, "category_id": "90", "isthing": 0}],
            "annotations": [{"bbox": [0, "1", 2.5, 3]}]}],
        "skipped": ["b.jpg"], "thing_classes": ["person"], "stuff_classes": ["sky"],
    });
    let all = annotations("anno.json", &document).unwrap();
    assert_eq!(
        (all.images[0].image_id, all.images[0].segments[0].id),
        (213_422, SegmentId(3))
    );
    assert_eq!(
        (all.labels.len(), all.skipped.len(), all.predicates.len()),
        (2, 1, 0)
    );
    assert!(!all.images[0].segments[0].is_thing);
    assert!(annotations("a", &json!({"data": [{"image_id": -1}]})).is_err());
    assert!(annotations("a", &json!({"data": [{"image_id": 1.5}]})).is_err());
}

#[test]
fn a_torn_last_line_is_left_out_and_said() {
    let line = r#"{"image_id":1,"seg_id":2,"attributes":{"primary_color":["red"],"visual_reasoning":"hm"}}"#;
    let torn =
        attribute_lines("attributes.jsonl", &format!("{line}\n\n{line}\n{{\"image")).unwrap();
    assert_eq!((torn.records.len(), torn.torn), (2, true));
    assert_eq!(torn.records[0].reasoning.as_deref(), Some("hm"));
    assert_eq!(torn.records[0].attributes.len(), 1);
    let whole = attribute_lines("attributes.jsonl", line).unwrap();
    assert_eq!((whole.records.len(), whole.torn), (1, false));
    let middle = attribute_lines("attributes.jsonl", &format!("{{\"im\n{line}\n")).unwrap_err();
    assert!(
        middle
            .to_string()
            .starts_with("attributes.jsonl, line 1: not JSON")
    );
    let field = attribute_lines("attributes.jsonl", &format!("{line}\n{{\"image_id\":1}}\n"));
    assert_eq!(
        field.unwrap_err().to_string(),
        "attributes.jsonl, line 2: attributes: is missing"
    );
}

#[test]
fn merged_graphs_with_and_without_attributes() {
    let document = json!({
        "image_id": 7, "file_name": "m/7.jpg",
        "boxes": [
            {"index": 3, "category_id": 5, "label": "bus", "bbox_xyxy": [0, 0, 9, 9],
             "seg_ids": [10, 20], "id": 10,
             "member_attributes": [{"seg_id": "20", "attributes": {"primary_color": "red"}}]},
            {"index": 1, "label": "person", "bbox_xyxy": [0, 0, 9, 9], "seg_ids": [30], "id": 30,
             "attributes": {"primary_color": [], "visual_reasoning": "x"}},
        ],
        "relations": [{"subject_index": 1, "object_index": 3, "object_seg_ids": [20, 10],
            "predicate": "on", "predicate_score": 0.5, "no_relation_score": 0.1}],
    });
    let graph = merged_graph("scene-graph_7.json", &document).unwrap();
    // By the index that a box gives itself, not by its place.
    assert_eq!(
        (graph.relations[0].subject, graph.relations[0].object),
        (1, 0)
    );
    assert_eq!(graph.relations[0].pairs[0].object, SegmentId(20));
    assert_eq!(graph.groups[0].members[0].attributes, None);
    assert!(
        graph.groups[0].members[1]
            .attributes
            .as_ref()
            .is_some_and(|a| a.len() == 1)
    );
    assert!(
        graph.groups[1].members[0]
            .attributes
            .as_ref()
            .is_some_and(|a| a.is_empty())
    );
    let mut bad = document;
    bad["relations"][0]["object_index"] = json!(2);
    assert_eq!(
        merged_graph("scene-graph_7.json", &bad)
            .unwrap_err()
            .to_string(),
        "scene-graph_7.json: relations[0].object_index: no box has index 2"
    );
}

#[test]
fn merged_edges_and_segments() {
    let map = merged_segments("anno_merged.json", &json!({"7": {"10": 10, "20": 10}})).unwrap();
    assert_eq!(map[&7][&SegmentId(20)], SegmentId(10));
    let group = |id: u64, segments: &[u64]| json!({"group_id": id, "label": "bus", "bbox": [0, 0, 1, 1], "seg_ids": segments});
    let document = json!({"7": {"image_id": 7, "groups": [group(10, &[10, 20]), group(30, &[30])],
        "edges": [{"subject_group_id": 30, "object_group_id": 10, "best_predicate": "on",
            "best_predicate_score": 0.9, "no_relation_score": 0.2, "object_seg_id": 20}]}});
    let graph = &merged_edges("anno_merged_edges.json", &document).unwrap()[&7];
    assert_eq!(graph.relations[0].pairs[0].object, SegmentId(20));
    assert_eq!(graph.relations[0].pairs[0].subject, SegmentId(30));
    let mut bad = document;
    bad["7"]["edges"][0]["object_group_id"] = json!(11);
    let error = merged_edges("anno_merged_edges.json", &bad)
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("7.edges[0].object_group_id: no group has the number 11"),
        "{error}"
    );
}

#[test]
fn raw_graphs() {
    let document = json!({"image_id": 1, "boxes": [
            {"index": 0, "label": "dog", "bbox_xyxy": [0, 0, 1, 1]},
            {"index": 1, "label": "cat", "bbox_xyxy": [0, 0, 1, 1]}],
        "relations": [{"subject_index": 1, "object_index": 0, "predicate": "on",
            "predicate_index": 3, "predicate_score": 0.7, "no_relation_score": 0.2}]});
    let graph = raw_graph("scene-graph_1.json", &document).unwrap();
    assert_eq!(
        (graph.boxes.len(), graph.relations[0].predicate.score),
        (2, 0.7)
    );
}

#[test]
fn prompts_as_list_and_as_object() {
    let list = json!([{"image_id": 7, "caption": "a", "relationships": ["x"],
        "object_descriptions": {"0": "d"}}]);
    let found = prompts("prompts.json", &list).unwrap();
    assert_eq!((found[0].image_id, found[0].prompt.as_str()), (7, "a"));
    assert_eq!(found[0].relation_descriptions, ["x"]);
    let object = json!({"8": {"prompt": "b", "original_prompt": "draft"}});
    let found = prompts("prompts.json", &object).unwrap();
    assert_eq!(
        (found[0].image_id, found[0].original_prompt.as_deref()),
        (8, Some("draft"))
    );
    let error = prompts("prompts.json", &json!([{"image_id": 7}]))
        .unwrap_err()
        .to_string();
    assert_eq!(error, "prompts.json: [0].prompt: is missing");
}

#[test]
fn questions_are_numbered_by_position() {
    let question = |reference: serde_json::Value| json!({"image_id": "7", "question": "q", "answer": "a", "reference": reference});
    let document = json!({"questions": [
        question(json!({"type": "attribute", "object_id": 11, "attribute_key": "k"})),
        question(json!({"type": "relationship", "subject_id": 11, "object_id": 22})),
    ]});
    let found = questions("generated_questions.json", &document).unwrap();
    let relation = FactTarget::Relation {
        subject: GtId::new(11),
        object: GtId::new(22),
    };
    assert_eq!(
        (found[0].id, found[1].id, &found[1].target),
        (0, 1, &relation)
    );
    let bad = json!({"questions": [question(json!({"type": "count"}))]});
    let error = questions("generated_questions.json", &bad)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("questions[0].reference.type: count is none of"),
        "{error}"
    );
}

#[test]
fn matched_pairs_have_the_prediction_first() {
    let document = json!({"per_image_results": {"7": {"num_gt_nodes": 4, "num_pred_nodes": 2,
        "matched_node_pairs": [["51", "22", "person", "person"]]}, "9": null}});
    let found = matched_graphs("scene_graphs_matched.json", &document).unwrap();
    let image = found[&7].as_ref().unwrap();
    assert_eq!(image.pairs, [(GtId::new(22), PredId::new(51))]);
    assert_eq!(found[&9], None);
}

#[test]
fn scored_lines_of_both_sides() {
    let line = |extra: serde_json::Value| {
        let mut line = json!({"question_id": 0, "question_type": "label_to_attribute",
            "question": "q", "gt_answer": "red", "model_answer": "red"});
        line.as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        format!("{line}\n")
    };
    let read = |extra| scored_lines("scored_m.jsonl", &line(extra)).map(|l| l.records[0].clone());
    let found = read(json!({"llm_judge_score": 4})).unwrap();
    assert_eq!(
        (found.id, found.kind, found.grade),
        (0, Some(FactKind::Attribute), Some(4))
    );
    assert_eq!((found.image_id, found.target), (None, None));
    assert_eq!(read(json!({"llm_judge_score": null})).unwrap().grade, None);
    let error = read(json!({"llm_judge_score": 6})).unwrap_err().to_string();
    assert_eq!(
        error,
        "scored_m.jsonl, line 1: llm_judge_score: 6 is outside 0..=5"
    );
    let failed = read(json!({"model_answer": "ERROR: oom", "llm_judge_score": 0})).unwrap();
    assert!(matches!(failed.answer, UndAnswer::ModelError { .. }));
    for (name, kind) in [
        ("attributes_to_label", Some(FactKind::Object)),
        ("Label_attributes_to_relationship", Some(FactKind::Relation)),
        ("count_objects", None),
        ("attribute_query", Some(FactKind::Attribute)),
        ("other", Some(FactKind::Object)),
    ] {
        assert_eq!(
            read(json!({"question_type": name})).unwrap().kind,
            kind,
            "{name}"
        );
    }
    let summary = json!({"total_attempted": 10, "total_scored": 9, "failed_parse_count": 1,
        "average_score": 3.5, "judge_model": "j", "by_template": {}});
    assert_eq!(judge_summary("metrics_m.json", &summary).unwrap().failed, 1);
}

#[test]
fn a_line_that_is_no_object_is_named() {
    let error = scored_lines("scored_m.jsonl", "[0,1,2,3,4,5,6,7,8,9]\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "scored_m.jsonl, line 1: document: expected an object"
    );
    assert!(scored_lines("scored_m.jsonl", "[0,1").unwrap().torn);
}

#[test]
fn an_image_without_pairs_has_none() {
    let empty = json!([{"img_id": "8", "bboxes": [[0, 0, 1, 1]], "box_label": [0], "pairs": [],
        "rel_scores": []}]);
    assert_eq!(
        raw_relations("scene-graph.json", &empty).unwrap()[0].pairs,
        []
    );
    let beyond = json!([{"img_id": "8", "bboxes": [[0, 0, 1, 1]], "box_label": [0],
        "pairs": [[0, 1]], "rel_scores": [[0.5]]}]);
    let error = raw_relations("scene-graph.json", &beyond)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "scene-graph.json: [0].pairs[0]: names a box beyond the 1 boxes"
    );
}

/// A value of the names and kinds that occur in the files, put together at random.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2..4_i64).prop_map(Value::from),
        (-1.0..3.0_f64).prop_map(Value::from),
        prop::sample::select(vec!["7", "x", "relationship", "attribute", ""]).prop_map(Value::from),
    ];
    let names = prop::sample::select(vec![
        "7",
        "data",
        "image_id",
        "boxes",
        "relations",
        "index",
        "label",
        "bbox_xyxy",
        "id",
        "seg_ids",
        "subject_index",
        "object_index",
        "predicate",
        "predicates",
        "predicate_score",
        "groups",
        "edges",
        "group_id",
        "images",
        "ground_truth",
        "prediction",
        "nodes",
        "source",
        "target",
        "per_image_results",
        "matched_node_pairs",
        "questions",
        "reference",
        "type",
    ]);
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((names.clone(), inner), 0..8)
                .prop_map(|pairs| pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()),
        ]
    })
}

proptest! {
    /// Whatever a file holds, it is read or refused.
    #[test]
    fn no_document_stops_the_program(document in any_json()) {
        let file = "f";
        let _ = annotations(file, &document);
        let _ = raw_relations(file, &document);
        let _ = raw_graph(file, &document);
        let _ = cleaned_graph(file, &document);
        let _ = merged_segments(file, &document);
        let _ = merged_edges(file, &document);
        let _ = merged_graph(file, &document);
        let _ = attribute_list(file, &document);
        let _ = prompts(file, &document);
        let _ = questions(file, &document);
        let _ = matching_graphs(file, &document);
        let _ = matched_graphs(file, &document);
        let _ = judge_summary(file, &document);
        let _ = scored_lines(file, &format!("{document}\n"));
        let _ = chunk_answers(file, &format!("{document}\n"));
    }
}

#[test]
fn shards_of_answers() {
    let questions = chunk_questions(
        "gt_index.jsonl",
        "{\"qid\":0,\"question\":\"q\",\"gt_answer\":\"a\"}\n",
    );
    assert_eq!(questions.unwrap().records[0].local_id, 0);
    let answers = chunk_answers(
        "m_answers.gpu0.jsonl",
        "{\"question_id\":0,\"answer\":\"red\"}\n{\"question_id\":1,\"error\":\"oom\"}\n",
    );
    let answers = answers.unwrap().records;
    assert_eq!(answers[0].answer.text(), Some("red"));
    assert!(matches!(answers[1].answer, UndAnswer::ModelError { .. }));
    let merged = merged_answers(
        "merged_m.jsonl",
        "{\"qid\":4,\"question_id\":3,\"question\":\"q\",\"gt_answer\":\"a\",\"model_answer\":\"ERROR: No answer found\"}\n",
    );
    let record = merged.unwrap().records.remove(0);
    assert_eq!((record.id, record.answer), (3, UndAnswer::NotAsked));
}
