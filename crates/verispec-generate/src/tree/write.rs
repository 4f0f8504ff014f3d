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
    replace: bool,
}

impl<'a> Files<'a> {
    pub(super) const fn new(root: &'a Path) -> Self {
        Self {
            root,
            replace: false,
        }
    }

    /// Whether a file that says something else may be replaced.
    pub(super) const fn replacing(self, replace: bool) -> Self {
        Self { replace, ..self }
    }

    /// Path of a file, which stays inside the folder.
    pub(super) fn path(&self, name: &str) -> Result<PathBuf, TreeError> {
        safe_join(self.root, name).map_err(|e| TreeError::Name {
            name: name.to_owned(),
            why: e.kind.to_string(),
        })
    }

    pub(super) fn write(&self, name: &str, content: &Content<'_>) -> Result<(), TreeError> {
        let path = self.path(name)?;
        let fail = |source| TreeError::Io {
            path: path.clone(),
            source,
        };
        if path.exists() {
            if same(&path, content).map_err(fail)? {
                return Ok(());
            }
            if !self.replace {
                return Err(TreeError::Foreign { path });
            }
        }
        put(&path, content).map_err(fail)
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
