//! A copy of a suite in which some checklists differ and everything else is linked.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use verispec_model::{Instance, SpecId};

use super::load::{LoadError, read_text};
use crate::changes::ListError;

/// Why nothing usable was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OverlayError {
    /// The suite cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A folder with files would be mixed with what is written.
    #[error("{} is not empty: choose another --out", .0.display())]
    NotEmpty(PathBuf),
    /// A file cannot be written or linked.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A checklist's text does not hold a value where its parser found one.
    #[error("{file}: specification {spec} cannot be changed in place: {why}")]
    Place {
        /// File, relative to the suite's root.
        file: String,
        /// Label.
        spec: SpecId,
        /// What is there instead.
        why: String,
    },
    /// A list of changes cannot be applied.
    #[error(transparent)]
    List(#[from] ListError),
}

impl OverlayError {
    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }
}

/// A folder that is being written.
pub(super) struct Overlay<'a> {
    root: &'a Path,
    out: &'a Path,
}

impl<'a> Overlay<'a> {
    /// Begins one in a folder that is absent or empty.
    pub(super) fn begin(root: &'a Path, out: &'a Path) -> Result<Self, OverlayError> {
        let used = fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some());
        if used {
            return Err(OverlayError::NotEmpty(out.to_owned()));
        }
        fs::create_dir_all(out).map_err(OverlayError::write(out))?;
        Ok(Self { root, out })
    }

    /// Writes a file below the folder.
    pub(super) fn write(&self, file: &str, text: &str) -> Result<(), OverlayError> {
        let path = self.out.join(file);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(OverlayError::write(folder))?;
        }
        fs::write(&path, text).map_err(OverlayError::write(&path))
    }

    /// Links everything but the checklists and files of these names, by absolute paths.
    pub(super) fn link_rest(&self, but: &[&str]) -> Result<(), OverlayError> {
        let fault = |path: &Path, source| OverlayError::write(path)(source);
        let from = self.root.canonicalize().map_err(|e| fault(self.root, e))?;
        let out_whole = self.out.canonicalize().map_err(|e| fault(self.out, e))?;
        for entry in fs::read_dir(&from).map_err(|e| fault(&from, e))? {
            let entry = entry.map_err(|e| fault(&from, e))?;
            let holds_out = out_whole.starts_with(entry.path());
            let name = entry.file_name();
            if name == "eval_checklist" || holds_out || but.iter().any(|b| name == *b) {
                continue;
            }
            let link = self.out.join(name);
            symlink(&entry.path(), &link).map_err(|e| fault(&link, e))?;
        }
        Ok(())
    }
}

/// The checklist of an instance, relative to the suite's root.
pub(super) fn file_of(instance: &Instance) -> String {
    format!(
        "eval_checklist/{}/{}/{}.json",
        instance.track, instance.dimension, instance.id
    )
}

/// Its text.
pub(super) fn checklist(root: &Path, instance: &Instance) -> Result<String, OverlayError> {
    let file = file_of(instance);
    read_text(&root.join(&file)).map_err(|why| OverlayError::Place {
        file,
        spec: instance.specifications.first().map_or(0, |s| s.id),
        why,
    })
}

#[cfg(unix)]
fn symlink(to: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, link)
}

#[cfg(windows)]
fn symlink(to: &Path, link: &Path) -> io::Result<()> {
    if to.is_dir() {
        std::os::windows::fs::symlink_dir(to, link)
    } else {
        std::os::windows::fs::symlink_file(to, link)
    }
}
