//! One process at a time in a run directory.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use super::error::LedgerError;

/// Name of the lock file inside a run directory.
pub const LOCK_FILE: &str = "run.lock";

/// Holds the lock of a run directory until dropped, also when the process is killed.
#[derive(Debug)]
pub struct RunLock {
    dir: PathBuf,
    // The lock lives as long as the handle.
    _file: File,
}

impl RunLock {
    /// Takes the lock of a run directory, which must exist.
    ///
    /// # Errors
    /// [`LedgerError::Locked`] if another process (or another handle of this one) holds it;
    /// [`LedgerError::Io`] if the lock file cannot be made.
    pub fn acquire(run_dir: &Path) -> Result<Self, LedgerError> {
        let path = run_dir.join(LOCK_FILE);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|e| LedgerError::io(&path, e))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let holder = holder(&mut file);
                return Err(LedgerError::Locked { path, holder });
            }
            Err(TryLockError::Error(e)) => return Err(LedgerError::io(&path, e)),
        }
        // The note is for people only; failing to write it must not stop a run.
        let _ = note(&mut file);
        Ok(Self {
            dir: run_dir.to_owned(),
            _file: file,
        })
    }

    /// The locked run directory.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

fn note(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    // On a shared file system the process may be another machine's.
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = host.trim();
    let at = if host.is_empty() { "" } else { " on " };
    writeln!(file, "process {}{at}{host}", std::process::id())
}

fn holder(file: &mut File) -> String {
    let mut text = String::new();
    match file.take(200).read_to_string(&mut text) {
        Ok(_) if !text.trim().is_empty() => text.trim().to_owned(),
        _ => "unknown process".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_lock_names_the_holder() {
        let dir = tempfile::tempdir().unwrap();
        let first = RunLock::acquire(dir.path()).unwrap();
        let error = RunLock::acquire(dir.path()).unwrap_err();
        assert!(matches!(error, LedgerError::Locked { .. }));
        assert!(
            error
                .to_string()
                .contains(&format!("process {}", std::process::id())),
            "{error}"
        );
        drop(first);
        RunLock::acquire(dir.path()).unwrap();
    }
}
