//! GIF: blocks (GIF89a specification).

use super::read::{le16, u8_at};
use super::{Header, ImageInfo, MediaErrorKind, cut_in_header};
use crate::format::Format;

pub(super) fn header(bytes: &[u8]) -> Result<Header, MediaErrorKind> {
    let short = || cut_in_header(Format::Gif, bytes.len());
    let width = le16(bytes, 6).ok_or_else(short)?;
    let height = le16(bytes, 8).ok_or_else(short)?;
    let flags = u8_at(bytes, 10).ok_or_else(short)?;
    let mut info = ImageInfo::new(Format::Gif, width.into(), height.into(), bytes);
    info.palette = true;
    info.frames = 0;
    walk(bytes, 13 + table_len(flags), &mut info);
    // Later frames are never sent, so only the first has to be whole.
    let cut = (info.frames == 0).then(|| {
        format!(
            "the first frame is not complete after {} bytes",
            bytes.len()
        )
    });
    info.frames = info.frames.max(1);
    Ok(Header { info, cut })
}

/// Counts complete frames up to the trailer or the end of the file.
fn walk(bytes: &[u8], mut at: usize, info: &mut ImageInfo) {
    while let Some(block) = u8_at(bytes, at) {
        let end = match block {
            0x21 => {
                // Graphic control extension: bit 0 of its flags announces a transparent index.
                if u8_at(bytes, at + 1) == Some(0xF9) {
                    info.has_alpha |= u8_at(bytes, at + 3).is_some_and(|flags| flags & 1 == 1);
                }
                sub_blocks(bytes, at + 2)
            }
            0x2C => {
                if info.frames == 0 {
                    grow(bytes, at, info);
                }
                u8_at(bytes, at + 9)
                    .and_then(|flags| sub_blocks(bytes, at + 11 + table_len(flags)))
                    .inspect(|_| info.frames += 1)
            }
            _ => return,
        };
        let Some(end) = end else { return };
        at = end;
    }
}

/// The first frame may reach over the screen; decoders then allocate its size.
fn grow(bytes: &[u8], at: usize, info: &mut ImageInfo) {
    let edge = |from: usize, len: usize| {
        let (start, size) = (le16(bytes, at + from)?, le16(bytes, at + len)?);
        Some(u32::from(start) + u32::from(size))
    };
    info.width = info.width.max(edge(1, 5).unwrap_or(0));
    info.height = info.height.max(edge(3, 7).unwrap_or(0));
}

/// Bytes of a colour table by its flags.
const fn table_len(flags: u8) -> usize {
    if flags & 0x80 == 0 {
        0
    } else {
        3 << ((flags & 7) + 1)
    }
}

/// Position after a chain of sub-blocks, if the chain is complete.
fn sub_blocks(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match u8_at(bytes, at)? {
            0 => return Some(at + 1),
            length => at += 1 + usize::from(length),
        }
    }
}
