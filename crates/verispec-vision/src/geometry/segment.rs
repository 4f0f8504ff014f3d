//! Splits an image into regions of one flat colour.
//!
//! Pixels on a drawn edge (anti-aliasing) mix the colours of both sides. They are set aside first
//! and given to the nearer side afterwards; otherwise every edge would be a region of its own.

use image::RgbImage;

use crate::colour::{MeanTone, Tone};
use crate::geometry::edges;

/// A pixel joins a region if it is this near to the region's mean.
const JOIN: f32 = 0.05;
/// Smallest region that is kept, in pixels.
pub(crate) const MIN_AREA: usize = 12;
/// Two neighbours this near belong to one gradient rather than to two drawn areas.
const SOFT_STEP: f32 = 0.06;
/// How far a leftover of an edge lies from the two sides of the edge, in pixels.
const DEBRIS_REACH: usize = 3;
/// Label of a pixel that belongs to no region.
pub(crate) const NONE: u32 = u32::MAX;

/// A connected area of nearly one colour.
#[derive(Debug, Clone)]
pub(crate) struct Region {
    /// Mean colour of its inner pixels.
    pub(crate) tone: Tone,
    /// Pixels, edge pixels included.
    pub(crate) area: usize,
    /// Left, top, right, bottom; inclusive.
    pub(crate) bbox: [usize; 4],
    /// Pixels on the left, top, right and bottom side of the image.
    pub(crate) border: [usize; 4],
    /// Whether it holds a square of three by three pixels.
    pub(crate) thick: bool,
}

impl Region {
    /// A region of a colour, not measured yet.
    pub(crate) const fn new(tone: Tone) -> Self {
        Self {
            tone,
            area: 0,
            bbox: [0; 4],
            border: [0; 4],
            thick: false,
        }
    }
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
        let tones: Vec<Tone> = image.pixels().map(|p| Tone::of(p.0)).collect();
        let blend = edges::blends(image);
        let mut seg = Self {
            width,
            height,
            labels: vec![NONE; width * height],
            regions: Vec::new(),
            covered: 0.0,
            soft: 0.0,
        };
        seg.grow(&tones, &blend);
        let inside = seg.labels.iter().filter(|&&l| l != NONE).count();
        let drawn = blend.iter().filter(|b| !**b).count();
        seg.covered = inside as f32 / drawn.max(1) as f32;
        seg.soft = seg.soft_steps(&tones) as f32 / (width * height).max(1) as f32;
        seg.dissolve_debris();
        edges::give_away(&mut seg, &tones);
        seg.measure();
        seg
    }

    /// Region index of a pixel.
    pub(crate) fn label(&self, x: usize, y: usize) -> u32 {
        self.labels[y * self.width + x]
    }

    /// Difference in colour of two regions.
    pub(crate) fn distance(&self, a: usize, b: usize) -> f32 {
        self.regions[a].tone.distance(self.regions[b].tone)
    }

    fn grow(&mut self, tones: &[Tone], blend: &[bool]) {
        let mut visited = blend.to_vec();
        let mut members = Vec::new();
        for start in 0..tones.len() {
            if visited[start] {
                continue;
            }
            members.clear();
            let tone = self.fill(start, tones, &mut visited, &mut members);
            if members.len() >= MIN_AREA {
                let label = self.regions.len() as u32;
                members.iter().for_each(|&m| self.labels[m] = label);
                self.regions.push(Region::new(tone));
            }
        }
    }

    /// Collects the pixels connected to `start` (4 neighbours) and near the running mean, which is
    /// the result.
    fn fill(
        &self,
        start: usize,
        tones: &[Tone],
        visited: &mut [bool],
        members: &mut Vec<usize>,
    ) -> Tone {
        let mut mean = MeanTone::default();
        visited[start] = true;
        members.push(start);
        mean.add(tones[start]);
        let mut next = 0;
        while let Some(&at) = members.get(next) {
            next += 1;
            let tone = mean.mean();
            for near in neighbours4(at, self.width, self.height)
                .into_iter()
                .flatten()
            {
                if !visited[near] && tones[near].distance(tone) < JOIN {
                    visited[near] = true;
                    members.push(near);
                    mean.add(tones[near]);
                }
            }
        }
        mean.mean()
    }

    /// Takes away regions that are nowhere three pixels thick and lie between two others of
    /// different colour: what resampling and colour reduction leave along an edge.
    fn dissolve_debris(&mut self) {
        let thick = self.thick();
        let mut beside: Vec<Vec<u32>> = vec![Vec::new(); thick.len()];
        for at in 0..self.labels.len() {
            let label = self.labels[at];
            if label == NONE || thick[label as usize] {
                continue;
            }
            for near in self.square(at, DEBRIS_REACH) {
                let other = self.labels[near];
                let list = &mut beside[label as usize];
                if other != NONE && thick[other as usize] && !list.contains(&other) {
                    list.push(other);
                }
            }
        }
        let mut place = Vec::with_capacity(thick.len());
        let mut kept = 0;
        for (thick, beside) in thick.iter().zip(&beside) {
            let differs = |&(a, b): &(u32, u32)| self.distance(a as usize, b as usize) > 0.1;
            let pairs = beside
                .iter()
                .flat_map(|&a| beside.iter().map(move |&b| (a, b)));
            let stays = *thick || !pairs.into_iter().any(|pair| differs(&pair));
            place.push(if stays { kept } else { NONE });
            kept += u32::from(stays);
        }
        self.relabel(&place);
    }

    /// Gives each region its new index, or takes it away; regions of one index are united, the
    /// first one's colour holds.
    pub(crate) fn relabel(&mut self, place: &[u32]) {
        for label in self.labels.iter_mut().filter(|l| **l != NONE) {
            *label = place[*label as usize];
        }
        let count = place
            .iter()
            .filter(|p| **p != NONE)
            .max()
            .map_or(0, |m| *m as usize + 1);
        let mut regions: Vec<Option<Region>> = vec![None; count];
        for (region, &to) in std::mem::take(&mut self.regions).into_iter().zip(place) {
            if to != NONE {
                regions[to as usize].get_or_insert(region);
            }
        }
        self.regions = regions.into_iter().flatten().collect();
    }

    /// For each region whether it holds a square of three by three pixels.
    fn thick(&self) -> Vec<bool> {
        let mut out = vec![false; self.regions.len()];
        for y in 1..self.height.saturating_sub(1) {
            for x in 1..self.width.saturating_sub(1) {
                let at = y * self.width + x;
                let label = self.labels[at];
                if label != NONE && !out[label as usize] {
                    out[label as usize] = self.square(at, 1).all(|near| self.labels[near] == label);
                }
            }
        }
        out
    }

    /// Pixels of the square of the given radius around a pixel, inside the image.
    pub(crate) fn square(&self, at: usize, radius: usize) -> impl Iterator<Item = usize> + use<> {
        let (x, y, width) = (at % self.width, at / self.width, self.width);
        let xs = x.saturating_sub(radius)..(x + radius + 1).min(width);
        let ys = y.saturating_sub(radius)..(y + radius + 1).min(self.height);
        ys.flat_map(move |y| xs.clone().map(move |x| y * width + x))
    }

    fn soft_steps(&self, tones: &[Tone]) -> usize {
        let mut soft = 0;
        for at in 0..self.labels.len() {
            let [_, right, _, below] = neighbours4(at, self.width, self.height);
            for near in [right, below].into_iter().flatten() {
                let (a, b) = (self.labels[at], self.labels[near]);
                let apart = a != b && a != NONE && b != NONE;
                soft += usize::from(apart && tones[at].distance(tones[near]) < SOFT_STEP);
            }
        }
        soft
    }

    fn measure(&mut self) {
        let (w, h) = (self.width, self.height);
        let thick = self.thick();
        for (region, thick) in self.regions.iter_mut().zip(thick) {
            region.bbox = [w, h, 0, 0];
            region.thick = thick;
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

    #[test]
    fn a_thin_ring_is_one_region() {
        let image = RgbImage::from_fn(80, 80, |x, y| {
            // Two pixels of stroke, smoothed over one pixel on either side.
            let d = ((f64::from(x) - 40.3).hypot(f64::from(y) - 39.6) - 30.0).abs();
            Rgb([(255.0 * (d - 0.5).clamp(0.0, 1.0)) as u8; 3])
        });
        let seg = Segmentation::of(&image);
        assert_eq!(seg.regions.len(), 3, "outside, ring, inside");
    }
}
