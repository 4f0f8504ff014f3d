//! Encoded images that no longer fit in memory, on disk, so that none is encoded twice.

use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use verispec_model::Hash;

use crate::jpeg::ENCODER;
use crate::original::PNG_ENCODER;
use crate::profile::{Encoded, Profile};

/// A folder of encoded images. Damage is found by hash and means no more than encoding again.
#[derive(Debug)]
pub(crate) struct Spill {
    folder: PathBuf,
}

/// First line of a file; the bytes follow.
#[derive(Serialize, Deserialize)]
struct Head {
    mime: String,
    hash: Hash,
    encoder: String,
    notes: Vec<String>,
}

impl Spill {
    pub(crate) const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn path(&self, source: Hash, profile: Profile) -> PathBuf {
        let profile = profile.to_string().replace([';', '/'], "-");
        self.folder.join(format!("{source}-{profile}"))
    }

    /// An image kept before by the encoder of this build.
    pub(crate) fn get(&self, source: Hash, profile: Profile) -> Option<Encoded> {
        let file = Bytes::from(fs::read(self.path(source, profile)).ok()?);
        let line = file.iter().position(|&b| b == b'\n')?;
        let head: Head = serde_json::from_slice(&file[..line]).ok()?;
        let encoder = [ENCODER, PNG_ENCODER]
            .into_iter()
            .find(|&name| name == head.encoder)?;
        let bytes = file.slice(line + 1..);
        (Hash::of(&bytes) == head.hash).then_some(Encoded {
            mime: head.mime,
            bytes,
            hash: head.hash,
            encoder: Some(encoder),
            notes: head.notes,
        })
    }

    /// Keeps an image that cost an encoding; failure to is silent, the image is at hand.
    pub(crate) fn put(&self, source: Hash, profile: Profile, encoded: &Encoded) {
        let Some(encoder) = encoded.encoder else {
            return;
        };
        let head = Head {
            mime: encoded.mime.clone(),
            hash: encoded.hash,
            encoder: encoder.to_owned(),
            notes: encoded.notes.clone(),
        };
        let Ok(mut file) = serde_json::to_vec(&head) else {
            return;
        };
        file.push(b'\n');
        file.extend_from_slice(&encoded.bytes);
        let path = self.path(source, profile);
        let part = self.part(&path);
        let written = fs::create_dir_all(&self.folder).and_then(|()| fs::write(&part, file));
        if written.and_then(|()| fs::rename(&part, &path)).is_err() {
            let _ = fs::remove_file(&part);
        }
    }

    fn part(&self, path: &Path) -> PathBuf {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.folder
            .join(format!("{name}.part-{}", std::process::id()))
    }
}
