//! Which replies may leave memory while a run goes on.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use verispec_model::Hash;

use super::live::Live;
use crate::ledger::{KeyStarts, OnDisk, hash_prefix};

/// Lets go of the replies of finished jobs once they are on the disk, so that a run's memory does
/// not grow with what was said.
pub(super) struct Shelf<'s> {
    file: Arc<OnDisk>,
    /// Wanted by several jobs, of which some may come late: these stay.
    shared: &'s KeyStarts,
    /// Settled, not yet committed.
    uncommitted: HashSet<Hash>,
    /// Of finished jobs, not yet committed.
    finished: HashSet<Hash>,
}

impl<'s> Shelf<'s> {
    pub(super) fn new(ledger: &Path, shared: &'s KeyStarts) -> Self {
        Self {
            file: Arc::new(OnDisk::new(ledger)),
            shared,
            uncommitted: HashSet::new(),
            finished: HashSet::new(),
        }
    }

    pub(super) fn settled(&mut self, key: Hash) {
        self.uncommitted.insert(key);
    }

    pub(super) fn committed(&mut self, key: &Hash, live: &mut Live) {
        self.uncommitted.remove(key);
        if self.finished.remove(key) {
            live.leave_to(&self.file, key);
        }
    }

    /// A job is done that asked for these.
    pub(super) fn finished(&mut self, keys: Vec<Hash>, live: &mut Live) {
        for key in keys {
            if self.shared.contains(&hash_prefix(&key)) {
                continue;
            }
            if self.uncommitted.contains(&key) {
                self.finished.insert(key);
            } else {
                live.leave_to(&self.file, &key);
            }
        }
    }
}
