//! Images of a set: a closed list, named by number. No address ever holds a path.

use std::collections::HashMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use verispec_media::{HashCache, Mime, sniff};

/// Larger files are not shown.
const LARGEST: u64 = 64 << 20;
/// Bytes of a file that tell its format.
const HEAD: u64 = 64;

/// A file of the set that may be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Image {
    /// Its name, for people.
    pub(crate) name: String,
    /// Where it lies, every link followed; `None` when it cannot be shown, and why.
    pub(crate) file: Result<(PathBuf, Mime), &'static str>,
    /// Hash of its bytes, empty when it cannot be shown.
    pub(crate) hash: String,
}

/// Collects images, each file once.
#[derive(Debug)]
pub(crate) struct Images<'h> {
    pub(crate) list: Vec<Image>,
    places: HashMap<PathBuf, usize>,
    /// Where images have to lie, with every link followed; `None` for anywhere.
    root: Option<(PathBuf, Option<PathBuf>)>,
    hashes: &'h HashCache,
}

impl<'h> Images<'h> {
    /// No image yet. With a root paths are relative to it and may not leave it.
    pub(crate) fn new(root: Option<&Path>, hashes: &'h HashCache) -> Self {
        Self {
            list: vec![],
            places: HashMap::new(),
            root: root.map(|root| (root.to_owned(), root.canonicalize().ok())),
            hashes,
        }
    }

    /// Number of an image.
    ///
    /// # Errors
    /// A path that leaves the root, in words.
    pub(crate) fn add(&mut self, path: &Path) -> Result<usize, String> {
        if let Some(place) = self.places.get(path) {
            return Ok(*place);
        }
        let image = self.look(path)?;
        self.list.push(image);
        self.places.insert(path.to_owned(), self.list.len() - 1);
        Ok(self.list.len() - 1)
    }

    fn look(&self, path: &Path) -> Result<Image, String> {
        let name = path.file_name().unwrap_or(path.as_os_str());
        let name = name.to_string_lossy().into_owned();
        let missing = |why| Image {
            name: name.clone(),
            file: Err(why),
            hash: String::new(),
        };
        let Some(real) = self.find(path)? else {
            return Ok(missing("the file is not there"));
        };
        let hash = |mime| {
            let hash = self.hashes.hash_file(&real).map_err(|_| UNREADABLE)?;
            Ok((mime, hash.to_string()))
        };
        Ok(match kind_of(&real).and_then(hash) {
            Ok((mime, hash)) => Image {
                name,
                file: Ok((real, mime)),
                hash,
            },
            Err(why) => missing(why),
        })
    }

    /// Where an image lies, every link followed; `None` if it is not there.
    fn find(&self, path: &Path) -> Result<Option<PathBuf>, String> {
        let Some((root, real_root)) = &self.root else {
            return Ok(path.canonicalize().ok());
        };
        let outside = || {
            format!(
                "image {:?} lies outside the set's folder; put it inside and name it from there",
                path.display().to_string()
            )
        };
        let plain = |c| matches!(c, std::path::Component::Normal(_));
        if !path.components().all(plain) {
            return Err(outside());
        }
        let Ok(real) = root.join(path).canonicalize() else {
            return Ok(None);
        };
        match real_root {
            Some(root) if real.starts_with(root) => Ok(Some(real)),
            _ => Err(outside()),
        }
    }
}

const UNREADABLE: &str = "the file cannot be read";

/// What image a file is by its first bytes.
fn kind_of(path: &Path) -> Result<Mime, &'static str> {
    check(path)?;
    let mut head = vec![];
    let file = fs::File::open(path).map_err(|_| UNREADABLE)?;
    let read = file.take(HEAD).read_to_end(&mut head);
    read.map_err(|_| UNREADABLE)?;
    mime(&head)
}

/// Bytes of a file that is an image by its content.
pub(crate) fn read(path: &Path) -> Result<(Vec<u8>, Mime), &'static str> {
    check(path)?;
    let bytes = fs::read(path).map_err(|_| UNREADABLE)?;
    let mime = mime(&bytes)?;
    Ok((bytes, mime))
}

fn check(path: &Path) -> Result<(), &'static str> {
    let about = fs::symlink_metadata(path).map_err(|_| UNREADABLE)?;
    if !about.is_file() {
        return Err("this is no file");
    }
    if about.len() > LARGEST {
        return Err("the file is larger than 64 MB");
    }
    Ok(())
}

fn mime(head: &[u8]) -> Result<Mime, &'static str> {
    let mime = sniff(head).and_then(verispec_media::Format::mime);
    mime.ok_or("the file is no PNG, JPEG, GIF, WebP or BMP")
}
