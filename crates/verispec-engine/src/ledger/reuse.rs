//! Replies of other runs.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use verispec_model::{Hash, Reply, ReplyPart, Request};

use super::blobs::{blob_path, copy_blob};
use super::decode::decode;
use super::error::LedgerError;
use super::outcome::Outcome;
use super::read::Ledger;
use super::record::{Attempt, Via};
use super::replies::LedgerReplies;
use super::schema::LEDGER_FILE;

/// Decides whether a reply of another run is good enough to be copied.
pub type Accept = Box<dyn Fn(&Request, &Reply) -> bool + Send + Sync>;

/// Ledgers of other runs, looked through for replies before a call is made.
///
/// Only `answered` replies are taken: failures and refusals are asked again by each run. Costs
/// one indexed look-up per ledger and missing key, nothing for keys that the run has.
pub struct Reuse {
    ledgers: Vec<(String, Ledger)>,
    accept: Option<Accept>,
    files_into: Option<PathBuf>,
    skipped: Vec<LedgerError>,
}

impl Reuse {
    /// Nothing to reuse.
    #[must_use]
    pub fn none() -> Self {
        Self {
            ledgers: vec![],
            accept: None,
            files_into: None,
            skipped: vec![],
        }
    }

    /// Opens the ledgers of these paths, in this order: a ledger file or a run directory each.
    ///
    /// # Errors
    /// The first that cannot be opened.
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<Self, LedgerError> {
        let mut reuse = Self::none();
        for path in paths {
            reuse.add(path.as_ref())?;
        }
        Ok(reuse)
    }

    /// Adds a ledger file or a run directory.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn add(&mut self, path: &Path) -> Result<(), LedgerError> {
        let file = if path.is_dir() {
            path.join(LEDGER_FILE)
        } else {
            path.to_owned()
        };
        let ledger = Ledger::open_read(&file)?;
        self.ledgers.push((run_name(&file), ledger));
        Ok(())
    }

    /// Adds every run below `runs` except `own`, in name order. A ledger that cannot be opened
    /// is left out and listed by [`Reuse::skipped`]: one broken run must not stop another.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn add_siblings(&mut self, runs: &Path, own: &Path) -> Result<(), LedgerError> {
        let listing = std::fs::read_dir(runs).map_err(|e| LedgerError::io(runs, e))?;
        let mut folders: Vec<PathBuf> = listing.filter_map(|e| Some(e.ok()?.path())).collect();
        folders.sort();
        let own = own.canonicalize().ok();
        for folder in folders {
            let is_own = own.is_some() && folder.canonicalize().ok() == own;
            if is_own || !folder.join(LEDGER_FILE).is_file() {
                continue;
            }
            match self.add(&folder) {
                Ok(()) | Err(LedgerError::Absent { .. }) => {}
                Err(error) => self.skipped.push(error),
            }
        }
        Ok(())
    }

    /// Most attempts that these ledgers hold together. A ledger that cannot be read holds none.
    #[must_use]
    pub fn attempts_at_most(&self) -> u64 {
        let ledgers = self.ledgers.iter();
        ledgers.map(|(_, l)| l.last_attempt().unwrap_or(0)).sum()
    }

    /// Replies of all these ledgers to some keys, read as a whole: faster than one by one where most
    /// of a ledger is wanted. A ledger that cannot be read holds nothing here.
    #[must_use]
    pub fn answers(&self, wanted: &HashSet<Hash>) -> LedgerReplies {
        let mut all = LedgerReplies::default();
        for (path, replies) in self.each() {
            if let Ok(mut replies) = replies {
                replies.keep(wanted);
                all.merge(self.at_hand(&path, replies));
            }
        }
        all
    }

    /// What each of these ledgers holds, by its path.
    #[must_use]
    pub fn each(&self) -> Vec<(PathBuf, Result<LedgerReplies, LedgerError>)> {
        let ledgers = self.ledgers.iter();
        ledgers
            .map(|(_, ledger)| (ledger.path().to_owned(), ledger.replies()))
            .collect()
    }

    /// Of the replies of the ledger at `path`, those whose files are at hand.
    #[must_use]
    pub fn at_hand(&self, path: &Path, mut replies: LedgerReplies) -> LedgerReplies {
        if let Some((_, ledger)) = self.ledgers.iter().find(|(_, l)| l.path() == path) {
            replies.keep_with(|parts| self.has_files(ledger, parts));
        }
        replies
    }

    /// Takes only replies for which this returns `true`, for instance those that can be read.
    #[must_use]
    pub fn accepting(mut self, accept: Accept) -> Self {
        self.accept = Some(accept);
        self
    }

    /// Copies the files of a reply that is taken into this run directory.
    #[must_use]
    pub fn copying_files_into(mut self, run_dir: &Path) -> Self {
        self.files_into = Some(run_dir.to_owned());
        self
    }

    /// Whether the files of a reply are at hand, which a reply without any always has.
    fn has_files(&self, ledger: &Ledger, parts: &[ReplyPart]) -> bool {
        let from = ledger.path().parent().unwrap_or(Path::new("."));
        parts.iter().all(|part| match part {
            ReplyPart::Text(_) => true,
            ReplyPart::Image { hash, .. } => match &self.files_into {
                Some(into) => copy_blob(from, into, &blob_path(hash)).is_ok(),
                None => from.join(blob_path(hash)).is_file(),
            },
        })
    }

    /// Sibling ledgers that could not be opened.
    #[must_use]
    pub fn skipped(&self) -> &[LedgerError] {
        &self.skipped
    }

    /// Number of ledgers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ledgers.len()
    }

    /// Whether there is no ledger.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ledgers.is_empty()
    }

    /// An answered reply to this request, ready to be recorded, with its provenance in `via`.
    ///
    /// # Errors
    /// A ledger cannot be read.
    pub fn find(&self, key: &Hash, request: &Request) -> Result<Option<Attempt>, LedgerError> {
        for (run, ledger) in &self.ledgers {
            let Some(mut attempt) = ledger.answered(key)? else {
                continue;
            };
            let Some(raw) = &attempt.raw else { continue };
            let Ok(reply) = decode(&raw.dialect, &raw.response()) else {
                continue;
            };
            let usable = Outcome::of_reply(&reply) == Outcome::Answered
                && self
                    .accept
                    .as_ref()
                    .is_none_or(|accept| accept(request, &reply))
                && self.has_files(ledger, &reply.parts);
            if !usable {
                continue;
            }
            if !matches!(attempt.via, Via::Reuse(_)) {
                attempt.via = Via::Reuse(run.clone());
            }
            attempt.round = 0;
            attempt.reply = Some(reply);
            return Ok(Some(attempt));
        }
        Ok(None)
    }
}

impl std::fmt::Debug for Reuse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.ledgers.iter().map(|(run, _)| run))
            .finish()
    }
}

/// Name of the run directory that holds the ledger, else of the file.
fn run_name(file: &Path) -> String {
    let folder = file
        .canonicalize()
        .ok()
        .and_then(|f| Some(f.parent()?.to_owned()));
    let name = folder
        .as_deref()
        .and_then(Path::file_name)
        .or(file.file_name());
    name.map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}
