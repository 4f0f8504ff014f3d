//! What a fake judge remembers.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde::Serialize;
use verispec_model::{Hash, SpecId};

use super::config::FakeConfig;

/// A request whose response was handed to the socket whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogEntry {
    /// Position in the log, from 0.
    pub n: u64,
    /// Milliseconds from the judge's start to the end of the response.
    pub at_ms: u64,
    /// Dialect, empty for an unknown address.
    pub dialect: String,
    /// Model asked for.
    pub model: String,
    /// Hash of the body as received.
    pub body: Hash,
    /// Length of the body in bytes.
    pub body_len: u64,
    /// How often this body arrived before.
    pub attempt: u32,
    /// Status of the answer.
    pub status: u16,
    /// Name of the fault, if one was played.
    pub fault: Option<&'static str>,
    /// Numbers of the questions found.
    pub ids: Vec<SpecId>,
}

/// Counts of requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Requests whose head arrived.
    pub started: u64,
    /// Requests being answered now.
    pub in_flight: u64,
    /// Most requests that were in flight at once.
    pub max_in_flight: u64,
    /// Responses sent whole.
    pub completed: u64,
}

/// State of a running judge.
pub(super) struct Shared {
    pub(super) config: FakeConfig,
    started_at: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    counters: Counters,
    log: Vec<LogEntry>,
    seen: HashMap<Hash, u32>,
    file: Option<File>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared")
            .field("counters", &self.counters())
            .finish_non_exhaustive()
    }
}

impl Shared {
    pub(super) fn new(config: FakeConfig) -> Self {
        let file = config.log_file.as_ref().map(|path| {
            let opened = File::options().create(true).append(true).open(path);
            opened.unwrap_or_else(|e| panic!("log file {}: {e}", path.display()))
        });
        let state = State {
            file,
            ..State::default()
        };
        Self {
            config,
            started_at: Instant::now(),
            state: Mutex::new(state),
        }
    }

    pub(super) fn log(&self) -> Vec<LogEntry> {
        self.state().log.clone()
    }

    pub(super) fn counters(&self) -> Counters {
        self.state().counters
    }

    /// Counts a body; how often it came before.
    pub(super) fn attempt(&self, body: Hash) -> u32 {
        let mut state = self.state();
        let count = state.seen.entry(body).or_insert(0);
        *count += 1;
        *count - 1
    }

    /// Appends to the log, and to the file in one write, so that lines stay whole.
    pub(super) fn complete(&self, mut entry: LogEntry) {
        let mut state = self.state();
        entry.n = state.counters.completed;
        entry.at_ms = self
            .started_at
            .elapsed()
            .as_millis()
            .try_into()
            .unwrap_or(u64::MAX);
        state.counters.completed += 1;
        if let Some(file) = &mut state.file {
            let mut line = serde_json::to_vec(&entry).expect("an entry is plain JSON");
            line.push(b'\n');
            file.write_all(&line).expect("the log file is writable");
        }
        state.log.push(entry);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request in flight; counts it down when it ends, however it ends.
pub(super) struct InFlight {
    shared: Arc<Shared>,
    /// Requests that had started before.
    pub(super) before: u64,
    /// Requests in flight, this one included.
    pub(super) in_flight: u64,
}

impl InFlight {
    pub(super) fn begin(shared: Arc<Shared>) -> Self {
        let mut state = shared.state();
        let counters = &mut state.counters;
        let before = counters.started;
        counters.started += 1;
        counters.in_flight += 1;
        counters.max_in_flight = counters.max_in_flight.max(counters.in_flight);
        let in_flight = counters.in_flight;
        drop(state);
        Self {
            shared,
            before,
            in_flight,
        }
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.shared.state().counters.in_flight -= 1;
    }
}
