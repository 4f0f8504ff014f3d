//! From regions to figures: background, holes, outlines and letters are told apart.

use std::collections::BTreeMap;

use crate::geometry::form::{self, Form};
use crate::geometry::glyphs;
use crate::geometry::hull::{self, RowSpans};
use crate::geometry::segment::{NONE, Segmentation};
use crate::geometry::{Scene, Shape};

/// Two regions this near in OKLab have the same colour.
const SAME: f32 = 0.06;

/// A region with what encloses it and what it encloses.
#[derive(Debug)]
pub(crate) struct Figure {
    /// Index of the region.
    pub(crate) region: usize,
    /// Left, top, right, bottom; inclusive.
    pub(crate) bbox: [usize; 4],
    /// Its own pixels.
    pub(crate) area: usize,
    /// Its own pixels and all that it encloses.
    pub(crate) filled: usize,
    /// Measured form.
    pub(crate) form: Form,
    /// Centre of mass of the hull.
    pub(crate) centre: (f64, f64),
    /// Enclosed regions with their pixels.
    pub(crate) inside: BTreeMap<usize, usize>,
    /// The region that touches its outside most.
    pub(crate) surround: Option<usize>,
    /// All regions that touch its outside, with the length of contact in pixels.
    touching: BTreeMap<usize, usize>,
}

impl Figure {
    /// Whether it encloses something, as a ring or most letters do.
    pub(crate) fn has_hole(&self) -> bool {
        // Specks from anti-aliasing are no hole.
        (self.filled - self.area) * 50 > self.filled
    }

    /// Height in pixels.
    pub(crate) fn height(&self) -> usize {
        self.bbox[3] - self.bbox[1] + 1
    }

    /// Width in pixels.
    pub(crate) fn width(&self) -> usize {
        self.bbox[2] - self.bbox[0] + 1
    }
}

/// Builds the scene of a flat drawing.
pub(crate) fn scene(seg: &Segmentation) -> Scene {
    let ground = ground(seg);
    let figures: Vec<Figure> = (0..seg.regions.len())
        .filter(|&i| !is_backdrop(seg, i, ground))
        .map(|i| figure(seg, i))
        .collect();
    let mut keep: Vec<bool> = figures.iter().map(|f| !is_noise(seg, f)).collect();
    drop_holes_and_outlines(seg, &figures, &mut keep);
    let letters = glyphs::letters(seg, &figures, &keep);
    drop_letters(seg, &figures, &letters, &mut keep);
    let shapes = (0..figures.len())
        .filter(|&i| keep[i] || letters[i])
        .map(|i| {
            let shape = shape(seg, &figures, &figures[i]);
            if letters[i] {
                Shape {
                    form: Form::NOTHING,
                    letter: true,
                    ..shape
                }
            } else {
                shape
            }
        });
    Scene {
        size: (seg.width as f64, seg.height as f64),
        background: ground
            .filter(|&g| border_share(seg, g) >= 0.6)
            .map(|g| bytes(seg, g)),
        shapes: shapes.collect(),
    }
}

/// A faint sliver: what lossy compression leaves beside an edge.
fn is_noise(seg: &Segmentation, f: &Figure) -> bool {
    let faint = f
        .surround
        .is_some_and(|s| seg.distance(s, f.region) < 2.0 * SAME);
    faint && !seg.regions[f.region].thick
}

/// The region that holds most of the image's border, if it holds half of it.
fn ground(seg: &Segmentation) -> Option<usize> {
    let best =
        (0..seg.regions.len()).max_by_key(|&i| seg.regions[i].border.iter().sum::<usize>())?;
    (border_share(seg, best) >= 0.5).then_some(best)
}

fn border_share(seg: &Segmentation, region: usize) -> f64 {
    let on = seg.regions[region].border.iter().sum::<usize>();
    on as f64 / (2 * (seg.width + seg.height)).max(1) as f64
}

/// Whether a region is background: the ground, a piece of its colour at the border, or an area
/// that takes a whole side of the image.
fn is_backdrop(seg: &Segmentation, i: usize, ground: Option<usize>) -> bool {
    let region = &seg.regions[i];
    let at_border = region.border.iter().any(|&n| n > 0);
    let like_ground = ground.is_some_and(|g| g == i || seg.distance(g, i) < SAME);
    let sides = [seg.height, seg.width, seg.height, seg.width];
    let whole_side = (0..4).any(|s| region.border[s] * 10 >= sides[s] * 9);
    (at_border && like_ground) || whole_side
}

fn figure(seg: &Segmentation, i: usize) -> Figure {
    let region = &seg.regions[i];
    let outside = outside_of(seg, i);
    let [x0, y0, x1, y1] = region.bbox;
    let width = x1 - x0 + 3;
    let (mut spans, mut inside, mut filled) = (RowSpans::new(), BTreeMap::new(), 0);
    let mut touching: BTreeMap<usize, usize> = BTreeMap::new();
    for y in y0..=y1 {
        let mut span: Option<(usize, usize)> = None;
        for x in x0..=x1 {
            let at = (y - y0 + 1) * width + (x - x0 + 1);
            if outside[at] {
                continue;
            }
            filled += 1;
            let label = seg.label(x, y);
            if label as usize != i {
                *inside.entry(label as usize).or_insert(0) += 1;
                continue;
            }
            span = Some((span.map_or(x, |s| s.0), x));
            for (near, (nx, ny)) in around(seg, x, y) {
                let at = (ny + 1 - y0) * width + (nx + 1 - x0);
                if near as usize != i && near != NONE && outside[at] {
                    *touching.entry(near as usize).or_insert(0) += 1;
                }
            }
        }
        spans.extend(span);
    }
    inside.remove(&(NONE as usize));
    let mut form = form::measure(&spans, y0, filled);
    let centres = hull::of_centres(&spans, y0);
    if form == Form::UNKNOWN && form::star_profile(&profile(&spans, y0, &outside, region.bbox)) {
        form = Form::star();
    }
    let surround = touching
        .iter()
        .max_by_key(|&(_, n)| n)
        .map(|(&label, _)| label);
    let (bbox, area, centre) = (region.bbox, region.area, hull::centroid(&centres));
    Figure {
        region: i,
        bbox,
        area,
        filled,
        form,
        centre,
        inside,
        surround,
        touching,
    }
}

/// Labels and places of the four neighbours.
fn around(seg: &Segmentation, x: usize, y: usize) -> Vec<(u32, (usize, usize))> {
    let near = crate::geometry::segment::neighbours4(y * seg.width + x, seg.width, seg.height);
    near.into_iter()
        .flatten()
        .map(|at| (seg.labels[at], (at % seg.width, at / seg.width)))
        .collect()
}

/// Which pixels of the region's bounding box, widened by one, lie outside of it: reachable from
/// the box's rim without crossing the region.
fn outside_of(seg: &Segmentation, i: usize) -> Vec<bool> {
    let [x0, y0, x1, y1] = seg.regions[i].bbox;
    let (w, h) = (x1 - x0 + 3, y1 - y0 + 3);
    let wall = |at: usize| {
        let (x, y) = (at % w, at / w);
        let inner = (1..w - 1).contains(&x) && (1..h - 1).contains(&y);
        inner && seg.label(x0 + x - 1, y0 + y - 1) as usize == i
    };
    let mut outside = vec![false; w * h];
    let mut open = vec![0];
    outside[0] = true;
    while let Some(at) = open.pop() {
        for near in crate::geometry::segment::neighbours4(at, w, h)
            .into_iter()
            .flatten()
        {
            if !outside[near] && !wall(near) {
                outside[near] = true;
                open.push(near);
            }
        }
    }
    outside
}

/// Distance of the filled region's outline from its centre of mass in 120 directions.
fn profile(spans: &RowSpans, top: usize, outside: &[bool], bbox: [usize; 4]) -> Vec<f64> {
    let [x0, y0, x1, _] = bbox;
    let width = x1 - x0 + 3;
    let cells = || {
        spans
            .iter()
            .enumerate()
            .flat_map(move |(row, &(a, b))| (a..=b).map(move |x| (x, top + row)))
    };
    let filled: Vec<(f64, f64)> = cells()
        .filter(|&(x, y)| !outside[(y - y0 + 1) * width + (x - x0 + 1)])
        .map(|(x, y)| (x as f64, y as f64))
        .collect();
    let n = filled.len().max(1) as f64;
    let c = filled
        .iter()
        .fold((0.0, 0.0), |s, p| (s.0 + p.0 / n, s.1 + p.1 / n));
    let mut radii = vec![0.0f64; 120];
    for (x, y) in filled {
        let angle = (y - c.1).atan2(x - c.0).to_degrees().rem_euclid(360.0);
        let bin = ((angle / 3.0) as usize).min(119);
        radii[bin] = radii[bin].max((x - c.0).hypot(y - c.1));
    }
    radii
}

/// Index in `figures` of the smallest figure that encloses figure `f`.
fn parent(figures: &[Figure], f: &Figure) -> Option<usize> {
    (0..figures.len())
        .filter(|&p| figures[p].inside.contains_key(&f.region))
        .min_by_key(|&p| figures[p].filled)
}

/// Whether `f` shows what lies around the ring `p`.
fn shows_through(seg: &Segmentation, p: &Figure, f: &Figure) -> bool {
    p.surround.is_some_and(|s| seg.distance(s, f.region) < SAME)
}

fn drop_holes_and_outlines(seg: &Segmentation, figures: &[Figure], keep: &mut [bool]) {
    for (i, f) in figures.iter().enumerate() {
        let Some(p) = parent(figures, f) else {
            continue;
        };
        let ring = &figures[p];
        if shows_through(seg, ring, f) {
            // A thin ring is an outlined figure; what shows inside is no figure.
            if ring.area * 10 < ring.filled * 6 {
                keep[i] = false;
            }
        } else if ring.area * 100 < ring.filled * 35
            && f.filled * 100 > (ring.filled - ring.area) * 85
        {
            keep[p] = false;
        }
    }
}

/// Drops letters, all that they enclose, and the gaps between their parts: thin strokes break
/// easily, so that the inside of an "O" may lie between two halves of it.
fn drop_letters(seg: &Segmentation, figures: &[Figure], letters: &[bool], keep: &mut [bool]) {
    for (letter, is_letter) in figures.iter().zip(letters) {
        if !is_letter {
            continue;
        }
        for (i, f) in figures.iter().enumerate() {
            let gap = f.touching.contains_key(&letter.region) && shows_through(seg, letter, f);
            keep[i] &= f.region != letter.region && !letter.inside.contains_key(&f.region) && !gap;
        }
    }
}

fn shape(seg: &Segmentation, figures: &[Figure], f: &Figure) -> Shape {
    // The middle of a thick ring may be a hole or a figure drawn on top.
    let doubtful = parent(figures, f).is_some_and(|p| {
        let (a, b) = (figures[p].centre, f.centre);
        let near = (a.0 - b.0).hypot(a.1 - b.1) * 10.0 < f.width().max(f.height()) as f64;
        near && shows_through(seg, &figures[p], f)
    });
    let thick = seg.regions[f.region].thick;
    Shape {
        // The colour and outline of a sliver are those of its edges.
        form: if doubtful || !thick {
            Form::UNKNOWN
        } else {
            f.form
        },
        letter: false,
        sure_colour: thick,
        rgb: bytes(seg, f.region),
        bbox: f.bbox.map(|v| v as f64),
        centre: f.centre,
    }
}

/// Mean colour of a region, rounded.
fn bytes(seg: &Segmentation, region: usize) -> [u8; 3] {
    seg.regions[region].tone.rgb.map(|v| v.round() as u8)
}
