//! What happens while a run goes on: one linear stream for progress bars, logs and pages.

mod log;
mod progress;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use verispec_model::{Hash, Usage};

use crate::execute::Summary;
use crate::ledger::Outcome;

pub use log::{EVENTS_FILE, EventLog, LoggedEvent, read_events};
pub use progress::{Progress, ProgressView};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
#[non_exhaustive]
pub enum Event {
    /// All jobs were stepped once over what is stored.
    RunStarted {
        /// Jobs given.
        jobs: u64,
        /// Jobs that want nothing.
        jobs_done: u64,
        /// Requests in the ledger that are settled.
        settled: u64,
        /// Distinct requests that jobs want now; later steps may want more.
        missing: u64,
    },
    /// A later step of a job wants requests that were not known before.
    MoreWanted {
        /// Number of requests.
        requests: u64,
    },
    /// An attempt begins. Not written to the event log.
    RequestSent {
        /// Key of the request.
        key: Hash,
        /// Number of the attempt in this run, from 1.
        attempt: u32,
    },
    /// An attempt failed and another will follow.
    Retrying {
        /// Key of the request.
        key: Hash,
        /// Wait before the next attempt, in seconds.
        after: f64,
        /// What went wrong.
        why: String,
    },
    /// A request is settled and recorded.
    RequestSettled {
        /// Key of the request.
        key: Hash,
        /// Job that asked first.
        job: String,
        /// What became of it.
        outcome: Outcome,
        /// Whether the reply was copied from another run.
        reused: bool,
        /// Tokens of this attempt.
        usage: Usage,
        /// Duration of the attempt, in seconds.
        seconds: f64,
    },
    /// A request is left for another run.
    RequestPending {
        /// Key of the request.
        key: Hash,
        /// Job that asked first.
        job: String,
        /// Why.
        why: String,
    },
    /// A job wants nothing more.
    JobDone {
        /// Name of the job.
        job: String,
    },
    /// Something a person should see.
    Warning {
        /// In one line.
        message: String,
    },
    /// The end.
    RunFinished {
        /// Counts.
        summary: Summary,
    },
}

/// Receives events as they happen; must return soon.
pub type Observer = Arc<dyn Fn(&Event) + Send + Sync>;

/// Everyone who watches a run.
#[derive(Clone, Default)]
pub struct Observers(Vec<Observer>);

impl Observers {
    /// Adds an observer.
    #[must_use]
    pub fn with(mut self, observer: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        self.0.push(Arc::new(observer));
        self
    }

    pub(crate) fn emit(&self, event: &Event) {
        for observer in &self.0 {
            observer(event);
        }
    }

    pub(crate) fn warn(&self, message: impl Into<String>) {
        self.emit(&Event::Warning {
            message: message.into(),
        });
    }
}

impl std::fmt::Debug for Observers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Observers({})", self.0.len())
    }
}

pub(crate) fn seconds(from: crate::ledger::Micros, to: crate::ledger::Micros) -> f64 {
    let micros = u64::try_from(to.saturating_sub(from)).unwrap_or(0);
    Duration::from_micros(micros).as_secs_f64()
}
