//! An output in a fraction of the room that its parts take.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

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
        /// Part after part: what it is, length (4 bytes, little endian), text or rest of the place.
        bytes: Arc<[u8]>,
    },
    /// Where a name is not UTF-8.
    Plain(Arc<[OutputPart]>),
}

const TEXT: u8 = 0;
const IMAGE: u8 = 1;

impl PackedOutput {
    /// The parts, in order.
    #[must_use]
    pub fn parts(&self) -> Vec<OutputPart> {
        match &self.0 {
            Kind::Packed { folder, bytes } => unpack(folder.as_deref(), bytes).collect(),
            Kind::Plain(parts) => parts.to_vec(),
        }
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
            None => Kind::Plain(parts.into()),
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
    }
    Some(bytes)
}

fn unpack<'a>(
    folder: Option<&'a Path>,
    mut bytes: &'a [u8],
) -> impl Iterator<Item = OutputPart> + 'a {
    let folder = folder.unwrap_or(Path::new(""));
    std::iter::from_fn(move || {
        let (kind, rest) = bytes.split_first()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (text, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
        let text = str::from_utf8(text).expect("a text was packed");
        bytes = rest;
        Some(match *kind {
            TEXT => OutputPart::Text(text.into()),
            _ => OutputPart::Image(folder.join(text).into()),
        })
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

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_text_come_back_too() {
        use std::os::unix::ffi::OsStrExt as _;
        let name = std::ffi::OsStr::from_bytes(b"/m/\xff.png");
        let parts = vec![OutputPart::Image(Path::new(name).into()), text("x")];
        assert_eq!(PackedOutput::from(parts.clone()).parts(), parts);
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
