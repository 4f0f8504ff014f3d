//! Lanczos resampling in Pillow's arithmetic.
//!
//! Libraries with faster resizers round and clip elsewhere and differ by up to 20 levels; this one
//! is a transcription of the formulae (a pass over the width, then over the height, each with
//! 22-bit fixed-point weights and clipped to 8 bits), so that published re-encodings come out
//! equal. It only runs for images that no JPEG quality brings under a cap.

use std::f64::consts::PI;

use image::RgbImage;

/// Fraction bits of a weight: 32 less 8 of the sample and 2 of head room.
const BITS: u32 = 22;
/// Half-width of the Lanczos window, in source pixels at scale 1.
const LOBES: f64 = 3.0;

/// Weights of the source pixels `first..first + weights.len()` for one target pixel.
struct Taps {
    first: usize,
    weights: Vec<i32>,
}

/// Resizes with the Lanczos-3 window, as Pillow's `resize(size, LANCZOS)` on mode RGB.
///
/// A pass whose length does not change is skipped. Both target lengths must be at least 1.
#[must_use]
pub fn resize_lanczos(pixels: &RgbImage, width: u32, height: u32) -> RgbImage {
    let wide = if width == pixels.width() {
        pixels.clone()
    } else {
        across(pixels, width)
    };
    if height == wide.height() {
        wide
    } else {
        down(&wide, height)
    }
}

fn across(pixels: &RgbImage, width: u32) -> RgbImage {
    let taps = taps(pixels.width() as usize, width as usize);
    let row_len = 3 * pixels.width() as usize;
    let mut out = Vec::with_capacity(3 * width as usize * pixels.height() as usize);
    for row in pixels.as_raw().chunks_exact(row_len) {
        let (row, _) = row.as_chunks::<3>();
        for tap in &taps {
            let mut sums = [1_i32 << (BITS - 1); 3];
            for (pixel, &weight) in row[tap.first..].iter().zip(&tap.weights) {
                for (sum, &channel) in sums.iter_mut().zip(pixel) {
                    *sum += i32::from(channel) * weight;
                }
            }
            out.extend(sums.map(clip));
        }
    }
    RgbImage::from_raw(width, pixels.height(), out).unwrap_or_default()
}

fn down(pixels: &RgbImage, height: u32) -> RgbImage {
    let taps = taps(pixels.height() as usize, height as usize);
    let row_len = 3 * pixels.width() as usize;
    let rows: Vec<&[u8]> = pixels.as_raw().chunks_exact(row_len).collect();
    let mut out = Vec::with_capacity(row_len * height as usize);
    let mut sums = vec![0_i32; row_len];
    for tap in &taps {
        sums.fill(1 << (BITS - 1));
        for (row, &weight) in rows[tap.first..].iter().zip(&tap.weights) {
            for (sum, &channel) in sums.iter_mut().zip(*row) {
                *sum += i32::from(channel) * weight;
            }
        }
        out.extend(sums.iter().map(|&sum| clip(sum)));
    }
    RgbImage::from_raw(pixels.width(), height, out).unwrap_or_default()
}

fn clip(sum: i32) -> u8 {
    (sum >> BITS).clamp(0, 255) as u8
}

/// Weights for every target pixel; the window widens with the scale when shrinking.
fn taps(from: usize, to: usize) -> Vec<Taps> {
    let scale = from as f64 / to as f64;
    let stretch = scale.max(1.0);
    let support = LOBES * stretch;
    let tap = |i: usize| {
        let centre = (i as f64 + 0.5) * scale;
        let first = (centre - support + 0.5).max(0.0) as usize;
        let last = ((centre + support + 0.5) as usize).min(from);
        let weight = |x| lanczos((x as f64 - centre + 0.5) * (1.0 / stretch));
        let raw: Vec<f64> = (first..last).map(weight).collect();
        let total: f64 = raw.iter().sum();
        let weights = raw
            .iter()
            .map(|w| fixed(if total == 0.0 { *w } else { w / total }));
        Taps {
            first,
            weights: weights.collect(),
        }
    };
    (0..to).map(tap).collect()
}

/// Rounds half away from zero.
fn fixed(weight: f64) -> i32 {
    let half = if weight < 0.0 { -0.5 } else { 0.5 };
    (half + weight * f64::from(1 << BITS)) as i32
}

/// `sinc(x) * sinc(x / 3)` inside the window (Duchon 1979).
fn lanczos(x: f64) -> f64 {
    if (-LOBES..LOBES).contains(&x) {
        sinc(x) * sinc(x / LOBES)
    } else {
        0.0
    }
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 {
        return 1.0;
    }
    let x = x * PI;
    x.sin() / x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_image_stays_flat_and_unchanged_sizes_stay_equal() {
        let flat = RgbImage::from_pixel(37, 23, image::Rgb([10, 128, 255]));
        let small = resize_lanczos(&flat, 27, 17);
        assert_eq!(small.dimensions(), (27, 17));
        assert!(small.pixels().all(|p| p.0 == [10, 128, 255]));
        assert_eq!(resize_lanczos(&flat, 37, 23), flat);
        assert_eq!(resize_lanczos(&flat, 1, 1).dimensions(), (1, 1));
    }
}
