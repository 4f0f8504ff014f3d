//! Finds things of 80 classes in photographs, with SSD-MobileNetV2 trained on COCO.

pub(crate) mod answer;
mod boxes;
mod convert;
mod graph;
mod onnx;

use std::path::Path;

use image::imageops::{FilterType, crop_imm, overlay, resize};
use image::{Rgb, RgbImage};
use rten::Model;
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use crate::coco::Class;
use crate::error::VisionError;
use boxes::{ANCHORS, Anchor, Rect};
use convert::{CLASSES, SIDE};

pub(crate) use convert::to_onnx;

/// File name of the converted network.
pub(crate) const OBJECTS: &str = "ssd_mobilenet_v2_coco.onnx";

/// A box with this score or more is a thing for sure.
const SURE: f32 = 0.5;
/// A box with this score or more may be a thing. Below it, every photograph is full of boxes.
const TRACE: f32 = 0.2;
/// Boxes of one class that overlap by this say the same (the network's own value).
const SAME: f32 = 0.6;
/// Of two boxes of one class that share this much of the smaller, the worse may be a part of the
/// better.
const PART: f32 = 0.6;
/// Neighbouring tiles share this part of their side.
const SHARED: f64 = 0.2;
/// An image longer than this many times its short side is cut into a row instead of 2 by 2.
const LONG: f64 = 1.7;
/// Most tiles in a row.
const MOST_TILES: f64 = 8.0;

/// Something that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Thing {
    pub(crate) class: Class,
    /// The network's probability, 0..=1.
    pub(crate) score: f32,
    /// Whether it is counted; else it may be a thing, a part of another, or nothing.
    pub(crate) sure: bool,
    place: Rect,
}

/// The network with its anchors.
pub(crate) struct Detector {
    model: Model,
    anchors: Vec<Anchor>,
}

impl Detector {
    /// Loads the network from a folder; about 0.2 s and 100 MB.
    ///
    /// # Errors
    /// If the file is absent or is no network of the expected kind.
    pub(crate) fn load(dir: &Path) -> Result<Self, VisionError> {
        let model = crate::ocr::load(dir, OBJECTS)?;
        if model.input_ids().len() != 1 || model.output_ids().len() != 2 {
            return Err(fault(
                &"not the network that `verispec models install` makes",
            ));
        }
        Ok(Self {
            model,
            anchors: boxes::anchors(),
        })
    }

    /// Everything in an image that is or may be a thing.
    ///
    /// Things are counted in one look at the whole image. Looks at its tiles, which show small
    /// things larger, only add what may be things: a "no" has to hold for them, too.
    ///
    /// # Errors
    /// If the network fails to run.
    pub(crate) fn look(&self, image: &RgbImage) -> Result<Vec<Thing>, VisionError> {
        let size = [image.width(), image.height()];
        let mut found: Vec<Thing> = vec![];
        for thing in self.window(image, [0, 0], size)? {
            let mut better = found.iter().filter(|t| t.sure && t.class == thing.class);
            let part = better.any(|t| t.place.cover(&thing.place) >= PART);
            let sure = thing.score >= SURE && !part;
            found.push(Thing { sure, ..thing });
        }
        for (corner, size) in tiles(image.width(), image.height()) {
            for thing in self.window(image, corner, size)? {
                let mut known = found.iter().filter(|t| t.class == thing.class);
                if !known.any(|t| t.place.cover(&thing.place) >= PART) {
                    found.push(thing);
                }
            }
        }
        Ok(found)
    }

    /// What is seen in a part of an image, by class, the best first; nothing is sure yet.
    fn window(
        &self,
        image: &RgbImage,
        corner: [u32; 2],
        size: [u32; 2],
    ) -> Result<Vec<Thing>, VisionError> {
        let part = crop_imm(image, corner[0], corner[1], size[0], size[1]).to_image();
        let frame = Frame::of(&part);
        let (offsets, logits) = self.run(&frame.input)?;
        let mut found = vec![];
        for number in 1..CLASSES {
            let Some(class) = Class::from_number(number) else {
                continue;
            };
            let mut boxes = vec![];
            for (row, anchor) in self.anchors.iter().enumerate() {
                let score = 1.0 / (1.0 + (-logits[[0, row, number]]).exp());
                if score >= TRACE {
                    let code = [0, 1, 2, 3].map(|i| offsets[[0, row, i]]);
                    boxes.extend(frame.place(anchor.decode(code)).map(|p| (score, p)));
                }
            }
            for (score, place) in boxes::suppress(boxes, SAME) {
                found.push(Thing {
                    class,
                    score,
                    sure: false,
                    place: shifted(place, corner),
                });
            }
        }
        Ok(found)
    }

    /// Offsets and logits, a row for each anchor.
    fn run(
        &self,
        input: &NdTensor<f32, 4>,
    ) -> Result<(NdTensor<f32, 3>, NdTensor<f32, 3>), VisionError> {
        let (inputs, outputs) = (self.model.input_ids(), self.model.output_ids());
        let ids = [outputs[0], outputs[1]];
        let input = vec![(inputs[0], input.view().into())];
        let [offsets, logits] = self.model.run_n(input, ids, None).map_err(|e| fault(&e))?;
        let shaped = |value: rten::Value, extent: usize| -> Result<NdTensor<f32, 3>, VisionError> {
            let tensor: NdTensor<f32, 3> = value
                .try_into()
                .map_err(|_| fault(&"unexpected output shape"))?;
            if tensor.shape() != [1, ANCHORS, extent] {
                return Err(fault(&format!(
                    "unexpected output shape {:?}",
                    tensor.shape()
                )));
            }
            Ok(tensor)
        };
        Ok((shaped(offsets, 4)?, shaped(logits, CLASSES)?))
    }
}

fn fault(error: &dyn std::fmt::Display) -> VisionError {
    crate::ocr::run_error(OBJECTS, error)
}

/// An image in the middle of the network's square input, grey around it.
struct Frame {
    input: NdTensor<f32, 4>,
    /// Pixels of the image for the side of the square.
    side: f32,
    /// Extents of the image in pixels.
    size: [f32; 2],
}

impl Frame {
    fn of(image: &RgbImage) -> Self {
        let (w, h) = image.dimensions();
        let side = w.max(h).max(1);
        let full = SIDE as u32;
        let scaled = |v: u32| {
            let exact = f64::from(v) * f64::from(full) / f64::from(side);
            (exact.round() as u32).clamp(1, full)
        };
        let (nw, nh) = (scaled(w), scaled(h));
        let small = resize(image, nw, nh, FilterType::Triangle);
        let mut square = RgbImage::from_pixel(full, full, Rgb([128; 3]));
        let middle = |v: u32| i64::from((full - v) / 2);
        overlay(&mut square, &small, middle(nw), middle(nh));
        let input = NdTensor::from_fn([1, 3, SIDE, SIDE], |[_, c, y, x]| {
            f32::from(square.get_pixel(x as u32, y as u32)[c]) / 127.5 - 1.0
        });
        Self {
            input,
            side: side as f32,
            size: [w as f32, h as f32],
        }
    }

    /// A box in shares of the square as pixels of the image, cut at its border; `None` if little
    /// more than a line of it is inside.
    fn place(&self, share: Rect) -> Option<Rect> {
        let [w, h] = self.size;
        let across = |v: f32| (v * self.side - (self.side - w) / 2.0).clamp(0.0, w);
        let down = |v: f32| (v * self.side - (self.side - h) / 2.0).clamp(0.0, h);
        let place = Rect {
            left: across(share.left),
            top: down(share.top),
            right: across(share.right),
            bottom: down(share.bottom),
        };
        let line = 0.005 * self.side;
        let inside = place.right - place.left >= line && place.bottom - place.top >= line;
        inside.then_some(place)
    }
}

fn shifted(place: Rect, corner: [u32; 2]) -> Rect {
    let [x, y] = corner.map(|v| v as f32);
    Rect {
        left: place.left + x,
        top: place.top + y,
        right: place.right + x,
        bottom: place.bottom + y,
    }
}

/// Corner and size of the tiles of an image; none if the network sees all its pixels anyway.
fn tiles(width: u32, height: u32) -> Vec<([u32; 2], [u32; 2])> {
    if width.max(height) as usize <= SIDE {
        return vec![];
    }
    let (w, h) = (f64::from(width), f64::from(height));
    // Tiles of the short side's height in a row, or 2 by 2.
    let row = |long: f64, short: f64| {
        let n = (long / short - SHARED) / (1.0 - SHARED);
        n.ceil().clamp(1.0, MOST_TILES)
    };
    let (across, down) = if w >= LONG * h {
        (row(w, h), 1.0)
    } else if h >= LONG * w {
        (1.0, row(h, w))
    } else {
        (2.0, 2.0)
    };
    let cut = |extent: u32, n: f64| -> Vec<(u32, u32)> {
        let size = f64::from(extent) / (n - (n - 1.0) * SHARED);
        let start = |i: u32| (f64::from(i) * size * (1.0 - SHARED)) as u32;
        (0..n as u32)
            .map(|i| (start(i), (size.ceil() as u32).min(extent - start(i)).max(1)))
            .collect()
    };
    let columns = cut(width, across);
    cut(height, down)
        .into_iter()
        .flat_map(|(y, h)| columns.iter().map(move |&(x, w)| ([x, y], [w, h])))
        .collect()
}

#[cfg(test)]
mod tests;
