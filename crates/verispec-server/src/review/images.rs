//! Images of a set: a closed list, named by number. No address ever holds a path.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use verispec_media::{Mime, sniff};

/// Larger files are not shown.
const LARGEST: u64 = 64 << 20;

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
#[derive(Debug, Default)]
pub(crate) struct Images {
    pub(crate) list: Vec<Image>,
    places: HashMap<PathBuf, usize>,
}

impl Images {
    /// Number of an image. With a root the path is relative to it and may not leave it.
    ///
    /// # Errors
    /// A path that leaves the root, in words.
    pub(crate) fn add(&mut self, path: &Path, root: Option<&Path>) -> Result<usize, String> {
        if let Some(place) = self.places.get(path) {
            return Ok(*place);
        }
        let image = look(path, root)?;
        self.list.push(image);
        self.places.insert(path.to_owned(), self.list.len() - 1);
        Ok(self.list.len() - 1)
    }
}

fn look(path: &Path, root: Option<&Path>) -> Result<Image, String> {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy().into_owned();
    let outside = || {
        format!(
            "image {:?} lies outside the set's folder; put it inside and name it from there",
            path.display().to_string()
        )
    };
    let full = match root {
        None => path.to_owned(),
        Some(root) => {
            let plain = path
                .components()
                .all(|c| matches!(c, std::path::Component::Normal(_)));
            if !plain {
                return Err(outside());
            }
            root.join(path)
        }
    };
    let missing = |why| Image {
        name: name.clone(),
        file: Err(why),
        hash: String::new(),
    };
    let Ok(real) = full.canonicalize() else {
        return Ok(missing("the file is not there"));
    };
    if let Some(root) = root {
        let root = root.canonicalize().map_err(|_| outside())?;
        if !real.starts_with(root) {
            return Err(outside());
        }
    }
    Ok(match read(&real) {
        Ok((bytes, mime)) => Image {
            name,
            file: Ok((real, mime)),
            hash: blake3::hash(&bytes).to_hex().to_string(),
        },
        Err(why) => missing(why),
    })
}

/// Bytes of a file that is an image by its content.
pub(crate) fn read(path: &Path) -> Result<(Vec<u8>, Mime), &'static str> {
    let gone = |_| "the file cannot be read";
    let about = fs::symlink_metadata(path).map_err(gone)?;
    if !about.is_file() {
        return Err("this is no file");
    }
    if about.len() > LARGEST {
        return Err("the file is larger than 64 MB");
    }
    let bytes = fs::read(path).map_err(gone)?;
    let mime = sniff(&bytes).and_then(verispec_media::Format::mime);
    mime.map(|mime| (bytes, mime))
        .ok_or("the file is no PNG, JPEG, GIF, WebP or BMP")
}
