//! Splits an image into regions of one flat colour.
//!
//! Pixels on a drawn edge (anti-aliasing) mix the colours of both sides. They are set aside first
//! and given to the nearer side afterwards; otherwise every edge would be a region of its own.

use image::RgbImage;

use crate::colour::{Lab, distance, oklab};

/// A pixel joins a region if it is this near to the region's mean, in OKLab.
const JOIN: f32 = 0.05;
/// Smallest region that is kept, in pixels.
const MIN_AREA: usize = 12;
/// Two neighbours this near belong to one gradient rather than to two drawn areas.
const SOFT_STEP: f32 = 0.06;
/// Passes in which pixels set aside are given to a neighbouring region.
const ABSORB_PASSES: usize = 4;
/// Label of a pixel that belongs to no region.
pub(crate) const NONE: u32 = u32::MAX;

/// A connected area of nearly one colour.
#[derive(Debug, Clone)]
pub(crate) struct Region {
    /// Mean colour of its inner pixels, OKLab.
    pub(crate) lab: Lab,
    /// Mean colour of its inner pixels, sRGB.
    pub(crate) rgb: [u8; 3],
    /// Pixels, edge pixels included.
    pub(crate) area: usize,
    /// Left, top, right, bottom; inclusive.
    pub(crate) bbox: [usize; 4],
    /// Pixels on the left, top, right and bottom side of the image.
    pub(crate) border: [usize; 4],
}

/// An image as labelled regions.
#[derive(Debug)]
pub(crate) struct Segmentation {
    /// Width in pixels.
    pub(crate) width: usize,
    /// Height in pixels.
    pub(crate) height: usize,
    /// Region index of each pixel, row by row, or [`NONE`].
    pub(crate) labels: Vec<u32>,
    /// The regions.
    pub(crate) regions: Vec<Region>,
    /// Share of pixels that lay in a region before edges were given away, 0..=1.
    pub(crate) covered: f32,
    /// Neighbouring pixels of two regions with only a soft step between them, per image pixel.
    pub(crate) soft: f32,
}

impl Segmentation {
    /// Segments an image. Cost is linear in its pixels.
    pub(crate) fn of(image: &RgbImage) -> Self {
        let (width, height) = (image.width() as usize, image.height() as usize);
        let rgb: Vec<[u8; 3]> = image.pixels().map(|p| p.0).collect();
        let lab: Vec<Lab> = rgb.iter().map(|&p| oklab(p)).collect();
        let blend = edge_pixels(&rgb, width, height);
        let mut seg = Self {
            width,
            height,
            labels: vec![NONE; width * height],
            regions: Vec::new(),
            covered: 0.0,
            soft: 0.0,
        };
        seg.grow(&rgb, &lab, &blend);
        let inside = seg.labels.iter().filter(|&&l| l != NONE).count();
        let drawn = blend.iter().filter(|b| !**b).count();
        seg.covered = inside as f32 / drawn.max(1) as f32;
        seg.soft = seg.soft_steps(&lab) as f32 / (width * height).max(1) as f32;
        seg.absorb(&lab);
        seg.measure();
        seg
    }

    /// Region index of a pixel.
    pub(crate) fn label(&self, x: usize, y: usize) -> u32 {
        self.labels[y * self.width + x]
    }

    fn grow(&mut self, rgb: &[[u8; 3]], lab: &[Lab], blend: &[bool]) {
        let mut visited = blend.to_vec();
        let mut members = Vec::new();
        for start in 0..lab.len() {
            if visited[start] {
                continue;
            }
            members.clear();
            self.fill(start, lab, &mut visited, &mut members);
            if members.len() < MIN_AREA {
                continue;
            }
            let label = self.regions.len() as u32;
            members.iter().for_each(|&m| self.labels[m] = label);
            let rgb = mean_rgb(&members, rgb);
            let (bbox, border) = ([0; 4], [0; 4]);
            self.regions.push(Region {
                lab: oklab(rgb),
                rgb,
                area: 0,
                bbox,
                border,
            });
        }
    }

    /// Collects the pixels connected to `start` (4 neighbours) and near the running mean.
    fn fill(&self, start: usize, lab: &[Lab], visited: &mut [bool], members: &mut Vec<usize>) {
        let mut sum = [0.0f64; 3];
        visited[start] = true;
        members.push(start);
        add(&mut sum, lab[start]);
        let mut next = 0;
        while let Some(&at) = members.get(next) {
            next += 1;
            let n = members.len() as f64;
            let mean = sum.map(|v| (v / n) as f32);
            for near in neighbours4(at, self.width, self.height)
                .into_iter()
                .flatten()
            {
                if !visited[near] && distance(lab[near], mean) < JOIN {
                    visited[near] = true;
                    members.push(near);
                    add(&mut sum, lab[near]);
                }
            }
        }
    }

    fn soft_steps(&self, lab: &[Lab]) -> usize {
        let mut soft = 0;
        for y in 0..self.height {
            for x in 0..self.width {
                let at = y * self.width + x;
                let right = (x + 1 < self.width).then_some(at + 1);
                let below = (y + 1 < self.height).then_some(at + self.width);
                for near in [right, below].into_iter().flatten() {
                    let (a, b) = (self.labels[at], self.labels[near]);
                    if a != b && a != NONE && b != NONE && distance(lab[at], lab[near]) < SOFT_STEP
                    {
                        soft += 1;
                    }
                }
            }
        }
        soft
    }

    /// Gives each pixel without a region to the touching region of nearest colour.
    fn absorb(&mut self, lab: &[Lab]) {
        let mut open: Vec<usize> = (0..self.labels.len())
            .filter(|&i| self.labels[i] == NONE)
            .collect();
        for _ in 0..ABSORB_PASSES {
            let taken: Vec<(usize, u32)> = open
                .iter()
                .filter_map(|&at| Some((at, self.nearest_region(at, lab[at])?)))
                .collect();
            if taken.is_empty() {
                return;
            }
            for (at, label) in taken {
                self.labels[at] = label;
            }
            open.retain(|&at| self.labels[at] == NONE);
        }
    }

    fn nearest_region(&self, at: usize, colour: Lab) -> Option<u32> {
        let (x, y) = ((at % self.width) as isize, (at / self.width) as isize);
        let mut best: Option<(f32, u32)> = None;
        for (dx, dy) in AROUND {
            let Some(near) = offset(x + dx, y + dy, self.width, self.height) else {
                continue;
            };
            let label = self.labels[near];
            if label == NONE {
                continue;
            }
            let d = distance(colour, self.regions[label as usize].lab);
            if best.is_none_or(|(b, _)| d < b) {
                best = Some((d, label));
            }
        }
        best.map(|(_, label)| label)
    }

    fn measure(&mut self) {
        let (w, h) = (self.width, self.height);
        for region in &mut self.regions {
            region.bbox = [w, h, 0, 0];
        }
        for (at, &label) in self.labels.iter().enumerate() {
            let Some(region) = self.regions.get_mut(label as usize) else {
                continue;
            };
            let (x, y) = (at % w, at / w);
            region.area += 1;
            let [x0, y0, x1, y1] = region.bbox;
            region.bbox = [x0.min(x), y0.min(y), x1.max(x), y1.max(y)];
            for (side, on) in [x == 0, y == 0, x + 1 == w, y + 1 == h]
                .into_iter()
                .enumerate()
            {
                region.border[side] += usize::from(on);
            }
        }
    }
}

const AROUND: [(isize, isize); 8] = [
    (-1, 0),
    (1, 0),
    (0, -1),
    (0, 1),
    (-1, -1),
    (1, -1),
    (-1, 1),
    (1, 1),
];

fn add(sum: &mut [f64; 3], colour: Lab) {
    for i in 0..3 {
        sum[i] += f64::from(colour[i]);
    }
}

fn mean_rgb(members: &[usize], rgb: &[[u8; 3]]) -> [u8; 3] {
    let mut sum = [0usize; 3];
    for &m in members {
        for c in 0..3 {
            sum[c] += usize::from(rgb[m][c]);
        }
    }
    // A mean of u8 values fits u8.
    sum.map(|v| ((v + members.len() / 2) / members.len()) as u8)
}

fn offset(x: isize, y: isize, width: usize, height: usize) -> Option<usize> {
    let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
    (x < width && y < height).then_some(y * width + x)
}

/// The pixels left, right, above and below, where they exist.
pub(crate) fn neighbours4(at: usize, width: usize, height: usize) -> [Option<usize>; 4] {
    let (x, y) = (at % width, at / width);
    [
        (x > 0).then(|| at - 1),
        (x + 1 < width).then_some(at + 1),
        (y > 0).then(|| at - width),
        (y + 1 < height).then_some(at + width),
    ]
}

/// Marks pixels whose colour is a mixture of two clearly different opposite neighbours.
fn edge_pixels(rgb: &[[u8; 3]], width: usize, height: usize) -> Vec<bool> {
    let mut out = vec![false; rgb.len()];
    for y in 0..height {
        for x in 0..width {
            let at = y * width + x;
            let (x, y) = (x as isize, y as isize);
            out[at] = [(1, 0), (0, 1), (1, 1), (1, -1)]
                .into_iter()
                .any(|(dx, dy)| {
                    let a = offset(x - dx, y - dy, width, height);
                    let b = offset(x + dx, y + dy, width, height);
                    matches!((a, b), (Some(a), Some(b)) if mixes(rgb[at], rgb[a], rgb[b]))
                });
        }
    }
    out
}

/// Whether `p` lies on the line from `a` to `b` in sRGB, away from both ends.
fn mixes(p: [u8; 3], a: [u8; 3], b: [u8; 3]) -> bool {
    let sub = |u: [u8; 3], v: [u8; 3]| [0, 1, 2].map(|i| f32::from(u[i]) - f32::from(v[i]));
    let dot = |u: [f32; 3], v: [f32; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    let (ab, ap) = (sub(b, a), sub(p, a));
    let length = dot(ab, ab);
    // Closer than 40 of 255 is a gradient or noise rather than an edge.
    if length < 40.0 * 40.0 {
        return false;
    }
    let t = dot(ap, ab) / length;
    let off = (dot(ap, ap) - t * t * length).max(0.0);
    (0.06..=0.94).contains(&t) && off < 30.0 * 30.0
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn a_soft_edge_is_no_region() {
        let image = RgbImage::from_fn(40, 20, |x, _| match x {
            0..=18 => Rgb([255, 255, 255]),
            19 => Rgb([255, 180, 180]),
            20 => Rgb([255, 90, 90]),
            _ => Rgb([255, 0, 0]),
        });
        let seg = Segmentation::of(&image);
        assert_eq!(seg.regions.len(), 2);
        assert!(seg.labels.iter().all(|&l| l != NONE));
        assert_eq!(seg.soft, 0.0);
        assert_eq!(seg.regions.iter().map(|r| r.area).sum::<usize>(), 800);
    }

    #[test]
    fn a_gradient_is_soft() {
        let image = RgbImage::from_fn(256, 20, |x, _| Rgb([x as u8, 100, 255 - x as u8]));
        let seg = Segmentation::of(&image);
        assert!(seg.regions.len() > 2 && seg.soft > 0.0);
    }
}
