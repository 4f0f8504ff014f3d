//! `events.ndjson` of a run.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::Event;
use crate::ledger::{LedgerError, Micros, now};

/// Name of the event log inside a run directory.
pub const EVENTS_FILE: &str = "events.ndjson";

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoggedEvent {
    /// When it happened, microseconds since 1970 UTC.
    pub at: Micros,
    /// What happened.
    pub event: Event,
}

/// Appends events to the log of a run. What cannot be written is dropped: the log explains a run,
/// it does not carry its results.
#[derive(Debug)]
pub struct EventLog(Mutex<State>);

#[derive(Debug)]
struct State {
    file: File,
    buffer: Vec<u8>,
    /// The start is held back: a run that has nothing to do leaves the log as it is.
    start: Option<LoggedEvent>,
    began: bool,
}

/// Bytes after which the buffer is written.
const BUFFER: usize = 8 * 1024;

impl EventLog {
    /// Opens the log of a run for appending. A line that a kill left unfinished is closed first.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(run_dir: &Path) -> Result<Self, LedgerError> {
        let path = run_dir.join(EVENTS_FILE);
        let open = || -> std::io::Result<(File, bool)> {
            let mut file = OpenOptions::new()
                .read(true)
                .append(true)
                .create(true)
                .open(&path)?;
            let unfinished = ends_inside_a_line(&mut file)?;
            Ok((file, unfinished))
        };
        let (file, unfinished) = open().map_err(|e| LedgerError::io(&path, e))?;
        let buffer = if unfinished { vec![b'\n'] } else { vec![] };
        Ok(Self(Mutex::new(State {
            file,
            buffer,
            start: None,
            began: false,
        })))
    }

    /// Takes one event; for use as an observer.
    pub fn write(&self, event: &Event) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let logged = LoggedEvent {
            at: now(),
            event: event.clone(),
        };
        match event {
            Event::RequestSent { .. } => {}
            Event::RunStarted { .. } => {
                state.start = Some(logged);
                state.began = false;
            }
            Event::RunFinished { .. } => {
                if state.began {
                    state.push(&logged);
                    state.flush();
                }
            }
            _ => {
                state.began = true;
                if let Some(start) = state.start.take() {
                    state.push(&start);
                }
                state.push(&logged);
            }
        }
    }
}

impl Drop for EventLog {
    fn drop(&mut self) {
        let state = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        if state.began {
            state.flush();
        }
    }
}

impl State {
    fn push(&mut self, logged: &LoggedEvent) {
        if serde_json::to_writer(&mut self.buffer, logged).is_ok() {
            self.buffer.push(b'\n');
        }
        if self.buffer.len() >= BUFFER {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if let Err(error) = self.file.write_all(&self.buffer) {
            tracing::warn!("{EVENTS_FILE}: {error}");
        }
        self.buffer.clear();
    }
}

fn ends_inside_a_line(file: &mut File) -> std::io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != [b'\n'])
}

/// Reads an event log; absent means empty. Lines that are not events (cut by a kill, or of a
/// newer version) are left out and counted.
///
/// # Errors
/// The file cannot be read.
pub fn read_events(run_dir: &Path) -> Result<(Vec<LoggedEvent>, usize), LedgerError> {
    let path = run_dir.join(EVENTS_FILE);
    let bytes = match std::fs::read(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok((vec![], 0)),
        other => other.map_err(|e| LedgerError::io(&path, e))?,
    };
    let lines = bytes.split(|b| *b == b'\n').filter(|line| !line.is_empty());
    let mut events = vec![];
    let mut dropped = 0;
    for line in lines {
        match serde_json::from_slice(line) {
            Ok(event) => events.push(event),
            Err(_) => dropped += 1,
        }
    }
    Ok((events, dropped))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execute::Summary;

    fn started() -> Event {
        Event::RunStarted {
            jobs: 2,
            jobs_done: 0,
            settled: 0,
            missing: 2,
        }
    }

    fn finished() -> Event {
        Event::RunFinished {
            summary: Summary::default(),
        }
    }

    #[test]
    fn a_cut_line_is_dropped_and_the_log_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let log = EventLog::open(dir.path()).unwrap();
        log.write(&started());
        log.write(&Event::JobDone {
            job: "t2i/模型".into(),
        });
        drop(log);
        let path = dir.path().join(EVENTS_FILE);
        let mut bytes = std::fs::read(&path).unwrap();
        let cut = String::from_utf8(bytes.clone())
            .unwrap()
            .rfind('型')
            .unwrap()
            + 1;
        bytes.truncate(cut);
        std::fs::write(&path, &bytes).unwrap();

        let log = EventLog::open(dir.path()).unwrap();
        log.write(&started());
        log.write(&Event::Warning {
            message: "again".into(),
        });
        log.write(&finished());
        let (events, dropped) = read_events(dir.path()).unwrap();
        assert_eq!(dropped, 1);
        let kinds: Vec<_> = events.iter().map(|e| e.event.clone()).collect();
        let again = Event::Warning {
            message: "again".into(),
        };
        assert_eq!(kinds, [started(), started(), again, finished()]);
    }

    #[test]
    fn a_run_with_nothing_to_do_leaves_no_trace() {
        let dir = tempfile::tempdir().unwrap();
        let log = EventLog::open(dir.path()).unwrap();
        log.write(&started());
        log.write(&finished());
        drop(log);
        assert_eq!(std::fs::read(dir.path().join(EVENTS_FILE)).unwrap(), b"");
    }
}
