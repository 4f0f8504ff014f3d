//! A headless Chromium driven over its debugging protocol: a web socket on the loopback interface.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot go on has failed"
)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Names under which browsers are installed.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];
/// How long anything may take on a slow machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    child: Child,
    socket: Socket,
    session: String,
    next: u64,
    /// Messages that were no answers: console, requests, exceptions.
    pub events: Vec<Value>,
    _profile: tempfile::TempDir,
}

/// The browser's command: `VERISPEC_BROWSER`, else one that is installed. `None` skips a test with
/// a line that says so, unless `VERISPEC_REQUIRE_BROWSER` is set.
pub fn command() -> Option<String> {
    let set = std::env::var("VERISPEC_BROWSER").ok();
    let installed = || {
        let path = std::env::var_os("PATH")?;
        let found = |name: &&str| std::env::split_paths(&path).any(|d| d.join(name).is_file());
        NAMES.into_iter().find(found).map(str::to_owned)
    };
    let command = set.or_else(installed);
    if command.is_none() {
        assert!(
            std::env::var_os("VERISPEC_REQUIRE_BROWSER").is_none(),
            "VERISPEC_REQUIRE_BROWSER is set and there is no Chromium"
        );
        eprintln!("skipped: no Chromium is installed (Debian: apt-get install chromium)");
    }
    command
}

impl Browser {
    pub fn start(command: &str, (width, height): (u32, u32)) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut child = Command::new(command)
            .args([
                "--headless",
                "--hide-scrollbars",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
            ])
            .args([
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--remote-debugging-port=0",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("--window-size={width},{height}"))
            .arg("about:blank")
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let address = address(&mut child);
        let mut browser = Self {
            child,
            socket: Socket::open(&address),
            session: String::new(),
            next: 0,
            events: vec![],
            _profile: profile,
        };
        let targets = browser.send("Target.getTargets", json!({}));
        let infos = targets["targetInfos"].as_array().unwrap();
        let page = infos.iter().find(|t| t["type"] == "page").unwrap()["targetId"].clone();
        let attached = browser.send(
            "Target.attachToTarget",
            json!({"targetId": page, "flatten": true}),
        );
        attached["sessionId"]
            .as_str()
            .unwrap()
            .clone_into(&mut browser.session);
        for domain in ["Page", "Log", "Runtime", "Network"] {
            browser.send(&format!("{domain}.enable"), json!({}));
        }
        browser.send(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}),
        );
        browser
    }

    /// Sends a command and waits for its answer.
    pub fn send(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut message = json!({"id": self.next, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.socket.write(&message.to_string());
        loop {
            let answer: Value = serde_json::from_str(&self.socket.read()).unwrap();
            if answer["id"] == json!(self.next) {
                return answer;
            }
            self.events.push(answer);
        }
    }

    /// Value of an expression in the page; promises are awaited.
    pub fn eval(&mut self, expression: &str) -> Value {
        self.look(expression).expect("the page stays")
    }

    /// The same; `None` if the page that was asked gave way to another meanwhile.
    fn look(&mut self, expression: &str) -> Option<Value> {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.ask("Runtime.evaluate", params);
        if answer["error"]["message"] == "Inspected target navigated or closed" {
            return None;
        }
        assert!(answer["error"].is_null(), "{expression}: {answer}");
        let result = &answer["result"];
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {answer}"
        );
        Some(result["result"]["value"].clone())
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let start = Instant::now();
        while self.look(expression) != Some(json!(true)) {
            assert!(start.elapsed() < PATIENCE, "never true: {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Opens a file, with what stands behind `#`, and waits until its instances can be filtered.
    pub fn open(&mut self, file: &Path, hash: &str) {
        // Away first: another fragment alone would not load the page again.
        self.send("Page.navigate", json!({"url": "about:blank"}));
        let url = format!("file://{}{hash}", file.display());
        self.send("Page.navigate", json!({"url": url}));
        self.wait("document.documentElement?.dataset.ready === 'true'");
    }

    /// Presses a key.
    pub fn key(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            let mut params = json!({"type": kind, "key": key});
            if key.chars().count() == 1 && kind == "keyDown" {
                params["text"] = json!(key);
            }
            self.send("Input.dispatchKeyEvent", params);
        }
    }

    /// Addresses of everything that was asked for, apart from data.
    pub fn requests(&mut self) -> Vec<String> {
        self.eval("1");
        let sent = self
            .events
            .iter()
            .filter(|e| e["method"] == "Network.requestWillBeSent");
        let urls = sent.filter_map(|e| e["params"]["request"]["url"].as_str());
        urls.filter(|u| !u.starts_with("data:"))
            .map(str::to_owned)
            .collect()
    }

    /// What the console and the page complained about.
    pub fn complaints(&mut self) -> Vec<Value> {
        self.eval("1");
        let bad = |e: &&Value| {
            matches!(
                e["method"].as_str(),
                Some("Log.entryAdded" | "Runtime.exceptionThrown" | "Runtime.consoleAPICalled")
            )
        };
        self.events.iter().filter(bad).cloned().collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where the browser listens, as it says on its error stream.
fn address(child: &mut Child) -> String {
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let said = "DevTools listening on ws://";
    let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
        line.find(said)
            .map(|at| line[at + said.len()..].trim().to_owned())
    });
    // Whatever else it says has to go somewhere, or it blocks.
    std::thread::spawn(move || lines.for_each(drop));
    address.expect("the browser starts")
}

/// The few parts of RFC 6455 that a client on the loopback interface needs.
struct Socket(BufReader<TcpStream>);

impl Socket {
    fn open(address: &str) -> Self {
        let (host, path) = address.split_once('/').unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let request = format!(
            "GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            assert!(
                reader.read_line(&mut line).unwrap() > 0,
                "the browser hung up"
            );
        }
        Self(reader)
    }

    /// One masked text frame; the mask may be 0.
    fn write(&mut self, text: &str) {
        let length = text.len();
        let mut frame = vec![0x81];
        match length {
            0..126 => frame.push(0x80 | u8::try_from(length).unwrap()),
            126..65_536 => {
                frame.push(0x80 | 126);
                frame.extend(u16::try_from(length).unwrap().to_be_bytes());
            }
            _ => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(text.as_bytes());
        self.0.get_mut().write_all(&frame).unwrap();
    }

    /// The next text message, which may come in several frames.
    fn read(&mut self) -> String {
        let mut text = vec![];
        loop {
            let [first, second] = self.bytes();
            let length = match second & 0x7f {
                126 => usize::from(u16::from_be_bytes(self.bytes())),
                127 => usize::try_from(u64::from_be_bytes(self.bytes())).unwrap(),
                n => usize::from(n),
            };
            let mut content = vec![0; length];
            self.0.read_exact(&mut content).unwrap();
            if first & 0x0f <= 2 {
                text.append(&mut content);
                if first & 0x80 != 0 {
                    return String::from_utf8(text).unwrap();
                }
            }
        }
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes).unwrap();
        bytes
    }
}
