//! What the default protocols show of an instance and of an output.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use verispec_judge::protocol::{OutputPiece, Statements};
use verispec_media::{Limits, probe};
use verispec_model::{DataFailure, ImagePart, ImageRole, Instance, InstanceState, OutputFailure};

use super::PROFILE;
use crate::specv::outputs::OutputPart;
use crate::specv::published::HashFile;

/// Reference images, and what is said of the specifications.
pub(super) type Shared = (Arc<[ImagePart]>, Arc<Statements>);

/// What is known of reference images, each looked at once.
#[derive(Default)]
pub(super) struct References {
    wrong: HashMap<PathBuf, Option<String>>,
    /// Those of the instance that was asked for last, which all its models share.
    last: Option<(Arc<Instance>, Shared)>,
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

    /// Reference images as the default protocols show them, and what is said of the instance.
    pub(super) fn shared(
        &mut self,
        instance: &Arc<Instance>,
        hash: &HashFile<'_>,
        k: usize,
    ) -> Result<Shared, InstanceState> {
        if let Some((last, shared)) = &self.last
            && Arc::ptr_eq(last, instance)
        {
            return Ok(shared.clone());
        }
        let paths = instance.references.iter();
        let images = paths.map(|path| image(path.as_path().into(), ImageRole::Reference, hash));
        let images: Arc<[ImagePart]> = images
            .collect::<Result<_, String>>()
            .map_err(|e| InstanceState::Unjudgeable(DataFailure::Reference(e), k))?;
        let shared = (images, Arc::default());
        self.last = Some((instance.clone(), shared.clone()));
        Ok(shared)
    }
}

fn image(path: Arc<Path>, role: ImageRole, hash: &HashFile<'_>) -> Result<ImagePart, String> {
    Ok(ImagePart {
        source: hash(&path)?,
        path,
        profile: PROFILE.into(),
        role,
    })
}

/// An output as the default protocols show it.
pub(super) fn pieces(
    output: &[OutputPart],
    hash: &HashFile<'_>,
    k: usize,
) -> Result<Box<[OutputPiece]>, InstanceState> {
    let pieces = output.iter().map(|part| match part {
        OutputPart::Text(text) => Ok(OutputPiece::Text(text.clone())),
        OutputPart::Image(path) => {
            image(path.clone(), ImageRole::Output, hash).map(OutputPiece::Image)
        }
    });
    pieces
        .collect::<Result<_, String>>()
        .map_err(|_| InstanceState::OutputFailed(OutputFailure::Unreadable, k))
}
