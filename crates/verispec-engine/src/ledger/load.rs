//! A whole ledger into memory, decoding on all cores.

use std::collections::HashMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

use rusqlite::Row;
use verispec_model::{Hash, Unjudged};
use verispec_providers::RawResponse;

use super::decode::decode;
use super::error::LedgerError;
use super::outcome::Outcome;
use super::read::{Ledger, parse_outcome, unpack};
use super::record::Micros;
use super::replies::{Entry, Interner, LedgerReplies, Stored};

/// Rows handed to a decoder at once.
const CHUNK: usize = 1024;

/// A settled attempt as it lies in the table; the packed reply is a range of the chunk's bytes.
struct SettledRow {
    request: i64,
    outcome: Outcome,
    round: u32,
    received_at: Micros,
    reply_hash: Option<Hash>,
    dialect: Option<String>,
    status: u16,
    content_type: Option<String>,
    packed: std::ops::Range<usize>,
}

#[derive(Default)]
struct Chunk {
    rows: Vec<SettledRow>,
    bytes: Vec<u8>,
}

/// What one decoder made of its chunks.
#[derive(Default)]
struct Decoded {
    entries: Vec<(i64, Entry)>,
    unreadable: Vec<String>,
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
        let decoded = self.decode_settled()?;
        drop(snapshot);
        let mut replies = LedgerReplies::default();
        replies.reserve(keys.len());
        for part in decoded {
            for line in part.unreadable {
                replies.note_unreadable(format!("{}: {line}", self.path.display()));
            }
            for (request, entry) in part.entries {
                let key = keys.get(&request).ok_or_else(|| {
                    self.damaged(&format!("attempt at request {request}, which is not there"))
                })?;
                replies.insert(*key, entry);
            }
        }
        Ok(replies)
    }

    /// Keys by row id, read from the index alone.
    fn keys(&self) -> rusqlite::Result<HashMap<i64, Hash>> {
        let mut statement = self.conn.prepare("SELECT id, key FROM request")?;
        let keys = statement.query_map([], |r| {
            Ok((r.get(0)?, Hash::from_bytes(r.get::<_, [u8; 32]>(1)?)))
        })?;
        keys.collect()
    }

    fn decode_settled(&self) -> Result<Vec<Decoded>, LedgerError> {
        let workers = std::thread::available_parallelism()
            .map_or(1, usize::from)
            .min(8);
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(2 * workers);
            // Owned by the decoders alone: when all of them have failed, feeding ends too.
            let receiver = Arc::new(Mutex::new(receiver));
            let threads: Vec<_> = (0..workers)
                .map(|_| receiver.clone())
                .map(|receiver| scope.spawn(move || decode_chunks(&receiver)))
                .collect();
            drop(receiver);
            let fed = self.feed(&sender);
            drop(sender);
            let parts: Vec<_> = threads
                .into_iter()
                .map(|t| {
                    t.join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                })
                .collect();
            fed.map_err(|e| self.fail(e))?;
            parts
                .into_iter()
                .map(|p| p.map_err(|e| self.damaged(&e.to_string())))
                .collect()
        })
    }

    fn feed(&self, decoders: &SyncSender<Chunk>) -> rusqlite::Result<()> {
        let mut statement = self.conn.prepare(
            "SELECT request, outcome, round, received_at, reply_hash, dialect, status,
               content_type, raw FROM attempt WHERE settles = 1",
        )?;
        let mut rows = statement.query([])?;
        let mut chunk = Chunk::default();
        while let Some(row) = rows.next()? {
            chunk.push(row)?;
            if chunk.rows.len() == CHUNK && decoders.send(std::mem::take(&mut chunk)).is_err() {
                // Every decoder has ended with an error, which is reported instead.
                return Ok(());
            }
        }
        let _ = decoders.send(chunk);
        Ok(())
    }
}

impl Chunk {
    fn push(&mut self, row: &Row<'_>) -> rusqlite::Result<()> {
        let start = self.bytes.len();
        if let Some(packed) = row.get_ref(8)?.as_blob_or_null()? {
            self.bytes.extend_from_slice(packed);
        }
        self.rows.push(SettledRow {
            request: row.get(0)?,
            outcome: parse_outcome(row, 1)?,
            round: row.get(2)?,
            received_at: row.get(3)?,
            reply_hash: row.get::<_, Option<[u8; 32]>>(4)?.map(Hash::from_bytes),
            dialect: row.get(5)?,
            status: row.get::<_, Option<u16>>(6)?.unwrap_or(0),
            content_type: row.get(7)?,
            packed: start..self.bytes.len(),
        });
        Ok(())
    }
}

fn decode_chunks(chunks: &Mutex<Receiver<Chunk>>) -> std::io::Result<Decoded> {
    let mut decoded = Decoded::default();
    let mut zstd = zstd::bulk::Decompressor::new()?;
    let mut names = Interner::default();
    loop {
        let next = chunks
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .recv();
        let Ok(chunk) = next else { return Ok(decoded) };
        for row in chunk.rows {
            let body = &chunk.bytes[row.packed.clone()];
            let settled = decode_row(&row, body, &mut zstd, &mut names, &mut decoded.unreadable)?;
            let entry = Entry {
                outcome: row.outcome,
                round: row.round,
                received_at: row.received_at,
                reply_hash: row.reply_hash,
                settled,
            };
            decoded.entries.push((row.request, entry));
        }
    }
}

fn decode_row(
    row: &SettledRow,
    packed: &[u8],
    zstd: &mut zstd::bulk::Decompressor<'_>,
    names: &mut Interner,
    unreadable: &mut Vec<String>,
) -> std::io::Result<Stored> {
    if !row.outcome.has_reply() {
        return Ok(Stored::Failed(row.outcome.unjudged()));
    }
    let body = unpack(zstd, packed)?;
    let content_type = row.content_type.as_deref();
    let response = RawResponse {
        status: row.status,
        content_type,
        body: &body,
    };
    match decode(row.dialect.as_deref().unwrap_or_default(), &response) {
        Ok(reply) => Ok(Stored::of_reply(reply, names)),
        Err(error) => {
            unreadable.push(format!("reply to request {}: {error}", row.request));
            Ok(Stored::Failed(Unjudged::Unparsed))
        }
    }
}

impl LedgerReplies {
    /// Loads a ledger; a file that is absent or empty (a run killed before its first row) holds
    /// nothing.
    ///
    /// # Errors
    /// The file cannot be read, is no ledger or is damaged.
    pub fn load(path: &Path) -> Result<Self, LedgerError> {
        match std::fs::metadata(path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Ok(m) if m.len() == 0 => Ok(Self::default()),
            _ => Ledger::open_read(path)?.replies(),
        }
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
