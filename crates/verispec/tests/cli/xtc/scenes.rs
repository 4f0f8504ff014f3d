//! Six scenes of coloured boxes, as pictures and as graphs.

use std::path::Path;

use image::{Rgb, RgbImage};
use serde_json::{Value, json};

use crate::support::write;

/// Side of every picture, so that a pixel is five thousandths.
const SIDE: u32 = 200;

pub(super) type Corners = [u32; 4];

/// An object: label as in the vocabulary, colour, box with inclusive maxima.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thing {
    pub(super) label: &'static str,
    pub(super) colour: &'static str,
    pub(super) at: Corners,
}

/// A scene: objects, then relations as (subject, predicate, object) by position.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub(super) id: u64,
    pub(super) things: Vec<Thing>,
    pub(super) relations: Vec<(usize, &'static str, usize)>,
}

const fn thing(label: &'static str, colour: &'static str, at: Corners) -> Thing {
    Thing { label, colour, at }
}

pub(super) fn scenes() -> Vec<Scene> {
    let scene = |id, things: &[Thing], relations: &[(usize, &'static str, usize)]| Scene {
        id,
        things: things.to_vec(),
        relations: relations.to_vec(),
    };
    vec![
        scene(
            1,
            &[
                thing("car", "red", [10, 100, 59, 139]),
                thing("car", "blue", [110, 100, 159, 139]),
                thing("bench", "green", [20, 20, 99, 59]),
            ],
            &[(0, "in front of", 2), (1, "beside", 0)],
        ),
        scene(
            2,
            &[
                thing("cat", "white", [20, 90, 69, 129]),
                thing("dog", "brown", [110, 80, 179, 139]),
            ],
            &[(1, "looking at", 0)],
        ),
        scene(
            3,
            &[
                thing("bus", "yellow", [10, 60, 99, 119]),
                thing("car", "red", [120, 80, 169, 119]),
                thing("boat", "blue", [40, 140, 109, 179]),
            ],
            &[(0, "beside", 1)],
        ),
        scene(
            4,
            &[
                thing("cat", "black", [60, 40, 109, 79]),
                thing("chair", "red", [50, 80, 119, 179]),
            ],
            &[(0, "on", 1)],
        ),
        scene(
            5,
            &[
                thing("car", "green", [20, 90, 79, 129]),
                thing("bench", "white", [110, 90, 179, 129]),
            ],
            &[],
        ),
        // Three cars side by side make a group.
        scene(
            6,
            &[
                thing("car", "red", [10, 100, 49, 129]),
                thing("car", "blue", [55, 100, 94, 129]),
                thing("car", "green", [100, 100, 139, 129]),
                thing("dog", "black", [60, 30, 109, 69]),
            ],
            &[(3, "looking at", 1)],
        ),
    ]
}

impl Scene {
    /// The picture.
    pub(super) fn render(&self, path: &Path) {
        let mut picture = RgbImage::from_pixel(SIDE, SIDE, Rgb([200, 200, 200]));
        for thing in &self.things {
            let [x1, y1, x2, y2] = thing.at;
            for (x, y) in (x1..=x2).flat_map(|x| (y1..=y2).map(move |y| (x, y))) {
                picture.put_pixel(x, y, rgb(thing.colour));
            }
        }
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folder");
        picture.save(path).expect("picture");
    }

    /// The same without its last object.
    pub(super) fn without_last(&self) -> Self {
        let mut less = self.clone();
        less.things.pop();
        let n = less.things.len();
        less.relations.retain(|(s, _, o)| *s < n && *o < n);
        less
    }

    fn graph(&self) -> Value {
        let node = |(at, t): (usize, &Thing)| {
            json!({
                "index": at, "label": t.label, "bbox_xyxy": t.at, "id": at + 1,
                "seg_ids": [at + 1], "attributes": {"primary_color": [t.colour]},
            })
        };
        let edge = |(s, p, o): &(usize, &str, usize)| {
            json!({
                "subject_index": s, "object_index": o, "subject_id": s + 1, "object_id": o + 1,
                "predicate": p, "predicate_score": 1.0, "no_relation_score": 0.0,
            })
        };
        json!({
            "image_id": self.id,
            "file_name": format!("{}.png", self.id),
            "boxes": self.things.iter().enumerate().map(node).collect::<Vec<_>>(),
            "relations": self.relations.iter().map(edge).collect::<Vec<_>>(),
        })
    }
}

/// A bundle of all scenes.
pub(super) fn bundle(root: &Path) {
    for scene in scenes() {
        scene.render(&root.join(format!("images/{}.png", scene.id)));
        let file = format!("sg_with_attributes/scene-graph_{}.json", scene.id);
        write(&root.join(file), &scene.graph().to_string());
    }
}

fn rgb(colour: &str) -> Rgb<u8> {
    Rgb(match colour {
        "red" => [220, 30, 30],
        "blue" => [30, 60, 220],
        "green" => [30, 160, 60],
        "white" => [250, 250, 250],
        "brown" => [130, 80, 40],
        "yellow" => [240, 220, 40],
        _ => [20, 20, 20],
    })
}
