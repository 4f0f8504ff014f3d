//! A real judge on this machine: llama.cpp's OpenAI-compatible server with a small model, as
//! `local_vlm/setup.sh` of this crate makes it.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::data::require_or_skip;

/// Environment variable with the folder that `setup.sh` made.
const VARIABLE: &str = "VERISPEC_LOCAL_VLM";

/// Loading the model takes half a second; a busy machine is given much more.
const START_LIMIT: Duration = Duration::from_secs(120);
const STOP_LIMIT: Duration = Duration::from_secs(5);

/// A running local judge. It stops when dropped, and by itself when this process ends, however it
/// ends, so that it may also live in a static.
///
/// Requests reach it, images included, and it answers in the true shapes; what it answers means
/// nothing.
#[derive(Debug)]
pub struct LocalVlm {
    child: Child,
    stdin: Option<ChildStdin>,
    url: String,
}

impl LocalVlm {
    /// The only key it accepts.
    pub const KEY: &'static str = "sk-local-test";
    /// The name of its model.
    pub const MODEL: &'static str = "smollm2-135m";

    /// Starts the server on a free port and waits until it has loaded its model. `None`, with a
    /// line on standard error, when `VERISPEC_LOCAL_VLM` is not set or its folder is incomplete.
    ///
    /// # Panics
    /// When the judge is absent and `VERISPEC_REQUIRE_DATA` is `1`; when it does not start.
    #[must_use]
    pub fn start() -> Option<Self> {
        let folder = std::env::var_os(VARIABLE).map(PathBuf::from);
        let folder = require_or_skip(
            folder.filter(|f| f.join("ready").is_file()),
            &format!(
                "no local judge: run crates/verispec-testkit/local_vlm/setup.sh DIR and set \
                 {VARIABLE}=DIR"
            ),
        )?;
        Some(Self::launch(&folder))
    }

    fn launch(folder: &Path) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("local_vlm/serve.py");
        let mut child = Command::new(folder.join("venv/bin/python"))
            .arg(script)
            .arg(folder)
            .args([Self::KEY, "--until-stdin-closes"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("{}: {e}", folder.join("venv/bin/python").display()));
        let mut judge = Self {
            stdin: child.stdin.take(),
            child,
            url: String::new(),
        };
        judge.url = judge.first_line();
        judge
    }

    /// The address, which the server prints once its model is loaded.
    fn first_line(&mut self) -> String {
        let stdout = self.child.stdout.take().expect("standard output is piped");
        let mut stderr = self.child.stderr.take().expect("standard error is piped");
        // Both are drained to the end, or the server would block on a full pipe.
        let log = std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        let (send, receive) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        match receive.recv_timeout(START_LIMIT) {
            Ok(line) if line.starts_with("http://127.0.0.1:") => line,
            other => {
                self.stop();
                let log = log.join().unwrap_or_default();
                panic!("the local judge did not start ({other:?}):\n{log}");
            }
        }
    }

    /// Endpoint for a judge of dialect `openai`.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("{}/v1", self.url)
    }

    /// Process id of the server.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to end, and makes it end.
    fn stop(&mut self) {
        self.stdin = None;
        let limit = Instant::now() + STOP_LIMIT;
        while Instant::now() < limit {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for LocalVlm {
    fn drop(&mut self) {
        self.stop();
    }
}
