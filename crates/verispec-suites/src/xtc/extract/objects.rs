//! Which objects a picture shows.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};
use verispec_graph::scene::{Bbox, Image, Segment, SegmentId};
use verispec_graph::vocabulary::{LABELS, THINGS, category_id, clean_label};
use verispec_model::{JudgeIdentity, Request};

use super::job::Picture;
use crate::xtc::ask::{Prompt, object};

const PROMPT: Prompt = Prompt {
    protocol: "xtc-objects@1",
    words: include_str!("../prompts/objects.txt"),
};

/// Scale of boxes in prompts and replies.
const THOUSANDTHS: f64 = 1000.0;

/// Most objects of a reply that is taken seriously.
const MOST: usize = 400;

/// Every label as it is shown to the model: as people say it where that is clear.
static SHOWN: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for label in LABELS {
        *times.entry(clean_label(label)).or_default() += 1;
    }
    let shown = |label: &&str| {
        let clean = clean_label(label);
        // Two labels, one word: the vocabulary decides.
        let unclear =
            times.get(&clean) != Some(&1) || (clean != **label && LABELS.contains(&clean.as_str()));
        if unclear { (*label).to_owned() } else { clean }
    };
    LABELS.iter().map(shown).collect()
});

pub(super) fn request(picture: &Picture, judge: &Arc<JudgeIdentity>) -> Request {
    let data = json!({"labels": *SHOWN});
    PROMPT.request(judge, [picture.whole()], &data, schema())
}

fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["objects"],
        "additionalProperties": false,
        "properties": {"objects": {"type": "array", "items": {
            "type": "object",
            "required": ["label", "box"],
            "additionalProperties": false,
            "properties": {
                "label": {"type": "string", "enum": *SHOWN},
                "box": {
                    "type": "array", "minItems": 4, "maxItems": 4,
                    "items": {"type": "integer", "minimum": 0, "maximum": 1000},
                },
            },
        }}},
    })
}

/// What a reply says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Objects {
    /// The picture with one segment an object, numbered from 1 in the order of the reply.
    pub(super) image: Image,
    /// Objects with a label outside the vocabulary, left out.
    pub(super) unknown_labels: usize,
}

/// Reads a reply; `None` unless every entry has a label and a box within the picture.
pub(super) fn read(reply: &str, picture: &Picture) -> Option<Objects> {
    let value: Value = serde_json::from_str(object(reply)?).ok()?;
    let list = value.get("objects")?.as_array()?;
    if list.len() > MOST {
        return None;
    }
    let mut segments = vec![];
    let mut unknown_labels = 0;
    for entry in list {
        let bbox = bbox(entry.get("box")?, picture)?;
        let Some(category) = category(entry.get("label")?.as_str()?) else {
            unknown_labels += 1;
            continue;
        };
        segments.push(Segment {
            id: SegmentId(segments.len() as u64 + 1),
            category_id: category,
            is_thing: category < THINGS,
            // The box: without a mask nothing better is known.
            area: (bbox.width() * bbox.height()) as u64,
            score: 1.0,
            bbox,
        });
    }
    let image = Image {
        image_id: picture.image_id,
        file_name: picture.file_name.clone(),
        height: picture.height,
        width: picture.width,
        mask_file: None,
        segments,
    };
    Some(Objects {
        image,
        unknown_labels,
    })
}

/// Position of a label in the vocabulary, by either of its names.
fn category(label: &str) -> Option<u32> {
    let label = label.trim().to_lowercase();
    let by_shown = SHOWN.iter().position(|s| *s == label);
    let shown = by_shown.and_then(|at| u32::try_from(at).ok());
    shown.or_else(|| category_id(&label))
}

fn bbox(value: &Value, picture: &Picture) -> Option<Bbox> {
    let numbers: Vec<f64> = value
        .as_array()?
        .iter()
        .map(Value::as_f64)
        .collect::<Option<_>>()?;
    let &[x1, y1, x2, y2] = numbers.as_slice() else {
        return None;
    };
    let fits = |n: f64| (0.0..=THOUSANDTHS).contains(&n);
    if !(numbers.iter().copied().all(fits) && x1 < x2 && y1 < y2) {
        return None;
    }
    let at = |n: f64, side: u32| n * f64::from(side) / THOUSANDTHS;
    let first = |n: f64, side: u32| at(n, side).floor().min(f64::from(side.saturating_sub(1)));
    // A right edge at 1000 is the last pixel.
    let last = |n: f64, side: u32, least: f64| (at(n, side).ceil() - 1.0).max(least);
    let (left, top) = (first(x1, picture.width), first(y1, picture.height));
    Some(Bbox::new(
        left,
        top,
        last(x2, picture.width, left),
        last(y2, picture.height, top),
    ))
}

/// A box in thousandths of the picture, as prompts give it.
pub(super) fn thousandths(bbox: Bbox, image: &Image) -> [i64; 4] {
    let of = |n: f64, side: u32| (n * THOUSANDTHS / f64::from(side.max(1))).round() as i64;
    [
        of(bbox.x1, image.width),
        of(bbox.y1, image.height),
        of(bbox.x2 + 1.0, image.width),
        of(bbox.y2 + 1.0, image.height),
    ]
}

/// The label of a category as the model is shown it.
pub(super) fn shown(category: u32) -> &'static str {
    let at = usize::try_from(category).unwrap_or(usize::MAX);
    SHOWN.get(at).map_or("object", String::as_str)
}
