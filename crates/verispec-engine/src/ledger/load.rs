//! A whole ledger into memory, decoding on all cores.

use std::collections::HashMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Row;
use verispec_model::{Hash, Unjudged};
use verispec_providers::RawResponse;

use super::decode::decode;
use super::error::LedgerError;
use super::outcome::Outcome;
use super::read::{Ledger, parse_outcome, unpack};
use super::record::Micros;
use super::replies::{ByPrefix, Entry, LedgerReplies, Sources, Stored, hash_prefix};

/// Rows handed to a decoder at once.
const CHUNK: usize = 512;

/// A settled attempt as it lies in the table; the packed reply is a range of the chunk's bytes.
struct SettledRow {
    request: i64,
    outcome: Outcome,
    round: u32,
    received_at: Micros,
    reply_hash: Option<u64>,
    dialect: Option<Arc<str>>,
    status: u16,
    content_type: Option<Arc<str>>,
    packed: std::ops::Range<usize>,
}

#[derive(Default)]
struct Chunk {
    rows: Vec<SettledRow>,
    bytes: Vec<u8>,
}

impl Ledger {
    /// Everything that is settled, as one consistent snapshot.
    ///
    /// # Errors
    /// The file cannot be read or is damaged.
    pub fn replies(&self) -> Result<LedgerReplies, LedgerError> {
        // One read transaction, so that keys and attempts belong together while a run writes.
        let snapshot = self
            .conn
            .unchecked_transaction()
            .map_err(|e| self.fail(e))?;
        let keys = self.keys().map_err(|e| self.fail(e))?;
        let mut replies = LedgerReplies::default();
        replies.reserve(keys.len());
        let replies = Mutex::new(replies);
        self.decode_settled(&Target {
            keys: &keys,
            replies: &replies,
        })?;
        drop(snapshot);
        Ok(replies.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Keys by row id, read from the index alone.
    fn keys(&self) -> rusqlite::Result<HashMap<i64, Hash, ByPrefix>> {
        let mut statement = self.conn.prepare("SELECT id, key FROM request")?;
        let keys = statement.query_map([], |r| {
            Ok((r.get(0)?, Hash::from_bytes(r.get::<_, [u8; 32]>(1)?)))
        })?;
        keys.collect()
    }

    fn decode_settled(&self, target: &Target<'_>) -> Result<(), LedgerError> {
        let workers = std::thread::available_parallelism()
            .map_or(1, usize::from)
            .min(8);
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(workers);
            // Owned by the decoders alone: when all of them have failed, feeding ends too.
            let receiver = Arc::new(Mutex::new(receiver));
            let threads: Vec<_> = (0..workers)
                .map(|_| receiver.clone())
                .map(|receiver| scope.spawn(move || decode_chunks(&receiver, target)))
                .collect();
            drop(receiver);
            let fed = self.feed(&sender);
            drop(sender);
            let ends: Vec<_> = threads
                .into_iter()
                .map(|t| {
                    t.join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                })
                .collect();
            fed.map_err(|e| self.fail(e))?;
            ends.into_iter()
                .try_for_each(|end| end.map_err(|e| self.damaged(&e)))
        })
    }

    fn feed(&self, decoders: &SyncSender<Chunk>) -> rusqlite::Result<()> {
        let mut statement = self.conn.prepare(
            "SELECT request, outcome, round, received_at, reply_hash, dialect, status,
               content_type, raw FROM attempt WHERE settles = 1",
        )?;
        let mut rows = statement.query([])?;
        let mut chunk = Chunk::default();
        let mut words = Words::default();
        while let Some(row) = rows.next()? {
            chunk.push(row, &mut words)?;
            if chunk.rows.len() == CHUNK && decoders.send(std::mem::take(&mut chunk)).is_err() {
                // Every decoder has ended with an error, which is reported instead.
                return Ok(());
            }
        }
        let _ = decoders.send(chunk);
        Ok(())
    }
}

impl SettledRow {
    fn entry(&self, settled: Stored) -> Entry {
        Entry {
            outcome: self.outcome,
            round: self.round,
            received_at: self.received_at,
            reply_hash: self.reply_hash,
            settled,
        }
    }
}

impl Chunk {
    fn push(&mut self, row: &Row<'_>, words: &mut Words) -> rusqlite::Result<()> {
        let start = self.bytes.len();
        if let Some(packed) = row.get_ref(8)?.as_blob_or_null()? {
            self.bytes.extend_from_slice(packed);
        }
        self.rows.push(SettledRow {
            request: row.get(0)?,
            outcome: parse_outcome(row, 1)?,
            round: row.get(2)?,
            received_at: row.get(3)?,
            reply_hash: row
                .get::<_, Option<[u8; 32]>>(4)?
                .map(|h| hash_prefix(&Hash::from_bytes(h))),
            dialect: words.dialect.of(row, 5)?,
            status: row.get::<_, Option<u16>>(6)?.unwrap_or(0),
            content_type: words.content_type.of(row, 7)?,
            packed: start..self.bytes.len(),
        });
        Ok(())
    }
}

/// Texts that nearly all rows share.
#[derive(Default)]
struct Words {
    dialect: LastText,
    content_type: LastText,
}

/// The text of the row before, so that equal ones are stored once.
#[derive(Default)]
struct LastText(Option<Arc<str>>);

impl LastText {
    fn of(&mut self, row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Arc<str>>> {
        let text = row.get_ref(column)?.as_str_or_null()?;
        if self.0.as_deref() != text {
            self.0 = text.map(Arc::from);
        }
        Ok(self.0.clone())
    }
}

/// Where decoders put what they made.
struct Target<'t> {
    keys: &'t HashMap<i64, Hash, ByPrefix>,
    replies: &'t Mutex<LedgerReplies>,
}

fn decode_chunks(chunks: &Mutex<Receiver<Chunk>>, target: &Target<'_>) -> Result<(), String> {
    let mut zstd = zstd::bulk::Decompressor::new().map_err(|e| e.to_string())?;
    let mut sources = Sources::default();
    loop {
        let next = chunks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(chunk) = next else { return Ok(()) };
        let mut entries = Vec::with_capacity(chunk.rows.len());
        let mut unreadable = vec![];
        for row in &chunk.rows {
            let request = row.request;
            let key = *target
                .keys
                .get(&request)
                .ok_or_else(|| format!("attempt at request {request}, which is not there"))?;
            let packed = &chunk.bytes[row.packed.clone()];
            let settled = decode_row(row, packed, &mut zstd, &mut sources).unwrap_or_else(|why| {
                unreadable.push(format!("reply to request {}: {why}", key.short()));
                Stored::Failed(Unjudged::Unparsed)
            });
            entries.push((key, row.entry(settled)));
        }
        let mut replies = target
            .replies
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        entries
            .into_iter()
            .for_each(|(key, entry)| replies.insert(key, entry));
        unreadable
            .into_iter()
            .for_each(|line| replies.note_unreadable(line));
    }
}

fn decode_row(
    row: &SettledRow,
    packed: &[u8],
    zstd: &mut zstd::bulk::Decompressor<'_>,
    sources: &mut Sources,
) -> Result<Stored, String> {
    if !row.outcome.has_reply() {
        return Ok(Stored::Failed(row.outcome.unjudged()));
    }
    let body = unpack(zstd, packed).map_err(|e| e.to_string())?;
    let content_type = row.content_type.as_deref();
    let response = RawResponse {
        status: row.status,
        content_type,
        body: &body,
    };
    let reply = decode(row.dialect.as_deref().unwrap_or_default(), &response);
    reply
        .map(|reply| Stored::of_reply(reply, sources))
        .map_err(|e| e.to_string())
}

impl LedgerReplies {
    /// Loads a ledger; one that is not there (yet) holds nothing.
    ///
    /// # Errors
    /// The file cannot be read, is no ledger or is damaged.
    pub fn load(path: &Path) -> Result<Self, LedgerError> {
        Ledger::open_if_there(path)?.map_or_else(|| Ok(Self::default()), |l| l.replies())
    }

    /// Loads the union of several ledgers. The order does not matter.
    ///
    /// # Errors
    /// As [`LedgerReplies::load`], for the first that fails.
    pub fn load_all<P: AsRef<Path>>(paths: &[P]) -> Result<Self, LedgerError> {
        let mut all = Self::default();
        for path in paths {
            all.merge(Self::load(path.as_ref())?);
        }
        Ok(all)
    }
}
