//! Image bytes to pixels, within limits, transparency shown on white.

use std::io::Cursor;

use image::{ImageReader, Limits, Rgb, RgbImage, Rgba};

use crate::error::VisionError;

/// Largest accepted side in pixels.
const MAX_SIDE: u32 = 20_000;
/// Largest accepted decoder allocation in bytes.
const MAX_ALLOC: u64 = 1 << 30;

/// Decodes an image of any supported format, by content.
///
/// # Errors
/// If the bytes are no image, are damaged or exceed the limits.
pub(crate) fn decode(bytes: &[u8]) -> Result<RgbImage, VisionError> {
    let err = |e: &dyn std::fmt::Display| VisionError::Decode(e.to_string());
    let mut reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|e| err(&e))?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_ALLOC);
    reader.limits(limits);
    let image = reader.decode().map_err(|e| err(&e))?;
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
