//! Named, versioned treatments of an image. Their ids are part of request keys: a change of what a
//! profile does is a new version, never a change of an old one.

use std::fmt;
use std::path::Path;

use bytes::Bytes;
use verispec_model::Hash;

use crate::error::{MediaError, MediaErrorKind};
use crate::format::{Format, Mime, mime_by_extension, named_mime, sniff};
use crate::jpeg::ENCODER;
use crate::ladder::{Fitted, fit};
use crate::limits::Limits;
use crate::marked::{CutOut, PixelBox, View, view};
use crate::original::original;
use crate::published::rgb_as_pillow;

/// How an image is treated before it is sent.
///
/// The published profiles that send a file as it is take the MIME type from the file's *name*, so
/// that type belongs to their id: `specv-raw@1;image/jpeg`. Otherwise two requests could share a
/// key and differ in their bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Profile {
    /// The default. PNG, JPEG and WebP files go as they are, with the MIME type of their content.
    /// Re-encoded is what judges treat differently from one another: animations (first frame), EXIF
    /// orientation (applied), 16 bits a sample (scaled to 8), inks (to RGB), GIF and BMP, and files
    /// over 14,000,000 bytes. JPEG sources become JPEG, the others PNG unless that is over the cap.
    /// Transparency is kept, and composited on white only where a file has to become JPEG.
    Original,
    /// SpecV text-to-image as released: the file as it is, whatever it holds.
    SpecvRaw(Mime),
    /// SpecV editing as released: as it is up to 4 MiB, else a JPEG of at most 4 MiB.
    SpecvEdit(Mime),
    /// The other four SpecV tracks as released: always a JPEG of at most 2 MiB.
    SpecvJpeg,
    /// One object of the image or a pair, marked or cut out, as PNG. The boxes belong to the id:
    /// `pair@1;x1,y1,x2,y2;x1,y1,x2,y2`, `context@1;box`,
    /// `detail@1;box;part x1,y1,x2,y2;width,height`.
    View(View),
}

const ORIGINAL: &str = "original@1";
const SPECV_RAW: &str = "specv-raw@1";
const SPECV_EDIT: &str = "specv-edit@1";
const SPECV_JPEG: &str = "specv-jpeg@1";
const PAIR: &str = "pair@1";
const CONTEXT: &str = "context@1";
const DETAIL: &str = "detail@1";

const EDIT_CAP: usize = 4 * 1024 * 1024;
const JPEG_CAP: usize = 2 * 1024 * 1024;

impl Profile {
    /// The profile of an id, applied to a file of this name.
    ///
    /// `specv-raw@1` and `specv-edit@1` are completed by [`mime_by_extension`]; an id that holds
    /// the type already keeps it.
    ///
    /// # Errors
    /// An unknown id.
    pub fn parse(id: &str, path: &Path) -> Result<Self, MediaErrorKind> {
        let unknown = || MediaErrorKind::UnknownProfile(id.to_owned());
        if let Some(view) = parse_view(id) {
            return Ok(Self::View(view));
        }
        let (name, mime) = match id.split_once(';') {
            None => (id, None),
            Some((name, mime)) => (name, Some(Mime::parse(mime).ok_or_else(unknown)?)),
        };
        let named = || mime.unwrap_or_else(|| mime_by_extension(path));
        match (name, mime) {
            (ORIGINAL, None) => Ok(Self::Original),
            (SPECV_JPEG, None) => Ok(Self::SpecvJpeg),
            (SPECV_RAW, _) => Ok(Self::SpecvRaw(named())),
            (SPECV_EDIT, _) => Ok(Self::SpecvEdit(named())),
            _ => Err(unknown()),
        }
    }
}

/// The id, complete with the MIME type where it depends on the file's name.
impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Original => f.write_str(ORIGINAL),
            Self::SpecvRaw(mime) => write!(f, "{SPECV_RAW};{mime}"),
            Self::SpecvEdit(mime) => write!(f, "{SPECV_EDIT};{mime}"),
            Self::SpecvJpeg => f.write_str(SPECV_JPEG),
            Self::View(View::Pair(a, b)) => write!(f, "{PAIR};{};{}", Numbers(*a), Numbers(*b)),
            Self::View(View::Context(a)) => write!(f, "{CONTEXT};{}", Numbers(*a)),
            Self::View(View::Detail(a, cut)) => {
                let (part, w, h) = (Numbers(cut.part), cut.width, cut.height);
                write!(f, "{DETAIL};{};{part};{w},{h}", Numbers(*a))
            }
        }
    }
}

/// A box as it stands in an id.
struct Numbers(PixelBox);

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PixelBox { x1, y1, x2, y2 } = self.0;
        write!(f, "{x1},{y1},{x2},{y2}")
    }
}

fn parse_view(id: &str) -> Option<View> {
    let mut fields = id.split(';');
    let name = fields.next()?;
    let fields: Vec<Vec<u32>> = fields.map(numbers).collect::<Option<_>>()?;
    match (name, fields.as_slice()) {
        (PAIR, [a, b]) => Some(View::Pair(pixel_box(a)?, pixel_box(b)?)),
        (CONTEXT, [a]) => Some(View::Context(pixel_box(a)?)),
        (DETAIL, [a, part, size]) => {
            let &[width, height] = size.as_slice() else {
                return None;
            };
            let part = pixel_box(part)?;
            let cut = CutOut {
                part,
                width,
                height,
            };
            Some(View::Detail(pixel_box(a)?, cut))
        }
        _ => None,
    }
}

/// Plain decimal numbers alone, so that every view has one id.
fn numbers(field: &str) -> Option<Vec<u32>> {
    let plain = |n: &str| n.parse().ok().filter(|v: &u32| v.to_string() == n);
    field.split(',').map(plain).collect()
}

fn pixel_box(numbers: &[u32]) -> Option<PixelBox> {
    let &[x1, y1, x2, y2] = numbers else {
        return None;
    };
    (x1 <= x2 && y1 <= y2).then_some(PixelBox { x1, y1, x2, y2 })
}

/// An image as it goes on the wire (there as base64).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// MIME type to declare.
    pub mime: String,
    /// The bytes, shared.
    pub bytes: Bytes,
    /// Hash of the bytes.
    pub hash: Hash,
    /// The encoder, if the bytes are not those of the file.
    pub encoder: Option<&'static str>,
    /// What was done or is odd, for people.
    pub notes: Vec<String>,
}

impl Encoded {
    /// What an encoder made.
    pub(crate) fn made(mime: Mime, bytes: Bytes, encoder: &'static str) -> Self {
        Self {
            mime: mime.as_str().to_owned(),
            hash: Hash::of(&bytes),
            bytes,
            encoder: Some(encoder),
            notes: vec![],
        }
    }

    /// The file itself, whose hash may be known already.
    pub(crate) fn as_it_is(mime: Mime, bytes: Bytes, source: Option<Hash>) -> Self {
        Self {
            mime: mime.as_str().to_owned(),
            hash: source.unwrap_or_else(|| Hash::of(&bytes)),
            bytes,
            encoder: None,
            notes: vec![],
        }
    }

    pub(crate) fn with_notes(mut self, notes: Vec<String>) -> Self {
        self.notes.extend(notes);
        self
    }
}

/// Treats the bytes of a file by a profile. Pure: the same bytes give the same result in the same
/// build.
///
/// `origin` is used in errors and notes only.
///
/// # Errors
/// What the profile does not take: `original@1` empty, truncated, unknown and oversized files;
/// `specv-jpeg@1`, and `specv-edit@1` over 4 MiB, also sides over 65,500 pixels and images that no
/// rung of the ladder makes small enough. `specv-raw@1` takes everything.
pub fn encode(
    profile: Profile,
    origin: &Path,
    bytes: Bytes,
    limits: &Limits,
) -> Result<Encoded, MediaError> {
    encode_hashed(profile, origin, bytes, None, limits)
}

/// As [`encode`], for bytes whose hash is known: a file that goes as it is, is not hashed again.
pub(crate) fn encode_hashed(
    profile: Profile,
    origin: &Path,
    bytes: Bytes,
    source: Option<Hash>,
    limits: &Limits,
) -> Result<Encoded, MediaError> {
    let notes = misnamed(origin, &bytes);
    let encoded = match profile {
        Profile::Original => original(bytes, source, limits),
        Profile::SpecvEdit(_) if bytes.len() > EDIT_CAP => published_jpeg(&bytes, EDIT_CAP, limits),
        Profile::SpecvRaw(mime) | Profile::SpecvEdit(mime) => {
            Ok(Encoded::as_it_is(mime, bytes, source))
        }
        Profile::SpecvJpeg => published_jpeg(&bytes, JPEG_CAP, limits),
        Profile::View(of) => view(of, &bytes, limits),
    };
    match encoded {
        Ok(encoded) => Ok(encoded.with_notes(notes)),
        Err(kind) => Err(MediaError::new(origin, kind)),
    }
}

fn published_jpeg(bytes: &[u8], cap: usize, limits: &Limits) -> Result<Encoded, MediaErrorKind> {
    let fitted = fit(&rgb_as_pillow(bytes, limits)?, cap)?;
    let note = describe(&fitted);
    Ok(Encoded::made(Mime::Jpeg, fitted.bytes.into(), ENCODER).with_notes(vec![note]))
}

pub(crate) fn describe(fitted: &Fitted) -> String {
    match fitted.resized {
        None => format!("encoded as JPEG of quality {}", fitted.quality),
        Some((width, height)) => {
            format!(
                "resized to {width} x {height}, encoded as JPEG of quality {}",
                fitted.quality
            )
        }
    }
}

fn misnamed(origin: &Path, bytes: &[u8]) -> Vec<String> {
    let held = sniff(bytes);
    match (named_mime(origin), held, held.and_then(Format::mime)) {
        (Some(named), Some(format), mime) if mime != Some(named) => {
            vec![format!("named as {named} but holds {format}")]
        }
        _ => vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_round_trip_and_unknown_ones_are_refused() {
        let path = Path::new("a.JPG");
        for (id, full) in [
            ("original@1", "original@1"),
            ("specv-raw@1", "specv-raw@1;image/jpeg"),
            ("specv-edit@1;image/png", "specv-edit@1;image/png"),
            ("specv-jpeg@1", "specv-jpeg@1"),
            ("pair@1;1,2,3,4;0,0,9,9", "pair@1;1,2,3,4;0,0,9,9"),
            ("context@1;1,2,3,4", "context@1;1,2,3,4"),
            (
                "detail@1;1,2,3,4;0,0,9,9;20,20",
                "detail@1;1,2,3,4;0,0,9,9;20,20",
            ),
        ] {
            let profile = Profile::parse(id, path).unwrap();
            assert_eq!(profile.to_string(), full);
            assert_eq!(Profile::parse(full, Path::new("b.gif")).unwrap(), profile);
        }
        for id in [
            "",
            "original",
            "original@2",
            "original@1;image/png",
            "specv-raw@1;text/html",
            "pair@1;1,2,3,4",
            "context@1;3,2,1,4",
            "context@1;01,2,3,4",
            "detail@1;1,2,3,4;0,0,9,9;20",
        ] {
            let error = Profile::parse(id, path).unwrap_err();
            assert_eq!(error, MediaErrorKind::UnknownProfile(id.to_owned()));
        }
    }
}
