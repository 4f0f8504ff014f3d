//! Hashes of files, remembered as long as path, size, time and inode stay the same.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use verispec_model::Hash;

use crate::error::{MediaError, MediaErrorKind};

/// First bytes of a store, with the version of its layout.
const MAGIC: [u8; 16] = *b"verispec-hashes2";
/// Bytes of one entry in a store: name, stamp, hash.
const RECORD: usize = 8 + 8 + 32;
/// A file changed this shortly before it was hashed may change again within the same tick of the
/// file system's clock, so its hash is not kept across processes.
const SETTLE: Duration = Duration::from_secs(2);

/// The start of the hash of a file's absolute path: a run may have hundreds of thousands of files.
/// Two of a million share it once in forty million runs, and from one run to the next would have to
/// share size, time and inode as well to be taken for each other.
type Name = [u8; 8];

fn name_of(path: &Path) -> io::Result<Name> {
    // Relative names would mean other files after a change of folder.
    let path = match path.is_absolute() {
        true => Cow::Borrowed(path),
        false => Cow::Owned(std::path::absolute(path)?),
    };
    Ok(start_of(path.as_os_str().as_encoded_bytes()))
}

fn start_of<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut start = [0; N];
    blake3::Hasher::new()
        .update(bytes)
        .finalize_xof()
        .fill(&mut start);
    start
}

/// Size, time and inode of a file, in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp([u8; 8]);

impl Stamp {
    fn of(meta: &Metadata) -> Self {
        let since = meta
            .modified()
            .ok()
            .and_then(|t| t.duration_since(SystemTime::UNIX_EPOCH).ok());
        let nanos = since.map_or(0, |t| t.as_nanos());
        let mut all = [0; 32];
        all[..16].copy_from_slice(&nanos.to_le_bytes());
        all[16..24].copy_from_slice(&meta.len().to_le_bytes());
        all[24..].copy_from_slice(&inode(meta).to_le_bytes());
        Self(start_of(&all))
    }
}

fn is_settled(meta: &Metadata) -> bool {
    let age = meta.modified().ok().and_then(|t| t.elapsed().ok());
    age.is_some_and(|age| age >= SETTLE)
}

#[cfg(unix)]
fn inode(meta: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(meta)
}

#[cfg(not(unix))]
const fn inode(_: &Metadata) -> u64 {
    0
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    stamp: Stamp,
    hash: Hash,
    /// Whether the file had been left alone long enough to be kept across processes.
    settled: bool,
    /// Whether this process has looked at the file.
    seen: bool,
}

/// Content hashes of files. Thread-safe.
#[derive(Debug, Default)]
pub struct HashCache {
    store: Option<PathBuf>,
    /// A tree, since a table takes three times its room for the moment in which it grows.
    files: Mutex<BTreeMap<Name, Entry>>,
    /// Whether something was hashed that the store does not hold.
    changed: AtomicBool,
}

impl HashCache {
    /// A cache that lives as long as the process.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// A cache that is kept in a file. With `rehash` what the file holds is forgotten.
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
        let name = name_of(path).map_err(fail)?;
        let meta = fs::metadata(path).map_err(fail)?;
        let stamp = Stamp::of(&meta);
        let known = |entry: &&mut Entry| entry.stamp == stamp;
        if let Some(entry) = self.lock().get_mut(&name).filter(known) {
            entry.seen = true;
            return Ok(entry.hash);
        }
        let hash = hash_of(path).map_err(fail)?;
        // A write during the reading leaves another stamp behind, so the entry will not be found.
        let entry = Entry {
            stamp,
            hash,
            settled: is_settled(&meta),
            seen: true,
        };
        self.lock().insert(name, entry);
        self.changed.store(true, Relaxed);
        Ok(hash)
    }

    /// The hash that [`hash_file`](Self::hash_file) gave for this file in this process, without
    /// another look at the file.
    #[must_use]
    pub fn hash_seen(&self, path: &Path) -> Option<Hash> {
        let name = name_of(path).ok()?;
        let entry = *self.lock().get(&name)?;
        entry.seen.then_some(entry.hash)
    }

    /// Writes the store, if this cache has one; whole or not at all.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn save(&self) -> Result<(), MediaError> {
        let Some(store) = self.store.as_ref().filter(|_| self.changed.load(Relaxed)) else {
            return Ok(());
        };
        let fail = |e: io::Error| MediaError::new(store, MediaErrorKind::Store(e.to_string()));
        let part = store.with_extension(format!("part-{}", std::process::id()));
        let file = File::create(&part).map_err(fail)?;
        write(BufWriter::new(file), &self.lock()).map_err(fail)?;
        fs::rename(&part, store).map_err(fail)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<Name, Entry>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes the entries that outlive the process, and a hash of it all.
fn write(mut file: impl Write, files: &BTreeMap<Name, Entry>) -> io::Result<()> {
    let mut check = blake3::Hasher::new();
    let mut put = |bytes: &[u8]| {
        check.update(bytes);
        file.write_all(bytes)
    };
    put(&MAGIC)?;
    for (name, entry) in files.iter().filter(|(_, entry)| entry.settled) {
        put(name)?;
        put(&entry.stamp.0)?;
        put(entry.hash.as_bytes())?;
    }
    let check = check.finalize();
    file.write_all(check.as_bytes())?;
    file.flush()
}

fn load(store: &Path) -> Option<BTreeMap<Name, Entry>> {
    let bytes = fs::read(store).ok()?;
    let (body, check) = bytes.split_last_chunk::<32>()?;
    let records = body.strip_prefix(&MAGIC)?;
    if blake3::hash(body) != *check {
        return None;
    }
    records.chunks(RECORD).map(entry).collect()
}

fn entry(record: &[u8]) -> Option<(Name, Entry)> {
    let (name, rest) = record.split_first_chunk()?;
    let (stamp, rest) = rest.split_first_chunk()?;
    let entry = Entry {
        stamp: Stamp(*stamp),
        hash: Hash::from_bytes(rest.try_into().ok()?),
        settled: true,
        seen: false,
    };
    Some((*name, entry))
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

    /// A folder with a file that may be kept, its path, and where to keep its hash.
    fn old_file() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let (path, store) = (dir.path().join("a"), dir.path().join("hashes.bin"));
        fs::write(&path, b"one").unwrap();
        age(&path, 60);
        (dir, path, store)
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
        let (_dir, path, store) = old_file();
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
        let (path, store) = (dir.path().join("a"), dir.path().join("hashes.bin"));
        fs::write(&path, b"one").unwrap();
        let cache = HashCache::open(&store, false);
        cache.hash_file(&path).unwrap();
        cache.save().unwrap();
        assert!(load(&store).unwrap().is_empty());
    }

    #[test]
    fn a_damaged_store_is_as_good_as_none() {
        let (_dir, path, store) = old_file();
        let cache = HashCache::open(&store, false);
        cache.hash_file(&path).unwrap();
        cache.save().unwrap();
        assert_eq!(load(&store).unwrap().len(), 1);
        let whole = fs::read(&store).unwrap();
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 1;
            for damaged in [&whole[..at], &flipped] {
                fs::write(&store, damaged).unwrap();
                assert!(load(&store).is_none(), "{at}");
            }
        }
        let cache = HashCache::open(&store, false);
        assert_eq!(cache.hash_file(&path).unwrap(), Hash::of(b"one"));
    }

    #[test]
    fn only_what_was_looked_at_is_seen() {
        let (_dir, path, store) = old_file();
        let cache = HashCache::open(&store, false);
        assert_eq!(cache.hash_seen(&path), None);
        cache.hash_file(&path).unwrap();
        assert_eq!(cache.hash_seen(&path), Some(Hash::of(b"one")));
        cache.save().unwrap();
        assert_eq!(HashCache::open(&store, false).hash_seen(&path), None);
    }
}
