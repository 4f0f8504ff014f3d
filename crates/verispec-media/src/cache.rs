//! Encoded images shared by requests: made once, bounded in memory.

mod flight;
mod lru;

use std::collections::HashMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use verispec_model::{Hash, ImagePart};

use self::flight::{Flight, Landing, Permits};
use self::lru::Lru;
use crate::error::{MediaError, MediaErrorKind};
use crate::limits::Limits;
use crate::probe::read_file;
use crate::profile::{Encoded, Profile, encode_hashed};
use crate::spill::Spill;

type Key = (Hash, Profile);
type Made = Result<Arc<Encoded>, MediaError>;

/// Bounds of a [`MediaCache`].
#[derive(Debug, Clone)]
pub struct MediaCacheOptions {
    /// Most bytes of encoded images held for later; those that requests still hold come on top.
    pub max_bytes: usize,
    /// Most images read and encoded at the same time, at least 1. Each may take some 8 bytes a
    /// pixel.
    pub max_at_once: usize,
    /// What is refused.
    pub limits: Limits,
    /// Folder for encoded images that memory has no room for. Without it they are made again.
    pub spill: Option<PathBuf>,
}

impl Default for MediaCacheOptions {
    /// 32 MiB, as many at once as there are processors, no folder.
    fn default() -> Self {
        Self {
            max_bytes: 32 * 1024 * 1024,
            max_at_once: std::thread::available_parallelism().map_or(1, NonZero::get),
            limits: Limits::default(),
            spill: None,
        }
    }
}

/// What a [`MediaCache`] has done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CacheStats {
    /// Requests met from memory, or by waiting for another request's work.
    pub hits: u64,
    /// Files read.
    pub reads: u64,
    /// Images encoded anew (files sent as they are do not count).
    pub encodes: u64,
    /// Images read back from the folder.
    pub from_spill: u64,
    /// Bytes in memory now.
    pub bytes: usize,
}

/// Encoded images by (source hash, profile). Thread-safe; every method may block, so an async
/// caller goes through a blocking thread.
///
/// Requests for the same image at the same time share one reading and encoding.
#[derive(Debug)]
pub struct MediaCache {
    limits: Limits,
    spill: Option<Spill>,
    permits: Permits,
    state: Mutex<State>,
    counters: Counters,
}

#[derive(Debug)]
struct State {
    ready: Lru<Key>,
    flights: HashMap<Key, Arc<Flight<Made>>>,
}

#[derive(Debug, Default)]
struct Counters {
    hits: AtomicU64,
    reads: AtomicU64,
    encodes: AtomicU64,
    from_spill: AtomicU64,
}

/// What a request finds.
enum Found {
    Ready(Arc<Encoded>),
    Flying(Arc<Flight<Made>>),
    Mine(Arc<Flight<Made>>),
}

impl MediaCache {
    /// An empty cache.
    #[must_use]
    pub fn new(options: MediaCacheOptions) -> Self {
        Self {
            limits: options.limits,
            spill: options.spill.map(Spill::new),
            permits: Permits::new(options.max_at_once),
            state: Mutex::new(State {
                ready: Lru::new(options.max_bytes),
                flights: HashMap::new(),
            }),
            counters: Counters::default(),
        }
    }

    /// The image of a request, from memory or made now.
    ///
    /// # Errors
    /// An unknown profile; a file that cannot be read or is not the one that was planned; what the
    /// profile does not take (see [`encode`](crate::encode)). Errors are not remembered.
    pub fn get(&self, part: &ImagePart) -> Result<Arc<Encoded>, MediaError> {
        let profile = Profile::parse(&part.profile, &part.path)
            .map_err(|kind| MediaError::new(&part.path, kind))?;
        let key = (part.source, profile);
        match self.find(key) {
            Found::Ready(encoded) => {
                self.counters.hits.fetch_add(1, Relaxed);
                Ok(encoded)
            }
            Found::Flying(flight) => {
                self.counters.hits.fetch_add(1, Relaxed);
                flight.wait()
            }
            Found::Mine(flight) => {
                // A panic while decoding must not leave the others waiting.
                let landing = Landing::new(
                    &flight,
                    |made| self.land(key, made),
                    || {
                        let kind =
                            MediaErrorKind::Encode("the thread at work on it died".to_owned());
                        Err(MediaError::new(&part.path, kind))
                    },
                );
                let made = self.make(&part.path, key).map(Arc::new);
                landing.land(made)
            }
        }
    }

    /// What has been done so far.
    #[must_use]
    pub fn stats(&self) -> CacheStats {
        let counters = &self.counters;
        CacheStats {
            hits: counters.hits.load(Relaxed),
            reads: counters.reads.load(Relaxed),
            encodes: counters.encodes.load(Relaxed),
            from_spill: counters.from_spill.load(Relaxed),
            bytes: self.lock().ready.bytes(),
        }
    }

    fn find(&self, key: Key) -> Found {
        let mut state = self.lock();
        if let Some(encoded) = state.ready.get(&key) {
            return Found::Ready(encoded);
        }
        if let Some(flight) = state.flights.get(&key) {
            return Found::Flying(Arc::clone(flight));
        }
        let flight = Arc::new(Flight::default());
        state.flights.insert(key, Arc::clone(&flight));
        Found::Mine(flight)
    }

    fn land(&self, key: Key, made: &Made) {
        let mut state = self.lock();
        state.flights.remove(&key);
        if let Ok(encoded) = made {
            state.ready.put(key, Arc::clone(encoded));
        }
    }

    fn make(&self, path: &Path, (source, profile): Key) -> Result<Encoded, MediaError> {
        // Taken before reading: files that wait their turn should not wait in memory.
        let _permit = self.permits.take();
        if let Some(encoded) = self.spill.as_ref().and_then(|s| s.get(source, profile)) {
            self.counters.from_spill.fetch_add(1, Relaxed);
            return Ok(encoded);
        }
        self.counters.reads.fetch_add(1, Relaxed);
        let bytes = Bytes::from(read_file(path, &self.limits)?);
        let found = Hash::of(&bytes);
        if found != source {
            let kind = MediaErrorKind::Changed {
                planned: source,
                found,
            };
            return Err(MediaError::new(path, kind));
        }
        let encoded = encode_hashed(profile, path, bytes, Some(found), &self.limits)?;
        if encoded.encoder.is_some() {
            self.counters.encodes.fetch_add(1, Relaxed);
            if let Some(spill) = &self.spill {
                spill.put(source, profile, &encoded);
            }
        }
        Ok(encoded)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MediaCache {
    fn default() -> Self {
        Self::new(MediaCacheOptions::default())
    }
}
