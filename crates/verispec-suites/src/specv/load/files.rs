//! Listing folders and reading text files, in a fixed order.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

/// Names in a folder, sorted by code point, hidden ones left out.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    /// Folders, links to folders included.
    pub(crate) folders: Vec<String>,
    /// Everything else.
    pub(crate) files: Vec<String>,
}

impl Folder {
    /// Lists a folder. A name that is not UTF-8 is an error: no id can match it.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        let mut listing = Self::default();
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let name = entry.file_name().into_string().map_err(|name| {
                io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("name not UTF-8: {name:?}"),
                )
            })?;
            if name.starts_with('.') {
                continue;
            }
            let kind = entry.file_type()?;
            let is_folder = kind.is_dir() || (kind.is_symlink() && entry.path().is_dir());
            if is_folder {
                &mut listing.folders
            } else {
                &mut listing.files
            }
            .push(name);
        }
        listing.folders.sort_unstable();
        listing.files.sort_unstable();
        Ok(listing)
    }
}

/// Bytes that a file may have to be read at once. Its size is not asked for: of tens of thousands of
/// small files that takes as long as reading them.
const AT_ONCE: usize = 16 * 1024;

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(AT_ONCE);
    // `take` hides the file, which would be asked for its size.
    fs::File::open(path)?
        .take(u64::MAX)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Text of a file, without a byte order mark; a byte that is not UTF-8 is named by its line.
pub(crate) fn text(path: &Path) -> Result<String, String> {
    let bytes = read(path).map_err(|e| format!("cannot be read: {e}"))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text
            .strip_prefix('\u{feff}')
            .map(str::to_owned)
            .unwrap_or(text)),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let line = 1 + error.as_bytes()[..valid]
                .iter()
                .filter(|b| **b == b'\n')
                .count();
            Err(format!("not UTF-8 on line {line}; save the file as UTF-8"))
        }
    }
}
