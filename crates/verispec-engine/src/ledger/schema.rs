//! The file: format, tables, opening.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::error::LedgerError;
use super::netfs::on_network;

/// Name of the ledger inside a run directory.
pub const LEDGER_FILE: &str = "ledger.sqlite";

/// SQLite `application_id` of a ledger: "VSPC" in ASCII.
pub const APPLICATION_ID: i32 = 0x5653_5043;

/// SQLite `user_version`: the format written here.
pub const LEDGER_FORMAT: i64 = 1;

/// Tables of format 1. Times are microseconds since 1970 UTC, `canonical` and `raw` are zstd
/// frames, `usage` is JSON. Short columns come first, so that scans skip the long one.
const TABLES: &str = "
CREATE TABLE request(
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE CHECK (length(key) = 32),
  job TEXT NOT NULL,
  step INTEGER NOT NULL,
  parent BLOB,
  derivation TEXT,
  canonical BLOB NOT NULL
) STRICT;
CREATE TABLE attempt(
  id INTEGER PRIMARY KEY,
  request INTEGER NOT NULL REFERENCES request(id),
  n INTEGER NOT NULL,
  round INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  settles INTEGER NOT NULL CHECK (settles IN (0, 1)),
  via TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  dialect TEXT,
  status INTEGER,
  content_type TEXT,
  reply_hash BLOB,
  served_model TEXT,
  fingerprint TEXT,
  finish TEXT,
  usage TEXT,
  body_hash BLOB,
  encoder TEXT,
  endpoint TEXT,
  error TEXT,
  raw BLOB,
  UNIQUE (request, n)
) STRICT;
CREATE TABLE blob(
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  bytes INTEGER NOT NULL,
  mime TEXT NOT NULL,
  path TEXT NOT NULL
) STRICT;
";

/// Journal mode while a run writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Journal {
    /// WAL, or DELETE where the folder lies on a network file system.
    #[default]
    Auto,
    /// Write-ahead log: others can read while a run writes.
    Wal,
    /// Rollback journal: works where shared memory does not.
    Delete,
}

/// How a ledger is opened for writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LedgerOptions {
    /// Journal mode.
    pub journal: Journal,
    /// Largest size of the file in pages of 4 KiB; `None` for SQLite's own limit.
    pub max_pages: Option<u32>,
}

/// Opens or creates a ledger for writing. Every commit reaches the disk (`synchronous = FULL`).
pub(crate) fn open_write(path: &Path, options: LedgerOptions) -> Result<Connection, LedgerError> {
    let fail = |e| LedgerError::sqlite(path, e);
    let conn = Connection::open(path).map_err(fail)?;
    conn.busy_timeout(Duration::from_secs(10)).map_err(fail)?;
    if is_new(&conn).map_err(fail)? {
        create(&conn).map_err(fail)?;
    } else {
        check_format(path, &conn)?;
    }
    let wal = match options.journal {
        Journal::Wal => true,
        Journal::Delete => false,
        Journal::Auto => !path.parent().is_some_and(on_network),
    };
    set_journal(&conn, wal).map_err(fail)?;
    conn.pragma_update(None, "synchronous", "FULL")
        .map_err(fail)?;
    conn.pragma_update(None, "foreign_keys", true)
        .map_err(fail)?;
    if let Some(pages) = options.max_pages {
        conn.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))
            .map_err(fail)?;
    }
    Ok(conn)
}

/// Opens an existing ledger for reading. A file in which nothing was created yet (a run that starts
/// in this moment, or that was killed in it) is absent.
pub(crate) fn open_read(path: &Path) -> Result<Connection, LedgerError> {
    let absent = || LedgerError::Absent {
        path: path.to_owned(),
    };
    match std::fs::metadata(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Err(absent()),
        Err(e) => return Err(LedgerError::io(path, e)),
        Ok(_) => {}
    }
    let fail = |e| LedgerError::sqlite(path, e);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags).map_err(fail)?;
    conn.busy_timeout(Duration::from_secs(10)).map_err(fail)?;
    if is_new(&conn).map_err(fail)? {
        return Err(absent());
    }
    check_format(path, &conn)?;
    Ok(conn)
}

/// Ends writing: everything is in the one file, no side files stay behind.
pub(crate) fn close_write(path: &Path, conn: Connection) -> Result<(), LedgerError> {
    let fail = |e| LedgerError::sqlite(path, e);
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .map_err(fail)?;
    // Refused while someone reads; the WAL is empty by then and does no harm.
    let _ = set_journal(&conn, false);
    conn.close().map_err(|(_, e)| fail(e))
}

fn set_journal(conn: &Connection, wal: bool) -> rusqlite::Result<()> {
    let mode = if wal { "WAL" } else { "DELETE" };
    conn.pragma_update_and_check(None, "journal_mode", mode, |_| Ok(()))
}

fn is_new(conn: &Connection) -> rusqlite::Result<bool> {
    let objects: i64 = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |r| r.get(0))?;
    Ok(objects == 0 && application_id(conn)? == 0)
}

/// One transaction, so that a kill leaves either no ledger or a whole one.
fn create(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch(&format!(
        "BEGIN IMMEDIATE; PRAGMA application_id = {APPLICATION_ID};
         PRAGMA user_version = {LEDGER_FORMAT}; {TABLES} COMMIT;"
    ))
}

fn application_id(conn: &Connection) -> rusqlite::Result<i32> {
    conn.pragma_query_value(None, "application_id", |r| r.get(0))
}

fn check_format(path: &Path, conn: &Connection) -> Result<(), LedgerError> {
    let fail = |e| LedgerError::sqlite(path, e);
    let id = application_id(conn).map_err(fail)?;
    if id != APPLICATION_ID {
        let found = format!("a database with application id {id:#x}");
        return Err(LedgerError::Foreign {
            path: path.to_owned(),
            found,
        });
    }
    let found: i64 = conn
        .pragma_query_value(None, "user_version", |r| r.get(0))
        .map_err(fail)?;
    if found > LEDGER_FORMAT {
        return Err(LedgerError::Newer {
            path: path.to_owned(),
            found,
            known: LEDGER_FORMAT,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_gets_the_format_and_reopens() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(LEDGER_FILE);
        let conn = open_write(&path, LedgerOptions::default()).unwrap();
        close_write(&path, conn).unwrap();
        let conn = open_read(&path).unwrap();
        assert_eq!(application_id(&conn).unwrap(), APPLICATION_ID);
        let mode: String = conn
            .pragma_query_value(None, "journal_mode", |r| r.get(0))
            .unwrap();
        assert_eq!(mode, "delete");
        assert_eq!(
            std::fs::read_dir(dir.path()).unwrap().count(),
            1,
            "side files were left"
        );
    }

    #[test]
    fn journal_delete_never_makes_a_wal() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(LEDGER_FILE);
        let options = LedgerOptions {
            journal: Journal::Delete,
            ..Default::default()
        };
        let conn = open_write(&path, options).unwrap();
        let mode: String = conn
            .pragma_query_value(None, "journal_mode", |r| r.get(0))
            .unwrap();
        assert_eq!(mode, "delete");
    }

    #[test]
    fn foreign_newer_and_broken_files_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let absent = open_read(&dir.path().join("none")).unwrap_err();
        assert!(matches!(absent, LedgerError::Absent { .. }));

        let starting = dir.path().join("starting");
        std::fs::write(&starting, "").unwrap();
        let absent = open_read(&starting).unwrap_err();
        assert!(matches!(absent, LedgerError::Absent { .. }), "{absent}");

        let text = dir.path().join("text");
        std::fs::write(&text, "this is no database at all, whatever its name says").unwrap();
        assert!(matches!(
            open_read(&text).unwrap_err(),
            LedgerError::Foreign { .. }
        ));

        let other = dir.path().join("other");
        Connection::open(&other)
            .unwrap()
            .execute_batch("CREATE TABLE t(x)")
            .unwrap();
        assert!(matches!(
            open_read(&other).unwrap_err(),
            LedgerError::Foreign { .. }
        ));
        let error = open_write(&other, LedgerOptions::default()).unwrap_err();
        assert!(matches!(error, LedgerError::Foreign { .. }));

        let newer = dir.path().join("newer");
        let conn = open_write(&newer, LedgerOptions::default()).unwrap();
        conn.pragma_update(None, "user_version", 99).unwrap();
        close_write(&newer, conn).unwrap();
        let error = open_read(&newer).unwrap_err();
        assert!(error.to_string().contains("format 99"), "{error}");
    }
}
