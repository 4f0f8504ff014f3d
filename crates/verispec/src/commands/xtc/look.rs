//! Pictures as jobs need them, each read once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use verispec_media::{HashCache, Limits, probe};
use verispec_model::ImageRole;
use verispec_suites::xtc::{ImageId, Picture};

/// Why a file gives no picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Blind {
    /// It holds none that can be used: whoever made it failed.
    NoPicture(String),
    /// It could not be read here and now: what it holds is not known.
    Unread(String),
}

impl Blind {
    /// In words.
    pub(super) fn why(&self) -> &str {
        match self {
            Self::NoPicture(why) | Self::Unread(why) => why,
        }
    }
}

/// Reads pictures and remembers them.
pub(super) struct Looker<'a> {
    hashes: &'a HashCache,
    seen: HashMap<PathBuf, Result<Picture, Blind>>,
}

impl<'a> Looker<'a> {
    pub(super) fn new(hashes: &'a HashCache) -> Self {
        Self {
            hashes,
            seen: HashMap::new(),
        }
    }

    /// A picture; what is wrong with it is noted the first time.
    pub(super) fn look(
        &mut self,
        image_id: ImageId,
        path: &Path,
        role: ImageRole,
        notes: &mut Vec<String>,
    ) -> Result<Picture, Blind> {
        if let Some(known) = self.seen.get(path) {
            return known.clone();
        }
        let found = self.read(image_id, path, role);
        if let Err(blind) = &found {
            notes.push(format!("image {image_id} cannot be used: {}", blind.why()));
        }
        self.seen.insert(path.to_owned(), found.clone());
        found
    }

    fn read(&self, image_id: ImageId, path: &Path, role: ImageRole) -> Result<Picture, Blind> {
        let blind = |e: verispec_media::MediaError| {
            let why = e.to_string();
            if e.is_fault_of_file() {
                Blind::NoPicture(why)
            } else {
                Blind::Unread(why)
            }
        };
        let info = probe(path, &Limits::default()).map_err(blind)?;
        let (width, height) = info.upright();
        let source = self.hashes.hash_file(path);
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
        Ok(Picture {
            image_id,
            file_name: name.unwrap_or_default(),
            path: path.into(),
            source: source.map_err(|e| Blind::Unread(e.to_string()))?,
            width,
            height,
            role,
        })
    }
}
