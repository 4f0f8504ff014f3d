//! Settled requests of one or several ledgers, in memory.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use verispec_model::{
    Finish, Hash, Replies, Reply, ReplyPart, Settled, TokenLogprob, Unjudged, Usage,
};

use super::on_disk::OnDisk;
use super::outcome::Outcome;
use super::record::{Attempt, Micros};

/// A snapshot of what is settled: for every key the reply or failure that counts.
///
/// Where a key has several, the one that counts is: an answer before a refusal or a cut or empty
/// reply (a retry must not take away what is known), those before a failure, then the later retry
/// round, then the first by time received, then the smaller hash. The order in which
/// ledgers are merged does not matter.
#[derive(Debug, Clone, Default)]
pub struct LedgerReplies {
    entries: HashMap<Hash, Entry, ByPrefix>,
    left: Left,
    conflicts: u64,
    unreadable: Vec<String>,
}

/// Replies that are in the ledger alone, by the start of their key: a run may have hundreds of
/// thousands. Two keys that start alike are as good as impossible, and would cost one request that
/// stays pending until the run is resumed.
#[derive(Debug, Clone, Default)]
struct Left {
    file: Option<Arc<OnDisk>>,
    keys: KeyStarts,
}

/// The first eight bytes of keys.
pub(crate) type KeyStarts = HashSet<u64, ByPrefix>;

/// Keys are hashes already: their first bytes spread them as well as another hash would.
pub(crate) type ByPrefix = BuildHasherDefault<PrefixHasher>;

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PrefixHasher(u64);

impl Hasher for PrefixHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        if let Some((first, _)) = bytes.split_first_chunk() {
            self.0 = u64::from_le_bytes(*first);
        }
    }

    /// Row numbers follow one another; the factor (2^64 over the golden ratio) spreads them.
    fn write_i64(&mut self, n: i64) {
        self.0 = n.cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    /// The length that arrays write before their bytes says nothing.
    fn write_usize(&mut self, _: usize) {}
}

/// One settled request. A run may have hundreds of thousands, so it is kept small.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) outcome: Outcome,
    pub(crate) round: u32,
    pub(crate) received_at: Micros,
    /// First bytes of the hash of the raw reply, as a number in the hashes' order.
    pub(crate) reply_hash: Option<u64>,
    pub(crate) settled: Stored,
}

/// A reply without spare capacity; what many replies have in common is shared.
#[derive(Debug, Clone)]
pub(crate) enum Stored {
    Reply(Box<StoredReply>),
    Failed(Unjudged),
}

/// What a reply says.
#[derive(Debug, Clone)]
pub(crate) struct StoredReply {
    text: Box<str>,
    reasoning: Option<Box<str>>,
    usage: SmallUsage,
    logprobs: Option<Box<[TokenLogprob]>>,
    parts: Option<Box<Parts>>,
    source: Arc<Source>,
}

/// Pieces of a reply that holds an image: few runs have any.
#[derive(Debug, Clone)]
pub(crate) struct Parts(Vec<ReplyPart>);

/// What replies of one server have in common.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Source {
    finish: Finish,
    finish_raw: Option<String>,
    served_model: Option<String>,
    fingerprint: Option<String>,
}

/// Token counts in half the space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SmallUsage([u32; 4]);

impl SmallUsage {
    const UNKNOWN: u32 = u32::MAX;

    fn new(usage: &Usage) -> Self {
        let small = |n: Option<u64>| {
            n.map_or(Self::UNKNOWN, |n| {
                u32::try_from(n).unwrap_or(Self::UNKNOWN - 1)
            })
        };
        Self([usage.input, usage.cached, usage.output, usage.reasoning].map(small))
    }

    fn get(self) -> Usage {
        let [input, cached, output, reasoning] =
            self.0.map(|n| (n != Self::UNKNOWN).then_some(u64::from(n)));
        Usage {
            input,
            cached,
            output,
            reasoning,
        }
    }
}

/// The part of a reply's hash that an [`Entry`] keeps, and by which keys of replies that were left
/// to the ledger are known.
pub(crate) fn hash_prefix(hash: &Hash) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = *hash.as_bytes();
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

impl LedgerReplies {
    /// Number of settled requests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len() + self.left.keys.len()
    }

    /// Whether nothing is settled.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Keys for which different replies of the same retry round exist; the first one counts.
    #[must_use]
    pub const fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// Stored replies that their dialect can no longer read, one line each. They count as
    /// judge failures.
    #[must_use]
    pub fn unreadable(&self) -> &[String] {
        &self.unreadable
    }

    /// Whether this key is settled.
    pub(crate) fn has(&self, key: &Hash) -> bool {
        self.entries.contains_key(key) || self.left.keys.contains(&hash_prefix(key))
    }

    /// Outcome of the attempt that counts for this key, unless its reply was left to the ledger.
    #[must_use]
    pub fn outcome(&self, key: &Hash) -> Option<Outcome> {
        self.entries.get(key).map(|e| e.outcome)
    }

    /// Retry round of the attempt that counts for this key, unless its reply was left to the ledger.
    #[must_use]
    pub fn round(&self, key: &Hash) -> Option<u32> {
        self.entries.get(key).map(|e| e.round)
    }

    /// Keys whose outcome is one of these, without those left to the ledger.
    pub fn keys_with(&self, outcomes: &[Outcome]) -> impl Iterator<Item = &Hash> {
        let outcomes = outcomes.to_vec();
        self.entries
            .iter()
            .filter(move |(_, e)| outcomes.contains(&e.outcome))
            .map(|(k, _)| k)
    }

    /// Takes over everything that another snapshot holds (union of ledgers), but for what that one
    /// has left to its ledger.
    pub fn merge(&mut self, other: Self) {
        if self.entries.is_empty() {
            self.entries = other.entries;
            self.conflicts += other.conflicts;
            self.unreadable.extend(other.unreadable);
            return;
        }
        self.conflicts += other.conflicts;
        self.unreadable.extend(other.unreadable);
        for (key, entry) in other.entries {
            self.insert(key, entry);
        }
    }

    /// Forgets everything but these keys and what was left to the ledger.
    pub fn keep(&mut self, wanted: &HashSet<Hash>) {
        self.entries.retain(|key, _| wanted.contains(key));
        self.entries.shrink_to_fit();
    }

    /// Forgets replies whose pieces this does not hold of; replies without images have none.
    pub(crate) fn keep_with(&mut self, holds: impl Fn(&[ReplyPart]) -> bool) {
        self.entries.retain(|_, entry| match &entry.settled {
            Stored::Reply(reply) => reply.parts.as_ref().is_none_or(|p| holds(&p.0)),
            _ => true,
        });
    }

    pub(crate) fn insert(&mut self, key: Hash, entry: Entry) {
        use std::collections::hash_map::Entry as Slot;
        match self.entries.entry(key) {
            Slot::Vacant(slot) => {
                slot.insert(entry);
            }
            Slot::Occupied(mut slot) => {
                if slot.get().conflicts_with(&entry) {
                    self.conflicts += 1;
                }
                if entry.rank() > slot.get().rank() {
                    slot.insert(entry);
                }
            }
        }
    }

    /// Leaves a reply that is committed to the ledger, from where it is read again if somebody asks.
    pub(crate) fn leave_to(&mut self, file: &Arc<OnDisk>, key: &Hash) {
        let is_reply = |e: &Entry| matches!(e.settled, Stored::Reply(_));
        if self.entries.get(key).is_some_and(is_reply) {
            self.entries.remove(key);
            self.left.keys.insert(hash_prefix(key));
            self.left.file.get_or_insert_with(|| file.clone());
        }
    }

    pub(crate) fn note_unreadable(&mut self, line: String) {
        self.unreadable.push(line);
    }

    pub(crate) fn reserve(&mut self, more: usize) {
        self.entries.reserve(more);
    }
}

impl Replies for LedgerReplies {
    fn get(&self, key: &Hash) -> Option<Settled> {
        let Some(entry) = self.entries.get(key) else {
            let file = self.left.file.as_ref()?;
            let is_left = self.left.keys.contains(&hash_prefix(key));
            return is_left.then(|| file.settled(key)).flatten();
        };
        match &entry.settled {
            Stored::Failed(reason) => Some(Settled::Failed(*reason)),
            Stored::Reply(reply) => Some(Settled::Answered(reply.to_reply())),
        }
    }
}

impl Entry {
    /// As it will be read back once the row is in the ledger.
    pub(crate) fn of_attempt(attempt: &Attempt) -> Self {
        let settled = match &attempt.reply {
            Some(reply) => Stored::of_reply(reply.clone(), &mut Sources::default()),
            None => Stored::Failed(attempt.outcome.unjudged()),
        };
        Self {
            outcome: attempt.outcome,
            round: attempt.round,
            received_at: attempt.received_at,
            reply_hash: attempt
                .raw
                .as_ref()
                .map(|raw| hash_prefix(&Hash::of(&raw.body))),
            settled,
        }
    }

    /// Greater counts.
    fn rank(&self) -> (bool, bool, u32, Reverse<Micros>, Reverse<Option<u64>>) {
        (
            self.outcome == Outcome::Answered,
            self.outcome.has_reply(),
            self.round,
            Reverse(self.received_at),
            Reverse(self.reply_hash),
        )
    }

    fn conflicts_with(&self, other: &Self) -> bool {
        self.outcome.has_reply()
            && other.outcome.has_reply()
            && self.round == other.round
            && self.reply_hash != other.reply_hash
    }
}

impl Stored {
    pub(crate) fn of_reply(reply: Reply, sources: &mut Sources) -> Self {
        let Reply {
            text,
            reasoning,
            finish,
            finish_raw,
            served_model,
            fingerprint,
            usage,
            logprobs,
            parts,
        } = reply;
        Self::Reply(Box::new(StoredReply {
            text: text.into_boxed_str(),
            reasoning: reasoning.map(String::into_boxed_str),
            usage: SmallUsage::new(&usage),
            logprobs: logprobs.map(Vec::into_boxed_slice),
            parts: (!parts.is_empty()).then(|| Box::new(Parts(parts))),
            source: sources.share(Source {
                finish,
                finish_raw,
                served_model,
                fingerprint,
            }),
        }))
    }
}

impl StoredReply {
    fn to_reply(&self) -> Reply {
        Reply {
            text: self.text.to_string(),
            reasoning: self.reasoning.as_ref().map(ToString::to_string),
            finish: self.source.finish,
            finish_raw: self.source.finish_raw.clone(),
            served_model: self.source.served_model.clone(),
            fingerprint: self.source.fingerprint.clone(),
            usage: self.usage.get(),
            logprobs: self.logprobs.as_ref().map(|l| l.to_vec()),
            parts: self.parts.as_ref().map(|p| p.0.clone()).unwrap_or_default(),
        }
    }
}

/// Shares equal sources. Bounded: servers that change their fingerprint with every reply gain
/// nothing and lose little.
#[derive(Debug, Default)]
pub(crate) struct Sources(Vec<Arc<Source>>);

impl Sources {
    const MOST: usize = 32;

    fn share(&mut self, source: Source) -> Arc<Source> {
        if let Some(known) = self.0.iter().find(|known| ***known == source) {
            return known.clone();
        }
        let new = Arc::new(source);
        if self.0.len() < Self::MOST {
            self.0.push(new.clone());
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(text: &str, round: u32, received_at: Micros) -> Entry {
        Entry {
            outcome: Outcome::Answered,
            round,
            received_at,
            reply_hash: Some(hash_prefix(&Hash::of(text.as_bytes()))),
            settled: Stored::of_reply(Reply::text(text), &mut Sources::default()),
        }
    }

    fn failure(outcome: Outcome, round: u32, received_at: Micros) -> Entry {
        Entry {
            outcome,
            round,
            received_at,
            reply_hash: None,
            settled: Stored::Failed(outcome.unjudged()),
        }
    }

    fn winner(entries: &[Entry]) -> (Settled, u64) {
        let key = Hash::of(b"k");
        let mut replies = LedgerReplies::default();
        for entry in entries {
            replies.insert(key, entry.clone());
        }
        (replies.get(&key).unwrap(), replies.conflicts())
    }

    fn both_orders(a: Entry, b: Entry) -> (Settled, u64) {
        let one = winner(&[a.clone(), b.clone()]);
        assert_eq!(one, winner(&[b, a]), "the order of merging matters");
        one
    }

    #[test]
    fn the_first_reply_counts_and_the_conflict_is_seen() {
        let (settled, conflicts) = both_orders(reply("Yes", 0, 5), reply("No", 0, 9));
        assert_eq!(settled, Settled::Answered(Reply::text("Yes")));
        assert_eq!(conflicts, 1);
    }

    #[test]
    fn the_hash_decides_between_replies_of_the_same_moment() {
        let smaller = if Hash::of(b"Yes") < Hash::of(b"No") {
            "Yes"
        } else {
            "No"
        };
        let (settled, _) = both_orders(reply("Yes", 0, 5), reply("No", 0, 5));
        assert_eq!(settled, Settled::Answered(Reply::text(smaller)));
    }

    #[test]
    fn a_copy_is_no_conflict() {
        assert_eq!(both_orders(reply("Yes", 0, 5), reply("Yes", 0, 5)).1, 0);
    }

    #[test]
    fn a_refused_retry_takes_no_answer_away() {
        let refused = Entry {
            outcome: Outcome::Refused,
            ..reply("Sorry", 1, 9)
        };
        let (settled, _) = both_orders(reply("Yes", 0, 5), refused.clone());
        assert_eq!(settled, Settled::Answered(Reply::text("Yes")));
        let (settled, _) = both_orders(failure(Outcome::TimedOut, 2, 12), refused);
        assert_eq!(settled, Settled::Answered(Reply::text("Sorry")));
    }

    #[test]
    fn a_retry_counts_unless_it_fails() {
        let (settled, conflicts) = both_orders(reply("garbled", 0, 5), reply("Yes", 1, 9));
        assert_eq!(settled, Settled::Answered(Reply::text("Yes")));
        assert_eq!(conflicts, 0);
        let (settled, _) = both_orders(reply("Yes", 0, 5), failure(Outcome::TimedOut, 1, 9));
        assert_eq!(settled, Settled::Answered(Reply::text("Yes")));
        let (settled, _) = both_orders(failure(Outcome::TimedOut, 0, 5), reply("Yes", 1, 9));
        assert_eq!(settled, Settled::Answered(Reply::text("Yes")));
    }
}
