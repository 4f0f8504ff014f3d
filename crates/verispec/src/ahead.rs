//! A run's ledger, read while its jobs are being planned.

use std::path::Path;
use std::thread::JoinHandle;

use verispec_engine::ledger::{LEDGER_FILE, LedgerError, LedgerReplies, Spending};

/// Something of a ledger that is being read. The run must be locked, or only looked at, and must
/// not go on before it was read.
pub(crate) struct Ahead<T>(JoinHandle<Result<T, LedgerError>>);

impl Ahead<LedgerReplies> {
    /// Begins to read what the run in this folder has settled.
    pub(crate) fn replies(dir: &Path) -> Self {
        Self::start(dir, LedgerReplies::load)
    }
}

impl Ahead<Spending> {
    /// Begins to count what the run in this folder has used.
    pub(crate) fn spending(dir: &Path) -> Self {
        Self::start(dir, Spending::load)
    }
}

impl<T: Send + 'static> Ahead<T> {
    fn start(dir: &Path, read: fn(&Path) -> Result<T, LedgerError>) -> Self {
        let path = dir.join(LEDGER_FILE);
        Self(std::thread::spawn(move || read(&path)))
    }

    /// What was read.
    pub(crate) fn finish(self) -> Result<T, LedgerError> {
        self.0
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
