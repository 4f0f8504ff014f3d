//! Files that were made, as jobs see them: by hash.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use verispec_media::{Limits, verify};
use verispec_model::Hash;

/// Where files are, and whether they are images. The answer for a hash never changes, so a job that
/// asks stays a function of the replies.
pub trait Blobs: Send + Sync {
    /// Path of the file.
    fn path(&self, hash: &Hash) -> PathBuf;

    /// Whether it can be decoded.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    fn check(&self, hash: &Hash) -> Result<(), String>;
}

/// The blob folder of a run.
pub struct BlobFolder {
    run_dir: PathBuf,
    name: fn(&Hash) -> String,
    checked: Mutex<HashMap<Hash, Result<(), String>>>,
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

    fn check(&self, hash: &Hash) -> Result<(), String> {
        let lock = || self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(hash) {
            return known.clone();
        }
        let found = verify(&self.path(hash), &Limits::default());
        let found = found.map(drop).map_err(|e| e.kind.to_string());
        lock().insert(*hash, found.clone());
        found
    }
}

/// Files that nobody has made yet: all are good. For prices.
pub struct AnyBlobs;

impl Blobs for AnyBlobs {
    fn path(&self, _hash: &Hash) -> PathBuf {
        PathBuf::new()
    }

    fn check(&self, _hash: &Hash) -> Result<(), String> {
        Ok(())
    }
}
