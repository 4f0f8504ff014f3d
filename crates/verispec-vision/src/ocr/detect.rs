//! Finds boxes around lines of text.
//!
//! Pre- and post-processing follow PaddleOCR's DB head: probabilities over 0.3 form areas, the
//! mean probability of an area's box has to reach 0.5, and the box grows by area × 1.6 / perimeter.

use image::RgbImage;
use rten::Model;
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use crate::error::VisionError;
use crate::geometry::hull::{self, RowSpans, TurnedRect};
use crate::ocr::{DETECTOR, run_error};

/// Longest side given to the network, in pixels.
const MAX_SIDE: f32 = 960.0;
/// Images whose longest side is smaller are enlarged to it.
const MIN_SIDE: f32 = 320.0;
const PIXEL: f32 = 0.3;
const BOX: f32 = 0.5;
const GROW: f64 = 1.6;

/// Boxes around lines of text, in pixels of the image.
///
/// # Errors
/// If the network fails to run.
pub(crate) fn detect(model: &Model, image: &RgbImage) -> Result<Vec<TurnedRect>, VisionError> {
    let (w, h) = (image.width() as f32, image.height() as f32);
    let longest = w.max(h).max(1.0);
    let scale = longest.clamp(MIN_SIDE, MAX_SIDE) / longest;
    let multiple = |v: f32| ((v * scale / 32.0).round().max(1.0) * 32.0) as u32;
    let (nw, nh) = (multiple(w), multiple(h));
    let small = image::imageops::resize(image, nw, nh, image::imageops::FilterType::Triangle);
    let input = normalised(&small);
    let err = |e: &dyn std::fmt::Display| run_error(DETECTOR, e);
    let output = model
        .run_one(input.view().into(), None)
        .map_err(|e| err(&e))?;
    let map: NdTensor<f32, 4> = output
        .try_into()
        .map_err(|_| err(&"unexpected output shape"))?;
    if map.shape() != [1, 1, nh as usize, nw as usize] {
        return Err(err(&format!("unexpected output shape {:?}", map.shape())));
    }
    let map = Probabilities {
        values: map.to_vec(),
        width: nw as usize,
        height: nh as usize,
    };
    let (sx, sy) = (f64::from(w) / f64::from(nw), f64::from(h) / f64::from(nh));
    Ok(map.boxes().into_iter().map(|b| scaled(b, sx, sy)).collect())
}

/// BGR, mean and standard deviation of ImageNet, as PaddleOCR feeds it.
fn normalised(image: &RgbImage) -> NdTensor<f32, 4> {
    const MEAN: [f32; 3] = [0.485, 0.456, 0.406];
    const STD: [f32; 3] = [0.229, 0.224, 0.225];
    let shape = [1, 3, image.height() as usize, image.width() as usize];
    NdTensor::from_fn(shape, |[_, c, y, x]| {
        let value = image.get_pixel(x as u32, y as u32)[2 - c];
        (f32::from(value) / 255.0 - MEAN[c]) / STD[c]
    })
}

struct Probabilities {
    values: Vec<f32>,
    width: usize,
    height: usize,
}

impl Probabilities {
    fn boxes(&self) -> Vec<TurnedRect> {
        let mut seen = vec![false; self.values.len()];
        let mut out = Vec::new();
        for start in 0..self.values.len() {
            if !seen[start] && self.values[start] > PIXEL {
                let (spans, top) = self.area(start, &mut seen);
                out.extend(self.box_of(&spans, top));
            }
        }
        out
    }

    /// Row spans of the connected area (8 neighbours) around a pixel.
    fn area(&self, start: usize, seen: &mut [bool]) -> (RowSpans, usize) {
        let mut rows = std::collections::BTreeMap::new();
        let mut open = vec![start];
        seen[start] = true;
        while let Some(at) = open.pop() {
            let (x, y) = (at % self.width, at / self.width);
            let row = rows.entry(y).or_insert((x, x));
            *row = (row.0.min(x), row.1.max(x));
            for ny in y.saturating_sub(1)..(y + 2).min(self.height) {
                for nx in x.saturating_sub(1)..(x + 2).min(self.width) {
                    let near = ny * self.width + nx;
                    if !seen[near] && self.values[near] > PIXEL {
                        seen[near] = true;
                        open.push(near);
                    }
                }
            }
        }
        let top = rows.keys().next().copied().unwrap_or(0);
        (rows.into_values().collect(), top)
    }

    fn box_of(&self, spans: &RowSpans, top: usize) -> Option<TurnedRect> {
        let rect = hull::min_rect(&hull::of_corners(spans, top))?;
        if rect.along.min(rect.across) < 3.0 || self.mean_in(&rect) < BOX {
            return None;
        }
        let grow = rect.along * rect.across * GROW / (2.0 * (rect.along + rect.across));
        Some(TurnedRect {
            along: rect.along + 2.0 * grow,
            across: rect.across + 2.0 * grow,
            ..rect
        })
    }

    fn mean_in(&self, rect: &TurnedRect) -> f32 {
        let (cols, rows) = (rect.along.ceil() as usize, rect.across.ceil() as usize);
        let (mut sum, mut n) = (0.0, 0usize);
        for j in 0..rows {
            for i in 0..cols {
                let u = (i as f64 + 0.5) / cols as f64 - 0.5;
                let v = (j as f64 + 0.5) / rows as f64 - 0.5;
                let (x, y) = rect.at(u, v);
                let (x, y) = (x.round(), y.round());
                let inside =
                    x >= 0.0 && y >= 0.0 && x < self.width as f64 && y < self.height as f64;
                if inside {
                    sum += self.values[y as usize * self.width + x as usize];
                    n += 1;
                }
            }
        }
        sum / n.max(1) as f32
    }
}

/// A box of the network's map in pixels of the image. The two scales differ by a few percent at
/// most, so a turned box stays a rectangle well enough.
fn scaled(rect: TurnedRect, sx: f64, sy: f64) -> TurnedRect {
    let stretch = |(x, y): (f64, f64)| (x * sx).hypot(y * sy);
    let (ux, uy) = rect.axis;
    let length = stretch((ux, uy));
    TurnedRect {
        // Pixel centres: (x + 0.5) · s - 0.5.
        centre: (
            (rect.centre.0 + 0.5) * sx - 0.5,
            (rect.centre.1 + 0.5) * sy - 0.5,
        ),
        axis: (ux * sx / length, uy * sy / length),
        along: rect.along * length,
        across: rect.across * stretch((-uy, ux)),
    }
}

impl TurnedRect {
    /// The point at a share of the extents from the middle, each -0.5..=0.5.
    pub(crate) fn at(&self, along: f64, across: f64) -> (f64, f64) {
        let (ux, uy) = self.axis;
        let (a, b) = (along * self.along, across * self.across);
        (
            self.centre.0 + a * ux - b * uy,
            self.centre.1 + a * uy + b * ux,
        )
    }
}
