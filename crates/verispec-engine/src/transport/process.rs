//! A judge that is a program of the user's: one long-lived process a slot, JSON lines in and out.
//!
//! One process answers one request at a time, so that a program can be a plain loop, a hang or a
//! crash costs one request, and a time limit is that of one request. As many processes run as
//! requests are in flight; each is started when first needed and kept.

mod program;

use std::io::Read as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use verispec_media::{Format, sniff};
use verispec_model::{ApiErrorKind, Part, Request};
use verispec_providers::command::{COMMAND, ImageFile, command_line_into, command_reply};

use super::{Attempted, BoxFuture, Failure, Transport};
use crate::ledger::{Raw, Sending, now};
use program::{Ended, Program};

/// Requests in a row that a program may crash on before it is taken to be broken.
const CRASHES: u32 = 3;

/// A judge behind the standard input and output of a program.
#[derive(Debug)]
pub struct ProcessTransport {
    argv: Vec<String>,
    timeout: Duration,
    /// Folder that the program is told to write files into.
    out: Option<String>,
    idle: Mutex<Vec<Program>>,
    next_id: AtomicU64,
    /// Whether any line was a reply.
    answered: AtomicBool,
    /// Requests in a row that ended in crashes.
    crashes: AtomicU32,
}

impl ProcessTransport {
    /// A program and its arguments; `timeout` is the longest time for one request. Nothing is
    /// started yet.
    #[must_use]
    pub fn new(argv: Vec<String>, timeout: Duration) -> Self {
        Self {
            argv,
            timeout,
            out: None,
            idle: Mutex::default(),
            next_id: AtomicU64::new(1),
            answered: AtomicBool::new(false),
            crashes: AtomicU32::new(0),
        }
    }

    /// Tells the program to write files into this folder.
    #[must_use]
    pub fn writing_into(mut self, out: &str) -> Self {
        self.out = Some(out.to_owned());
        self
    }

    async fn attempt(&self, request: &Request) -> Attempted {
        let sent_at = now();
        let (result, raw) = match self.ask(request).await {
            Ok((id, line)) => self.read(&id, line),
            Err(failure) => (Err(failure), None),
        };
        Attempted {
            result,
            raw,
            sending: Sending::default(),
            sent_at,
            received_at: now(),
        }
    }

    /// Asks, a second time in a fresh process if the first one ends instead of answering.
    async fn ask(&self, request: &Request) -> Result<(String, Vec<u8>), Failure> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed).to_string();
        let images = images(request).map_err(Failure::Unsendable)?;
        let line = command_line_into(request, &id, &images, self.out.as_deref())
            .map_err(|e| Failure::Config(e.to_string()))?;
        let mut kept = self.lock().pop();
        let mut reason = String::new();
        for _ in 0..2 {
            let program = match kept.take() {
                Some(program) => program,
                None => Program::start(&self.argv).map_err(Failure::Config)?,
            };
            match program.ask(line.clone(), self.timeout).await {
                Ok((answer, program)) => {
                    self.keep(program, &id, &answer);
                    return Ok((id, answer));
                }
                Err(Ended::TimedOut) => return Err(Failure::TimedOut(self.timeout)),
                Err(Ended::Crashed(why)) => {
                    tracing::info!("judge program: {why}");
                    reason = why;
                }
            }
        }
        Err(self.crashed(&reason))
    }

    /// A process that wrote a line that is no reply is out of step, so it is not kept.
    fn keep(&self, program: Program, id: &str, answer: &[u8]) {
        self.crashes.store(0, Ordering::Relaxed);
        match command_reply(answer, Some(id)) {
            Err(error) if error.kind == ApiErrorKind::Malformed => {}
            _ => self.lock().push(program),
        }
    }

    fn crashed(&self, why: &str) -> Failure {
        let message = format!("the judge program ended twice without an answer: {why}");
        if self.crashes.fetch_add(1, Ordering::Relaxed) + 1 >= CRASHES {
            return Failure::Config(format!("{message}; {CRASHES} requests in a row"));
        }
        Failure::Unsendable(message)
    }

    fn read(
        &self,
        id: &str,
        answer: Vec<u8>,
    ) -> (Result<verispec_model::Reply, Failure>, Option<Raw>) {
        let read = command_reply(&answer, Some(id));
        let raw = Raw {
            dialect: COMMAND.into(),
            status: 200,
            content_type: Some("application/json".to_owned()),
            body: Bytes::from(answer),
        };
        let malformed = matches!(&read, Err(e) if e.kind == ApiErrorKind::Malformed);
        if !malformed {
            self.answered.store(true, Ordering::Relaxed);
        }
        let failure = |error: verispec_model::ApiError| match malformed {
            // A program that never wrote a reply does not get better by repeating.
            true if !self.answered.load(Ordering::Relaxed) => Failure::Config(format!(
                "the judge program does not speak the line format (logs belong on standard \
                 error): {}",
                error.message
            )),
            _ => Failure::Api {
                error,
                retry_after: None,
            },
        };
        (read.map_err(failure), Some(raw))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Program>> {
        self.idle
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Transport for ProcessTransport {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Attempted> {
        Box::pin(self.attempt(request))
    }
}

/// Paths and kinds of a request's images. Reads their first bytes only.
fn images(request: &Request) -> Result<Vec<ImageFile>, String> {
    let parts = request.parts.iter().filter_map(|part| match part {
        Part::Image(image) => Some(&*image.path),
        Part::Text(_) => None,
    });
    parts.map(image).collect()
}

fn image(path: &Path) -> Result<ImageFile, String> {
    let shown = path.display();
    let absolute = std::path::absolute(path).map_err(|e| format!("{shown}: {e}"))?;
    let text = absolute.to_str().ok_or_else(|| {
        format!("{shown}: the path is not Unicode, so a judge program cannot be told about it")
    })?;
    let mut first = Vec::with_capacity(512);
    std::fs::File::open(path)
        .and_then(|file| file.take(512).read_to_end(&mut first))
        .map_err(|e| format!("{shown}: {e}"))?;
    let mime = sniff(&first).and_then(Format::mime);
    Ok(ImageFile {
        path: text.to_owned(),
        mime: mime
            .map_or("application/octet-stream", verispec_media::Mime::as_str)
            .to_owned(),
    })
}
