//! Profile `original@1`: the file as it is wherever judges agree on what it shows.

use std::io::Cursor;

use bytes::Bytes;
use image::codecs::png::{CompressionType, FilterType, PngDecoder, PngEncoder};
use image::codecs::{jpeg::JpegDecoder, webp::WebPDecoder};
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageEncoder};
use verispec_model::Hash;

use crate::error::MediaErrorKind;
use crate::format::{Format, Mime};
use crate::jpeg::ENCODER;
use crate::ladder::fit;
use crate::limits::Limits;
use crate::pixels::{allocation, decode};
use crate::probe::{ImageInfo, probe_bytes};
use crate::profile::{Encoded, describe};
use crate::published::on_white;

/// The PNG encoder of this build.
pub const PNG_ENCODER: &str = "image-0.25/png-0.18";

/// Most bytes that go out: their base64 stays under the 20 MB that the tightest of the large
/// providers takes a request.
const CAP: usize = 14_000_000;

pub(crate) fn original(
    bytes: Bytes,
    source: Option<Hash>,
    limits: &Limits,
) -> Result<Encoded, MediaErrorKind> {
    let info = probe_bytes(&bytes, limits)?;
    let mime = info
        .format
        .mime()
        .ok_or(MediaErrorKind::Unsupported(info.format))?;
    let reasons = reasons(&info);
    if reasons.is_empty() {
        let notes = if info.has_alpha {
            vec![TRANSPARENT.to_owned()]
        } else {
            vec![]
        };
        return Ok(Encoded::as_it_is(mime, bytes, source).with_notes(notes));
    }
    let mut pixels = eight_bits(decode(&bytes, &info)?);
    if let Some(turn) = Orientation::from_exif(info.orientation) {
        pixels.apply_orientation(turn);
    }
    let icc = colour_profile(&bytes, &info);
    if info.format != Format::Jpeg {
        let png = encode_png(&pixels, icc.clone())?;
        if png.len() <= CAP {
            return Ok(Encoded::made(Mime::Png, png.into(), PNG_ENCODER).with_notes(reasons));
        }
    }
    encode_jpeg_capped(pixels, icc, reasons)
}

const TRANSPARENT: &str = "may be transparent: the judge's side chooses the background";

/// Why a file cannot go as it is.
fn reasons(info: &ImageInfo) -> Vec<String> {
    let mut reasons = vec![];
    if info.is_animated() {
        reasons.push(format!("first of {} frames", info.frames));
    }
    if info.orientation != 1 {
        reasons.push(format!("EXIF orientation {} applied", info.orientation));
    }
    if info.bit_depth > 8 {
        reasons.push(format!("{} bits a sample scaled to 8", info.bit_depth));
    }
    if info.cmyk {
        reasons.push("inks converted to RGB without a colour profile".to_owned());
    }
    if matches!(info.format, Format::Gif | Format::Bmp) {
        reasons.push(format!("{} sent as PNG", info.format));
    }
    if info.bytes > CAP as u64 {
        reasons.push(format!("{} bytes are over the cap of {CAP}", info.bytes));
    }
    reasons
}

/// Scales samples of 16 bits to 8 by their full range.
pub(crate) fn eight_bits(pixels: DynamicImage) -> DynamicImage {
    match pixels {
        DynamicImage::ImageLuma16(_) => pixels.into_luma8().into(),
        DynamicImage::ImageLumaA16(_) => pixels.into_luma_alpha8().into(),
        DynamicImage::ImageRgb16(_) => pixels.into_rgb8().into(),
        DynamicImage::ImageRgba16(_) => pixels.into_rgba8().into(),
        other => other,
    }
}

/// The file's RGB colour profile, which gives its numbers their meaning.
fn colour_profile(bytes: &[u8], info: &ImageInfo) -> Option<Vec<u8>> {
    let reader = Cursor::new(bytes);
    let icc = match info.format {
        Format::Png => PngDecoder::with_limits(reader, allocation(info))
            .ok()?
            .icc_profile(),
        Format::Jpeg => JpegDecoder::new(reader).ok()?.icc_profile(),
        Format::WebP => WebPDecoder::new(reader).ok()?.icc_profile(),
        _ => return None,
    };
    // Bytes 16..20 name the colour space; one of inks or gray no longer fits the pixels.
    icc.ok()?.filter(|icc| icc.get(16..20) == Some(b"RGB "))
}

pub(crate) fn encode_png(
    pixels: &DynamicImage,
    icc: Option<Vec<u8>>,
) -> Result<Vec<u8>, MediaErrorKind> {
    let failed = |e: image::ImageError| MediaErrorKind::Encode(e.to_string());
    let mut out = Vec::new();
    let mut encoder =
        PngEncoder::new_with_quality(&mut out, CompressionType::Default, FilterType::Adaptive);
    if let Some(icc) = icc.filter(|_| pixels.color().has_color()) {
        // A profile that the encoder refuses is not worth the image.
        let _ = encoder.set_icc_profile(icc);
    }
    let (width, height) = (pixels.width(), pixels.height());
    let colour = pixels.color().into();
    encoder
        .write_image(pixels.as_bytes(), width, height, colour)
        .map_err(failed)?;
    Ok(out)
}

fn encode_jpeg_capped(
    pixels: DynamicImage,
    icc: Option<Vec<u8>>,
    mut notes: Vec<String>,
) -> Result<Encoded, MediaErrorKind> {
    if pixels.color().has_alpha() {
        notes.push("composited on white".to_owned());
    }
    let segments = icc.map(|icc| icc_segments(&icc)).unwrap_or_default();
    let fitted = fit(&on_white(pixels), CAP.saturating_sub(segments.len()))?;
    notes.push(describe(&fitted));
    let bytes = insert_after_jfif(fitted.bytes, &segments);
    Ok(Encoded::made(Mime::Jpeg, bytes.into(), ENCODER).with_notes(notes))
}

/// A colour profile as APP2 segments (ICC.1:2022, annex B.4); nothing if it needs over 255.
fn icc_segments(icc: &[u8]) -> Vec<u8> {
    const MOST: usize = 65_535 - 2 - 14;
    let pieces: Vec<&[u8]> = icc.chunks(MOST).collect();
    let Ok(count) = u8::try_from(pieces.len()) else {
        return vec![];
    };
    let mut out = Vec::with_capacity(icc.len() + 18 * pieces.len());
    for (number, piece) in (1..=count).zip(pieces) {
        let length = (piece.len() + 16) as u16;
        out.extend([0xFF, 0xE2]);
        out.extend(length.to_be_bytes());
        out.extend(b"ICC_PROFILE\0");
        out.extend([number, count]);
        out.extend(piece);
    }
    out
}

/// Puts segments behind the JFIF header, which has to stay first.
fn insert_after_jfif(mut jpeg: Vec<u8>, segments: &[u8]) -> Vec<u8> {
    if let Some(&[0xFF, 0xE0, high, low]) = jpeg.get(2..6) {
        let at = 4 + usize::from(u16::from_be_bytes([high, low]));
        jpeg.splice(at..at, segments.iter().copied());
    }
    jpeg
}
