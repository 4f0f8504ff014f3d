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
        /// place, hash if it has one.
        bytes: Arc<[u8]>,
    },
    /// Where a name is not UTF-8.
    Plain(Arc<[HashedPart]>),
}

/// A part, and the content hash of an image that was looked at.
pub(crate) type HashedPart = (OutputPart, Option<Hash>);

const TEXT: u8 = 0;
const IMAGE: u8 = 1;
const HASHED_IMAGE: u8 = 2;

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

    /// The same output with the content hashes of its images, in order.
    pub(crate) fn hashed(&self, hashes: &[Hash]) -> Self {
        let mut parts = self.hashed_parts();
        let images = parts.iter_mut().filter(|(part, _)| part.image().is_some());
        for ((_, hash), known) in images.zip(hashes) {
            *hash = Some(*known);
        }
        let folder = match &self.0 {
            Kind::Packed { folder, .. } => folder.clone(),
            Kind::Plain(_) => None,
        };
        Self::new(parts, folder)
    }

    /// Packs parts; where their images lie below a folder, its name is shared.
    pub(crate) fn below(shared: &Arc<Path>, parts: Vec<OutputPart>) -> Self {
        if images(&parts).all(|path| path.starts_with(shared)) {
            Self::new(unhashed(parts), Some(shared.clone()))
        } else {
            parts.into()
        }
    }

    fn new(parts: Vec<HashedPart>, folder: Option<Arc<Path>>) -> Self {
        Self(match pack(&parts, folder.as_deref()) {
            Some(bytes) => Kind::Packed {
                folder,
                bytes: bytes.into(),
            },
            None => Kind::Plain(parts.into()),
        })
    }
}

impl From<Vec<OutputPart>> for PackedOutput {
    fn from(parts: Vec<OutputPart>) -> Self {
        let folder = common_folder(&parts).map(Arc::from);
        Self::new(unhashed(parts), folder)
    }
}

fn unhashed(parts: Vec<OutputPart>) -> Vec<HashedPart> {
    parts.into_iter().map(|part| (part, None)).collect()
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
fn pack(parts: &[HashedPart], folder: Option<&Path>) -> Option<Vec<u8>> {
    let mut bytes = vec![];
    for (part, hash) in parts {
        let (kind, text) = match part {
            OutputPart::Text(text) => (TEXT, &**text),
            OutputPart::Image(path) => {
                let rest = folder.and_then(|folder| path.strip_prefix(folder).ok());
                let kind = if hash.is_some() { HASHED_IMAGE } else { IMAGE };
                (kind, rest.unwrap_or(path).to_str()?)
            }
        };
        bytes.push(kind);
        bytes.extend(u32::try_from(text.len()).ok()?.to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(hash.iter().flat_map(Hash::as_bytes));
    }
    Some(bytes)
}

fn unpack<'a>(
    folder: Option<&'a Path>,
    mut bytes: &'a [u8],
) -> impl Iterator<Item = HashedPart> + 'a {
    let folder = folder.unwrap_or(Path::new(""));
    std::iter::from_fn(move || {
        let (kind, rest) = bytes.split_first()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (text, mut rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
        let text = str::from_utf8(text).expect("a text was packed");
        let mut hash = None;
        if *kind == HASHED_IMAGE {
            let (known, after) = rest.split_first_chunk()?;
            (hash, rest) = (Some(Hash::from_bytes(*known)), after);
        }
        bytes = rest;
        let part = match *kind {
            TEXT => OutputPart::Text(text.into()),
            _ => OutputPart::Image(folder.join(text).into()),
        };
        Some((part, hash))
    })
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
        let hashed = packed.hashed(&hashes);
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
