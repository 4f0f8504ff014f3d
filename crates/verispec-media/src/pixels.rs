//! Decoding to pixels as they are meant: palettes and transparency expanded.

use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, ImageFormat, ImageReader};

use crate::error::{MediaError, MediaErrorKind};
use crate::format::Format;
use crate::jpeg::decode_jpeg;
use crate::limits::Limits;
use crate::probe::{ImageInfo, probe_bytes, read_file};

/// Inspects a file as [`probe`](crate::probe) does, and decodes its first frame to see that the
/// pixel data are sound.
///
/// # Errors
/// As [`probe`](crate::probe), and pixel data that cannot be decoded.
pub fn verify(path: &Path, limits: &Limits) -> Result<ImageInfo, MediaError> {
    let bytes = read_file(path, limits)?;
    let run = || {
        let info = probe_bytes(&bytes, limits)?;
        decode(&bytes, info.format)?;
        Ok(info)
    };
    run().map_err(|kind| MediaError::new(path, kind))
}

/// Decodes the first frame. The size must have been checked before.
pub(crate) fn decode(bytes: &[u8], format: Format) -> Result<DynamicImage, MediaErrorKind> {
    if format == Format::Jpeg {
        return Ok(DynamicImage::ImageRgb8(decode_jpeg(bytes)?));
    }
    decode_generic(bytes, format)
}

/// Decodes by the `image` crate.
pub(crate) fn decode_generic(bytes: &[u8], format: Format) -> Result<DynamicImage, MediaErrorKind> {
    let broken = |e: &dyn std::fmt::Display| MediaErrorKind::Decode {
        format,
        detail: e.to_string(),
    };
    let kind = match format {
        Format::Png => ImageFormat::Png,
        Format::Jpeg => ImageFormat::Jpeg,
        Format::Gif => ImageFormat::Gif,
        Format::WebP => ImageFormat::WebP,
        Format::Bmp => ImageFormat::Bmp,
        _ => return Err(MediaErrorKind::Unsupported(format)),
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), kind);
    // The pixel count was checked against our own limit already.
    reader.no_limits();
    reader.decode().map_err(|e| broken(&e))
}
