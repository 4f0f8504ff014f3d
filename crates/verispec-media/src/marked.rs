//! Views of objects for judges that look at one object or a pair: outlines, blur, cut-outs.

use image::imageops::{FilterType, blur, crop_imm, overlay, resize};
use image::metadata::Orientation;
use image::{DynamicImage, Rgb, RgbImage};

use crate::error::MediaErrorKind;
use crate::format::Mime;
use crate::limits::Limits;
use crate::original::{PNG_ENCODER, eight_bits, encode_png};
use crate::pixels::decode;
use crate::probe::probe_bytes;
use crate::profile::Encoded;
use crate::published::on_white;

/// Colour of a subject, or of the only object.
const RED: Rgb<u8> = Rgb([255, 0, 0]);
/// Colour of the other object of a pair.
const BLUE: Rgb<u8> = Rgb([0, 0, 255]);
/// What stands in place of everything but the object in a detail view.
const GREY: Rgb<u8> = Rgb([127, 127, 127]);

/// Width of the outlines of a pair, of a context view and of a detail view, pixels.
const LINES: [u32; 3] = [5, 3, 2];
/// Radius of the blur around the object of a context view, pixels.
const BLUR: f32 = 5.0;
/// Pixels by which the sharp part of a context view is larger than the box on each side.
const SHARP: u32 = 10;

/// A box in pixels, maxima inclusive. What lies outside the image is cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PixelBox {
    /// Left.
    pub x1: u32,
    /// Top.
    pub y1: u32,
    /// Right, inclusive.
    pub x2: u32,
    /// Bottom, inclusive.
    pub y2: u32,
}

/// What to cut out and how large to make it, pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CutOut {
    /// Part of the image.
    pub part: PixelBox,
    /// Width of the view.
    pub width: u32,
    /// Height of the view.
    pub height: u32,
}

/// Which view of an image is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum View {
    /// The image with a red outline around the first box and a blue one around the second.
    Pair(PixelBox, PixelBox),
    /// The image with all but the box blurred, and a red outline.
    Context(PixelBox),
    /// The box alone on grey, cut out and enlarged, with a red outline.
    Detail(PixelBox, CutOut),
}

/// Longest side of a view, pixels: larger ones are no view but an attack on memory.
const LONGEST: u32 = 4096;

pub(crate) fn view(view: View, bytes: &[u8], limits: &Limits) -> Result<Encoded, MediaErrorKind> {
    let mut pixels = upright(bytes, limits)?;
    let made = match view {
        View::Pair(subject, object) => {
            // The subject last: where both meet, it stays visible.
            outline(&mut pixels, object, BLUE, LINES[0]);
            outline(&mut pixels, subject, RED, LINES[0]);
            pixels
        }
        View::Context(at) => context(&pixels, at),
        View::Detail(at, cut) => detail(&pixels, at, cut)?,
    };
    let png = encode_png(&DynamicImage::ImageRgb8(made), None)?;
    Ok(Encoded::made(Mime::Png, png.into(), PNG_ENCODER))
}

/// The pixels as `original@1` shows them: boxes are those of an upright picture.
fn upright(bytes: &[u8], limits: &Limits) -> Result<RgbImage, MediaErrorKind> {
    let info = probe_bytes(bytes, limits)?;
    let mut pixels = eight_bits(decode(bytes, &info)?);
    if let Some(turn) = Orientation::from_exif(info.orientation) {
        pixels.apply_orientation(turn);
    }
    Ok(on_white(pixels))
}

fn context(pixels: &RgbImage, at: PixelBox) -> RgbImage {
    let mut made = blur(pixels, BLUR);
    let sharp = PixelBox {
        x1: at.x1.saturating_sub(SHARP),
        y1: at.y1.saturating_sub(SHARP),
        x2: at.x2.saturating_add(SHARP),
        y2: at.y2.saturating_add(SHARP),
    };
    if let Some((x, y, w, h)) = inside(pixels, sharp) {
        let part = crop_imm(pixels, x, y, w, h).to_image();
        overlay(&mut made, &part, i64::from(x), i64::from(y));
    }
    outline(&mut made, at, RED, LINES[1]);
    made
}

fn detail(pixels: &RgbImage, at: PixelBox, cut: CutOut) -> Result<RgbImage, MediaErrorKind> {
    let outside = || MediaErrorKind::Encode("the box holds no pixel of the image".to_owned());
    let (x, y, w, h) = inside(pixels, cut.part).ok_or_else(outside)?;
    if !(1..=LONGEST).contains(&cut.width) || !(1..=LONGEST).contains(&cut.height) {
        let what = format!("a view of {} x {} pixels", cut.width, cut.height);
        return Err(MediaErrorKind::Encode(what));
    }
    let mut alone = RgbImage::from_pixel(pixels.width(), pixels.height(), GREY);
    let (bx, by, bw, bh) = inside(pixels, at).ok_or_else(outside)?;
    let object = crop_imm(pixels, bx, by, bw, bh).to_image();
    overlay(&mut alone, &object, i64::from(bx), i64::from(by));
    outline(&mut alone, at, RED, LINES[2]);
    let part = crop_imm(&alone, x, y, w, h).to_image();
    Ok(resize(&part, cut.width, cut.height, FilterType::CatmullRom))
}

/// Left, top, width and height of a box within an image; `None` if they share no pixel.
fn inside(pixels: &RgbImage, at: PixelBox) -> Option<(u32, u32, u32, u32)> {
    let right = at.x2.min(pixels.width().checked_sub(1)?);
    let bottom = at.y2.min(pixels.height().checked_sub(1)?);
    let some = at.x1 <= right && at.y1 <= bottom;
    some.then(|| (at.x1, at.y1, right - at.x1 + 1, bottom - at.y1 + 1))
}

/// Draws the outermost `width` pixels inside a box.
fn outline(pixels: &mut RgbImage, at: PixelBox, colour: Rgb<u8>, width: u32) {
    let Some((x, y, w, h)) = inside(pixels, at) else {
        return;
    };
    for row in 0..h {
        let edge_row = row < width || row + width >= h;
        for column in 0..w {
            if edge_row || column < width || column + width >= w {
                pixels.put_pixel(x + column, y + row, colour);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(w: u32, h: u32) -> Vec<u8> {
        let image = RgbImage::from_fn(w, h, |x, y| Rgb([x as u8, y as u8, 40]));
        encode_png(&DynamicImage::ImageRgb8(image), None).unwrap()
    }

    fn made(of: View) -> RgbImage {
        let encoded = view(of, &png(100, 80), &Limits::default()).unwrap();
        image::load_from_memory(&encoded.bytes).unwrap().into_rgb8()
    }

    const BOX: PixelBox = PixelBox {
        x1: 30,
        y1: 20,
        x2: 69,
        y2: 59,
    };

    #[test]
    fn a_pair_is_outlined_and_the_rest_untouched() {
        let other = PixelBox {
            x1: 80,
            y1: 0,
            x2: 500,
            y2: 20,
        };
        let seen = made(View::Pair(BOX, other));
        assert_eq!(*seen.get_pixel(30, 20), RED);
        assert_eq!(*seen.get_pixel(69, 59), RED);
        assert_eq!(*seen.get_pixel(50, 40), Rgb([50, 40, 40]));
        assert_eq!(*seen.get_pixel(99, 10), BLUE, "cut off at the edge");
        assert_eq!(*seen.get_pixel(29, 20), Rgb([29, 20, 40]));
    }

    #[test]
    fn a_context_keeps_the_object_sharp() {
        let seen = made(View::Context(BOX));
        assert_eq!(*seen.get_pixel(50, 40), Rgb([50, 40, 40]));
        assert_eq!(*seen.get_pixel(30, 40), RED);
        assert_ne!(*seen.get_pixel(0, 0), Rgb([0, 0, 40]), "blurred");
    }

    #[test]
    fn a_detail_is_the_object_on_grey() {
        let cut = CutOut {
            part: PixelBox {
                x1: 20,
                y1: 10,
                x2: 79,
                y2: 69,
            },
            width: 120,
            height: 120,
        };
        let seen = made(View::Detail(BOX, cut));
        assert_eq!(seen.dimensions(), (120, 120));
        assert_eq!(*seen.get_pixel(2, 2), GREY);
        let far = PixelBox {
            x1: 400,
            y1: 400,
            x2: 500,
            y2: 500,
        };
        let bytes = png(100, 80);
        assert!(view(View::Detail(far, cut), &bytes, &Limits::default()).is_err());
        let huge = CutOut {
            width: 100_000,
            ..cut
        };
        assert!(view(View::Detail(BOX, huge), &bytes, &Limits::default()).is_err());
    }
}
