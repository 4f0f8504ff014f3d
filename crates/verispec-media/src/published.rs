//! Conversion to RGB as the released scripts do it with Pillow, faults included.
//!
//! First frame; alpha composited on white; EXIF, ICC and the transparent colour of RGB and gray
//! PNG files not looked at; 16-bit gray clipped at 255 rather than scaled; 16-bit colour cut to
//! its high byte. The default profile does none of this.

mod gif;
mod png;

use image::{DynamicImage, RgbImage};

use crate::error::MediaErrorKind;
use crate::format::Format;
use crate::jpeg::{check_sides, decode_jpeg};
use crate::limits::Limits;
use crate::pixels::decode_generic;
use crate::probe::header;

/// Decodes to the RGB pixels that `Image.open(...)`, composited on white where the mode has alpha
/// or a palette, and `convert("RGB")` otherwise, give in Pillow 13.
///
/// # Errors
/// Not an image, over the limits, a side over 65,500 pixels (JPEG is next), truncated or broken.
/// As in Pillow, a PNG or GIF that only lacks its end marker is read.
pub fn rgb_as_pillow(bytes: &[u8], limits: &Limits) -> Result<RgbImage, MediaErrorKind> {
    let header = header(bytes, limits)?;
    let format = header.info.format;
    check_sides(header.info.width, header.info.height)?;
    match (format, header.cut) {
        (Format::Png, _) => png::rgb(bytes),
        (Format::Gif, _) => gif::rgb(bytes, &header.info),
        (_, Some(detail)) => Err(MediaErrorKind::Truncated { format, detail }),
        (Format::Jpeg, None) => decode_jpeg(bytes, &header.info),
        (_, None) => decode_generic(bytes, &header.info).map(on_white),
    }
}

/// Composites an 8-bit image on white where it has alpha.
pub(crate) fn on_white(pixels: DynamicImage) -> RgbImage {
    if !pixels.color().has_alpha() {
        return pixels.into_rgb8();
    }
    let pixels = pixels.into_rgba8();
    let (width, height) = pixels.dimensions();
    let rgb = pixels.pixels().flat_map(|p| blend_on_white(p.0)).collect();
    RgbImage::from_raw(width, height, rgb).unwrap_or_default()
}

/// One pixel over white, in the arithmetic of Pillow's `paste` with a mask: for each channel
/// `t = 255 * (255 - a) + c * a + 128; (t + (t >> 8)) >> 8`.
pub(crate) fn blend_on_white([r, g, b, a]: [u8; 4]) -> [u8; 3] {
    let alpha = u32::from(a);
    [r, g, b].map(|channel| {
        let sum = 255 * (255 - alpha) + u32::from(channel) * alpha + 128;
        (((sum >> 8) + sum) >> 8) as u8
    })
}

/// Four stored inks (Adobe's inverted convention) a pixel to RGB, without a colour profile:
/// `round(ink * k / 255)`.
#[cfg_attr(not(feature = "turbojpeg"), allow(dead_code))]
pub(crate) fn inks_to_rgb(inks: &[u8]) -> Vec<u8> {
    let product = |ink: u8, k: u8| {
        let sum = u32::from(ink) * u32::from(k) + 128;
        (((sum >> 8) + sum) >> 8) as u8
    };
    let (pixels, _) = inks.as_chunks::<4>();
    pixels
        .iter()
        .flat_map(|&[c, m, y, k]| [c, m, y].map(|ink| product(ink, k)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compositing_on_white_by_known_values() {
        assert_eq!(blend_on_white([255, 0, 0, 128]), [255, 127, 127]);
        assert_eq!(blend_on_white([1, 2, 3, 0]), [255, 255, 255]);
        assert_eq!(blend_on_white([1, 2, 3, 255]), [1, 2, 3]);
    }

    #[test]
    fn inks_by_known_values() {
        assert_eq!(
            inks_to_rgb(&[255, 255, 255, 255, 0, 128, 255, 255]),
            [255, 255, 255, 0, 128, 255]
        );
        assert_eq!(inks_to_rgb(&[200, 200, 200, 0]), [0, 0, 0]);
    }
}
