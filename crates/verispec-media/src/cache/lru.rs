//! Encoded images by last use, bounded by bytes.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::Arc;

use crate::profile::Encoded;

/// Most images that are held, however small: each takes some hundred bytes beside its own.
const MOST: usize = 4096;

#[derive(Debug)]
pub(super) struct Lru<K> {
    max_bytes: usize,
    bytes: usize,
    clock: u64,
    entries: HashMap<K, (Arc<Encoded>, u64)>,
    /// Keys by the time of their last use, oldest first.
    order: BTreeMap<u64, K>,
}

impl<K: Hash + Eq + Copy> Lru<K> {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self {
            max_bytes,
            bytes: 0,
            clock: 0,
            entries: HashMap::new(),
            order: BTreeMap::new(),
        }
    }

    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn get(&mut self, key: &K) -> Option<Arc<Encoded>> {
        let (encoded, used) = self.entries.get_mut(key)?;
        self.clock += 1;
        self.order.remove(used);
        self.order.insert(self.clock, *key);
        *used = self.clock;
        Some(Arc::clone(encoded))
    }

    /// Adds an image and drops the least recently used ones over the bound. One that is over the
    /// bound by itself is not kept.
    pub(super) fn put(&mut self, key: K, encoded: Arc<Encoded>) {
        self.remove(&key);
        self.clock += 1;
        self.bytes += encoded.bytes.len();
        self.entries.insert(key, (encoded, self.clock));
        self.order.insert(self.clock, key);
        while self.bytes > self.max_bytes || self.entries.len() > MOST {
            let Some((_, oldest)) = self.order.first_key_value() else {
                return;
            };
            let oldest = *oldest;
            self.remove(&oldest);
        }
    }

    fn remove(&mut self, key: &K) {
        if let Some((encoded, used)) = self.entries.remove(key) {
            self.bytes -= encoded.bytes.len();
            self.order.remove(&used);
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::format::Mime;

    fn image(len: usize) -> Arc<Encoded> {
        Arc::new(Encoded::as_it_is(
            Mime::Png,
            Bytes::from(vec![0; len]),
            None,
        ))
    }

    #[test]
    fn the_least_recently_used_goes_first() {
        let mut lru = Lru::new(30);
        lru.put('a', image(10));
        lru.put('b', image(10));
        lru.put('c', image(10));
        assert!(lru.get(&'a').is_some());
        lru.put('d', image(15));
        assert!(lru.get(&'b').is_none());
        assert!(lru.get(&'c').is_none());
        assert!(lru.get(&'a').is_some());
        assert_eq!(lru.bytes(), 25);
    }

    #[test]
    fn small_images_do_not_pile_up() {
        let mut lru = Lru::new(usize::MAX);
        (0..=MOST).for_each(|i| lru.put(i, image(1)));
        assert_eq!((lru.bytes(), lru.get(&0).is_none()), (MOST, true));
    }

    #[test]
    fn replacing_and_oversized_images_keep_the_count_right() {
        let mut lru = Lru::new(30);
        lru.put('a', image(10));
        lru.put('a', image(20));
        assert_eq!(lru.bytes(), 20);
        lru.put('b', image(31));
        assert_eq!((lru.bytes(), lru.get(&'b').is_none()), (0, true));
    }
}
