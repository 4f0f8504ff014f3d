//! Where replies live: one SQLite file per run, written by one thread.
//!
//! A reply is what costs money. It is stored raw, once, never edited; everything else is derived
//! from it when it is read. A row that was acknowledged survives a kill.

mod blobs;
mod decode;
mod error;
mod insert;
mod load;
mod lock;
mod netfs;
mod on_disk;
mod outcome;
mod read;
mod record;
mod replies;
mod reuse;
mod schema;
mod spend;
mod union;
mod writer;

pub use blobs::{BLOB_DIR, blob_path, store_blob};
pub use decode::{IN_PROCESS, decode};
pub use error::LedgerError;
pub use lock::{LOCK_FILE, RunLock};
pub use netfs::on_network;
pub(crate) use on_disk::OnDisk;
pub use outcome::{Outcome, ParseOutcomeError};
pub use read::{Ledger, Totals};
pub use record::{Attempt, Micros, Raw, Record, Sending, Via, now};
pub use replies::LedgerReplies;
pub(crate) use replies::{Entry, KeyStarts, hash_prefix};
pub use reuse::{Accept, Reuse};
pub use schema::{APPLICATION_ID, Journal, LEDGER_FILE, LEDGER_FORMAT, LedgerOptions};
pub use spend::{Spending, Used};
pub use union::{Union, union};
pub use writer::{BATCH_ROWS, BATCH_TIME, BlobRow, Committed, LedgerHandle, LedgerWriter};
