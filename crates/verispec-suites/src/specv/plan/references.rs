//! What the default protocols show of an instance.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use verispec_media::{Limits, probe};
use verispec_model::{Hash, ImagePart, ImageRole, Instance};

use super::PROFILE;
use crate::specv::published::HashFile;

/// What is known of a track's reference images, each looked at once.
#[derive(Default)]
pub(super) struct References {
    wrong: HashMap<PathBuf, Option<String>>,
}

impl References {
    pub(super) fn failure(&mut self, instance: &Instance) -> Option<String> {
        instance.references.iter().find_map(|path| self.look(path))
    }

    fn look(&mut self, path: &Path) -> Option<String> {
        if let Some(known) = self.wrong.get(path) {
            return known.clone();
        }
        let wrong = probe(path, &Limits::default()).err().map(|e| e.to_string());
        self.wrong.insert(path.to_owned(), wrong.clone());
        wrong
    }
}

/// Reference images as the default protocols show them.
pub(super) fn reference_images(
    instance: &Instance,
    hash: &HashFile<'_>,
) -> Result<Arc<[ImagePart]>, String> {
    let references = instance.references.iter();
    let image = |path: &PathBuf| {
        Ok(shown(
            path.as_path().into(),
            hash(path)?,
            ImageRole::Reference,
        ))
    };
    references.map(image).collect()
}

/// An image as the default protocols show it.
pub(super) fn shown(path: Arc<Path>, source: Hash, role: ImageRole) -> ImagePart {
    ImagePart {
        path,
        source,
        profile: PROFILE.into(),
        role,
    }
}
