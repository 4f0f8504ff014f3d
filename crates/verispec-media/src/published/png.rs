//! PNG in Pillow's modes.

use std::io::Cursor;

use image::RgbImage;
use png::{BitDepth, ColorType, Decoder, Transformations};

use super::blend_on_white;
use crate::error::MediaErrorKind;
use crate::format::Format;

fn broken(detail: impl ToString) -> MediaErrorKind {
    MediaErrorKind::Decode {
        format: Format::Png,
        detail: detail.to_string(),
    }
}

/// Decodes without the library's own expansion, which would apply the transparent colour of RGB
/// and gray images and scale 16-bit samples.
pub(super) fn rgb(bytes: &[u8]) -> Result<RgbImage, MediaErrorKind> {
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::IDENTITY);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let mut reader = decoder.read_info().map_err(broken)?;
    let (width, height) = reader.info().size();
    let layout = Layout::of(&reader);
    let palette = palette(reader.info());
    let mut rgb = Vec::with_capacity(3 * width as usize * height as usize);
    if reader.info().interlaced {
        let size = reader
            .output_buffer_size()
            .ok_or_else(|| broken("too large"))?;
        let mut data = vec![0; size];
        let frame = reader.next_frame(&mut data).map_err(broken)?;
        for row in data.chunks_exact(frame.line_size).take(height as usize) {
            push_row(row, layout, &palette, &mut rgb);
        }
    } else {
        // Row by row, since a whole frame would ask for the chunk after it, which may be missing.
        for _ in 0..height {
            let row = reader
                .next_row()
                .map_err(broken)?
                .ok_or_else(|| broken("rows are missing"))?;
            push_row(row.data(), layout, &palette, &mut rgb);
        }
    }
    RgbImage::from_raw(width, height, rgb).ok_or_else(|| broken("rows are missing"))
}

/// How samples lie in a row.
#[derive(Clone, Copy)]
struct Layout {
    width: usize,
    colour: ColorType,
    depth: BitDepth,
}

impl Layout {
    fn of<R: std::io::BufRead + std::io::Seek>(reader: &png::Reader<R>) -> Self {
        let (colour, depth) = reader.output_color_type();
        Self {
            width: reader.info().width as usize,
            colour,
            depth,
        }
    }
}

/// The palette composited on white. An index past its end is black.
fn palette(info: &png::Info<'_>) -> [[u8; 3]; 256] {
    let mut table = [[0; 3]; 256];
    let (colours, _) = info.palette.as_deref().unwrap_or_default().as_chunks::<3>();
    let alpha = info.trns.as_deref().unwrap_or_default();
    for (i, (entry, &[r, g, b])) in table.iter_mut().zip(colours).enumerate() {
        *entry = blend_on_white([r, g, b, alpha.get(i).copied().unwrap_or(255)]);
    }
    table
}

fn push_row(row: &[u8], layout: Layout, palette: &[[u8; 3]; 256], rgb: &mut Vec<u8>) {
    let Layout {
        width,
        colour,
        depth: bits,
    } = layout;
    let depth = bits as u8;
    match (colour, bits) {
        (ColorType::Grayscale, BitDepth::Sixteen) => {
            // Mode I;16 to RGB clips: 30000 becomes 255.
            let (samples, _) = row.as_chunks::<2>();
            rgb.extend(
                samples
                    .iter()
                    .flat_map(|&[high, low]| [if high == 0 { low } else { 255 }; 3]),
            );
        }
        (ColorType::Grayscale, _) => {
            // Samples of fewer bits are spread over 0..=255.
            let unit = 255 / ((1_u16 << depth) - 1) as u8;
            rgb.extend(samples(row, depth).take(width).flat_map(|v| [v * unit; 3]));
        }
        (ColorType::Indexed, _) => {
            rgb.extend(
                samples(row, depth)
                    .take(width)
                    .flat_map(|i| palette[usize::from(i)]),
            );
        }
        (kind, BitDepth::Sixteen) => {
            let high: Vec<u8> = row.iter().copied().step_by(2).collect();
            push_eight(&high, kind, rgb);
        }
        (kind, _) => push_eight(row, kind, rgb),
    }
}

fn push_eight(row: &[u8], kind: ColorType, rgb: &mut Vec<u8>) {
    match kind {
        ColorType::GrayscaleAlpha => {
            let (pixels, _) = row.as_chunks::<2>();
            rgb.extend(
                pixels
                    .iter()
                    .flat_map(|&[v, a]| blend_on_white([v, v, v, a])),
            );
        }
        ColorType::Rgba => {
            let (pixels, _) = row.as_chunks::<4>();
            rgb.extend(pixels.iter().flat_map(|&p| blend_on_white(p)));
        }
        _ => rgb.extend_from_slice(row),
    }
}

/// Unpacks samples of 1, 2, 4 or 8 bits, most significant first.
fn samples(row: &[u8], depth: u8) -> impl Iterator<Item = u8> {
    let mask = ((1_u16 << depth) - 1) as u8;
    let per_byte = 8 / depth;
    row.iter()
        .flat_map(move |&byte| (0..per_byte).map(move |i| byte >> (8 - depth * (i + 1)) & mask))
}
