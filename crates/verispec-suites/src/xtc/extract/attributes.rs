//! What an object looks like.

use std::sync::Arc;

use serde_json::json;
use verispec_graph::extraction::{DetailView, Presence, attribute_schema, read_attributes};
use verispec_graph::scene::{Attributes, Bbox, Image};
use verispec_graph::vocabulary::{Supercategory, clean_label};
use verispec_model::{ImagePart, JudgeIdentity, Request};

use super::job::{Picture, pixel_box};
use crate::xtc::ask::{Prompt, object};

const OPTIONAL: Prompt = Prompt {
    protocol: "xtc-attributes@1",
    words: include_str!("../prompts/attributes_optional.txt"),
};

const FORCED: Prompt = Prompt {
    protocol: "xtc-attributes-forced@1",
    words: include_str!("../prompts/attributes_forced.txt"),
};

/// The question about one object; `None` if no useful view of it can be made.
pub(super) fn request(
    picture: &Picture,
    image: &Image,
    (label, of, bbox): (&str, &Supercategory, Bbox),
    presence: Presence,
    judge: &Arc<JudgeIdentity>,
) -> Option<Request> {
    let detail = detail_view(picture, bbox, (image.width, image.height))?;
    let [x1, y1, x2, y2] = pixel_box(bbox);
    let views = [
        picture.view(format!("context@1;{x1},{y1},{x2},{y2}")),
        detail,
    ];
    let prompt = match presence {
        Presence::Optional => OPTIONAL,
        Presence::Forced => FORCED,
    };
    let data = json!({
        "object": clean_label(label),
        "box": [x1, y1, x2, y2],
        "properties": of.keys,
    });
    Some(prompt.request(judge, views, &data, attribute_schema(of, presence)))
}

/// An object alone, cut out and enlarged; `None` if no useful view of it can be made.
pub(in crate::xtc) fn detail_view(
    picture: &Picture,
    bbox: Bbox,
    (width, height): (u32, u32),
) -> Option<ImagePart> {
    let crop = DetailView::default().crop(bbox, width, height).ok()?;
    let [x1, y1, x2, y2] = pixel_box(bbox);
    let (right, bottom) = (crop.left + crop.width - 1, crop.top + crop.height - 1);
    let part = format!("{},{},{right},{bottom}", crop.left, crop.top);
    let to = format!("{},{}", crop.to_width, crop.to_height);
    Some(picture.view(format!("detail@1;{x1},{y1},{x2},{y2};{part};{to}")))
}

pub(super) fn read(reply: &str, of: &Supercategory) -> Option<Attributes> {
    read_attributes(of, object(reply)?)
}
