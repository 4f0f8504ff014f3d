//! An output in a fraction of the room that its parts take.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use verispec_model::Hash;

use super::OutputPart;

/// What a model made for one instance: its [parts](Self::parts), packed. A run may have a hundred
/// thousand, and a copy takes no room.
#[derive(Clone)]
pub struct PackedOutput(Kind);

#[derive(Clone)]
enum Kind {
    Packed {
        /// What the places of all images begin with; outputs share theirs where it is the same.
        folder: Option<Arc<Path>>,
        /// Part after part: what it is, length (4 bytes, little endian), text or rest of the
        /// place, and after an image room for its hash.
        bytes: Arc<[u8]>,
    },
    /// Where a name is not UTF-8.
    Plain(Arc<[HashedPart]>),
}

/// A part, and the content hash of an image that was looked at.
pub(crate) type HashedPart = (OutputPart, Option<Hash>);

const TEXT: u8 = 0;
const IMAGE: u8 = 1;
/// An image whose hash is known.
const HASHED_IMAGE: u8 = 2;
/// Bytes of a hash.
const HASH: usize = 32;

impl PackedOutput {
    /// The parts, in order.
    #[must_use]
    pub fn parts(&self) -> Vec<OutputPart> {
        self.hashed_parts()
            .into_iter()
            .map(|(part, _)| part)
            .collect()
    }

    /// The parts, in order, with the hashes that they were [given](Self::hashed).
    pub(crate) fn hashed_parts(&self) -> Vec<HashedPart> {
        match &self.0 {
            Kind::Packed { folder, bytes } => unpack(folder.as_deref(), bytes).collect(),
            Kind::Plain(parts) => parts.to_vec(),
        }
    }

    /// The same output with the content hashes of its images, in order. Takes no more room where
    /// nobody else holds it.
    pub(crate) fn hashed(mut self, hashes: &[Hash]) -> Self {
        if hashes.is_empty() {
            return self;
        }
        match &mut self.0 {
            Kind::Packed { bytes, .. } => note(Arc::make_mut(bytes), hashes),
            Kind::Plain(parts) => {
                let parts = Arc::make_mut(parts).iter_mut();
                let images = parts.filter(|(part, _)| part.image().is_some());
                images
                    .zip(hashes)
                    .for_each(|((_, known), hash)| *known = Some(*hash));
            }
        }
        self
    }

    /// Packs parts; where their images lie below a folder, its name is shared.
    pub(crate) fn below(shared: &Arc<Path>, parts: Vec<OutputPart>) -> Self {
        if images(&parts).all(|path| path.starts_with(shared)) {
            Self::new(parts, Some(shared.clone()))
        } else {
            parts.into()
        }
    }

    fn new(parts: Vec<OutputPart>, folder: Option<Arc<Path>>) -> Self {
        Self(match pack(&parts, folder.as_deref()) {
            Some(bytes) => Kind::Packed {
                folder,
                bytes: bytes.into(),
            },
            None => Kind::Plain(parts.into_iter().map(|part| (part, None)).collect()),
        })
    }
}

impl From<Vec<OutputPart>> for PackedOutput {
    fn from(parts: Vec<OutputPart>) -> Self {
        let folder = common_folder(&parts).map(Arc::from);
        Self::new(parts, folder)
    }
}

impl PartialEq for PackedOutput {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for PackedOutput {}

impl fmt::Debug for PackedOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().fmt(f)
    }
}

/// `None` for a name that is not UTF-8, or a text of 4 GiB.
fn pack(parts: &[OutputPart], folder: Option<&Path>) -> Option<Vec<u8>> {
    let mut bytes = vec![];
    for part in parts {
        let (kind, text) = match part {
            OutputPart::Text(text) => (TEXT, &**text),
            OutputPart::Image(path) => {
                let rest = folder.and_then(|folder| path.strip_prefix(folder).ok());
                (IMAGE, rest.unwrap_or(path).to_str()?)
            }
        };
        bytes.push(kind);
        bytes.extend(u32::try_from(text.len()).ok()?.to_le_bytes());
        bytes.extend(text.as_bytes());
        if kind == IMAGE {
            bytes.extend([0; HASH]);
        }
    }
    Some(bytes)
}

/// The first part of packed ones.
struct Cut<'a> {
    kind: u8,
    text: &'a [u8],
    /// Room for the hash of an image.
    room: &'a [u8],
    rest: &'a [u8],
}

fn cut(bytes: &[u8]) -> Option<Cut<'_>> {
    let (&kind, rest) = bytes.split_first()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (text, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
    let (room, rest) = rest.split_at(if kind == TEXT { 0 } else { HASH });
    Some(Cut {
        kind,
        text,
        room,
        rest,
    })
}

fn unpack<'a>(
    folder: Option<&'a Path>,
    mut bytes: &'a [u8],
) -> impl Iterator<Item = HashedPart> + 'a {
    let folder = folder.unwrap_or(Path::new(""));
    std::iter::from_fn(move || {
        let part = cut(bytes)?;
        bytes = part.rest;
        let text = str::from_utf8(part.text).expect("a text was packed");
        let is_hashed = part.kind == HASHED_IMAGE;
        let hash = part.room.try_into().ok().filter(|_| is_hashed);
        let part = match part.kind {
            TEXT => OutputPart::Text(text.into()),
            _ => OutputPart::Image(folder.join(text).into()),
        };
        Some((part, hash.map(Hash::from_bytes)))
    })
}

/// Writes hashes into the room after their images.
fn note(bytes: &mut [u8], hashes: &[Hash]) {
    let (mut at, mut hashes) = (0, hashes.iter());
    while let Some(part) = cut(&bytes[at..]) {
        let (is_image, next) = (part.kind != TEXT, bytes.len() - part.rest.len());
        if is_image && let Some(hash) = hashes.next() {
            bytes[at] = HASHED_IMAGE;
            bytes[next - HASH..next].copy_from_slice(hash.as_bytes());
        }
        at = next;
    }
}

/// The deepest folder that holds all images.
fn common_folder(parts: &[OutputPart]) -> Option<&Path> {
    let mut images = images(parts).peekable();
    let mut folder = images.peek()?.parent()?;
    for image in images {
        while !image.starts_with(folder) {
            folder = folder.parent()?;
        }
    }
    Some(folder)
}

/// Places of images, in order.
pub(crate) fn images(parts: &[OutputPart]) -> impl Iterator<Item = &Path> {
    parts.iter().filter_map(OutputPart::image)
}

/// Places and hashes of the images that have been looked at, in order.
pub(crate) fn hashed_images(parts: &[HashedPart]) -> impl Iterator<Item = (&Path, Hash)> {
    parts
        .iter()
        .filter_map(|(part, hash)| Some((part.image()?, (*hash)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> OutputPart {
        OutputPart::Text(text.into())
    }

    fn image(path: &str) -> OutputPart {
        OutputPart::Image(Path::new(path).into())
    }

    #[test]
    fn what_was_packed_comes_back() {
        for parts in [
            vec![],
            vec![text("")],
            vec![image("/a/b.png")],
            vec![image("b.png"), text("ü\n")],
            vec![
                text("x"),
                image("/a/b/c.png"),
                image("/a/d/e.png"),
                text("y"),
            ],
            vec![image("/a/b.png"), image("c/d.png")],
        ] {
            let packed = PackedOutput::from(parts.clone());
            assert!(matches!(packed.0, Kind::Packed { .. }));
            assert_eq!(packed.parts(), parts);
        }
    }

    #[test]
    fn hashes_come_back_with_their_images() {
        let hashes = [Hash::of(b"1"), Hash::of(b"2")];
        let packed = PackedOutput::from(vec![image("/a/b.png"), text("x"), image("/a/c.png")]);
        assert!(packed.hashed_parts().iter().all(|(_, hash)| hash.is_none()));
        let hashed = packed.clone().hashed(&hashes);
        assert_eq!(hashed.parts(), packed.parts());
        let known = hashed.hashed_parts().into_iter().map(|(_, hash)| hash);
        let wanted = [Some(hashes[0]), None, Some(hashes[1])];
        assert_eq!(known.collect::<Vec<_>>(), wanted);
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_text_come_back_too() {
        use std::os::unix::ffi::OsStrExt as _;
        let name = std::ffi::OsStr::from_bytes(b"/m/\xff.png");
        let parts = vec![OutputPart::Image(Path::new(name).into()), text("x")];
        let packed = PackedOutput::from(parts.clone());
        assert_eq!(packed.parts(), parts);
        let hash = Hash::of(b"1");
        assert_eq!(packed.hashed(&[hash]).hashed_parts()[0].1, Some(hash));
        let folder = std::ffi::OsStr::from_bytes(b"/\xff/a.png");
        let parts = vec![OutputPart::Image(Path::new(folder).into())];
        assert_eq!(PackedOutput::from(parts.clone()).parts(), parts);
    }

    #[test]
    fn outputs_below_a_folder_share_its_name() {
        let shared: Arc<Path> = Path::new("/m").into();
        for (path, is_below) in [
            ("/m/a.png", true),
            ("/m/b/c.png", true),
            ("/n/d.png", false),
        ] {
            let packed = PackedOutput::below(&shared, vec![image(path)]);
            assert_eq!(packed.parts(), [image(path)]);
            let Kind::Packed { folder, .. } = packed.0 else {
                panic!("not packed");
            };
            assert_eq!(Arc::ptr_eq(&folder.unwrap(), &shared), is_below);
        }
    }
}
