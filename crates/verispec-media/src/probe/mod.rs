//! Looking at an image without decoding it.
//!
//! One small reader a format walks the structure of the file: sizes and properties come from the
//! headers, completeness from the chain of chunks, markers or blocks reaching its end. Pixel data
//! are not decoded; [`verify`](crate::verify) does that.

mod bmp;
mod gif;
mod jpeg;
mod png;
mod read;
mod webp;

pub(crate) use jpeg::has_split_scans as jpeg_has_split_scans;

use std::fs;
use std::path::Path;

use crate::error::{MediaError, MediaErrorKind};
use crate::format::{Format, sniff};
use crate::limits::Limits;

/// What the headers of an image say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageInfo {
    /// Format by the first bytes.
    pub format: Format,
    /// Width in stored pixels, at least 1.
    pub width: u32,
    /// Height in stored pixels, at least 1.
    pub height: u32,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Number of frames, at least 1; more than 1 is an animation.
    pub frames: u32,
    /// Bits per sample: 1, 2, 4, 8 or 16; 12 in some JPEG files.
    pub bit_depth: u8,
    /// Whether pixels may be transparent.
    pub has_alpha: bool,
    /// Whether pixels are indices into a palette.
    pub palette: bool,
    /// Whether the samples are four inks.
    pub cmyk: bool,
    /// EXIF orientation, 1 (upright) to 8.
    pub orientation: u8,
}

impl ImageInfo {
    fn new(format: Format, width: u32, height: u32, bytes: &[u8]) -> Self {
        Self {
            format,
            width,
            height,
            bytes: bytes.len() as u64,
            frames: 1,
            bit_depth: 8,
            has_alpha: false,
            palette: false,
            cmyk: false,
            orientation: 1,
        }
    }

    /// Width and height as people see it: orientations from 5 on lie on their side.
    #[must_use]
    pub const fn upright(&self) -> (u32, u32) {
        match self.orientation {
            5..=8 => (self.height, self.width),
            _ => (self.width, self.height),
        }
    }

    /// Whether the file holds more than one frame.
    #[must_use]
    pub const fn is_animated(&self) -> bool {
        self.frames > 1
    }
}

/// Headers of an image whose end may be missing.
pub(crate) struct Header {
    pub(crate) info: ImageInfo,
    /// Where the file stops short, if it does.
    pub(crate) cut: Option<String>,
}

/// Reads a file and inspects it.
///
/// # Errors
/// Missing, unreadable, empty or oversized file; bytes that are no usable image; more pixels than
/// `limits`; a broken or missing header; a file whose end is missing.
pub fn probe(path: &Path, limits: &Limits) -> Result<ImageInfo, MediaError> {
    let bytes = read_file(path, limits)?;
    probe_bytes(&bytes, limits).map_err(|kind| MediaError::new(path, kind))
}

/// Inspects bytes; see [`probe`].
///
/// # Errors
/// As [`probe`], without those of reading.
pub fn probe_bytes(bytes: &[u8], limits: &Limits) -> Result<ImageInfo, MediaErrorKind> {
    let Header { info, cut } = header(bytes, limits)?;
    match cut {
        None => Ok(info),
        Some(detail) => Err(MediaErrorKind::Truncated {
            format: info.format,
            detail,
        }),
    }
}

/// Reads a whole file within the limit on bytes.
pub(crate) fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>, MediaError> {
    let fail = |kind| MediaError::new(path, kind);
    let meta = fs::metadata(path).map_err(|e| fail(MediaErrorKind::io(&e)))?;
    if meta.len() > limits.max_file_bytes {
        return Err(fail(MediaErrorKind::TooManyBytes {
            bytes: meta.len(),
            limit: limits.max_file_bytes,
        }));
    }
    fs::read(path).map_err(|e| fail(MediaErrorKind::io(&e)))
}

/// Reads headers and checks the size, whether or not the file is whole.
pub(crate) fn header(bytes: &[u8], limits: &Limits) -> Result<Header, MediaErrorKind> {
    let format = usable_format(bytes)?;
    let header = match format {
        Format::Png => png::header(bytes),
        Format::Jpeg => jpeg::header(bytes),
        Format::Gif => gif::header(bytes),
        Format::WebP => webp::header(bytes),
        _ => bmp::header(bytes),
    }?;
    let ImageInfo { width, height, .. } = header.info;
    if width == 0 || height == 0 {
        let detail = format!("a size of {width} x {height} pixels");
        return Err(MediaErrorKind::Decode { format, detail });
    }
    if !limits.allows(width, height) {
        return Err(MediaErrorKind::TooManyPixels {
            width,
            height,
            limit: limits.max_pixels,
        });
    }
    Ok(header)
}

/// The format, if it is one that can be sent or decoded.
pub(crate) fn usable_format(bytes: &[u8]) -> Result<Format, MediaErrorKind> {
    if bytes.is_empty() {
        return Err(MediaErrorKind::Empty);
    }
    match sniff(bytes) {
        Some(format) if format.mime().is_some() => Ok(format),
        Some(format) => Err(MediaErrorKind::Unsupported(format)),
        None => {
            let start: Vec<String> = bytes.iter().take(8).map(|b| format!("{b:02x}")).collect();
            Err(MediaErrorKind::Unknown(start.join(" ")))
        }
    }
}

/// A header that ends before the size is known.
fn cut_in_header(format: Format, at: usize) -> MediaErrorKind {
    let detail = format!("the file ends inside its header, after {at} bytes");
    MediaErrorKind::Truncated { format, detail }
}

#[cfg(test)]
mod tests;
