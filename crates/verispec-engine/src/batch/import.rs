//! Taking results in, in whatever order and state they come.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use verispec_model::{ApiErrorKind, Hash, Job, Request, request_key};
use verispec_providers::{BatchFormat, BatchOutcome, BatchResult, Dialect, parse_custom_id};

use super::BatchError;
use super::book::{Book, Line, Prefix};
use super::export::prefix;
use crate::execute::map_steps;
use crate::ledger::{
    Attempt, Committed, LEDGER_FILE, Ledger, LedgerError, LedgerHandle, LedgerOptions,
    LedgerReplies, LedgerWriter, Outcome, Raw, Record, RunLock, Via, now,
};

/// Longest line that is read, in bytes.
const LONGEST: u64 = 64 << 20;

/// Lines that a report lists of each file.
const LISTED: usize = 100;

/// What one result file held.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileReport {
    /// File.
    pub path: PathBuf,
    /// Lines that are not empty.
    pub lines: u64,
    /// Results taken in, by outcome.
    pub taken: BTreeMap<Outcome, u64>,
    /// Requests whose time ran out; asked again in the next wave.
    pub expired: u64,
    /// Requests of a cancelled batch; asked again in the next wave.
    pub cancelled: u64,
    /// Results of requests that are settled already.
    pub duplicates: u64,
    /// Results with an id that no request of this run has.
    pub unknown: u64,
    /// Lines that are no result.
    pub corrupt: u64,
    /// The first hundred oddities, one line each.
    pub notes: Vec<String>,
}

/// What an import took in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// Files in the order given.
    pub files: Vec<FileReport>,
    /// Requests that the run still wants: the next wave.
    pub wanted: usize,
    /// Of these, in files of which nothing has come back yet.
    pub out: usize,
}

/// Takes result files into the run's ledger. Every line is counted; none of them is fatal.
///
/// # Errors
/// A file or the ledger cannot be read or written.
pub async fn import<J: Job>(
    jobs: &[J],
    run: &RunLock,
    (dialect, format): (&'static dyn Dialect, &'static dyn BatchFormat),
    files: &[PathBuf],
) -> Result<Imported, BatchError> {
    let path = run.dir().join(LEDGER_FILE);
    let before = LedgerReplies::load(&path)?;
    let writer = LedgerWriter::open(&path, LedgerOptions::default())?;
    let mut intake = Intake {
        jobs,
        wanted: wanted(jobs, &before),
        settled: settled(&before),
        book: Book::load(run.dir())?,
        ledger: Ledger::open_read(&path)?,
        replies: HashMap::new(),
        before,
        dialect,
        format,
        handle: writer.handle(),
        last: None,
    };
    let mut done = Imported::default();
    for file in files {
        done.files.push(intake.file(file).await?);
    }
    let Intake { handle, book, .. } = intake;
    drop(handle);
    close(writer).await?;
    let after = LedgerReplies::load(&path)?;
    let left = wanted(jobs, &after);
    done.out = left.keys().filter(|p| book.is_out(p)).count();
    done.wanted = left.len();
    Ok(done)
}

/// Waits until everything is on the disk.
pub(super) async fn close(writer: LedgerWriter) -> Result<(), LedgerError> {
    match tokio::task::spawn_blocking(|| writer.finish()).await {
        Ok(closed) => closed,
        Err(panic) => std::panic::resume_unwind(panic.into_panic()),
    }
}

/// Requests that jobs want, with the job's number.
fn wanted<J: Job>(jobs: &[J], replies: &LedgerReplies) -> HashMap<Prefix, (usize, Hash)> {
    let keys = map_steps(jobs, replies, |_, step| {
        step.ask.iter().map(request_key).collect::<Vec<Hash>>()
    });
    let numbered = keys.into_iter().enumerate();
    let flat = numbered.flat_map(|(job, keys)| keys.into_iter().map(move |key| (job, key)));
    flat.map(|(job, key)| (prefix(&key), (job, key))).collect()
}

fn settled(replies: &LedgerReplies) -> HashMap<Prefix, Hash> {
    let keys = replies.keys_with(&Outcome::ALL);
    keys.map(|key| (prefix(key), *key)).collect()
}

/// A request with the job that asked it.
type Asked = (Arc<str>, Arc<Request>);

struct Intake<'a, J> {
    jobs: &'a [J],
    wanted: HashMap<Prefix, (usize, Hash)>,
    settled: HashMap<Prefix, Hash>,
    book: Book,
    ledger: Ledger,
    before: LedgerReplies,
    /// Replies taken in by this import: round and hash.
    replies: HashMap<Hash, (u32, Hash)>,
    dialect: &'static dyn Dialect,
    format: &'static dyn BatchFormat,
    handle: LedgerHandle,
    last: Option<Committed>,
}

impl<J: Job> Intake<'_, J> {
    async fn file(&mut self, path: &Path) -> Result<FileReport, BatchError> {
        let mut report = FileReport {
            path: path.to_owned(),
            ..FileReport::default()
        };
        let file = File::open(path).map_err(|e| BatchError::io(path, e))?;
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let (mut line, mut number) = (vec![], 0_u64);
        while next_line(&mut reader, &mut line).map_err(|e| BatchError::io(path, e))? {
            number += 1;
            if line.trim_ascii().is_empty() {
                continue;
            }
            report.lines += 1;
            if let Err(note) = self.line(&line, &mut report).await?
                && report.notes.len() < LISTED
            {
                report.notes.push(format!("line {number}: {note}"));
            }
        }
        // Errors of the ledger surface with the last row at the latest.
        if let Some(last) = self.last.take() {
            last.wait().await.map_err(ledger)?;
        }
        Ok(report)
    }

    /// Takes one line in; the inner error is what is odd about it.
    async fn line(
        &mut self,
        line: &[u8],
        report: &mut FileReport,
    ) -> Result<Result<(), String>, BatchError> {
        let result = match self.format.result(line) {
            Ok(result) => result,
            Err(error) => {
                report.corrupt += 1;
                return Ok(Err(error.to_string()));
            }
        };
        let Some((id, key)) = self.known(&result.custom_id) else {
            report.unknown += 1;
            return Ok(Err(format!("no request is called {:?}", result.custom_id)));
        };
        let exported = self.book.lines.get(&id).cloned();
        if let Some(line) = &exported {
            self.book.mark_returned(line.file)?;
        }
        self.result(result, (id.0, key), exported, report).await
    }

    /// The request that an id names, if this run has it.
    fn known(&self, custom_id: &str) -> Option<((Prefix, u32), Hash)> {
        let id = parse_custom_id(custom_id)?;
        let wanted = self.wanted.get(&id.0).map(|(_, key)| *key);
        let key = wanted.or_else(|| self.settled.get(&id.0).copied())?;
        Some((id, key))
    }

    async fn result(
        &mut self,
        result: BatchResult,
        (prefix, key): (Prefix, Hash),
        exported: Option<Line>,
        report: &mut FileReport,
    ) -> Result<Result<(), String>, BatchError> {
        let id = result.custom_id;
        let (status, body) = match result.outcome {
            BatchOutcome::Response { status, body } => (status, body),
            BatchOutcome::Expired => {
                report.expired += 1;
                return Ok(Ok(()));
            }
            BatchOutcome::Cancelled => {
                report.cancelled += 1;
                return Ok(Ok(()));
            }
        };
        let round = exported.as_ref().map_or(0, |line| line.round);
        let raw = Raw {
            dialect: self.dialect.name().into(),
            status,
            content_type: Some("application/json".to_owned()),
            body: body.into(),
        };
        let attempt = self.attempt(raw, round, exported, &report.path);
        let hash = attempt.raw.as_ref().map(|raw| Hash::of(&raw.body));
        let (known, same) = self.is_known(&key, round, hash)?;
        if known {
            report.duplicates += 1;
            if same || !attempt.outcome.has_reply() {
                return Ok(Ok(()));
            }
        } else {
            *report.taken.entry(attempt.outcome).or_default() += 1;
        }
        let note = match (&attempt.error, known) {
            (_, true) => Err(format!(
                "{id}: another reply is there; the first one counts"
            )),
            (Some(error), false) => Err(format!("{id}: {error}")),
            (None, false) => Ok(()),
        };
        if attempt.settles && !known {
            self.replies.insert(key, (round, hash.unwrap_or(key)));
        }
        self.record((prefix, key), attempt).await?;
        Ok(note)
    }

    /// Whether a request is settled in this round or a later one, and by the same bytes.
    fn is_known(
        &self,
        key: &Hash,
        round: u32,
        hash: Option<Hash>,
    ) -> Result<(bool, bool), BatchError> {
        if let Some((was, reply)) = self.replies.get(key)
            && *was >= round
        {
            return Ok((true, Some(*reply) == hash));
        }
        if self.before.round(key).is_none_or(|was| was < round) {
            return Ok((false, false));
        }
        let attempts = self.ledger.attempts(key)?;
        let bytes = attempts.iter().filter_map(|a| a.raw.as_ref());
        let same = bytes
            .map(|raw| Hash::of(&raw.body))
            .any(|h| Some(h) == hash);
        Ok((true, same))
    }

    fn attempt(&self, raw: Raw, round: u32, exported: Option<Line>, file: &Path) -> Attempt {
        let decoded = self.dialect.decode(&raw.response());
        let (outcome, settles) = match &decoded {
            Ok(reply) => (Outcome::of_reply(reply), true),
            Err(error) => outcome_of(error.kind),
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let at = now();
        Attempt {
            outcome,
            settles,
            round,
            error: decoded.as_ref().err().map(ToString::to_string),
            raw: Some(raw),
            reply: decoded.ok(),
            sending: exported.map(|line| line.sending).unwrap_or_default(),
            via: Via::Batch(name.into_owned()),
            sent_at: at,
            received_at: at,
        }
    }

    async fn record(
        &mut self,
        (prefix, key): (Prefix, Hash),
        attempt: Attempt,
    ) -> Result<(), BatchError> {
        let Some((job, request)) = self.request(&prefix, &key)? else {
            return Ok(());
        };
        let record = Record {
            key,
            job,
            step: 0,
            request,
            attempt,
        };
        self.last = Some(self.handle.record(record).await.map_err(ledger)?);
        Ok(())
    }

    /// The request itself: from the job that wants it, else from the ledger that has it.
    fn request(&self, prefix: &Prefix, key: &Hash) -> Result<Option<Asked>, BatchError> {
        if let Some((number, _)) = self.wanted.get(prefix) {
            let job = &self.jobs[*number];
            let asked = job.step(&self.before).ask;
            let own = asked.into_iter().find(|r| request_key(r) == *key);
            return Ok(own.map(|r| (job.id().into(), Arc::new(r))));
        }
        let stored = self.ledger.request(key)?;
        Ok(stored.map(|r| ("".into(), Arc::new(r))))
    }
}

/// How a batch's error is filed: only a request that is wrong in itself is settled by it.
const fn outcome_of(kind: ApiErrorKind) -> (Outcome, bool) {
    match kind {
        ApiErrorKind::BadRequest => (Outcome::BadRequest, true),
        ApiErrorKind::Auth => (Outcome::Auth, false),
        ApiErrorKind::NotFound => (Outcome::NotFound, false),
        ApiErrorKind::RateLimit => (Outcome::RateLimited, false),
        ApiErrorKind::Server => (Outcome::ServerError, false),
        ApiErrorKind::Malformed => (Outcome::Malformed, false),
    }
}

fn ledger(error: Arc<LedgerError>) -> BatchError {
    BatchError::Encode(error.to_string())
}

/// Reads a line without its end; the rest of an overlong one is skipped and the piece kept, so
/// that it is reported as no result.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    use std::io::Read as _;
    line.clear();
    let n = reader.by_ref().take(LONGEST).read_until(b'\n', line)?;
    if n as u64 == LONGEST && !line.ends_with(b"\n") {
        reader.skip_until(b'\n')?;
    }
    Ok(n > 0)
}
