//! An output without what can be made again.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use verispec_model::Hash;

use crate::specv::outputs::OutputPart;

/// Texts, and images by place and content, in a fraction of the room that their parts take. A plan
/// may hold a hundred thousand.
#[derive(Clone)]
pub(super) struct Packed {
    /// What the places of all images begin with; models share theirs where it is the same.
    folder: Option<Arc<Path>>,
    /// One after the other: kind, length (4 bytes, little endian), text or rest of the place; after
    /// an image its hash.
    bytes: Arc<[u8]>,
}

/// A part as it was packed.
pub(super) enum Unpacked<'a> {
    Text(&'a str),
    Image(PathBuf, Hash),
}

const TEXT: u8 = 0;
const IMAGE: u8 = 1;

impl Packed {
    /// Packs an output. `folder` is that of the same model's output before, and becomes this one's.
    ///
    /// # Errors
    /// What `hash` says of an image, or a name that is not UTF-8.
    pub(super) fn new(
        parts: &[OutputPart],
        hash: &dyn Fn(&Path) -> Result<Hash, String>,
        folder: &mut Option<Arc<Path>>,
    ) -> Result<Self, String> {
        let common = common_folder(parts);
        if folder.as_deref() != common {
            *folder = common.map(Arc::from);
        }
        let mut bytes = vec![];
        let mut put = |kind, text: &str, hash: &[u8]| -> Result<(), String> {
            let length = u32::try_from(text.len()).map_err(|e| e.to_string())?;
            bytes.push(kind);
            bytes.extend(length.to_le_bytes());
            bytes.extend(text.as_bytes());
            bytes.extend(hash);
            Ok(())
        };
        for part in parts {
            match part {
                OutputPart::Text(text) => put(TEXT, text, &[])?,
                OutputPart::Image(path) => {
                    let rest = common.and_then(|folder| path.strip_prefix(folder).ok());
                    let rest = rest.unwrap_or(path).to_str();
                    let rest =
                        rest.ok_or_else(|| format!("{}: a name not in UTF-8", path.display()))?;
                    put(IMAGE, rest, hash(path)?.as_bytes())?;
                }
            }
        }
        Ok(Self {
            folder: folder.clone(),
            bytes: bytes.into(),
        })
    }

    /// The parts, in order.
    pub(super) fn parts(&self) -> impl Iterator<Item = Unpacked<'_>> {
        let mut rest = &*self.bytes;
        std::iter::from_fn(move || {
            let (kind, after) = rest.split_first()?;
            let (length, after) = after.split_first_chunk()?;
            let (text, after) = after.split_at(u32::from_le_bytes(*length) as usize);
            let text = str::from_utf8(text).expect("a text was packed");
            rest = after;
            if *kind == TEXT {
                return Some(Unpacked::Text(text));
            }
            let (hash, after) = rest.split_first_chunk()?;
            rest = after;
            let folder = self.folder.as_deref().unwrap_or(Path::new(""));
            Some(Unpacked::Image(folder.join(text), Hash::from_bytes(*hash)))
        })
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        for part in self.parts() {
            match part {
                Unpacked::Text(text) => list.entry(&text),
                Unpacked::Image(path, hash) => list.entry(&(path, hash)),
            };
        }
        list.finish()
    }
}

/// The deepest folder that holds all images.
fn common_folder(parts: &[OutputPart]) -> Option<&Path> {
    let images = parts.iter().filter_map(|part| match part {
        OutputPart::Image(path) => Some(&**path),
        OutputPart::Text(_) => None,
    });
    let mut images = images.peekable();
    let mut folder = images.peek()?.parent()?;
    for image in images {
        while !image.starts_with(folder) {
            folder = folder.parent()?;
        }
    }
    Some(folder)
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

    fn hash(path: &Path) -> Result<Hash, String> {
        Ok(Hash::of(path.as_os_str().as_encoded_bytes()))
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
            let packed = Packed::new(&parts, &hash, &mut None).unwrap();
            let again: Vec<OutputPart> = packed
                .parts()
                .map(|part| match part {
                    Unpacked::Text(part) => text(part),
                    Unpacked::Image(path, found) => {
                        assert_eq!(found, hash(&path).unwrap());
                        OutputPart::Image(path.into())
                    }
                })
                .collect();
            assert_eq!(again, parts);
        }
    }

    #[test]
    fn outputs_of_one_folder_share_its_name() {
        let mut folder = None;
        let mut of = |path| Packed::new(&[image(path)], &hash, &mut folder).unwrap();
        let (a, b, c) = (of("/m/a.png"), of("/m/b.png"), of("/n/c.png"));
        let [a, b, c] = [a, b, c].map(|p| p.folder.unwrap());
        assert!(Arc::ptr_eq(&a, &b));
        assert_eq!(*c, *Path::new("/n"));
    }

    #[test]
    fn an_image_without_a_hash_is_no_output() {
        let hash = |_: &Path| Err("gone".to_owned());
        let packed = Packed::new(&[image("a.png")], &hash, &mut None);
        assert_eq!(packed.unwrap_err(), "gone");
    }
}
