//! Segmentations and raw relation scores.

use serde_json::Value;

use super::field::{
    ImportError, Problem, Read, bbox, each, field, flag, list, number, optional, position, small,
    text, whole,
};
use super::lines::{Lines, read_lines};
use crate::scene::{Annotations, Image, RawRelations, Segment, SegmentId};
use crate::vocabulary::THINGS;

/// `anno.json` or `custom_psg.json`.
///
/// # Errors
/// A field is absent or of another kind; segments and boxes of an image differ in number.
pub fn annotations(file: &str, document: &Value) -> Result<Annotations, ImportError> {
    read_annotations(document).map_err(|p| p.in_file(file))
}

/// `segmentation.jsonl`: one image a line.
///
/// # Errors
/// As [`annotations`], with the line.
pub fn segmentation_lines(file: &str, text: &str) -> Result<Lines<Image>, ImportError> {
    read_lines(file, text, image)
}

/// A JSON dump of `scene-graph.pkl`: a list of
/// `{img_id, bboxes, box_label, pairs, rel_scores}`.
///
/// # Errors
/// A field is absent or of another kind, a pair names no box, or `rel_scores` has not one row a
/// pair.
pub fn raw_relations(file: &str, document: &Value) -> Result<Vec<RawRelations>, ImportError> {
    each(document, raw).map_err(|p| p.in_file(file))
}

fn read_annotations(document: &Value) -> Read<Annotations> {
    let names = |name| optional(document, name, |v| each(v, text));
    let mut labels = names("thing_classes")?.unwrap_or_default();
    labels.extend(names("stuff_classes")?.unwrap_or_default());
    Ok(Annotations {
        images: list(document, "data", image)?,
        skipped: names("skipped")?.unwrap_or_default(),
        labels,
        predicates: names("predicate_classes")?.unwrap_or_default(),
        test_image_ids: optional(document, "test_image_ids", |v| each(v, whole))?
            .unwrap_or_default(),
    })
}

fn image(value: &Value) -> Read<Image> {
    let mut segments = list(value, "segments_info", segment)?;
    let boxes = list(value, "annotations", |v| field(v, "bbox", bbox))?;
    if segments.len() != boxes.len() {
        let what = format!("{} boxes for {} segments", boxes.len(), segments.len());
        return Err(Problem::new(what).inside("annotations"));
    }
    for (segment, bbox) in segments.iter_mut().zip(boxes) {
        segment.bbox = bbox;
    }
    Ok(Image {
        image_id: field(value, "image_id", whole)?,
        file_name: optional(value, "file_name", text)?.unwrap_or_default(),
        height: optional(value, "height", small)?.unwrap_or(0),
        width: optional(value, "width", small)?.unwrap_or(0),
        mask_file: optional(value, "pan_seg_file_name", text)?,
        segments,
    })
}

fn segment(value: &Value) -> Read<Segment> {
    let category_id = field(value, "category_id", small)?;
    Ok(Segment {
        id: SegmentId(field(value, "id", whole)?),
        category_id,
        is_thing: optional(value, "isthing", flag)?.unwrap_or(category_id < THINGS),
        area: optional(value, "area", whole)?.unwrap_or(0),
        score: optional(value, "score", number)?.unwrap_or(1.0),
        // Replaced by the box of the same place in `annotations`.
        bbox: crate::scene::Bbox::new(0.0, 0.0, 0.0, 0.0),
    })
}

fn raw(value: &Value) -> Read<RawRelations> {
    let boxes = list(value, "bboxes", bbox)?;
    let categories = list(value, "box_label", small)?;
    let pairs = list(value, "pairs", |v| pair(v, boxes.len()))?;
    let scores = list(value, "rel_scores", |v| each(v, number))?;
    if categories.len() != boxes.len() {
        let what = format!("{} labels for {} boxes", categories.len(), boxes.len());
        return Err(Problem::new(what).inside("box_label"));
    }
    if scores.len() != pairs.len() {
        let what = format!("{} rows for {} pairs", scores.len(), pairs.len());
        return Err(Problem::new(what).inside("rel_scores"));
    }
    Ok(RawRelations {
        image_id: field(value, "img_id", whole)?,
        boxes,
        categories,
        pairs,
        scores,
    })
}

fn pair(value: &Value, boxes: usize) -> Read<(usize, usize)> {
    let ends = each(value, position)?;
    match ends[..] {
        [subject, object] if subject < boxes && object < boxes => Ok((subject, object)),
        [_, _] => Err(Problem::new(format!(
            "names a box beyond the {boxes} boxes"
        ))),
        _ => Err(Problem::new(format!(
            "expected 2 positions, found {}",
            ends.len()
        ))),
    }
}
