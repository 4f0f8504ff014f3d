//! Writing graphs in the release's layout, so that what is extracted here can be used as a bundle.

use std::path::Path;

use serde_json::{Value, json};
use verispec_graph::scene::{CleanedGraph, MergedGraph, ScoredPredicate, best_predicate};

use super::error::XtcError;
use super::files::COMPLETE;

/// Writes `sg_with_attributes/scene-graph_<id>.json` and `3_clean_and_refine_gt/` below a folder.
///
/// # Errors
/// A file cannot be written.
pub fn write_graph(
    root: &Path,
    graph: &MergedGraph,
    cleaned: &CleanedGraph,
) -> Result<(), XtcError> {
    let name = format!("scene-graph_{}.json", graph.image_id);
    save(&root.join(COMPLETE).join(&name), &merged(graph))?;
    save(
        &root.join("3_clean_and_refine_gt").join(&name),
        &verified(cleaned),
    )
}

fn save(path: &Path, value: &Value) -> Result<(), XtcError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(XtcError::io(folder))?;
    }
    // Strings and numbers always serialise.
    let text = serde_json::to_string_pretty(value).unwrap_or_default() + "\n";
    let draft = path.with_extension("json.draft");
    std::fs::write(&draft, text).map_err(XtcError::io(&draft))?;
    std::fs::rename(&draft, path).map_err(XtcError::io(path))
}

fn scored(all: &[ScoredPredicate]) -> Value {
    let one = |p: &ScoredPredicate| json!({"predicate": p.predicate, "predicate_score": p.score});
    all.iter().map(one).collect()
}

fn corners(b: verispec_graph::scene::Bbox) -> Value {
    json!([b.x1, b.y1, b.x2, b.y2])
}

/// One relation a verified member pair: a pair of groups appears once for each.
fn merged(graph: &MergedGraph) -> Value {
    let boxes = graph.groups.iter().enumerate().map(|(index, group)| {
        let ids: Vec<u64> = group.members.iter().map(|m| m.id.0).collect();
        let mut node = json!({
            "index": index, "category_id": group.category_id, "label": group.label,
            "bbox_xyxy": corners(group.bbox), "seg_ids": ids, "id": group.id,
        });
        // A member without an entry is undescribed, which is not the same as no attributes.
        let known = group
            .members
            .iter()
            .filter_map(|m| Some((m.id, m.attributes.as_ref()?)));
        let members: Vec<Value> = known
            .map(|(id, a)| json!({"seg_id": id, "attributes": a}))
            .collect();
        node["member_attributes"] = Value::Array(members);
        node
    });
    let boxes: Vec<Value> = boxes.collect();
    let pairs = graph
        .relations
        .iter()
        .flat_map(|r| r.pairs.iter().map(move |p| (r, p)));
    let relations = pairs.filter_map(|(relation, pair)| {
        let best = best_predicate(&pair.predicates)?;
        let label = |at: usize| graph.groups.get(at).map(|g| g.label.clone());
        Some(json!({
            "subject_index": relation.subject, "subject_label": label(relation.subject),
            "subject_id": pair.subject,
            "object_index": relation.object, "object_label": label(relation.object),
            "object_id": pair.object,
            "predicate": best.predicate, "predicate_score": best.score,
            "predicates": scored(&pair.predicates),
            "no_relation_score": pair.no_relation.or(relation.no_relation),
        }))
    });
    let relations: Vec<Value> = relations.collect();
    json!({
        "image_id": graph.image_id, "file_name": graph.file_name,
        "boxes": boxes, "relations": relations,
    })
}

fn verified(graph: &CleanedGraph) -> Value {
    let boxes = graph.boxes.iter().enumerate().map(|(index, b)| {
        json!({
            "index": index, "label": b.label, "bbox_xyxy": corners(b.bbox), "id": b.segment,
        })
    });
    let end = |at: usize| graph.boxes.get(at);
    let relations = graph.relations.iter().map(|r| {
        let (subject, object) = (end(r.subject), end(r.object));
        json!({
            "subject_index": r.subject, "subject_label": subject.map(|b| &b.label),
            "subject_id": subject.and_then(|b| b.segment),
            "object_index": r.object, "object_label": object.map(|b| &b.label),
            "object_id": object.and_then(|b| b.segment),
            "no_relation_score": r.no_relation, "predicates": scored(&r.predicates),
        })
    });
    json!({
        "image_id": graph.image_id, "file_name": graph.file_name,
        "boxes": boxes.collect::<Vec<_>>(), "relations": relations.collect::<Vec<_>>(),
    })
}
