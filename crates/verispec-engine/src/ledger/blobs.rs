//! Binary outputs beside the ledger, by hash.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use verispec_model::Hash;

use super::error::LedgerError;
use super::writer::BlobRow;

/// Folder of binary outputs inside a run directory.
pub const BLOB_DIR: &str = "blobs";

/// Path of a blob inside its run directory.
#[must_use]
pub fn blob_path(hash: &Hash) -> String {
    let name = hash.to_string();
    format!("{BLOB_DIR}/{}/{name}", &name[..2])
}

/// Puts bytes into the run's blob folder and returns the row to record.
///
/// The file is on the disk when this returns: the row must never name a file that a power cut
/// can take away. Equal bytes are stored once. Blocks.
///
/// # Errors
/// The file cannot be written.
pub fn store_blob(run_dir: &Path, bytes: &[u8], mime: &str) -> Result<BlobRow, LedgerError> {
    let hash = Hash::of(bytes);
    let row = BlobRow {
        hash,
        bytes: bytes.len() as u64,
        mime: mime.to_owned(),
        path: blob_path(&hash),
    };
    let path = run_dir.join(&row.path);
    if fs::metadata(&path).is_ok_and(|m| m.len() == row.bytes) {
        return Ok(row);
    }
    write_synced(&path, bytes).map_err(|e| LedgerError::io(&path, e))?;
    Ok(row)
}

/// Copies a file of one run's blob folder into another's, unless it is there. `path` comes from
/// a ledger and must stay inside the folder.
pub(crate) fn copy_blob(from: &Path, to: &Path, path: &str) -> Result<(), LedgerError> {
    use std::path::Component;
    let inside = Path::new(path)
        .components()
        .all(|c| matches!(c, Component::Normal(_)));
    let (source, target) = (from.join(path), to.join(path));
    if !inside || !Path::new(path).starts_with(BLOB_DIR) {
        let error = std::io::Error::other(format!("{path:?} lies outside the blob folder"));
        return Err(LedgerError::io(&from.join(BLOB_DIR), error));
    }
    if target.exists() {
        return Ok(());
    }
    let bytes = fs::read(&source).map_err(|e| LedgerError::io(&source, e))?;
    write_synced(&target, &bytes).map_err(|e| LedgerError::io(&target, e))
}

fn write_synced(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let temporary = path.with_extension(format!("{}.part", std::process::id()));
    let mut file = File::create(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    // The name itself is only safe once its folder is.
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bytes_are_stored_once() {
        let dir = tempfile::tempdir().unwrap();
        let one = store_blob(dir.path(), b"pixels", "image/png").unwrap();
        let two = store_blob(dir.path(), b"pixels", "image/png").unwrap();
        assert_eq!(one, two);
        assert_eq!(fs::read(dir.path().join(&one.path)).unwrap(), b"pixels");
        let folder = dir.path().join(&one.path);
        assert_eq!(fs::read_dir(folder.parent().unwrap()).unwrap().count(), 1);
    }
}
