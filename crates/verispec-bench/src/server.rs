//! The fake judge in a process of its own.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;
use serde::Deserialize;

use crate::child::cpu_of;

/// Worker threads of the judge: it should not be what limits a client on a small machine.
const THREADS: &str = "2";

/// A running fake judge; it ends with this value.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    url: String,
}

/// What the judge saw.
#[derive(Debug, Deserialize)]
pub(crate) struct Seen {
    pub(crate) counters: Counters,
    pub(crate) log: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Counters {
    pub(crate) max_in_flight: u64,
    pub(crate) completed: u64,
}

/// One answered request.
#[derive(Debug, Deserialize)]
pub(crate) struct Entry {
    pub(crate) at_ms: u64,
    pub(crate) body_len: u64,
}

impl Server {
    /// Starts a judge that waits so many milliseconds before each answer.
    pub(crate) fn start(program: &Path, latency_ms: u64) -> anyhow::Result<Self> {
        let mut child = Command::new(program)
            .args(["--latency", &latency_ms.to_string(), "--threads", THREADS])
            .args(["--answers", "hash:7:0.7"])
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let mut url = String::new();
        let out = child
            .stdout
            .take()
            .context("the judge has no standard output")?;
        BufReader::new(out).read_line(&mut url)?;
        let url = url.trim().to_owned();
        anyhow::ensure!(!url.is_empty(), "the fake judge did not start");
        Ok(Self { child, url })
    }

    /// Address for the OpenAI dialect.
    pub(crate) fn openai(&self) -> String {
        format!("{}/v1", self.url)
    }

    /// Address for the proxy dialect, which SpecV's own runner speaks.
    pub(crate) fn proxy(&self) -> String {
        format!("{}/api/v1/proxy/generate", self.url)
    }

    /// Processor seconds so far.
    pub(crate) fn cpu(&self) -> Option<f64> {
        cpu_of(self.child.id())
    }

    /// Everything it logged.
    pub(crate) fn seen(&self) -> anyhow::Result<Seen> {
        let url = format!("{}/log", self.url);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let text = runtime.block_on(async {
            let client = reqwest::Client::builder().no_proxy().build()?;
            client.get(url).send().await?.text().await
        })?;
        Ok(serde_json::from_str(&text)?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
