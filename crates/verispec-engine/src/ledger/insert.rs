//! Rows into tables.

use rusqlite::{Connection, OptionalExtension as _, params};
use verispec_model::{Finish, Hash, Reply, ReplyPart};

use super::blobs::blob_path;
use super::record::{Attempt, Record};
use super::writer::{BlobRow, Row};

/// Level of zstd frames; higher ones gain little on bodies of a few kilobytes.
const ZSTD_LEVEL: i32 = 3;

/// Writes batches of rows, each as one transaction.
pub(crate) struct Inserter<'c> {
    conn: &'c Connection,
    zstd: zstd::bulk::Compressor<'static>,
}

impl<'c> Inserter<'c> {
    pub(crate) fn new(conn: &'c Connection) -> rusqlite::Result<Self> {
        let zstd = zstd::bulk::Compressor::new(ZSTD_LEVEL).map_err(conversion)?;
        Ok(Self { conn, zstd })
    }

    /// Writes all rows or none.
    pub(crate) fn commit<'r>(
        &mut self,
        rows: impl Iterator<Item = &'r Row>,
    ) -> rusqlite::Result<()> {
        let transaction = self.conn.unchecked_transaction()?;
        for row in rows {
            match row {
                Row::Attempt(record) => {
                    let request = self.request_id(record)?;
                    self.insert_attempt(request, &record.attempt)?;
                }
                Row::Blob(blob) => self.insert_blob(blob)?,
            }
        }
        transaction.commit()
    }

    fn request_id(&mut self, record: &Record) -> rusqlite::Result<i64> {
        let key = record.key.as_bytes().as_slice();
        let known = self
            .conn
            .prepare_cached("SELECT id FROM request WHERE key = ?1")?
            .query_row([key], |r| r.get(0))
            .optional()?;
        if let Some(id) = known {
            return Ok(id);
        }
        let json = serde_json::to_vec(&*record.request).map_err(conversion)?;
        let canonical = self.zstd.compress(&json).map_err(conversion)?;
        self.conn
            .prepare_cached(
                "INSERT INTO request(key, job, step, parent, derivation, canonical)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .insert(params![
                key,
                &*record.job,
                record.step,
                blob(record.request.parent.as_ref()),
                record.request.derivation,
                canonical,
            ])
    }

    fn insert_attempt(&mut self, request: i64, a: &Attempt) -> rusqlite::Result<()> {
        let raw = a.raw.as_ref();
        let packed = raw
            .map(|r| self.zstd.compress(&r.body))
            .transpose()
            .map_err(conversion)?;
        let reply = a.reply.as_ref();
        let usage = reply.map(|r| serde_json::to_string(&r.usage)).transpose();
        let usage = usage.map_err(conversion)?;
        self.conn
            .prepare_cached(
                "INSERT INTO attempt(request, n, round, outcome, settles, via, sent_at,
                   received_at, dialect, status, content_type, reply_hash, served_model,
                   fingerprint, finish, usage, body_hash, encoder, endpoint, error, raw)
                 VALUES (?1, (SELECT coalesce(max(n), 0) + 1 FROM attempt WHERE request = ?1),
                   ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
                   ?19, ?20)",
            )?
            .execute(params![
                request,
                a.round,
                a.outcome.as_str(),
                a.settles,
                a.via.text(),
                a.sent_at,
                a.received_at,
                raw.map(|r| &*r.dialect),
                raw.map(|r| r.status),
                raw.and_then(|r| r.content_type.as_deref()),
                blob(raw.map(|r| Hash::of(&r.body)).as_ref()),
                reply.and_then(|r| r.served_model.as_deref()),
                reply.and_then(|r| r.fingerprint.as_deref()),
                reply.map(|r| finish_name(r.finish)),
                usage,
                blob(a.sending.body_hash.as_ref()),
                a.sending.encoder,
                a.sending.endpoint,
                a.error,
                packed,
            ])?;
        a.reply.iter().try_for_each(|reply| self.insert_made(reply))
    }

    /// The rows of the files that a reply holds, in the transaction of the reply's own.
    fn insert_made(&self, reply: &Reply) -> rusqlite::Result<()> {
        reply.parts.iter().try_for_each(|part| match part {
            ReplyPart::Text(_) => Ok(()),
            ReplyPart::Image { hash, mime, bytes } => self.insert_blob(&BlobRow {
                hash: *hash,
                bytes: *bytes,
                mime: mime.clone(),
                path: blob_path(hash),
            }),
        })
    }

    fn insert_blob(&self, row: &BlobRow) -> rusqlite::Result<()> {
        self.conn
            .prepare_cached(
                "INSERT OR IGNORE INTO blob(hash, bytes, mime, path) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![
                row.hash.as_bytes().as_slice(),
                i64::try_from(row.bytes).map_err(conversion)?,
                row.mime,
                row.path,
            ])?;
        Ok(())
    }
}

fn blob(hash: Option<&Hash>) -> Option<&[u8]> {
    hash.map(|h| h.as_bytes().as_slice())
}

fn conversion(error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(Box::new(error))
}

const fn finish_name(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop => "stop",
        Finish::Length => "length",
        Finish::Refused => "refused",
        Finish::Other => "other",
        Finish::Unknown => "unknown",
    }
}
