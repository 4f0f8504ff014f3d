//! Flat figures of a drawing: which regions are figures, of which kind and colour.

mod edges;
mod figures;
mod form;
mod glyphs;
pub(crate) mod hull;
mod segment;

use image::RgbImage;

use crate::colour::Colour;
use crate::tri::Tri;

pub(crate) use form::{Form, Kind};

use segment::Segmentation;

/// Longest side that is analysed, in pixels; larger images are scaled down, which also narrows soft
/// edges and evens out compression noise.
const MAX_SIDE: u32 = 640;

/// One figure of a drawing.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    /// What it was measured to be.
    pub(crate) form: Form,
    /// Mean colour.
    pub(crate) rgb: [u8; 3],
    /// Whether it stands in a row like a letter: of none of the kinds, and perhaps not meant as a
    /// shape at all.
    pub(crate) letter: bool,
    /// Whether it is large enough for its colour to be that of its inside.
    pub(crate) sure_colour: bool,
    /// Left, top, right, bottom in analysed pixels, inclusive.
    pub(crate) bbox: [f64; 4],
    /// Centre of mass of its hull.
    pub(crate) centre: (f64, f64),
}

impl Shape {
    /// Whether people would call its colour so.
    pub(crate) fn has_colour(&self, colour: Colour) -> Tri {
        if self.sure_colour {
            colour.names(self.rgb)
        } else {
            Tri::Maybe
        }
    }
}

/// What geometry can say about an image.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    /// Width and height in analysed pixels.
    pub(crate) size: (f64, f64),
    /// Colour of the area along the image's border, if one colour holds most of it.
    pub(crate) background: Option<[u8; 3]>,
    /// Figures from top to bottom.
    pub(crate) shapes: Vec<Shape>,
}

/// Analyses an image. `Err` says why it is not a drawing of flat areas, in which case no
/// question about figures is answered.
pub(crate) fn analyse(image: &RgbImage) -> Result<Scene, String> {
    let (w, h) = image.dimensions();
    let scale = f64::from(MAX_SIDE) / f64::from(w.max(h).max(1));
    let small;
    let image = if scale < 1.0 {
        let size = |v: u32| ((f64::from(v) * scale).round() as u32).max(1);
        small = image::imageops::thumbnail(image, size(w), size(h));
        &small
    } else {
        image
    };
    let seg = Segmentation::of(image);
    flatness(&seg)?;
    Ok(figures::scene(&seg))
}

/// Least share of pixels in regions of one colour.
const MIN_COVERED: f32 = 0.97;
/// Least share of pixels in regions of at least 0.1 % of the image.
const MIN_LARGE: f64 = 0.93;
/// Most soft steps between regions, per pixel.
const MAX_SOFT: f32 = 0.002;
/// Most regions.
const MAX_REGIONS: usize = 400;

/// Checks that the image is a drawing of flat areas.
fn flatness(seg: &Segmentation) -> Result<(), String> {
    let total = (seg.width * seg.height).max(1);
    let large: usize = seg
        .regions
        .iter()
        .map(|r| r.area)
        .filter(|a| a * 1000 >= total)
        .sum();
    let large = large as f64 / total as f64;
    let flat = seg.covered >= MIN_COVERED
        && large >= MIN_LARGE
        && seg.soft <= MAX_SOFT
        && seg.regions.len() <= MAX_REGIONS;
    if flat {
        return Ok(());
    }
    Err(format!(
        "not a drawing of flat areas: {:.0} % of it in even areas, {} areas",
        100.0 * large,
        seg.regions.len()
    ))
}
