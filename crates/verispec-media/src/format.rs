//! What a file is by its first bytes, and the MIME types in use.

use std::fmt;
use std::path::Path;

/// A kind of file, told by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// PNG, animated ones included.
    Png,
    /// JPEG.
    Jpeg,
    /// GIF, animated ones included.
    Gif,
    /// WebP, animated ones included.
    WebP,
    /// Windows bitmap.
    Bmp,
    /// AVIF; recognised, not decoded.
    Avif,
    /// HEIC or HEIF; recognised, not decoded.
    Heic,
    /// TIFF; recognised, not decoded.
    Tiff,
    /// JPEG XL; recognised, not decoded.
    JpegXl,
    /// PDF; recognised, not decoded.
    Pdf,
    /// SVG; recognised, not decoded.
    Svg,
    /// An HTML page, often an error page saved as an image.
    Html,
    /// The stand-in that Git LFS leaves when large files were not fetched.
    LfsPointer,
    /// Other text.
    Text,
}

impl Format {
    /// The MIME type of a format that a judge can be sent; `None` for the others.
    #[must_use]
    pub const fn mime(self) -> Option<Mime> {
        Some(match self {
            Self::Png => Mime::Png,
            Self::Jpeg => Mime::Jpeg,
            Self::Gif => Mime::Gif,
            Self::WebP => Mime::WebP,
            Self::Bmp => Mime::Bmp,
            _ => return None,
        })
    }

    /// What to do about a file of a format that cannot be used.
    pub(crate) const fn hint(self) -> &'static str {
        match self {
            Self::LfsPointer => "fetch the file itself with `git lfs pull`",
            Self::Html => "probably an error page of a failed download; get the file again",
            Self::Text => "not an image; make or get the file again",
            _ => "convert it to PNG, JPEG or WebP",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Gif => "GIF",
            Self::WebP => "WebP",
            Self::Bmp => "BMP",
            Self::Avif => "AVIF",
            Self::Heic => "HEIC",
            Self::Tiff => "TIFF",
            Self::JpegXl => "JPEG XL",
            Self::Pdf => "PDF",
            Self::Svg => "SVG",
            Self::Html => "HTML",
            Self::LfsPointer => "a Git LFS pointer",
            Self::Text => "text",
        })
    }
}

/// MIME types under which images are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mime {
    /// `image/png`
    Png,
    /// `image/jpeg`
    Jpeg,
    /// `image/gif`
    Gif,
    /// `image/webp`
    WebP,
    /// `image/bmp`
    Bmp,
}

impl Mime {
    const ALL: [Self; 5] = [Self::Png, Self::Jpeg, Self::Gif, Self::WebP, Self::Bmp];

    /// As written in a header or a data address.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::WebP => "image/webp",
            Self::Bmp => "image/bmp",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mime| mime.as_str() == text)
    }
}

impl fmt::Display for Mime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The published rule: MIME type by the last extension, lower-cased, and `image/png` for every
/// other name. It can be wrong about the content; the default profile uses [`sniff`].
#[must_use]
pub fn mime_by_extension(path: &Path) -> Mime {
    named_mime(path).unwrap_or(Mime::Png)
}

/// MIME type that the extension promises, if it is a known one.
pub(crate) fn named_mime(path: &Path) -> Option<Mime> {
    let extension = path.extension()?.to_str()?.to_lowercase();
    Some(match extension.as_str() {
        "png" => Mime::Png,
        "jpg" | "jpeg" => Mime::Jpeg,
        "gif" => Mime::Gif,
        "webp" => Mime::WebP,
        "bmp" => Mime::Bmp,
        _ => return None,
    })
}

/// Tells a file by its first bytes; 512 of them are enough.
///
/// `None` for an empty slice and for bytes of no known kind.
#[must_use]
pub fn sniff(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some(Format::Png);
    }
    if bytes.starts_with(b"\xff\xd8\xff") {
        return Some(Format::Jpeg);
    }
    if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        return Some(Format::Gif);
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return Some(Format::WebP);
    }
    if is_bmp(bytes) {
        return Some(Format::Bmp);
    }
    sniff_unsupported(bytes)
}

/// "BM" alone also begins ordinary text, so the size of the second header has to be one of those
/// that exist.
fn is_bmp(bytes: &[u8]) -> bool {
    let header_size = bytes
        .get(14..18)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    bytes.starts_with(b"BM")
        && header_size.is_some_and(|n| matches!(n, 12 | 16 | 40 | 52 | 56 | 64 | 108 | 124))
}

fn sniff_unsupported(bytes: &[u8]) -> Option<Format> {
    if bytes.get(4..8) == Some(b"ftyp") {
        return match bytes.get(8..12)? {
            b"avif" | b"avis" => Some(Format::Avif),
            b"heic" | b"heix" | b"hevc" | b"heim" | b"heis" | b"mif1" | b"msf1" => {
                Some(Format::Heic)
            }
            _ => None,
        };
    }
    if bytes.starts_with(b"II*\0") || bytes.starts_with(b"MM\0*") {
        return Some(Format::Tiff);
    }
    if bytes.starts_with(b"\xff\x0a") || bytes.starts_with(b"\0\0\0\x0cJXL ") {
        return Some(Format::JpegXl);
    }
    if bytes.starts_with(b"%PDF-") {
        return Some(Format::Pdf);
    }
    sniff_text(bytes)
}

fn sniff_text(bytes: &[u8]) -> Option<Format> {
    let head = &bytes[..bytes.len().min(512)];
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        // The cut at 512 bytes may fall inside a character.
        Err(e) if e.error_len().is_none() => std::str::from_utf8(&head[..e.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    let printable = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r' | '\x0c');
    let text = text.trim_start_matches('\u{feff}');
    if text.is_empty() || !text.chars().all(printable) {
        return None;
    }
    let start = text.trim_start().to_ascii_lowercase();
    Some(if start.starts_with("version https://git-lfs") {
        Format::LfsPointer
    } else if start.contains("<svg") {
        Format::Svg
    } else if start.starts_with("<!doctype html") || start.starts_with("<html") {
        Format::Html
    } else {
        Format::Text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_and_unknown_first_bytes() {
        let cases: [(&[u8], Option<Format>); 14] = [
            (b"\x89PNG\r\n\x1a\n....", Some(Format::Png)),
            (b"\xff\xd8\xff\xe0", Some(Format::Jpeg)),
            (b"GIF89a", Some(Format::Gif)),
            (b"RIFF\0\0\0\0WEBPVP8 ", Some(Format::WebP)),
            (b"RIFF\0\0\0\0WAVEfmt ", None),
            (b"\0\0\0\x1cftypavif", Some(Format::Avif)),
            (b"\0\0\0\x18ftypheic", Some(Format::Heic)),
            (b"II*\0\x08\0\0\0", Some(Format::Tiff)),
            (b"%PDF-1.7", Some(Format::Pdf)),
            (b"<?xml version='1.0'?><svg/>", Some(Format::Svg)),
            (
                b"version https://git-lfs.github.com/spec/v1\n",
                Some(Format::LfsPointer),
            ),
            (b"BMW is a maker of cars, and more", Some(Format::Text)),
            (b"\0\0\0\0\0\0\0\0", None),
            (b"", None),
        ];
        for (bytes, format) in cases {
            assert_eq!(sniff(bytes), format, "{:?}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn text_cut_inside_a_character_is_text() {
        let text = "é".repeat(400);
        assert_eq!(sniff(&text.as_bytes()[..511]), Some(Format::Text));
    }

    #[test]
    fn published_mime_rule() {
        let cases = [
            ("a.png", "image/png"),
            ("a.JPG", "image/jpeg"),
            ("a.jpeg", "image/jpeg"),
            ("dir.gif/a.webp", "image/webp"),
            ("a.Bmp", "image/bmp"),
            ("a.gif", "image/gif"),
            ("a.png.tiff", "image/png"),
            ("a", "image/png"),
            (".jpg", "image/png"),
            ("a.jpg.", "image/png"),
        ];
        for (name, mime) in cases {
            assert_eq!(mime_by_extension(Path::new(name)).as_str(), mime, "{name}");
        }
    }
}
