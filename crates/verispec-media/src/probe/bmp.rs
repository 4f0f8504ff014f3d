//! Windows bitmaps: the file header and the sizes of the information header.

use super::read::{le16, le32};
use super::{Header, ImageInfo, MediaErrorKind, cut_in_header};
use crate::format::Format;

pub(super) fn header(bytes: &[u8]) -> Result<Header, MediaErrorKind> {
    fields(bytes).ok_or_else(|| cut_in_header(Format::Bmp, bytes.len()))
}

fn fields(bytes: &[u8]) -> Option<Header> {
    let pixels = le32(bytes, 10)?;
    let old = matches!(le32(bytes, 14)?, 12 | 16);
    let (width, height, bits, packed) = if le32(bytes, 14)? == 12 {
        (
            le16(bytes, 18)?.into(),
            le16(bytes, 20)?.into(),
            le16(bytes, 24)?,
            false,
        )
    } else {
        // A negative height means top-down rows.
        let height = le32(bytes, 22)?.cast_signed().unsigned_abs();
        let packed = !old && matches!(le32(bytes, 30)?, 1 | 2 | 4 | 5);
        (le32(bytes, 18)?, height, le16(bytes, 28)?, packed)
    };
    let mut info = ImageInfo::new(Format::Bmp, width, height, bytes);
    info.palette = bits <= 8;
    info.has_alpha = bits == 32;
    // Rows are padded to four bytes; run-length coded sizes are not known beforehand.
    let row = (u64::from(width) * u64::from(bits)).div_ceil(32) * 4;
    let size = if packed {
        1
    } else {
        row.saturating_mul(height.into())
    };
    let end = u64::from(pixels).saturating_add(size);
    let cut = (end > bytes.len() as u64)
        .then(|| format!("should be {end} bytes, the file has {}", bytes.len()));
    Some(Header { info, cut })
}
