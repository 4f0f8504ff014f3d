//! The first frame of a GIF in Pillow's modes.

use gif::{ColorOutput, DecodeOptions, MemoryLimit};
use image::RgbImage;

use super::blend_on_white;
use crate::error::MediaErrorKind;
use crate::format::Format;
use crate::probe::ImageInfo;

fn broken(detail: impl ToString) -> MediaErrorKind {
    MediaErrorKind::Decode {
        format: Format::Gif,
        detail: detail.to_string(),
    }
}

/// Decodes the first frame onto a canvas of the transparent index, or of index 0 without one.
pub(super) fn rgb(bytes: &[u8], info: &ImageInfo) -> Result<RgbImage, MediaErrorKind> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    // The size was checked against our own limit already.
    options.set_memory_limit(MemoryLimit::Unlimited);
    let mut decoder = options.read_info(bytes).map_err(broken)?;
    let global = decoder.global_palette().map(<[u8]>::to_vec);
    let frame = decoder.read_next_frame().map_err(broken)?;
    let frame = frame.ok_or_else(|| broken("no frame"))?;
    let palette = colours(
        frame.palette.as_deref().or(global.as_deref()),
        frame.transparent,
    );
    let background = palette[usize::from(frame.transparent.unwrap_or(0))];
    let mut canvas = RgbImage::from_pixel(info.width, info.height, image::Rgb(background));
    let width = usize::from(frame.width).max(1);
    for (y, row) in (u32::from(frame.top)..).zip(frame.buffer.chunks_exact(width)) {
        for (x, &index) in (u32::from(frame.left)..).zip(row) {
            if let Some(pixel) = canvas.get_pixel_mut_checked(x, y) {
                pixel.0 = palette[usize::from(index)];
            }
        }
    }
    Ok(canvas)
}

/// The palette composited on white. A palette that is the gray ramp makes mode L, whose
/// transparent index Pillow does not look at; so does the want of one. An index past the end of
/// a palette is black.
fn colours(raw: Option<&[u8]>, transparent: Option<u8>) -> [[u8; 3]; 256] {
    let Some(raw) = raw else {
        return std::array::from_fn(|i| [i as u8; 3]);
    };
    let mut table = [[0; 3]; 256];
    let (entries, _) = raw.as_chunks::<3>();
    let is_ramp = (0..=255).zip(entries).all(|(i, &entry)| entry == [i; 3]);
    for (slot, &entry) in table.iter_mut().zip(entries) {
        *slot = entry;
    }
    if let Some(index) = transparent.filter(|_| !is_ramp) {
        let [r, g, b] = table[usize::from(index)];
        table[usize::from(index)] = blend_on_white([r, g, b, 0]);
    }
    table
}
