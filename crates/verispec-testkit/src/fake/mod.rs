//! A judge that answers what it is told to, over all dialects, with faults on demand.
//!
//! ```no_run
//! use verispec_testkit::{Answers, FakeConfig, FakeJudge};
//!
//! let judge = FakeJudge::start(FakeConfig { answers: Answers::AllYes, ..FakeConfig::default() });
//! let endpoint = judge.endpoint("openai");
//! // … ask it …
//! assert_eq!(judge.log().len(), 1);
//! ```

mod answer;
mod config;
mod conn;
mod fault;
mod find;
mod log;
mod making;
mod server;
mod wire;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::sync::oneshot;

pub use answer::{AnswerFn, Answers, Question};
pub use config::{FakeConfig, Latency, Prompt, SentImage};
pub use fault::{Fault, Faults};
pub use find::{Asked, Finder, Shape, find_questions};
pub use log::{Counters, LogEntry};

/// A running fake judge, on a thread and runtime of its own, so that it serves async and plain
/// tests alike and a blocked test cannot block it. Stops when dropped.
#[derive(Debug)]
pub struct FakeJudge {
    address: SocketAddr,
    shared: Arc<log::Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl FakeJudge {
    /// Starts serving on 127.0.0.1; the port is open when this returns.
    ///
    /// # Panics
    /// When the port, a thread or the log file is not to be had.
    #[must_use]
    pub fn start(config: FakeConfig) -> Self {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, config.port)).expect("a port on 127.0.0.1");
        listener
            .set_nonblocking(true)
            .expect("a non-blocking socket");
        let address = listener.local_addr().expect("an address");
        let threads = config.threads.max(1);
        let shared = Arc::new(log::Shared::new(config));
        let (stop, stopped) = oneshot::channel();
        let served = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("fake-judge".to_owned())
            .spawn(move || server::run(listener, served, threads, stopped))
            .expect("a thread");
        Self {
            address,
            shared,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Endpoint for a judge of this dialect, as it stands in a configuration.
    ///
    /// # Panics
    /// For a dialect the fake judge does not speak.
    #[must_use]
    pub fn endpoint(&self, dialect: &str) -> String {
        let path = wire::endpoint_path(dialect)
            .unwrap_or_else(|| panic!("the fake judge does not speak {dialect:?}"));
        format!("{}{path}", self.url())
    }

    /// Requests whose response was sent whole, in that order.
    #[must_use]
    pub fn log(&self) -> Vec<LogEntry> {
        self.shared.log()
    }

    /// Counts of requests so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.shared.counters()
    }

    /// Blocks until the judge is stopped from outside; for the binary.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for FakeJudge {
    fn drop(&mut self) {
        if let (Some(stop), Some(thread)) = (self.stop.take(), self.thread.take()) {
            let _ = stop.send(());
            let _ = thread.join();
        }
    }
}
