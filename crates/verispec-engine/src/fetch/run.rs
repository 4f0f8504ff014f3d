//! All wanted files, several at a time.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::StreamExt as _;
use verispec_media::safe_join;

use super::download::Job;
use super::error::{FetchError, FileFailure};
use super::hub::Hub;
use super::listing::{Entry, Listing};
use super::select::Selection;
use super::store::{State, Store, WORK_DIR};

/// How to fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchOptions {
    /// Files under way at the same time, at least 1.
    pub concurrency: usize,
    /// Attempts at one file, at least 1.
    pub attempts: u32,
    /// Whether a file of other content that lies where one belongs is replaced.
    pub replace: bool,
}

impl Default for FetchOptions {
    /// 8 files, 6 attempts, nothing replaced.
    fn default() -> Self {
        Self {
            concurrency: 8,
            attempts: 6,
            replace: false,
        }
    }
}

/// What happens, for whoever watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchEvent<'a> {
    /// Bytes came in.
    Received {
        /// How many.
        bytes: u64,
    },
    /// An attempt failed and another follows.
    Retry {
        /// Path in the repository.
        path: &'a str,
        /// What went wrong.
        reason: &'a str,
    },
    /// A file is in its place.
    Finished {
        /// Path in the repository.
        path: &'a str,
        /// Its size.
        bytes: u64,
        /// Whether it was there before.
        was_there: bool,
    },
}

/// What became of the wanted files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fetched {
    /// Files that were downloaded and found right.
    pub downloaded: usize,
    /// Files that were there already and are right.
    pub present: usize,
    /// Paths where a file of other content lies, which was kept; in the hub's order.
    pub kept: Vec<String>,
    /// Files that were not had; in the hub's order.
    pub failed: Vec<FileFailure>,
}

enum Done {
    Downloaded,
    Present,
    Kept,
    Failed(FileFailure),
}

impl Listing {
    /// The wanted files and where they belong below `into`. A path that is listed twice counts
    /// once.
    ///
    /// # Errors
    /// A path that would leave the folder, or lie in [`WORK_DIR`].
    pub fn targets(
        &self,
        selection: &Selection,
        into: &Path,
    ) -> Result<Vec<(&Entry, PathBuf)>, FetchError> {
        let mut seen = HashSet::new();
        let wanted = self
            .entries
            .iter()
            .filter(|e| selection.wants(&e.path) && seen.insert(&e.path));
        wanted
            .map(|entry| Ok((entry, self.target(entry, into)?)))
            .collect()
    }

    fn target(&self, entry: &Entry, into: &Path) -> Result<PathBuf, FetchError> {
        let refuse = |reason: String| FetchError::UnsafePath {
            repo: self.repo.clone(),
            path: entry.path.clone(),
            reason,
        };
        if entry.path.split('/').any(|part| part == WORK_DIR) {
            return Err(refuse("this folder is ours".to_owned()));
        }
        safe_join(into, &entry.path).map_err(|e| refuse(e.kind.to_string()))
    }
}

/// Brings the wanted files of a listing into a folder. Dropping the future stops it; what came so
/// far is continued by the next call.
///
/// # Errors
/// No access, a full disk, a folder that cannot be written or is in use, or a path that would
/// leave it (then nothing was written). A single file that cannot be had is no error but stands in
/// [`Fetched::failed`].
pub async fn fetch(
    hub: &Hub,
    listing: &Listing,
    selection: &Selection,
    into: &Path,
    options: FetchOptions,
    observe: &(dyn Fn(&FetchEvent<'_>) + Sync),
) -> Result<Fetched, FetchError> {
    let targets = listing.targets(selection, into)?;
    let job = Job {
        hub,
        listing,
        store: Arc::new(Store::open(into)?),
        attempts: options.attempts.max(1),
        observe,
    };
    let one = |(index, (entry, target)): (usize, (&'_ Entry, PathBuf))| {
        let (job, entry) = (&job, entry.clone());
        async move {
            (
                index,
                job.one(&entry, &target, options.replace).await,
                entry,
            )
        }
    };
    let mut running = futures_util::stream::iter(targets.into_iter().enumerate().map(one))
        .buffer_unordered(options.concurrency.max(1));
    let (mut fetched, mut kept, mut failed) = (Fetched::default(), vec![], vec![]);
    while let Some((index, done, entry)) = running.next().await {
        match done? {
            Done::Downloaded => fetched.downloaded += 1,
            Done::Present => fetched.present += 1,
            Done::Kept => kept.push((index, entry.path)),
            Done::Failed(failure) => failed.push((index, failure)),
        }
    }
    kept.sort_unstable_by_key(|(index, _)| *index);
    failed.sort_unstable_by_key(|(index, _)| *index);
    fetched.kept = kept.into_iter().map(|(_, path)| path).collect();
    fetched.failed = failed.into_iter().map(|(_, failure)| failure).collect();
    Ok(fetched)
}

impl Job<'_> {
    async fn one(&self, entry: &Entry, target: &Path, replace: bool) -> Result<Done, FetchError> {
        let finished = |was_there| {
            let (path, bytes) = (entry.path.as_str(), entry.size);
            (self.observe)(&FetchEvent::Finished {
                path,
                bytes,
                was_there,
            });
        };
        match self.look(entry, target).await? {
            State::Present => {
                finished(true);
                return Ok(Done::Present);
            }
            State::Other if !replace || target.is_dir() => return Ok(Done::Kept),
            State::Absent | State::Other => {}
        }
        Ok(match self.download(entry, target).await? {
            Some(failure) => Done::Failed(failure),
            None => {
                finished(false);
                Done::Downloaded
            }
        })
    }

    async fn look(&self, entry: &Entry, target: &Path) -> Result<State, FetchError> {
        let (store, entry, path) = (self.store.clone(), entry.clone(), target.to_owned());
        let state = tokio::task::spawn_blocking(move || store.state(&entry, &path)).await;
        state
            .unwrap_or_else(|e| Err(std::io::Error::other(e)))
            .map_err(|e| FetchError::io(target, e))
    }
}
