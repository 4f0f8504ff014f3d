//! WebP: RIFF chunks (RFC 9649).

use super::read::{le16, le32, orientation, u8_at};
use super::{Header, ImageInfo, MediaErrorKind, cut_in_header};
use crate::format::Format;

pub(super) fn header(bytes: &[u8]) -> Result<Header, MediaErrorKind> {
    let short = || cut_in_header(Format::WebP, bytes.len());
    let riff = le32(bytes, 4).ok_or_else(short)?;
    let kind = bytes.get(12..16).ok_or_else(short)?;
    let body = bytes.get(20..).ok_or_else(short)?;
    let (width, height, has_alpha) = match kind {
        b"VP8 " => lossy(body).ok_or_else(short)?,
        b"VP8L" => lossless(body).ok_or_else(short)?,
        b"VP8X" => extended(body).ok_or_else(short)?,
        other => {
            let detail = format!("unknown first chunk {:?}", String::from_utf8_lossy(other));
            return Err(MediaErrorKind::Decode {
                format: Format::WebP,
                detail,
            });
        }
    };
    let mut info = ImageInfo::new(Format::WebP, width, height, bytes);
    info.has_alpha = has_alpha;
    if kind == b"VP8X" {
        walk(bytes, &mut info);
    }
    let end = u64::from(riff) + 8;
    let cut = (end > bytes.len() as u64)
        .then(|| format!("should be {end} bytes, the file has {}", bytes.len()));
    Ok(Header { info, cut })
}

fn lossy(body: &[u8]) -> Option<(u32, u32, bool)> {
    let (width, height) = (le16(body, 6)?, le16(body, 8)?);
    Some((u32::from(width & 0x3FFF), u32::from(height & 0x3FFF), false))
}

fn lossless(body: &[u8]) -> Option<(u32, u32, bool)> {
    let bits = le32(body, 1)?;
    Some((
        (bits & 0x3FFF) + 1,
        (bits >> 14 & 0x3FFF) + 1,
        bits >> 28 & 1 == 1,
    ))
}

fn extended(body: &[u8]) -> Option<(u32, u32, bool)> {
    let side = |at| Some(u32::from(le16(body, at)?) + (u32::from(u8_at(body, at + 2)?) << 16) + 1);
    Some((side(4)?, side(7)?, u8_at(body, 0)? & 0x10 != 0))
}

/// Counts frames and finds EXIF.
fn walk(bytes: &[u8], info: &mut ImageInfo) {
    let mut frames = 0;
    let mut at = 12;
    while let (Some(kind), Some(size)) = (bytes.get(at..at + 4), le32(bytes, at + 4)) {
        let data = bytes.get(at + 8..(at + 8).saturating_add(size as usize));
        match kind {
            b"ANMF" => frames += 1,
            b"EXIF" => {
                let data = data.unwrap_or_default();
                // Some writers keep the prefix that only JPEG needs.
                info.orientation = orientation(data.strip_prefix(b"Exif\0\0").unwrap_or(data));
            }
            _ => {}
        }
        // Chunks are padded to even sizes.
        let Some(next) = (at + 8).checked_add(size as usize + (size & 1) as usize) else {
            break;
        };
        at = next;
    }
    info.frames = frames.max(1);
}
