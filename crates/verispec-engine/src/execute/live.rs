//! What is settled while a run goes on.

use std::collections::HashSet;
use std::sync::Arc;

use verispec_model::{Hash, Replies, Settled};

use super::setup::ExecuteOptions;
use crate::ledger::{Entry, LedgerReplies, OnDisk};

/// Stored replies, new ones, and those set aside to be asked again.
pub(crate) struct Live {
    replies: LedgerReplies,
    asked_again: HashSet<Hash>,
}

impl Live {
    pub(crate) fn new(replies: LedgerReplies, options: &ExecuteOptions) -> Self {
        let outcomes: Vec<_> = options.ask_again.iter().copied().collect();
        let mut asked_again: HashSet<Hash> = replies.keys_with(&outcomes).copied().collect();
        let by_key = options
            .ask_again_keys
            .iter()
            .filter(|k| replies.outcome(k).is_some());
        asked_again.extend(by_key);
        Self {
            replies,
            asked_again,
        }
    }

    /// Whether a settled request is to be asked again although there is a result.
    pub(crate) fn is_asked_again(&self, key: &Hash) -> bool {
        self.asked_again.contains(key)
    }

    /// Whether this request is settled.
    pub(crate) fn has(&self, key: &Hash) -> bool {
        !self.is_asked_again(key) && self.replies.has(key)
    }

    /// Retry round of the next attempt.
    pub(crate) fn next_round(&self, key: &Hash) -> u32 {
        self.replies.round(key).map_or(0, |round| round + 1)
    }

    pub(crate) fn settle(&mut self, key: Hash, entry: Entry) {
        self.asked_again.remove(&key);
        self.replies.insert(key, entry);
    }

    /// Leaves a reply to the ledger.
    pub(crate) fn leave_to(&mut self, file: &Arc<OnDisk>, key: &Hash) {
        self.replies.leave_to(file, key);
    }

    /// Whether some replies are set aside to be asked again.
    pub(crate) fn sets_aside(&self) -> bool {
        !self.asked_again.is_empty()
    }

    /// Number of settled requests, those to be asked again not counted.
    pub(crate) fn settled(&self) -> usize {
        self.replies.len() - self.asked_again.len()
    }

    pub(crate) const fn replies(&self) -> &LedgerReplies {
        &self.replies
    }

    pub(crate) fn into_replies(self) -> LedgerReplies {
        self.replies
    }
}

impl Replies for Live {
    fn get(&self, key: &Hash) -> Option<Settled> {
        if self.is_asked_again(key) {
            None
        } else {
            self.replies.get(key)
        }
    }
}
