//! Files of a tree: whole or not at all, and never over somebody else's.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use verispec_media::safe_join;

use super::TreeError;

/// What a file holds.
pub(super) enum Content<'a> {
    Text(&'a str),
    /// The bytes of another file.
    File(&'a Path),
}

/// A folder that files are written into.
pub(super) struct Files<'a> {
    root: &'a Path,
    own: &'a [String],
}

impl<'a> Files<'a> {
    pub(super) const fn new(root: &'a Path) -> Self {
        Self { root, own: &[] }
    }

    /// Names of files that were written before and may be replaced.
    pub(super) const fn owning(self, own: &'a [String]) -> Self {
        Self { own, ..self }
    }

    /// Path of a file, which stays inside the folder.
    pub(super) fn path(&self, name: &str) -> Result<PathBuf, TreeError> {
        safe_join(self.root, name).map_err(|e| TreeError::Name {
            name: name.to_owned(),
            why: e.kind.to_string(),
        })
    }

    /// Writes a file; one that says something else is replaced if it is our own.
    pub(super) fn write(&self, name: &str, content: &Content<'_>) -> Result<(), TreeError> {
        let own = self.own.iter().any(|n| n == name);
        self.put(name, content, own)
    }

    /// Writes a file, whatever was there.
    pub(super) fn replace(&self, name: &str, content: &Content<'_>) -> Result<(), TreeError> {
        self.put(name, content, true)
    }

    fn put(&self, name: &str, content: &Content<'_>, replace: bool) -> Result<(), TreeError> {
        let path = self.path(name)?;
        let fail = TreeError::io(&path);
        if path.exists() {
            if same(&path, content).map_err(&fail)? {
                return Ok(());
            }
            if !replace {
                return Err(TreeError::Foreign { path });
            }
        }
        put(&path, content).map_err(fail)
    }

    /// The bytes of a file; `None` if it is not there.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, TreeError> {
        let path = self.path(name)?;
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(TreeError::io(&path)(e)),
        }
    }

    /// Removes a file, and its folder if that is empty then. One that is gone already is no error.
    pub(super) fn remove(&self, name: &str) -> Result<(), TreeError> {
        let path = self.path(name)?;
        match fs::remove_file(&path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(TreeError::io(&path)(e)),
            _ => {}
        }
        let folder = path.parent().filter(|folder| *folder != self.root);
        // Fails where something else is in it.
        let _ = folder.map(fs::remove_dir);
        Ok(())
    }
}

fn same(path: &Path, content: &Content<'_>) -> io::Result<bool> {
    match content {
        Content::Text(text) => Ok(fs::read(path)? == text.as_bytes()),
        Content::File(source) => {
            let alike = fs::metadata(path)?.len() == fs::metadata(source)?.len();
            Ok(alike && fs::read(path)? == fs::read(source)?)
        }
    }
}

fn put(path: &Path, content: &Content<'_>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // A dot in front: readers of outputs leave it out if it stays behind.
    let draft = folder.join(format!(".{name}.{}.part", std::process::id()));
    match content {
        Content::Text(text) => fs::write(&draft, text)?,
        Content::File(source) => {
            fs::copy(source, &draft)?;
        }
    }
    fs::rename(&draft, path)
}
