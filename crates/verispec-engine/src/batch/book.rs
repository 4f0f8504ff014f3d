//! What was exported, so that nothing that is out with a provider is asked twice.
//!
//! One text file for each batch file: a line `CUSTOM_ID ROUND BODY_HASH ENCODER` a request. A
//! second, empty file says that results of it were taken in.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use verispec_model::Hash;
use verispec_providers::{ID_BYTES, parse_custom_id};

use super::{BATCH_DIR, BatchError};
use crate::ledger::Sending;

const IDS: &str = "ids";
const RETURNED: &str = "returned";

/// First 160 bits of a key.
pub(super) type Prefix = [u8; ID_BYTES];

/// One exported request.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) file: usize,
    pub(super) round: u32,
    pub(super) sending: Sending,
}

/// Everything that a run has exported.
#[derive(Debug, Default)]
pub(super) struct Book {
    dir: PathBuf,
    /// Batch files with whether results of them were taken in.
    pub(super) files: Vec<(String, bool)>,
    pub(super) lines: HashMap<(Prefix, u32), Line>,
}

impl Book {
    /// Reads what the run in this folder has exported.
    pub(super) fn load(run: &Path) -> Result<Self, BatchError> {
        let dir = run.join(BATCH_DIR);
        let mut book = Self {
            dir: dir.clone(),
            ..Self::default()
        };
        let listing = match fs::read_dir(&dir) {
            Ok(listing) => listing,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(book),
            Err(e) => return Err(BatchError::io(&dir, e)),
        };
        let mut paths: Vec<PathBuf> = listing.filter_map(|e| Some(e.ok()?.path())).collect();
        paths.retain(|p| p.extension().is_some_and(|e| e == IDS));
        paths.sort();
        for path in paths {
            book.read(&path).map_err(|e| BatchError::io(&path, e))?;
        }
        Ok(book)
    }

    fn read(&mut self, path: &Path) -> std::io::Result<()> {
        let file = self.files.len();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        self.files
            .push((name.into_owned(), path.with_extension(RETURNED).exists()));
        for line in BufReader::new(File::open(path)?).lines() {
            let line = line?;
            let mut fields = line.splitn(4, ' ');
            let id = fields.next().and_then(parse_custom_id);
            let round = fields.next().and_then(|r| r.parse().ok());
            let (Some(id), Some(round)) = (id, round) else {
                continue;
            };
            let sending = Sending {
                body_hash: fields.next().and_then(|h| h.parse().ok()),
                encoder: fields.next().filter(|e| *e != "-").map(str::to_owned),
                endpoint: None,
            };
            self.lines.insert(
                id,
                Line {
                    file,
                    round,
                    sending,
                },
            );
        }
        Ok(())
    }

    /// Number of the next wave, from 1.
    pub(super) fn next_wave(&self) -> usize {
        let wave = |(name, _): &(String, bool)| -> Option<usize> {
            name.rsplit_once("-w")?.1.split('-').next()?.parse().ok()
        };
        self.files.iter().filter_map(wave).max().unwrap_or(0) + 1
    }

    /// How often this request was exported.
    pub(super) fn exports(&self, prefix: &Prefix) -> u32 {
        (1..)
            .take_while(|n| self.lines.contains_key(&(*prefix, *n)))
            .last()
            .unwrap_or(0)
    }

    /// Whether this request is in a file of which nothing has come back yet.
    pub(super) fn is_out(&self, prefix: &Prefix) -> bool {
        let exports = self.exports(prefix);
        let last = self.lines.get(&(*prefix, exports));
        last.is_some_and(|line| !self.files[line.file].1)
    }

    /// Remembers that results of a batch file were taken in.
    pub(super) fn mark_returned(&mut self, file: usize) -> Result<(), BatchError> {
        let Some((name, returned)) = self.files.get_mut(file).filter(|(_, returned)| !returned)
        else {
            return Ok(());
        };
        let path = self.dir.join(format!("{name}.{RETURNED}"));
        File::create(&path).map_err(|e| BatchError::io(&path, e))?;
        *returned = true;
        Ok(())
    }
}

/// Writes the lines of one wave.
pub(super) struct Scribe {
    dir: PathBuf,
    open: Option<(usize, PathBuf, BufWriter<File>)>,
}

impl Scribe {
    pub(super) fn new(run: &Path) -> Result<Self, BatchError> {
        let dir = run.join(BATCH_DIR);
        fs::create_dir_all(&dir).map_err(|e| BatchError::io(&dir, e))?;
        Ok(Self { dir, open: None })
    }

    /// Notes a request that was written into the file of this number and name.
    pub(super) fn note(
        &mut self,
        (number, name): (usize, &str),
        id: &str,
        round: u32,
        (body, encoder): (&Hash, Option<&str>),
    ) -> Result<(), BatchError> {
        if self.open.as_ref().is_none_or(|(n, ..)| *n != number) {
            self.end()?;
            let path = self.dir.join(format!("{name}.{IDS}"));
            let file = File::create(&path).map_err(|e| BatchError::io(&path, e))?;
            self.open = Some((number, path, BufWriter::new(file)));
        }
        if let Some((_, path, file)) = &mut self.open {
            let encoder = encoder.unwrap_or("-");
            writeln!(file, "{id} {round} {body} {encoder}").map_err(|e| BatchError::io(path, e))?;
        }
        Ok(())
    }

    pub(super) fn end(&mut self) -> Result<(), BatchError> {
        if let Some((_, path, file)) = self.open.take() {
            let synced = file
                .into_inner()
                .map_err(std::io::IntoInnerError::into_error)
                .and_then(|file| file.sync_all());
            synced.map_err(|e| BatchError::io(&path, e))?;
        }
        Ok(())
    }
}
