//! PNG: chunks (PNG specification, third edition, section 5).

use super::read::{be32, orientation, u8_at};
use super::{Header, ImageInfo, MediaErrorKind, cut_in_header};
use crate::format::Format;

const FIRST_CHUNK: usize = 8;

pub(super) fn header(bytes: &[u8]) -> Result<Header, MediaErrorKind> {
    let mut info = ihdr(bytes)?;
    let cut = walk(bytes, &mut info);
    Ok(Header { info, cut })
}

fn ihdr(bytes: &[u8]) -> Result<ImageInfo, MediaErrorKind> {
    let short = || cut_in_header(Format::Png, bytes.len());
    if bytes.get(12..16).ok_or_else(short)? != b"IHDR" {
        let detail = "the first chunk is not IHDR".to_owned();
        return Err(MediaErrorKind::Decode {
            format: Format::Png,
            detail,
        });
    }
    let width = be32(bytes, 16).ok_or_else(short)?;
    let height = be32(bytes, 20).ok_or_else(short)?;
    let depth = u8_at(bytes, 24).ok_or_else(short)?;
    let colour = u8_at(bytes, 25).ok_or_else(short)?;
    let mut info = ImageInfo::new(Format::Png, width, height, bytes);
    info.bit_depth = depth;
    info.palette = colour == 3;
    info.has_alpha = matches!(colour, 4 | 6);
    Ok(info)
}

/// Follows the chunks to IEND; says where the chain breaks.
fn walk(bytes: &[u8], info: &mut ImageInfo) -> Option<String> {
    let mut at = FIRST_CHUNK;
    let mut has_data = false;
    loop {
        let (Some(length), Some(kind)) = (be32(bytes, at), bytes.get(at + 4..at + 8)) else {
            return Some(format!(
                "no IEND chunk, the file ends after {} bytes",
                bytes.len()
            ));
        };
        let data = at + 8;
        // Length plus checksum; a hostile length cannot overflow 64 bits.
        let end = data as u64 + u64::from(length) + 4;
        if end > bytes.len() as u64 {
            let name = String::from_utf8_lossy(kind);
            return Some(format!(
                "chunk {name} should end at byte {end}, the file has {}",
                bytes.len()
            ));
        }
        match kind {
            b"acTL" => info.frames = be32(bytes, data).unwrap_or(1).max(1),
            b"tRNS" => info.has_alpha = true,
            b"eXIf" => info.orientation = orientation(&bytes[data..data + length as usize]),
            b"IDAT" => has_data = true,
            b"IEND" if has_data => return None,
            b"IEND" => return Some("no image data before the end".to_owned()),
            _ => {}
        }
        at = end as usize;
    }
}
