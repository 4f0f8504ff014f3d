//! The events file: appended to, never rewritten; on disk before anybody is told.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ReviewError;
use super::event::Event;
use super::state::State;

/// Version of the events file.
pub const FORMAT: u32 = 1;

/// First line of an events file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: u32,
    kind: String,
}

/// Name of the format in the first line.
const KIND: &str = "review-events";

/// An events file that this process alone may write.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Bytes that are whole lines on disk.
    length: u64,
    broken: bool,
}

impl Journal {
    /// Opens or makes an events file and gives what is in it. A last line that a crash cut short
    /// was never confirmed to anybody; it is moved to a file `….torn` beside it, whose path is
    /// given too.
    ///
    /// # Errors
    /// [`ReviewError::Locked`]; [`ReviewError::Io`]; [`ReviewError::Line`] for a file that was
    /// tampered with: it is left as it is.
    pub fn open(path: &Path) -> Result<(Self, State, Option<PathBuf>), ReviewError> {
        let io = |what| ReviewError::io(what, path);
        if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(io("make the folder of"))?;
        }
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(io("open"))?;
        file.try_lock().map_err(|e| match e {
            TryLockError::WouldBlock => ReviewError::Locked {
                path: path.to_owned(),
            },
            TryLockError::Error(e) => io("lock")(e),
        })?;
        let mut bytes = vec![];
        file.read_to_end(&mut bytes).map_err(io("read"))?;
        let (state, whole) = parse(&bytes, path)?;
        let torn = match bytes.get(whole..) {
            Some(rest) if !rest.is_empty() => Some(set_aside(path, rest)?),
            _ => None,
        };
        let mut journal = Self {
            path: path.to_owned(),
            file,
            length: whole as u64,
            broken: false,
        };
        journal.cut().map_err(io("write"))?;
        if whole == 0 {
            let header = serde_json::json!({"format": FORMAT, "kind": KIND});
            journal.write(&header.to_string())?;
            sync_folder(path);
        }
        Ok((journal, state, torn))
    }

    /// Reads the events of somebody else; a line cut short is left out.
    ///
    /// # Errors
    /// As [`Self::open`], but for the lock.
    pub fn read(path: &Path) -> Result<State, ReviewError> {
        let bytes = fs::read(path).map_err(ReviewError::io("read", path))?;
        Ok(parse(&bytes, path)?.0)
    }

    /// Where it lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends an event. When this returns `Ok` it is on disk; otherwise nothing of it is in the
    /// file.
    ///
    /// # Errors
    /// [`ReviewError::Io`], for instance on a full disk.
    pub fn append(&mut self, event: &Event) -> Result<(), ReviewError> {
        let line = serde_json::to_string(event).map_err(|e| ReviewError::Page(e.to_string()))?;
        self.write(&line)
    }

    fn write(&mut self, line: &str) -> Result<(), ReviewError> {
        let io = |e| ReviewError::io("write", &self.path)(e);
        if self.broken {
            let again = "an earlier write failed and could not be taken back; start again";
            return Err(io(std::io::Error::other(again)));
        }
        let line = format!("{line}\n");
        let written = self.file.write_all(line.as_bytes());
        if let Err(e) = written.and_then(|()| self.file.sync_data()) {
            let error = io(e);
            self.broken = self.cut().is_err();
            return Err(error);
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Cuts what is no whole line.
    fn cut(&mut self) -> std::io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length))?;
        Ok(())
    }
}

/// Folds all whole lines; also how many bytes they are.
fn parse(bytes: &[u8], path: &Path) -> Result<(State, usize), ReviewError> {
    let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    let mut state = State::default();
    let lines = bytes.get(..whole).unwrap_or_default();
    for (line, number) in lines.split_inclusive(|b| *b == b'\n').zip(1..) {
        let wrong = |fault: String| ReviewError::Line {
            path: path.to_owned(),
            line: number,
            fault,
        };
        if number == 1 {
            let header: Header = serde_json::from_slice(line)
                .map_err(|e| wrong(format!("this is no events file of a review: {e}")))?;
            if header.kind != KIND || header.format != FORMAT {
                return Err(wrong(format!(
                    "format {} of {:?} is not known here; this program reads format {FORMAT} of \
                     {KIND:?}",
                    header.format, header.kind
                )));
            }
            continue;
        }
        let event: Event = serde_json::from_slice(line).map_err(|e| wrong(e.to_string()))?;
        state.apply(&event).map_err(wrong)?;
    }
    Ok((state, whole))
}

fn set_aside(path: &Path, rest: &[u8]) -> Result<PathBuf, ReviewError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".torn");
    let torn = PathBuf::from(name);
    let write = || {
        let mut file = OpenOptions::new().create(true).append(true).open(&torn)?;
        file.write_all(rest)?;
        file.write_all(b"\n")?;
        file.sync_data()
    };
    write().map_err(ReviewError::io("write", &torn))?;
    Ok(torn)
}

/// A new file's name is on disk only when its folder is; where folders cannot be synced, the file
/// system does it by itself.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests;
