//! Replies that memory has let go of.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use verispec_model::{Hash, Settled};

use super::read::Ledger;

/// The ledger of a run that goes on, opened when a reply is first read back.
#[derive(Debug)]
pub(crate) struct OnDisk {
    path: PathBuf,
    ledger: Mutex<Option<Ledger>>,
}

impl OnDisk {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            ledger: Mutex::new(None),
        }
    }

    /// What settles a request whose row is committed. `None` where it cannot be read, so that the
    /// request counts as pending: nothing is made up, and a resumed run finds it.
    pub(crate) fn settled(&self, key: &Hash) -> Option<Settled> {
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        if ledger.is_none() {
            *ledger = Ledger::open_read(&self.path).ok();
        }
        ledger.as_ref()?.settled(key).ok()?
    }
}
