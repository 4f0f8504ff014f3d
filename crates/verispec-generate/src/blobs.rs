//! Files that were made, as jobs see them: by hash.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use verispec_media::{Limits, MediaErrorKind, verify};
use verispec_model::Hash;

/// What is wrong with a file that a model made, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlobFault {
    /// It is there as the model made it, and no image.
    Undecodable(String),
    /// It is not there, cannot be read, or is no longer what the model made. Nothing is known about
    /// what the model made, and the next look may find it.
    Lost(String),
}

/// Where files are, and whether they are images. The answer for a hash never changes as long as its
/// file is there, so a job that asks stays a function of the replies.
pub trait Blobs: Send + Sync {
    /// Path of the file.
    fn path(&self, hash: &Hash) -> PathBuf;

    /// Whether it can be decoded.
    ///
    /// # Errors
    /// [`BlobFault`].
    fn check(&self, hash: &Hash) -> Result<(), BlobFault>;
}

/// The blob folder of a run.
pub struct BlobFolder {
    run_dir: PathBuf,
    name: fn(&Hash) -> String,
    checked: Mutex<HashMap<Hash, Result<(), BlobFault>>>,
}

impl BlobFolder {
    /// The blobs of a run directory; `name` gives a blob's path inside it.
    #[must_use]
    pub fn new(run_dir: &Path, name: fn(&Hash) -> String) -> Self {
        Self {
            run_dir: run_dir.to_owned(),
            name,
            checked: Mutex::default(),
        }
    }
}

impl Blobs for BlobFolder {
    fn path(&self, hash: &Hash) -> PathBuf {
        self.run_dir.join((self.name)(hash))
    }

    fn check(&self, hash: &Hash) -> Result<(), BlobFault> {
        let lock = || self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(hash) {
            return known.clone();
        }
        let found = look(&self.path(hash), hash);
        if !matches!(found, Err(BlobFault::Lost(_))) {
            lock().insert(*hash, found.clone());
        }
        found
    }
}

fn look(path: &Path, hash: &Hash) -> Result<(), BlobFault> {
    let Err(error) = verify(path, &Limits::default()) else {
        return Ok(());
    };
    let lost = match &error.kind {
        MediaErrorKind::Missing => true,
        // A file over the limit was not read and is not read now.
        MediaErrorKind::TooManyBytes { .. } => false,
        _ if !error.is_fault_of_file() => true,
        // What was damaged on this disk is not what the model made.
        _ => std::fs::read(path).map_or(true, |bytes| Hash::of(&bytes) != *hash),
    };
    Err(match lost {
        true => BlobFault::Lost(error.to_string()),
        false => BlobFault::Undecodable(error.kind.to_string()),
    })
}

/// Files that nobody has made yet: all are good. For prices.
pub struct AnyBlobs;

impl Blobs for AnyBlobs {
    fn path(&self, _hash: &Hash) -> PathBuf {
        PathBuf::new()
    }

    fn check(&self, _hash: &Hash) -> Result<(), BlobFault> {
        Ok(())
    }
}
