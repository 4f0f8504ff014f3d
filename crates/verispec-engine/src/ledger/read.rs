//! Reading a ledger: one attempt, totals.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension as _, Row};
use verispec_model::{Hash, Replies as _, Request, Settled, Usage};

use super::decode::decode;
use super::error::LedgerError;
use super::outcome::Outcome;
use super::record::{Attempt, Raw, Sending, Via};
use super::replies::{Entry, LedgerReplies};
use super::schema::open_read;

/// Largest reply that is unpacked, in bytes.
pub(crate) const MAX_RAW: usize = 256 << 20;

/// A ledger opened for reading. Another process may be writing it.
#[derive(Debug)]
pub struct Ledger {
    pub(crate) path: PathBuf,
    pub(crate) conn: Connection,
}

/// Sums over a ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    /// Distinct requests.
    pub requests: u64,
    /// Attempts by outcome, calls and batch results.
    pub calls: BTreeMap<Outcome, u64>,
    /// Replies copied from other runs.
    pub reused: u64,
    /// Tokens of all calls and batch results; `None` where no reply reports them.
    pub usage: Usage,
}

impl Ledger {
    /// Opens an existing ledger.
    ///
    /// # Errors
    /// No such file, not a ledger, a newer format, or damaged.
    pub fn open_read(path: &Path) -> Result<Self, LedgerError> {
        Ok(Self {
            path: path.to_owned(),
            conn: open_read(path)?,
        })
    }

    /// Opens a ledger if there is one (yet).
    ///
    /// # Errors
    /// As [`Ledger::open_read`], but for an absent one.
    pub(crate) fn open_if_there(path: &Path) -> Result<Option<Self>, LedgerError> {
        match Self::open_read(path) {
            Err(LedgerError::Absent { .. }) => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// File that is read.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The request of this key.
    ///
    /// # Errors
    /// The file cannot be read or the request in it is not one this version knows.
    pub fn request(&self, key: &Hash) -> Result<Option<Request>, LedgerError> {
        let packed: Option<Vec<u8>> = self
            .conn
            .prepare_cached("SELECT canonical FROM request WHERE key = ?1")
            .and_then(|mut s| {
                s.query_row([key.as_bytes().as_slice()], |r| r.get(0))
                    .optional()
            })
            .map_err(|e| self.fail(e))?;
        let Some(packed) = packed else {
            return Ok(None);
        };
        let json = self.unpack(&packed)?;
        let request = serde_json::from_slice(&json);
        request
            .map(Some)
            .map_err(|e| self.damaged(&format!("request {}: {e}", key.short())))
    }

    /// Names of all jobs that have asked something first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn jobs(&self) -> Result<HashSet<String>, LedgerError> {
        let read = || -> rusqlite::Result<HashSet<String>> {
            let mut statement = self.conn.prepare("SELECT DISTINCT job FROM request")?;
            let jobs = statement.query_map([], |r| r.get(0))?;
            jobs.collect()
        };
        read().map_err(|e| self.fail(e))
    }

    /// All attempts at the request of this key, in the order in which they were made. Their
    /// `reply` is not decoded.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn attempts(&self, key: &Hash) -> Result<Vec<Attempt>, LedgerError> {
        self.select(key, "ORDER BY a.n")
    }

    /// The first answered reply to the request of this key: what another run may reuse.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn answered(&self, key: &Hash) -> Result<Option<Attempt>, LedgerError> {
        let order = "AND a.outcome = 'answered' \
                     ORDER BY a.round DESC, a.received_at, a.reply_hash LIMIT 1";
        Ok(self.select(key, order)?.pop())
    }

    /// Number of the last attempt, which is at least the number of attempts.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn last_attempt(&self) -> Result<u64, LedgerError> {
        let last = "SELECT coalesce(max(id), 0) FROM attempt";
        let last = self.conn.query_row(last, [], |r| count(r, 0));
        last.map(Option::unwrap_or_default)
            .map_err(|e| self.fail(e))
    }

    /// What settles the request of this key, if something does.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn settled(&self, key: &Hash) -> Result<Option<Settled>, LedgerError> {
        let mut replies = LedgerReplies::default();
        for mut attempt in self.attempts(key)?.into_iter().filter(|a| a.settles) {
            let raw = attempt.raw.as_ref().filter(|_| attempt.outcome.has_reply());
            attempt.reply = raw.and_then(|raw| decode(&raw.dialect, &raw.response()).ok());
            replies.insert(*key, Entry::of_attempt(&attempt));
        }
        Ok(replies.get(key))
    }

    /// Model ids that the judge's server named in its answers, with the number of answers, most
    /// first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn served(&self) -> Result<Vec<(String, u64)>, LedgerError> {
        let run = || {
            let mut statement = self.conn.prepare(
                "SELECT served_model, count(*) FROM attempt
                 WHERE outcome = 'answered' AND served_model IS NOT NULL
                 GROUP BY served_model ORDER BY count(*) DESC, served_model",
            )?;
            let mut rows = statement.query([])?;
            let mut served = vec![];
            while let Some(row) = rows.next()? {
                served.push((row.get(0)?, count(row, 1)?.unwrap_or(0)));
            }
            Ok(served)
        };
        run().map_err(|e| self.fail(e))
    }

    /// One hash over all settled replies: request keys with the hashes of replies, in their order.
    /// Two ledgers with equal hashes hold the same answers, whoever collected them.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn digest(&self) -> Result<Hash, LedgerError> {
        let run = || {
            let mut statement = self.conn.prepare(
                "SELECT DISTINCT r.key, a.reply_hash FROM request r
                 JOIN attempt a ON a.request = r.id
                 WHERE a.settles AND a.reply_hash IS NOT NULL ORDER BY r.key, a.reply_hash",
            )?;
            let mut rows = statement.query([])?;
            let mut bytes = vec![];
            while let Some(row) = rows.next()? {
                for column in 0..2 {
                    bytes.extend_from_slice(row.get_ref(column)?.as_blob()?);
                }
            }
            Ok(Hash::of(&bytes))
        };
        run().map_err(|e| self.fail(e))
    }

    /// Sums over the ledger.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn totals(&self) -> Result<Totals, LedgerError> {
        self.read_totals().map_err(|e| self.fail(e))
    }

    fn read_totals(&self) -> rusqlite::Result<Totals> {
        let one = |sql: &str| self.conn.query_row(sql, [], |r| count(r, 0));
        let mut calls = BTreeMap::new();
        let mut statement = self.conn.prepare(
            "SELECT outcome, count(*) FROM attempt WHERE via NOT LIKE 'reuse:%' GROUP BY outcome",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            calls.insert(parse_outcome(row, 0)?, count(row, 1)?.unwrap_or(0));
        }
        let usage = self.conn.query_row(
            "SELECT sum(json_extract(usage, '$.input')), sum(json_extract(usage, '$.cached')),
               sum(json_extract(usage, '$.output')), sum(json_extract(usage, '$.reasoning'))
             FROM attempt WHERE via NOT LIKE 'reuse:%'",
            [],
            |r| {
                let (input, cached) = (count(r, 0)?, count(r, 1)?);
                Ok(Usage {
                    input,
                    cached,
                    output: count(r, 2)?,
                    reasoning: count(r, 3)?,
                })
            },
        )?;
        Ok(Totals {
            requests: one("SELECT count(*) FROM request")?.unwrap_or(0),
            calls,
            reused: one("SELECT count(*) FROM attempt WHERE via LIKE 'reuse:%'")?.unwrap_or(0),
            usage,
        })
    }

    fn select(&self, key: &Hash, tail: &str) -> Result<Vec<Attempt>, LedgerError> {
        let sql = format!(
            "SELECT a.outcome, a.settles, a.round, a.error, a.dialect, a.status, a.content_type,
               a.raw, a.body_hash, a.encoder, a.endpoint, a.via, a.sent_at, a.received_at
             FROM attempt a JOIN request r ON r.id = a.request WHERE r.key = ?1 {tail}"
        );
        let mut statement = self.conn.prepare_cached(&sql).map_err(|e| self.fail(e))?;
        let mut rows = statement
            .query([key.as_bytes().as_slice()])
            .map_err(|e| self.fail(e))?;
        let mut attempts = vec![];
        while let Some(row) = rows.next().map_err(|e| self.fail(e))? {
            let (mut attempt, packed) = attempt_of(row).map_err(|e| self.fail(e))?;
            if let (Some(raw), Some(packed)) = (&mut attempt.raw, packed) {
                raw.body = Bytes::from(self.unpack(&packed)?);
            }
            attempts.push(attempt);
        }
        Ok(attempts)
    }

    pub(super) fn unpack(&self, packed: &[u8]) -> Result<Vec<u8>, LedgerError> {
        let unpacked = ZSTD.with_borrow_mut(|zstd| {
            if zstd.is_none() {
                *zstd = Some(zstd::bulk::Decompressor::new()?);
            }
            match zstd {
                Some(zstd) => unpack(zstd, packed),
                None => Err(std::io::Error::other("no decompressor")),
            }
        });
        unpacked.map_err(|e| self.damaged(&e.to_string()))
    }

    pub(crate) fn fail(&self, error: rusqlite::Error) -> LedgerError {
        LedgerError::sqlite(&self.path, error)
    }

    pub(crate) fn damaged(&self, detail: &str) -> LedgerError {
        LedgerError::Damaged {
            path: self.path.clone(),
            detail: detail.to_owned(),
        }
    }
}

/// A count; SQLite knows signed numbers only.
fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<u64>> {
    let n: Option<i64> = row.get(column)?;
    Ok(n.and_then(|n| u64::try_from(n).ok()))
}

thread_local! {
    /// Making one costs more than a small reply.
    static ZSTD: RefCell<Option<zstd::bulk::Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Unpacks a zstd frame that states its size.
pub(crate) fn unpack(
    zstd: &mut zstd::bulk::Decompressor<'_>,
    packed: &[u8],
) -> std::io::Result<Vec<u8>> {
    let size = zstd::bulk::Decompressor::upper_bound(packed).filter(|s| *s <= MAX_RAW);
    let Some(size) = size else {
        return Err(std::io::Error::other(
            "a stored reply has no size or is too large",
        ));
    };
    zstd.decompress(packed, size)
}

fn attempt_of(row: &Row<'_>) -> rusqlite::Result<(Attempt, Option<Vec<u8>>)> {
    let dialect: Option<String> = row.get(4)?;
    let raw = match dialect {
        None => None,
        Some(dialect) => Some(Raw {
            dialect: dialect.into(),
            status: row.get(5)?,
            content_type: row.get(6)?,
            body: Bytes::new(),
        }),
    };
    let attempt = Attempt {
        outcome: parse_outcome(row, 0)?,
        settles: row.get(1)?,
        round: row.get(2)?,
        error: row.get(3)?,
        raw,
        reply: None,
        sending: Sending {
            body_hash: row.get::<_, Option<[u8; 32]>>(8)?.map(Hash::from_bytes),
            encoder: row.get(9)?,
            endpoint: row.get(10)?,
        },
        via: Via::parse(&row.get::<_, String>(11)?),
        sent_at: row.get(12)?,
        received_at: row.get(13)?,
    };
    Ok((attempt, row.get(7)?))
}

pub(crate) fn parse_outcome(row: &Row<'_>, column: usize) -> rusqlite::Result<Outcome> {
    use rusqlite::types::Type;
    let text = row.get_ref(column)?.as_str()?;
    text.parse()
        .map_err(|e| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(e)))
}
