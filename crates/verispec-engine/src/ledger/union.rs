//! The union of ledgers, on disk.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};
use verispec_model::Hash;

use super::blobs::copy_blob;
use super::error::LedgerError;
use super::lock::RunLock;
use super::read::Ledger;
use super::schema::{LEDGER_FILE, LedgerOptions, close_write, open_write};

/// What a union did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Union {
    /// Distinct requests that were added.
    pub requests: u64,
    /// Attempts that were added.
    pub attempts: u64,
    /// Attempts that were there already.
    pub known: u64,
    /// Requests with different replies of the same retry round, over all sources, with their
    /// jobs. The first reply by time received, then by hash, counts.
    pub conflicts: Vec<(Hash, String)>,
}

/// Columns of an attempt besides its request and number.
const COLUMNS: &str = "round, outcome, settles, via, sent_at, received_at, dialect, status, \
    content_type, reply_hash, served_model, fingerprint, finish, usage, body_hash, encoder, \
    endpoint, error, raw";

/// Adds everything that the ledgers of these run folders hold to the ledger of `into`, one
/// transaction each. All distinct replies of a key are kept, copies once; attempts are numbered
/// anew by time received and hash, so that neither the order of sources nor doing it again makes
/// a difference. A source without a ledger holds nothing. Blocks.
///
/// # Errors
/// A ledger cannot be read or written, or a file kept beside one cannot be copied. What was
/// added before stays.
pub fn union(sources: &[PathBuf], into: &RunLock) -> Result<Union, LedgerError> {
    let path = into.dir().join(LEDGER_FILE);
    let conn = open_write(&path, LedgerOptions::default())?;
    let mut done = Union::default();
    for source in sources {
        let file = source.join(LEDGER_FILE);
        // Says in our words what is wrong with the file, if anything is.
        let Some(ledger) = Ledger::open_if_there(&file)? else {
            continue;
        };
        blobs(&ledger, source, into.dir())?;
        drop(ledger);
        add(&conn, &file, &mut done).map_err(|e| LedgerError::sqlite(&file, e))?;
    }
    let fail = |e| LedgerError::sqlite(&path, e);
    number(&conn).map_err(fail)?;
    done.conflicts = conflicts(&conn).map_err(fail)?;
    close_write(&path, conn)?;
    Ok(done)
}

fn add(conn: &Connection, file: &Path, done: &mut Union) -> rusqlite::Result<()> {
    conn.execute(
        "ATTACH DATABASE ?1 AS source",
        params![file.to_string_lossy()],
    )?;
    let added = add_attached(conn, done);
    conn.execute_batch("DETACH DATABASE source")?;
    added
}

fn add_attached(conn: &Connection, done: &mut Union) -> rusqlite::Result<()> {
    let transaction = conn.unchecked_transaction()?;
    let requests = conn.execute(
        "INSERT OR IGNORE INTO main.request(key, job, step, parent, derivation, canonical)
         SELECT key, job, step, parent, derivation, canonical FROM source.request ORDER BY id",
        [],
    )?;
    let all: i64 = conn.query_row("SELECT count(*) FROM source.attempt", [], |r| r.get(0))?;
    let same = "m.request = r.id AND m.sent_at = a.sent_at AND m.received_at = a.received_at
        AND m.outcome = a.outcome AND m.reply_hash IS a.reply_hash";
    // A call that this ledger knew as a copy was paid for in the source.
    conn.execute(
        &format!(
            "UPDATE main.attempt AS m SET via = 'call' WHERE m.via LIKE 'reuse:%' AND EXISTS (
               SELECT 1 FROM main.request r JOIN source.request s ON s.key = r.key
               JOIN source.attempt a ON a.request = s.id WHERE {same} AND a.via = 'call')"
        ),
        [],
    )?;
    let columns = COLUMNS.split(", ").map(str::trim).map(|c| format!("a.{c}"));
    let columns = columns.collect::<Vec<_>>().join(", ");
    let attempts = conn.execute(
        &format!(
            "INSERT INTO main.attempt(request, n, {COLUMNS})
             SELECT r.id, (SELECT coalesce(max(n), 0) FROM main.attempt WHERE request = r.id)
               + row_number() OVER (PARTITION BY a.request ORDER BY a.n), {columns}
             FROM source.attempt a JOIN source.request s ON s.id = a.request
             JOIN main.request r ON r.key = s.key
             WHERE NOT EXISTS (SELECT 1 FROM main.attempt m WHERE {same})"
        ),
        [],
    )?;
    conn.execute_batch("INSERT OR IGNORE INTO main.blob SELECT * FROM source.blob")?;
    transaction.commit()?;
    done.requests += requests as u64;
    done.attempts += attempts as u64;
    done.known += u64::try_from(all).unwrap_or(0) - attempts as u64;
    Ok(())
}

/// Numbers the attempts of each request by time received, then hash.
fn number(conn: &Connection) -> rusqlite::Result<()> {
    // Negative first: no two rows of a request may have one number at any time.
    conn.execute_batch(
        "BEGIN;
         CREATE TEMP TABLE place AS SELECT id, row_number() OVER (
           PARTITION BY request ORDER BY received_at, reply_hash, id) AS n FROM main.attempt;
         CREATE UNIQUE INDEX temp.place_id ON place(id);
         DELETE FROM place WHERE EXISTS (
           SELECT 1 FROM main.attempt a WHERE a.id = place.id AND a.n = place.n);
         UPDATE main.attempt SET n = -(SELECT n FROM place WHERE place.id = attempt.id)
           WHERE id IN (SELECT id FROM place);
         UPDATE main.attempt SET n = -n WHERE n < 0;
         DROP TABLE place;
         COMMIT;",
    )
}

fn conflicts(conn: &Connection) -> rusqlite::Result<Vec<(Hash, String)>> {
    let mut statement = conn.prepare(
        "SELECT r.key, r.job FROM request r WHERE r.id IN (
           SELECT request FROM attempt WHERE settles = 1
             AND outcome IN ('answered', 'refused', 'truncated', 'empty')
           GROUP BY request, round HAVING count(DISTINCT reply_hash) > 1)
         ORDER BY r.job, r.key",
    )?;
    let rows = statement.query_map([], |r| Ok((Hash::from_bytes(r.get(0)?), r.get(1)?)))?;
    rows.collect()
}

/// Copies the files beside a ledger before the rows that name them.
fn blobs(ledger: &Ledger, from: &Path, to: &Path) -> Result<(), LedgerError> {
    let list = || -> rusqlite::Result<Vec<String>> {
        let mut statement = ledger.conn.prepare("SELECT path FROM blob")?;
        let rows = statement.query_map([], |r| r.get(0))?;
        rows.collect()
    };
    let paths = list().map_err(|e| ledger.fail(e))?;
    paths.iter().try_for_each(|path| copy_blob(from, to, path))
}
