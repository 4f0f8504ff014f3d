//! Hashes of files, remembered as long as path, size, time and inode stay the same.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize, Serializer};
use verispec_model::Hash;

use crate::error::{MediaError, MediaErrorKind};

/// Version of the store's layout.
const FORMAT: u32 = 1;
/// A file changed this shortly before it was hashed may change again within the same tick of the
/// file system's clock, so its hash is not kept across processes.
const SETTLE: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    size: u64,
    mtime_ns: u64,
    inode: u64,
}

impl Stamp {
    fn of(meta: &Metadata) -> Self {
        let since = meta
            .modified()
            .ok()
            .and_then(|t| t.duration_since(SystemTime::UNIX_EPOCH).ok());
        // 64 bits of nanoseconds reach the year 2554.
        let mtime_ns = since.map_or(0, |t| u64::try_from(t.as_nanos()).unwrap_or(u64::MAX));
        Self {
            size: meta.len(),
            mtime_ns,
            inode: inode(meta),
        }
    }

    fn is_settled(self) -> bool {
        let modified = SystemTime::UNIX_EPOCH + Duration::from_nanos(self.mtime_ns);
        SystemTime::now()
            .duration_since(modified)
            .is_ok_and(|age| age >= SETTLE)
    }
}

#[cfg(unix)]
fn inode(meta: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(meta)
}

#[cfg(not(unix))]
const fn inode(_: &Metadata) -> u64 {
    0
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Entry {
    stamp: Stamp,
    hash: Hash,
    /// Whether the file had been left alone long enough to be kept across processes.
    #[serde(skip, default = "settled")]
    settled: bool,
}

const fn settled() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Store {
    format: u32,
    files: HashMap<PathBuf, Entry>,
}

/// As [`Store`], without a copy of the names.
#[derive(Serialize)]
struct Written<'a> {
    format: u32,
    #[serde(serialize_with = "kept")]
    files: &'a HashMap<PathBuf, Entry>,
}

/// Entries that outlive the process.
fn kept<S: Serializer>(files: &HashMap<PathBuf, Entry>, serializer: S) -> Result<S::Ok, S::Error> {
    let entries = files.iter();
    // JSON holds only names that are Unicode.
    serializer.collect_map(entries.filter(|(name, e)| e.settled && name.to_str().is_some()))
}

/// Content hashes of files. Thread-safe.
#[derive(Debug, Default)]
pub struct HashCache {
    store: Option<PathBuf>,
    files: Mutex<HashMap<PathBuf, Entry>>,
    /// Whether something was hashed that the store does not hold.
    changed: AtomicBool,
}

impl HashCache {
    /// A cache that lives as long as the process.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// A cache that is kept in a JSON file. With `rehash` what the file holds is forgotten.
    ///
    /// A file that is absent, of another version or damaged is as good as empty: hashes are only
    /// ever a saving.
    #[must_use]
    pub fn open(store: &Path, rehash: bool) -> Self {
        let files = if rehash { None } else { load(store) };
        Self {
            store: Some(store.to_owned()),
            files: Mutex::new(files.unwrap_or_default()),
            changed: AtomicBool::new(false),
        }
    }

    /// BLAKE3 of a file's bytes.
    ///
    /// # Errors
    /// The file is absent or cannot be read.
    pub fn hash_file(&self, path: &Path) -> Result<Hash, MediaError> {
        let fail = |e: io::Error| MediaError::new(path, MediaErrorKind::io(&e));
        // Relative names would mean other files after a change of folder.
        let name = std::path::absolute(path).map_err(fail)?;
        let stamp = Stamp::of(&fs::metadata(path).map_err(fail)?);
        if let Some(entry) = self.lock().get(&name).filter(|entry| entry.stamp == stamp) {
            return Ok(entry.hash);
        }
        let hash = hash_of(path).map_err(fail)?;
        // A write during the reading leaves another stamp behind, so the entry will not be found.
        let entry = Entry {
            stamp,
            hash,
            settled: stamp.is_settled(),
        };
        self.lock().insert(name, entry);
        self.changed.store(true, Relaxed);
        Ok(hash)
    }

    /// Writes the store, if this cache has one; whole or not at all.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn save(&self) -> Result<(), MediaError> {
        let Some(store) = self.store.as_ref().filter(|_| self.changed.load(Relaxed)) else {
            return Ok(());
        };
        let fail = |e: &dyn std::fmt::Display| {
            MediaError::new(store, MediaErrorKind::Store(e.to_string()))
        };
        let files = self.lock();
        let written = Written {
            format: FORMAT,
            files: &files,
        };
        let part = store.with_extension(format!("part-{}", std::process::id()));
        let mut file = BufWriter::new(File::create(&part).map_err(|e| fail(&e))?);
        serde_json::to_writer(&mut file, &written).map_err(|e| fail(&e))?;
        file.flush().map_err(|e| fail(&e))?;
        fs::rename(&part, store).map_err(|e| fail(&e))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, Entry>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn load(store: &Path) -> Option<HashMap<PathBuf, Entry>> {
    let text = fs::read(store).ok()?;
    let store: Store = serde_json::from_slice(&text).ok()?;
    (store.format == FORMAT).then_some(store.files)
}

fn hash_of(path: &Path) -> io::Result<Hash> {
    let mut file = File::open(path)?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 128 * 1024];
    loop {
        let n = file.read(&mut buffer)?;
        if n == 0 {
            return Ok(Hash::from_bytes(*hasher.finalize().as_bytes()));
        }
        hasher.update(&buffer[..n]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn age(path: &Path, seconds: u64) {
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(seconds))
            .unwrap();
    }

    #[test]
    fn a_changed_file_is_hashed_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        let cache = HashCache::in_memory();
        fs::write(&path, b"one").unwrap();
        assert_eq!(cache.hash_file(&path).unwrap(), Hash::of(b"one"));
        fs::write(&path, b"other").unwrap();
        assert_eq!(cache.hash_file(&path).unwrap(), Hash::of(b"other"));
        let error = cache.hash_file(&dir.path().join("b")).unwrap_err();
        assert_eq!(error.kind, MediaErrorKind::Missing);
    }

    /// Same path, size, time and inode: only a cache that does not read the file can miss this.
    #[test]
    fn the_store_is_trusted_until_rehash() {
        let dir = tempfile::tempdir().unwrap();
        let (path, store) = (dir.path().join("a"), dir.path().join("hashes.json"));
        fs::write(&path, b"one").unwrap();
        age(&path, 60);
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        let cache = HashCache::open(&store, false);
        cache.hash_file(&path).unwrap();
        cache.save().unwrap();
        fs::write(&path, b"two").unwrap();
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(time)
            .unwrap();
        assert_eq!(
            HashCache::open(&store, false).hash_file(&path).unwrap(),
            Hash::of(b"one")
        );
        assert_eq!(
            HashCache::open(&store, true).hash_file(&path).unwrap(),
            Hash::of(b"two")
        );
    }

    #[test]
    fn a_file_written_just_now_is_not_kept() {
        let dir = tempfile::tempdir().unwrap();
        let (path, store) = (dir.path().join("a"), dir.path().join("hashes.json"));
        fs::write(&path, b"one").unwrap();
        let cache = HashCache::open(&store, false);
        cache.hash_file(&path).unwrap();
        cache.save().unwrap();
        assert!(load(&store).unwrap().is_empty());
    }

    #[test]
    fn a_damaged_store_is_as_good_as_none() {
        let dir = tempfile::tempdir().unwrap();
        let (path, store) = (dir.path().join("a"), dir.path().join("hashes.json"));
        fs::write(&path, b"one").unwrap();
        for text in ["", "{", "{\"format\":99,\"files\":{}}"] {
            fs::write(&store, text).unwrap();
            assert_eq!(
                HashCache::open(&store, false).hash_file(&path).unwrap(),
                Hash::of(b"one")
            );
        }
    }
}
