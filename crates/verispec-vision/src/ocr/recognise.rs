//! Reads one line of text.

use image::{Rgb, RgbImage};
use rten::Model;
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use crate::error::VisionError;
use crate::geometry::hull::TurnedRect;
use crate::ocr::{Line, RECOGNISER, SURE, run_error};

/// Height of the network's input, in pixels.
const HEIGHT: usize = 48;
/// Widest input, in pixels.
const MAX_WIDTH: usize = 3200;

/// Reads the text in a box. Upright text is tried first; a tall box is tried as text running down
/// and up; a doubtful upright reading is tried upside down.
///
/// # Errors
/// If the network fails to run.
pub(crate) fn line(
    model: &Model,
    characters: &[String],
    image: &RgbImage,
    found: &TurnedRect,
) -> Result<Line, VisionError> {
    let upright = upright(*found);
    let tall = upright.across > 1.5 * upright.along;
    let quarter = quarter_turn(upright);
    let turns = if tall {
        vec![quarter, half_turn(quarter), upright]
    } else {
        vec![upright, half_turn(upright)]
    };
    let mut best = (String::new(), 0.0);
    for rect in turns {
        let (text, confidence) = read(model, characters, &crop(image, &rect))?;
        if confidence > best.1 {
            best = (text, confidence);
        }
        if best.1 >= SURE {
            break;
        }
    }
    Ok(Line {
        text: best.0.trim().to_owned(),
        confidence: best.1,
        bbox: bounds(found),
    })
}

/// The same rectangle with its axis within 45 degrees of "rightwards".
fn upright(rect: TurnedRect) -> TurnedRect {
    let (ux, uy) = rect.axis;
    let turned = if ux.abs() >= uy.abs() {
        rect
    } else {
        quarter_turn(rect)
    };
    if turned.axis.0 < 0.0 {
        half_turn(turned)
    } else {
        turned
    }
}

fn quarter_turn(rect: TurnedRect) -> TurnedRect {
    let (ux, uy) = rect.axis;
    TurnedRect {
        axis: (-uy, ux),
        along: rect.across,
        across: rect.along,
        ..rect
    }
}

fn half_turn(rect: TurnedRect) -> TurnedRect {
    TurnedRect {
        axis: (-rect.axis.0, -rect.axis.1),
        ..rect
    }
}

fn bounds(rect: &TurnedRect) -> [f32; 4] {
    let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map(|(u, v)| rect.at(u, v));
    let fold = |f: fn(f64, f64) -> f64, pick: fn(&(f64, f64)) -> f64| {
        corners.iter().map(pick).reduce(f).unwrap_or(0.0) as f32
    };
    [
        fold(f64::min, |c| c.0),
        fold(f64::min, |c| c.1),
        fold(f64::max, |c| c.0),
        fold(f64::max, |c| c.1),
    ]
}

/// The box's content, turned upright and scaled to the network's height. Each output pixel is the
/// mean of a grid of bilinear samples, fine enough that nothing is skipped when scaling down.
fn crop(image: &RgbImage, rect: &TurnedRect) -> RgbImage {
    let width = (HEIGHT as f64 * rect.along / rect.across.max(1.0)).round() as usize;
    let width = width.clamp(HEIGHT / 2, MAX_WIDTH);
    let steps = ((rect.across / HEIGHT as f64).ceil() as usize).clamp(1, 6);
    RgbImage::from_fn(width as u32, HEIGHT as u32, |x, y| {
        let mut sum = [0.0f64; 3];
        for j in 0..steps {
            for i in 0..steps {
                let part = |k: usize| (k as f64 + 0.5) / steps as f64;
                let u = (f64::from(x) + part(i)) / width as f64 - 0.5;
                let v = (f64::from(y) + part(j)) / HEIGHT as f64 - 0.5;
                let sample = bilinear(image, rect.at(u, v));
                (0..3).for_each(|c| sum[c] += sample[c]);
            }
        }
        Rgb(sum.map(|v| (v / (steps * steps) as f64).round() as u8))
    })
}

fn bilinear(image: &RgbImage, (x, y): (f64, f64)) -> [f64; 3] {
    let x = x.clamp(0.0, f64::from(image.width()) - 1.0);
    let y = y.clamp(0.0, f64::from(image.height()) - 1.0);
    let (x0, y0) = (x.floor() as u32, y.floor() as u32);
    let (x1, y1) = (
        (x0 + 1).min(image.width() - 1),
        (y0 + 1).min(image.height() - 1),
    );
    let (fx, fy) = (x - f64::from(x0), y - f64::from(y0));
    let p = |x: u32, y: u32| image.get_pixel(x, y).0.map(f64::from);
    let (a, b, c, d) = (p(x0, y0), p(x1, y0), p(x0, y1), p(x1, y1));
    [0, 1, 2].map(|i| {
        let (top, bottom) = (a[i] + (b[i] - a[i]) * fx, c[i] + (d[i] - c[i]) * fx);
        top + (bottom - top) * fy
    })
}

/// Text and mean character probability of an upright line.
fn read(
    model: &Model,
    characters: &[String],
    line: &RgbImage,
) -> Result<(String, f32), VisionError> {
    let err = |e: &dyn std::fmt::Display| run_error(RECOGNISER, e);
    let shape = [1, 3, line.height() as usize, line.width() as usize];
    let input: NdTensor<f32, 4> = NdTensor::from_fn(shape, |[_, c, y, x]| {
        (f32::from(line.get_pixel(x as u32, y as u32)[2 - c]) / 255.0 - 0.5) / 0.5
    });
    let output = model
        .run_one(input.view().into(), None)
        .map_err(|e| err(&e))?;
    let steps: NdTensor<f32, 3> = output
        .try_into()
        .map_err(|_| err(&"unexpected output shape"))?;
    if steps.size(2) != characters.len() {
        let message = format!(
            "{} classes for {} characters",
            steps.size(2),
            characters.len()
        );
        return Err(err(&message));
    }
    let (mut text, mut sum, mut n, mut last) = (String::new(), 0.0f32, 0usize, usize::MAX);
    for t in 0..steps.size(1) {
        let row = steps.slice((0, t));
        let (best, p) = row
            .iter()
            .copied()
            .enumerate()
            .fold(
                (0, f32::MIN),
                |best, (i, p)| {
                    if p > best.1 { (i, p) } else { best }
                },
            );
        if best != last && best != 0 {
            text.push_str(&characters[best]);
            sum += p;
            n += 1;
        }
        last = best;
    }
    Ok((text, if n > 0 { sum / n as f32 } else { 0.0 }))
}
