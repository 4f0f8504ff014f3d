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
        decode(&bytes, &info)?;
        Ok(info)
    };
    run().map_err(|kind| MediaError::new(path, kind))
}

/// Decodes the first frame. `info` is that of the same bytes, and within the limits.
pub(crate) fn decode(bytes: &[u8], info: &ImageInfo) -> Result<DynamicImage, MediaErrorKind> {
    if info.format == Format::Jpeg {
        return Ok(DynamicImage::ImageRgb8(decode_jpeg(bytes, info)?));
    }
    decode_generic(bytes, info)
}

/// Decodes by the `image` crate.
pub(crate) fn decode_generic(
    bytes: &[u8],
    info: &ImageInfo,
) -> Result<DynamicImage, MediaErrorKind> {
    let format = info.format;
    let kind = match format {
        Format::Png => ImageFormat::Png,
        Format::Jpeg => ImageFormat::Jpeg,
        Format::Gif => ImageFormat::Gif,
        Format::WebP => ImageFormat::WebP,
        Format::Bmp => ImageFormat::Bmp,
        _ => return Err(MediaErrorKind::Unsupported(format)),
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), kind);
    reader.limits(allocation(info));
    reader.decode().map_err(|e| MediaErrorKind::Decode {
        format,
        detail: e.to_string(),
    })
}

/// What decoding may allocate: 8 bytes a pixel (four samples of 16 bits) and as much again for a
/// frame beside its canvas, and room for the rest of a file, which may be compressed as well.
pub(crate) fn allocation(info: &ImageInfo) -> image::Limits {
    const REST: u64 = 32 * 1024 * 1024;
    let pixels = u64::from(info.width) * u64::from(info.height);
    let mut limits = image::Limits::no_limits();
    limits.max_alloc = Some(16 * pixels + REST);
    limits
}
