//! One file: asked for, continued, checked, put into its place.

use std::path::Path;
use std::sync::Arc;

use reqwest::{Response, StatusCode};
use tokio::fs::{self, OpenOptions};
use tokio::io::{AsyncWriteExt as _, BufWriter};

use super::error::{FetchError, FileFailure};
use super::hub::{Hub, Problem, broken, pause, range_start};
use super::listing::{Entry, Listing};
use super::run::FetchEvent;
use super::store::Store;

/// Attempts at a file whose content is not the listed one.
const WRONG_ATTEMPTS: u32 = 2;

/// Everything that all files of one fetch share.
pub(super) struct Job<'a> {
    pub(super) hub: &'a Hub,
    pub(super) listing: &'a Listing,
    pub(super) store: Arc<Store>,
    pub(super) attempts: u32,
    pub(super) observe: &'a (dyn Fn(&FetchEvent<'_>) + Sync),
}

/// How an attempt ended that did not bring the file.
enum Miss {
    /// Nothing more can be had at all.
    Stop(FetchError),
    /// This attempt failed on the way.
    Problem(Problem),
    /// What came is not what was listed. It was thrown away.
    Wrong(String),
}

impl Job<'_> {
    /// Gets a file. `Ok(None)`: it is in its place.
    pub(super) async fn download(
        &self,
        entry: &Entry,
        target: &Path,
    ) -> Result<Option<FileFailure>, FetchError> {
        let part = self.store.part(entry);
        let (mut attempt, mut wrong) = (0, 0);
        loop {
            attempt += 1;
            let (reason, transient, wait) = match self.attempt(entry, &part).await {
                Ok(()) => {
                    self.store.place(entry, &part, target)?;
                    return Ok(None);
                }
                Err(Miss::Stop(error)) => return Err(error),
                Err(Miss::Wrong(reason)) => {
                    wrong += 1;
                    (reason, wrong < WRONG_ATTEMPTS, None)
                }
                Err(Miss::Problem(problem)) => {
                    if let Some(error) = problem.no_access(&self.listing.repo, self.hub.has_token())
                    {
                        return Err(error);
                    }
                    (
                        problem.to_string(),
                        problem.is_transient(),
                        problem.retry_after(),
                    )
                }
            };
            if !transient || attempt >= self.attempts {
                let path = entry.path.clone();
                return Ok(Some(FileFailure {
                    path,
                    reason,
                    transient: wrong == 0 && transient,
                }));
            }
            (self.observe)(&FetchEvent::Retry {
                path: &entry.path,
                reason: &reason,
            });
            tokio::time::sleep(pause(attempt, wait)).await;
        }
    }

    /// Brings the part to its full length and checks it.
    async fn attempt(&self, entry: &Entry, part: &Path) -> Result<(), Miss> {
        let io = |e| Miss::Stop(FetchError::io(part, e));
        let mut have = fs::metadata(part).await.map_or(0, |m| m.len());
        if have > entry.size {
            fs::remove_file(part).await.map_err(io)?;
            have = 0;
        }
        if entry.size == 0 {
            fs::write(part, b"").await.map_err(io)?;
        } else if have < entry.size {
            self.receive(entry, part, have).await?;
        }
        if self.is_right(entry, part).await? {
            return Ok(());
        }
        fs::remove_file(part).await.map_err(io)?;
        Err(Miss::Wrong("its checksum is not the listed one".to_owned()))
    }

    async fn is_right(&self, entry: &Entry, part: &Path) -> Result<bool, Miss> {
        let Some(digest) = entry.digest.clone() else {
            return Ok(true);
        };
        let path = part.to_owned();
        let checked = tokio::task::spawn_blocking(move || digest.matches(&path)).await;
        checked
            .unwrap_or_else(|e| Err(std::io::Error::other(e)))
            .map_err(|e| Miss::Stop(FetchError::io(part, e)))
    }

    async fn receive(&self, entry: &Entry, part: &Path, have: u64) -> Result<(), Miss> {
        let io = |e| Miss::Stop(FetchError::io(part, e));
        let (listing, path) = (self.listing, entry.path.as_str());
        let url = self
            .hub
            .file(listing.kind, &listing.repo, &listing.commit, path)
            .map_err(Miss::Stop)?;
        let response = match self.hub.get(url, have).await {
            Err(Problem::Status { status: 416, .. }) if have > 0 => {
                fs::remove_file(part).await.map_err(io)?;
                return Err(Miss::Wrong("what was there cannot be continued".to_owned()));
            }
            other => other.map_err(Miss::Problem)?,
        };
        // A server may send the whole file although a part was asked for.
        let from = match response.status() {
            StatusCode::PARTIAL_CONTENT => range_start(response.headers()).unwrap_or(have),
            _ => 0,
        };
        if from != 0 && from != have {
            return Err(Miss::Problem(Problem::Broken(
                "the answer starts at another byte".to_owned(),
            )));
        }
        let mut file = OpenOptions::new();
        let file = match from {
            0 => {
                file.create(true)
                    .write(true)
                    .truncate(true)
                    .open(part)
                    .await
            }
            _ => file.append(true).open(part).await,
        };
        self.write(entry, part, file.map_err(io)?, response, from)
            .await
    }

    /// Writes what comes. What was written before the connection broke is kept for the next
    /// attempt.
    async fn write(
        &self,
        entry: &Entry,
        part: &Path,
        file: fs::File,
        mut response: Response,
        from: u64,
    ) -> Result<(), Miss> {
        let io = |e| Miss::Stop(FetchError::io(part, e));
        let mut file = BufWriter::with_capacity(1 << 18, file);
        let mut length = from;
        let ended = loop {
            match response.chunk().await {
                Ok(Some(piece)) => {
                    length += piece.len() as u64;
                    if length > entry.size {
                        drop(file);
                        fs::remove_file(part).await.map_err(io)?;
                        let text = format!("more came than the listed {} bytes", entry.size);
                        return Err(Miss::Wrong(text));
                    }
                    file.write_all(&piece).await.map_err(io)?;
                    (self.observe)(&FetchEvent::Received {
                        bytes: piece.len() as u64,
                    });
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(broken(error)),
            }
        };
        file.flush().await.map_err(io)?;
        file.get_ref().sync_data().await.map_err(io)?;
        ended.map_err(Miss::Problem)?;
        if length < entry.size {
            let text = format!("the answer ends after {length} of {} bytes", entry.size);
            return Err(Miss::Problem(Problem::Broken(text)));
        }
        Ok(())
    }
}
