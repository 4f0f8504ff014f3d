//! The folder that files are put into, and the working folder inside it.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::error::FetchError;
use super::listing::Entry;

/// Folder inside the target that holds what is under way, and which files were found right.
pub const WORK_DIR: &str = ".verispec-fetch";

/// What lies where a file belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing.
    Absent,
    /// The file itself.
    Present,
    /// Something else.
    Other,
}

/// A file that was found right, and how to tell that it has not changed since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    path: String,
    size: u64,
    /// Nanoseconds since 1970.
    mtime: u64,
    digest: String,
}

pub(super) struct Store {
    work: PathBuf,
    known: Mutex<HashMap<String, Known>>,
    log: Mutex<File>,
    // Released when the file is closed, also by the death of the process.
    _lock: File,
}

impl Store {
    /// Makes both folders and locks them against a second fetch.
    pub(super) fn open(root: &Path) -> Result<Self, FetchError> {
        let work = root.join(WORK_DIR);
        let fail = |path: &Path| {
            let path = path.to_owned();
            move |e| FetchError::io(&path, e)
        };
        fs::create_dir_all(&work).map_err(fail(&work))?;
        let lock_path = work.join("lock");
        let lock = File::create(&lock_path).map_err(fail(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(FetchError::Busy(root.to_owned())),
            // A file system without locks; checksums still hold.
            Err(fs::TryLockError::Error(e)) => {
                tracing::debug!("no lock on {}: {e}", lock_path.display())
            }
        }
        let path = work.join("known.jsonl");
        let known = read_known(&path);
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(fail(&path))?;
        Ok(Self {
            work,
            known: Mutex::new(known),
            log: Mutex::new(log),
            _lock: lock,
        })
    }

    /// Looks at what lies where an entry belongs. Reads the file only if it is not known yet.
    pub(super) fn state(&self, entry: &Entry, target: &Path) -> io::Result<State> {
        let meta = match fs::metadata(target) {
            Ok(meta) => meta,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(State::Absent),
            Err(e) => return Err(e),
        };
        if !meta.is_file() || meta.len() != entry.size {
            return Ok(State::Other);
        }
        let Some(digest) = &entry.digest else {
            return Ok(State::Present);
        };
        let now = known(entry, &meta);
        let remembered = self
            .known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&entry.path)
            == Some(&now);
        if remembered {
            return Ok(State::Present);
        }
        if !digest.matches(target)? {
            return Ok(State::Other);
        }
        self.remember(now);
        Ok(State::Present)
    }

    /// Where a file lies while it is not whole. Another content of the same path has another name.
    pub(super) fn part(&self, entry: &Entry) -> PathBuf {
        let digest = entry
            .digest
            .as_ref()
            .map(super::Digest::text)
            .unwrap_or_default();
        let hash = Sha256::digest(format!("{}\0{digest}\0{}", entry.path, entry.size));
        let name: String = hash[..16].iter().map(|b| format!("{b:02x}")).collect();
        self.work.join(format!("{name}.part"))
    }

    /// Puts a whole and checked file into its place.
    pub(super) fn place(
        &self,
        entry: &Entry,
        part: &Path,
        target: &Path,
    ) -> Result<(), FetchError> {
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder).map_err(|e| FetchError::io(folder, e))?;
        }
        fs::rename(part, target).map_err(|e| FetchError::io(target, e))?;
        let meta = fs::metadata(target).map_err(|e| FetchError::io(target, e))?;
        self.remember(known(entry, &meta));
        Ok(())
    }

    /// Losing this line only means reading the file again.
    fn remember(&self, known: Known) {
        if let Ok(line) = serde_json::to_string(&known) {
            let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = log.write_all(format!("{line}\n").as_bytes());
        }
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(known.path.clone(), known);
    }
}

fn known(entry: &Entry, meta: &fs::Metadata) -> Known {
    let mtime = meta
        .modified()
        .ok()
        .and_then(|t| t.duration_since(UNIX_EPOCH).ok());
    let nanos = mtime.map_or(0, |d| d.as_nanos());
    Known {
        path: entry.path.clone(),
        size: meta.len(),
        mtime: u64::try_from(nanos).unwrap_or(u64::MAX),
        digest: entry
            .digest
            .as_ref()
            .map(super::Digest::text)
            .unwrap_or_default(),
    }
}

/// The last line of a path counts; a line that was cut is no line.
fn read_known(path: &Path) -> HashMap<String, Known> {
    let text = fs::read(path).unwrap_or_default();
    let lines = text
        .split(|b| *b == b'\n')
        .filter_map(|l| serde_json::from_slice::<Known>(l).ok());
    lines.map(|known| (known.path.clone(), known)).collect()
}
