//! Image bytes to pixels, within limits, upright, transparency shown on white.

use image::metadata::Orientation;
use image::{Rgb, RgbImage, Rgba};
use verispec_media::{Limits, probe_bytes};

use crate::error::VisionError;

/// Decodes an image of any supported format, by content.
///
/// # Errors
/// If the bytes are no image, are damaged or exceed the limits of `verispec-media`.
pub(crate) fn decode(bytes: &[u8]) -> Result<RgbImage, VisionError> {
    let err = |e: &dyn std::fmt::Display| VisionError::Decode(e.to_string());
    let info = probe_bytes(bytes, &Limits::default()).map_err(|e| err(&e))?;
    let mut image = image::load_from_memory(bytes).map_err(|e| err(&e))?;
    if let Some(turn) = Orientation::from_exif(info.orientation) {
        image.apply_orientation(turn);
    }
    if image.color().has_alpha() {
        let rgba = image.to_rgba8();
        return Ok(RgbImage::from_fn(rgba.width(), rgba.height(), |x, y| {
            on_white(rgba.get_pixel(x, y))
        }));
    }
    Ok(image.to_rgb8())
}

fn on_white(pixel: &Rgba<u8>) -> Rgb<u8> {
    let [r, g, b, a] = pixel.0.map(u32::from);
    // The mean of two u8 weighted by a u8 fits u8.
    Rgb([r, g, b].map(|v| ((v * a + 255 * (255 - a) + 127) / 255) as u8))
}
