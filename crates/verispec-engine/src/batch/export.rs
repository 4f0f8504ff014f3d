//! Writing what a run still wants.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use verispec_model::{Hash, Job, Request, request_key};
use verispec_providers::{BatchFormat, Dialect, Segment, custom_id};

use super::BatchError;
use super::book::{Book, Prefix, Scribe};
use super::cut::{Cutter, FileSink, Limits};
use crate::execute::{ExecuteOptions, Live};
use crate::ledger::{Entry, LEDGER_FILE, LedgerReplies, LedgerWriter, Record, Reuse, RunLock};
use crate::transport::{ImageSource, load_all};

/// What is exported and how.
pub struct Export<'a> {
    /// Renders bodies, the same as for calls.
    pub dialect: &'static dyn Dialect,
    /// Envelope and frame.
    pub format: &'static dyn BatchFormat,
    /// Where image bytes come from.
    pub images: &'a dyn ImageSource,
    /// Replies of other runs that make a request needless.
    pub reuse: Reuse,
    /// What is asked again though it is settled.
    pub options: ExecuteOptions,
    /// Limits of one file.
    pub limits: Limits,
    /// Also what is in files of which nothing has come back yet.
    pub again: bool,
}

/// What an export wrote and left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    /// Files, with requests and bytes.
    pub files: Vec<(PathBuf, usize, u64)>,
    /// Requests written.
    pub requests: usize,
    /// Replies copied from other runs.
    pub reused: usize,
    /// Requests in earlier files of which nothing has come back yet.
    pub out: usize,
    /// Requests that no file may hold, with their job.
    pub too_large: Vec<String>,
    /// Requests that cannot be put together, with their job and why.
    pub unsendable: Vec<String>,
}

/// Writes everything that the jobs want now into files below `out`, named after `name` and the
/// wave. One request at a time is in memory.
///
/// # Errors
/// A file cannot be written or is there already, or the dialect cannot say a request.
pub async fn export<J: Job>(
    jobs: &[J],
    run: &RunLock,
    (out, name): (&Path, &str),
    export: Export<'_>,
) -> Result<Exported, BatchError> {
    let ledger = run.dir().join(LEDGER_FILE);
    let mut live = Live::new(LedgerReplies::load(&ledger)?, &export.options);
    let book = Book::load(run.dir())?;
    let mut done = Exported::default();
    if !export.reuse.is_empty() {
        done.reused = copy_from_other_runs(jobs, &ledger, &mut live, &export).await?;
    }
    std::fs::create_dir_all(out).map_err(|e| BatchError::io(out, e))?;
    let stem = format!("{name}-w{}", book.next_wave());
    let frame = export.format.frame();
    let sink = FileSink::new(out, &stem, frame.extension);
    let first = out.join(sink.name(1));
    if first.exists() {
        return Err(BatchError::Exists { path: first });
    }
    let mut wave = Wave {
        names: FileSink::new(out, &stem, frame.extension),
        cutter: Cutter::new(sink, frame, export.limits),
        scribe: Scribe::new(run.dir())?,
        out,
        export: &export,
        book: &book,
        live: &live,
        done: &mut done,
    };
    let mut seen = HashSet::new();
    for job in jobs {
        for request in job.step(&live).ask {
            let key = request_key(&request);
            if seen.insert(key) {
                wave.add(&job.id(), &key, &request)?;
            }
        }
    }
    wave.finish()?;
    Ok(done)
}

struct Wave<'a> {
    names: FileSink,
    cutter: Cutter<FileSink>,
    scribe: Scribe,
    out: &'a Path,
    export: &'a Export<'a>,
    book: &'a Book,
    live: &'a Live,
    done: &'a mut Exported,
}

impl Wave<'_> {
    fn add(&mut self, job: &str, key: &Hash, request: &Request) -> Result<(), BatchError> {
        let prefix = prefix(key);
        if !self.export.again && self.book.is_out(&prefix) {
            self.done.out += 1;
            return Ok(());
        }
        let loaded = match load_all(self.export.images, request) {
            Ok(loaded) => loaded,
            Err(why) => {
                self.done.unsendable.push(format!("{job}: {why}"));
                return Ok(());
            }
        };
        let message = self
            .export
            .dialect
            .encode(request, &loaded.images)
            .map_err(|e| BatchError::Encode(e.to_string()))?;
        let body = body_hash(&message.body);
        let id = custom_id(key, self.book.exports(&prefix) + 1);
        let line = self.export.format.request(&id, message);
        let added = self.cutter.add(&line);
        match added.map_err(|e| BatchError::io(self.out, e))? {
            Some(number) => {
                let name = self.names.name(number);
                let round = self.live.next_round(key);
                let how = (&body, loaded.encoder.as_deref());
                self.scribe.note((number, &name), &id, round, how)
            }
            None => {
                self.done.too_large.push(job.to_owned());
                Ok(())
            }
        }
    }

    fn finish(mut self) -> Result<(), BatchError> {
        self.scribe.end()?;
        let (_, files) = self
            .cutter
            .finish()
            .map_err(|e| BatchError::io(self.out, e))?;
        self.done.requests = files.iter().map(|f| f.requests).sum();
        let path = |number| self.out.join(self.names.name(number));
        self.done.files = files
            .iter()
            .map(|f| (path(f.number), f.requests, f.bytes))
            .collect();
        Ok(())
    }
}

/// The part of a key that batch files carry.
pub(super) fn prefix(key: &Hash) -> Prefix {
    let mut prefix = Prefix::default();
    let length = prefix.len();
    prefix.copy_from_slice(&key.as_bytes()[..length]);
    prefix
}

fn body_hash(body: &[Segment]) -> Hash {
    let mut hasher = blake3::Hasher::new();
    for segment in body {
        match segment {
            Segment::Raw(bytes) => {
                hasher.update(bytes);
            }
            Segment::Base64(bytes) => {
                for piece in verispec_media::Base64Chunks::new(bytes.clone()) {
                    hasher.update(&piece);
                }
            }
        }
    }
    Hash::from_bytes(*hasher.finalize().as_bytes())
}

/// Copies answers of other runs until no job gets further by them.
async fn copy_from_other_runs<J: Job>(
    jobs: &[J],
    path: &Path,
    live: &mut Live,
    export: &Export<'_>,
) -> Result<usize, BatchError> {
    let writer = LedgerWriter::open(path, export.options.ledger)?;
    let handle = writer.handle();
    let mut copied = 0;
    for job in jobs {
        loop {
            let mut hits = 0;
            for request in job.step(live).ask {
                let key = request_key(&request);
                if live.is_asked_again(&key) {
                    continue;
                }
                let Some(mut attempt) = export.reuse.find(&key, &request)? else {
                    continue;
                };
                attempt.round = live.next_round(&key);
                live.settle(key, Entry::of_attempt(&attempt));
                let record = Record {
                    key,
                    job: job.id().into(),
                    step: 0,
                    request: request.into(),
                    attempt,
                };
                let queued = handle.record(record).await;
                queued.map_err(|e| BatchError::Encode(e.to_string()))?;
                hits += 1;
            }
            copied += hits;
            if hits == 0 {
                break;
            }
        }
    }
    drop(handle);
    super::import::close(writer).await?;
    Ok(copied)
}
