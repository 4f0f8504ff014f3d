//! JPEG: markers (ITU-T T.81, annex B).

use super::read::{be16, orientation, u8_at};
use super::{Header, ImageInfo, MediaErrorKind, cut_in_header};
use crate::format::Format;

/// Start of scan.
const SOS: u8 = 0xDA;
/// End of image.
const EOI: u8 = 0xD9;

pub(super) fn header(bytes: &[u8]) -> Result<Header, MediaErrorKind> {
    let mut info: Option<ImageInfo> = None;
    let mut turned = 1;
    let mut at = 2;
    let cut = loop {
        let Some(marker) = next_marker(bytes, &mut at) else {
            break Some(format!(
                "no end marker, the file ends after {} bytes",
                bytes.len()
            ));
        };
        if marker == EOI {
            break info
                .as_ref()
                .map_or(Some("no image before the end".to_owned()), |_| None);
        }
        if is_alone(marker) {
            continue;
        }
        let Some(segment) = segment(bytes, at) else {
            break Some(format!("segment {marker:02x} at byte {at} is not complete"));
        };
        match marker {
            0xC0..=0xCF if !matches!(marker, 0xC4 | 0xC8 | 0xCC) => {
                // A second frame header could announce another size than the one that is checked.
                if info.is_some() {
                    let detail = "two frame headers".to_owned();
                    return Err(MediaErrorKind::Decode {
                        format: Format::Jpeg,
                        detail,
                    });
                }
                info = frame(bytes, segment);
            }
            0xE1 => turned = exif(segment).unwrap_or(turned),
            _ => {}
        }
        at += 2 + segment.len();
        if marker == SOS {
            skip_scan(bytes, &mut at);
        }
    };
    let mut info = info.ok_or_else(|| cut_in_header(Format::Jpeg, bytes.len()))?;
    info.orientation = turned;
    Ok(Header { info, cut })
}

/// The next marker; fill bytes before it are allowed. Leaves `at` after it.
fn next_marker(bytes: &[u8], at: &mut usize) -> Option<u8> {
    loop {
        let here = u8_at(bytes, *at)?;
        let next = u8_at(bytes, *at + 1)?;
        *at += 1;
        if here == 0xFF && !matches!(next, 0x00 | 0xFF) {
            *at += 1;
            return Some(next);
        }
    }
}

/// Markers without a segment: TEM, restarts, start of image.
const fn is_alone(marker: u8) -> bool {
    matches!(marker, 0x01 | 0xD0..=0xD8)
}

/// The bytes of the segment whose length field is at `at`, without that field.
fn segment(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let length = usize::from(be16(bytes, at)?);
    bytes.get(at + 2..at + length.max(2))
}

fn frame(bytes: &[u8], segment: &[u8]) -> Option<ImageInfo> {
    let (height, width) = (be16(segment, 1)?, be16(segment, 3)?);
    let mut info = ImageInfo::new(Format::Jpeg, width.into(), height.into(), bytes);
    info.bit_depth = u8_at(segment, 0)?;
    info.cmyk = u8_at(segment, 5)? == 4;
    Some(info)
}

/// Whether a sequential JPEG of several channels has a scan with fewer of them than the frame.
pub(crate) fn has_split_scans(bytes: &[u8]) -> bool {
    let mut at = 2;
    let mut channels = 0;
    while let Some(marker) = next_marker(bytes, &mut at) {
        if is_alone(marker) {
            continue;
        }
        let Some(segment) = segment(bytes, at) else {
            return false;
        };
        match marker {
            0xC0 | 0xC1 => channels = u8_at(segment, 5).unwrap_or(0),
            SOS => return u8_at(segment, 0).is_some_and(|n| n < channels),
            EOI => return false,
            _ => {}
        }
        at += 2 + segment.len();
    }
    false
}

fn exif(segment: &[u8]) -> Option<u8> {
    segment.strip_prefix(b"Exif\0\0").map(orientation)
}

/// Passes entropy-coded data: up to a marker that is neither a stuffed zero nor a restart.
fn skip_scan(bytes: &[u8], at: &mut usize) {
    while let Some(offset) = bytes
        .get(*at..)
        .and_then(|b| b.iter().position(|&b| b == 0xFF))
    {
        *at += offset;
        match u8_at(bytes, *at + 1) {
            Some(0x00 | 0xD0..=0xD7) => *at += 2,
            Some(0xFF) => *at += 1,
            _ => return,
        }
    }
    *at = bytes.len();
}
