//! Scored files of a released run: the worked example of nine facts.

use serde_json::{Value, json};

use crate::support::{json_of, run, text, write};

/// E1 of the fixtures: grades (generation, understanding) of facts about known nodes.
fn folder(root: &std::path::Path) {
    let attribute =
        |id: u64| json!({"type": "attribute", "object_id": id, "attribute_key": "primary_color"});
    let object = |id: u64| json!({"type": "attribute_to_label", "object_id": id});
    let relation =
        |s: u64, o: u64| json!({"type": "relationship", "subject_id": s, "object_id": o});
    let facts: [(Value, Option<u8>, Option<u8>); 9] = [
        (attribute(11), Some(5), Some(4)),
        (attribute(44), Some(1), Some(5)),
        (object(33), Some(4), Some(2)),
        (relation(11, 33), Some(3), Some(3)),
        (relation(44, 22), Some(0), Some(0)),
        (attribute(22), None, Some(5)),
        (relation(22, 11), Some(0), Some(4)),
        (attribute(33), Some(5), None),
        (attribute(51), Some(2), Some(1)),
    ];
    let kind = |reference: &Value| match reference["type"].as_str() {
        Some("attribute") => "label_to_attribute",
        Some("attribute_to_label") => "attributes_to_label",
        _ => "label_attributes_to_relationship",
    };
    let (mut drawn, mut said) = (String::new(), String::new());
    for (id, (reference, g, u)) in facts.iter().enumerate() {
        let line = json!({
            "question_id": id, "question_type": kind(reference), "question": format!("q{id}"),
            "gt_answer": "red", "model_answer": "red", "image_id": "1", "reference": reference,
            "llm_judge_score": g,
        });
        drawn += &format!("{line}\n");
        // The seventh fact was never answered.
        if id != 7 {
            let line = json!({
                "question_id": id, "question_type": kind(reference), "question": format!("q{id}"),
                "gt_answer": "red", "model_answer": "red", "llm_judge_score": u,
            });
            said += &format!("{line}\n");
        }
    }
    write(&root.join("final_graphs_pt/m/ige_scored_m.jsonl"), &drawn);
    write(&root.join("vqa_outputs/m/scored_m.jsonl"), &said);
    let matched = json!({"per_image_results": {"1": {
        "matched_node_pairs": [["52", "11", "a", "a"], ["51", "22", "a", "a"], ["54", "33", "a", "a"]],
        "num_gt_nodes": 4, "num_pred_nodes": 4,
    }}});
    write(
        &root.join("final_graphs_pt/m/scene_graphs_matched.json"),
        &matched.to_string(),
    );
}

fn number(scores: &Value, variant: &str, name: &str) -> f64 {
    let cells = scores["tables"]["models"][0]["cells"]
        .as_array()
        .expect("cells");
    let cell = cells
        .iter()
        .find(|c| c["variant"] == variant && c["kind"].is_null());
    cell.expect("cell")["numbers"][name]
        .as_f64()
        .expect("number")
}

#[test]
fn the_worked_example_comes_out_right_and_published_by_name() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let root = dir.path();
    folder(&root.join("released"));
    json_of(
        root,
        &["xtc", "import", "coco=released", "--run", "right"],
        0,
    );
    let published = ["--run", "faulty", "--id-match", "published"];
    json_of(
        root,
        &[&["xtc", "import", "coco=released"], &published[..]].concat(),
        0,
    );
    let round = |v: f64| (v * 1e6).round() / 1e6;
    let scores = json_of(root, &["xtc", "score", "right"], 0);
    for (variant, g, u, ccta, aw) in [
        ("raw", 0.428_571, 0.542_857, 0.657_143, 0.302_857),
        ("zero_unmatched", 0.342_857, 0.542_857, 0.628_571, 0.262_857),
        ("matched_only", 0.6, 0.65, 0.65, 0.44),
    ] {
        let found = ["generation", "understanding", "ccta", "aw_ccta"]
            .map(|n| round(number(&scores, variant, n)));
        assert_eq!(found, [g, u, ccta, aw], "{variant}");
    }
    assert_eq!(scores["tables"]["models"][0]["match_ratio"], 0.75);
    let faulty = json_of(root, &["xtc", "score", "faulty"], 0);
    assert_eq!(
        round(number(&faulty, "zero_unmatched", "aw_ccta")),
        0.285_714
    );
    // A folder is scored as it is, without an import.
    let direct = json_of(root, &["xtc", "score", "coco=released"], 0);
    assert_eq!(direct["tables"]["models"], scores["tables"]["models"]);
    let shown = text(&run(root, &["xtc", "score", "faulty"]).stdout);
    assert!(shown.contains("id match: published"), "{shown}");
}
