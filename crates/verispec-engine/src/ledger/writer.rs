//! The one thread that writes a ledger.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use verispec_model::Hash;

use super::error::LedgerError;
use super::insert::Inserter;
use super::record::Record;
use super::schema::{LedgerOptions, close_write, open_write};

/// Most rows of one transaction, and most rows that are not committed at any time: what a kill
/// can take away.
pub const BATCH_ROWS: usize = 200;

/// Longest time a row waits for its transaction to be committed.
pub const BATCH_TIME: Duration = Duration::from_millis(50);

/// A row about a file kept beside the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobRow {
    /// Hash of the content.
    pub hash: Hash,
    /// Size in bytes.
    pub bytes: u64,
    /// Media type.
    pub mime: String,
    /// Path inside the run directory.
    pub path: String,
}

pub(crate) enum Row {
    Attempt(Box<Record>),
    Blob(BlobRow),
}

type Ack = oneshot::Sender<Result<(), Arc<LedgerError>>>;
struct Message {
    row: Row,
    ack: Ack,
    // Given back after the commit.
    _room: Option<OwnedSemaphorePermit>,
}

/// Resolves once a row is on the disk.
#[derive(Debug)]
pub struct Committed {
    path: PathBuf,
    receiver: oneshot::Receiver<Result<(), Arc<LedgerError>>>,
}

impl Committed {
    /// Waits for the commit.
    ///
    /// # Errors
    /// Why the row could not be written; rows committed before are intact.
    pub async fn wait(self) -> Result<(), Arc<LedgerError>> {
        let closed = || {
            Arc::new(LedgerError::Closed {
                path: self.path.clone(),
            })
        };
        self.receiver.await.unwrap_or_else(|_| Err(closed()))
    }
}

/// Hands rows to the writer thread. Cheap to clone; no more than [`BATCH_ROWS`] rows are accepted
/// before they are committed.
#[derive(Debug, Clone)]
pub struct LedgerHandle {
    path: Arc<Path>,
    sender: mpsc::Sender<Message>,
    uncommitted: Arc<Semaphore>,
}

impl LedgerHandle {
    /// Queues an attempt. Returns as soon as there is room; the commit is what the returned value
    /// waits for.
    ///
    /// # Errors
    /// [`LedgerError::Closed`] if the writer has ended.
    pub async fn record(&self, record: Record) -> Result<Committed, Arc<LedgerError>> {
        self.send(Row::Attempt(Box::new(record))).await
    }

    /// Queues the row of a file that is already safely on the disk.
    ///
    /// # Errors
    /// [`LedgerError::Closed`] if the writer has ended.
    pub async fn blob(&self, row: BlobRow) -> Result<Committed, Arc<LedgerError>> {
        self.send(Row::Blob(row)).await
    }

    async fn send(&self, row: Row) -> Result<Committed, Arc<LedgerError>> {
        let path = self.path.to_path_buf();
        // The semaphore is never closed.
        let room = self.uncommitted.clone().acquire_owned().await.ok();
        let (ack, receiver) = oneshot::channel();
        match self
            .sender
            .send(Message {
                row,
                ack,
                _room: room,
            })
            .await
        {
            Ok(()) => Ok(Committed { path, receiver }),
            Err(_) => Err(Arc::new(LedgerError::Closed { path })),
        }
    }
}

/// Owns the writer thread of one ledger.
#[derive(Debug)]
pub struct LedgerWriter {
    handle: LedgerHandle,
    thread: JoinHandle<Result<(), LedgerError>>,
}

impl LedgerWriter {
    /// Opens or creates the ledger and starts its thread.
    ///
    /// # Errors
    /// The file cannot be opened or is no ledger of a known format.
    pub fn open(path: &Path, options: LedgerOptions) -> Result<Self, LedgerError> {
        let conn = open_write(path, options)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .map_err(|e| LedgerError::io(path, e))?;
        let (sender, receiver) = mpsc::channel(BATCH_ROWS);
        let path: Arc<Path> = path.into();
        let of_thread = path.clone();
        let thread = std::thread::Builder::new()
            .name("ledger".to_owned())
            .spawn(move || {
                let mut inserter =
                    Inserter::new(&conn).map_err(|e| LedgerError::sqlite(&of_thread, e))?;
                runtime.block_on(write_all(&of_thread, &mut inserter, receiver));
                drop(inserter);
                close_write(&of_thread, conn)
            })
            .map_err(|e| LedgerError::io(&path, e))?;
        Ok(Self {
            handle: LedgerHandle {
                path,
                sender,
                uncommitted: Arc::new(Semaphore::new(BATCH_ROWS)),
            },
            thread,
        })
    }

    /// A handle to write with.
    #[must_use]
    pub fn handle(&self) -> LedgerHandle {
        self.handle.clone()
    }

    /// Waits until all other handles are dropped and their rows are committed, folds the WAL
    /// into the file and closes it. Blocks; not for use inside async code.
    ///
    /// # Errors
    /// The file could not be closed in order. Acknowledged rows are safe nevertheless.
    pub fn finish(self) -> Result<(), LedgerError> {
        let Self { handle, thread } = self;
        drop(handle);
        thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// Collects batches and commits them until every handle is gone.
///
/// After a failed commit the file is left alone: each later row is answered with the same error,
/// so that nothing is acknowledged that is not on the disk.
async fn write_all(path: &Path, inserter: &mut Inserter<'_>, mut rows: mpsc::Receiver<Message>) {
    let mut failed: Option<Arc<LedgerError>> = None;
    while let Some(first) = rows.recv().await {
        let batch = collect(first, &mut rows).await;
        let result = match &failed {
            Some(error) => Err(error.clone()),
            None => inserter
                .commit(batch.iter().map(|m| &m.row))
                .map_err(|e| Arc::new(LedgerError::sqlite(path, e))),
        };
        failed = result.as_ref().err().cloned();
        for message in batch {
            // Nobody has to wait for an acknowledgement.
            let _ = message.ack.send(result.clone());
        }
    }
}

async fn collect(first: Message, rows: &mut mpsc::Receiver<Message>) -> Vec<Message> {
    let mut batch = vec![first];
    let deadline = tokio::time::Instant::now() + BATCH_TIME;
    while batch.len() < BATCH_ROWS {
        let room = BATCH_ROWS - batch.len();
        match tokio::time::timeout_at(deadline, rows.recv_many(&mut batch, room)).await {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
    }
    batch
}
