//! HTTP against a small server of our own: what goes over the wire, and what each fault becomes.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use bytes::Bytes;
use common::{judge, one_each, request};
use secrecy::SecretString;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use verispec_engine::execute::{Lane, Setup, execute, read_all};
use verispec_engine::ledger::{LEDGER_FILE, Ledger, RunLock};
use verispec_engine::transport::{
    Attempted, Failure, HttpOptions, HttpTransport, ImageSource, SourceImage, Transport as _,
};
use verispec_model::{
    ApiErrorKind, Hash, ImagePart, ImageRole, Part, Reply, Request, Settled, request_key,
};

const KEY: &str = "sk-test-0123456789";

/// A request as it came over the wire.
#[derive(Debug, Clone)]
struct Seen {
    line: String,
    headers: HashMap<String, String>,
    body: Vec<u8>,
}

/// What the server does with a request.
#[derive(Debug, Clone)]
enum Act {
    Answer(String),
    /// Reads and never answers.
    Stall,
    /// Sends the head and half of the body, then nothing.
    StallInBody,
    /// Closes without a word.
    Close,
}

fn answer(status: &str, headers: &str, body: &str) -> Act {
    let length = body.len();
    Act::Answer(format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         {headers}\r\n{body}"
    ))
}

fn chat(text: &str) -> Act {
    let body = serde_json::json!({
        "model": "served-model",
        "system_fingerprint": "fp_1",
        "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 2},
    });
    answer("200 OK", "", &body.to_string())
}

struct Server {
    url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    async fn start(act: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(vec![]));
        let (act, sink) = (Arc::new(act), seen.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (act, sink) = (act.clone(), sink.clone());
                tokio::spawn(async move { serve(stream, &*act, &sink).await });
            }
        });
        Self { url, seen }
    }

    fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

async fn serve(
    mut stream: TcpStream,
    act: &(dyn Fn(&Seen) -> Act + Send + Sync),
    sink: &Mutex<Vec<Seen>>,
) {
    while let Some(seen) = read_request(&mut stream).await {
        sink.lock().unwrap().push(seen.clone());
        match act(&seen) {
            Act::Answer(text) => stream.write_all(text.as_bytes()).await.unwrap(),
            Act::Stall => return std::future::pending().await,
            Act::StallInBody => {
                let half = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"choices\":";
                stream.write_all(half.as_bytes()).await.unwrap();
                return std::future::pending().await;
            }
            Act::Close => return,
        }
    }
}

async fn read_request(stream: &mut TcpStream) -> Option<Seen> {
    let mut bytes = vec![];
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            break end;
        }
        let mut piece = [0; 4096];
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return None,
            Ok(n) => bytes.extend_from_slice(&piece[..n]),
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let line = lines.next().unwrap().to_owned();
    let headers: HashMap<_, _> = lines
        .filter_map(|l| l.split_once(": "))
        .map(|(n, v)| (n.to_lowercase(), v.to_owned()))
        .collect();
    let length: usize = headers["content-length"].parse().unwrap();
    let mut body = bytes[end + 4..].to_vec();
    let have = body.len();
    body.resize(length, 0);
    stream.read_exact(&mut body[have..]).await.unwrap();
    Some(Seen {
        line,
        headers,
        body,
    })
}

/// One image for every part.
struct OneImage(Bytes);

impl ImageSource for OneImage {
    fn load(&self, part: &ImagePart) -> Result<SourceImage, String> {
        if part.path.ends_with("gone.png") {
            return Err(format!("{}: no such file", part.path.display()));
        }
        let encoder = Some("test-encoder".to_owned());
        Ok(SourceImage {
            mime: "image/png".into(),
            bytes: self.0.clone(),
            encoder,
        })
    }
}

fn options() -> HttpOptions {
    HttpOptions {
        timeout: Duration::from_secs(20),
        ..HttpOptions::default()
    }
}

fn transport_to(url: &str, image: &[u8], options: HttpOptions) -> HttpTransport {
    let dialect = verispec_providers::dialect("openai").unwrap();
    let images = Arc::new(OneImage(Bytes::copy_from_slice(image)));
    HttpTransport::new(dialect, url, Some(SecretString::from(KEY)), images, options).unwrap()
}

fn with_image(name: &str) -> Request {
    let image = ImagePart {
        path: PathBuf::from(name).into(),
        source: Hash::of(b"image"),
        profile: "original@1".into(),
        role: ImageRole::Output,
    };
    let parts = vec![Part::Image(image), Part::Text("Is it red?".into())];
    Request {
        parts,
        ..request(&judge("m"), "")
    }
}

async fn attempt(act: Act, options: HttpOptions) -> Attempted {
    let server = Server::start(move |_| act.clone()).await;
    let transport = transport_to(&server.url, b"", options);
    transport.send(&request(&judge("m"), "Is it red?")).await
}

fn failure(attempted: Attempted) -> Failure {
    attempted.result.unwrap_err()
}

fn kind(failure: &Failure) -> ApiErrorKind {
    match failure {
        Failure::Api { error, .. } => error.kind,
        other => panic!("not an answer of the provider: {other}"),
    }
}

#[tokio::test]
async fn a_large_image_is_streamed_with_its_exact_length() {
    let server = Server::start(|_| chat("Yes")).await;
    let image: Vec<u8> = (0..3_000_001_u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    // Twice: the second goes over the same connection.
    let transport = transport_to(&server.url, &image, options());
    for _ in 0..2 {
        let attempted = transport.send(&with_image("a.png")).await;
        let reply = attempted.result.unwrap();
        assert_eq!((reply.text.as_str(), reply.usage.input), ("Yes", Some(11)));
        assert_eq!(reply.served_model.as_deref(), Some("served-model"));
        let seen = server.seen().pop().unwrap();
        assert_eq!(attempted.sending.body_hash, Some(Hash::of(&seen.body)));
        assert_eq!(attempted.sending.encoder.as_deref(), Some("test-encoder"));
        assert_eq!(
            attempted.sending.endpoint.as_deref(),
            Some(server.url.as_str())
        );
    }
    for seen in server.seen() {
        assert!(
            seen.line.starts_with("POST /v1/chat/completions HTTP/1.1"),
            "{}",
            seen.line
        );
        assert_eq!(seen.headers["content-length"], seen.body.len().to_string());
        assert!(!seen.headers.contains_key("transfer-encoding"));
        let body: serde_json::Value = serde_json::from_slice(&seen.body).unwrap();
        let url = body["messages"][0]["content"][0]["image_url"]["url"]
            .as_str()
            .unwrap();
        let text = url.strip_prefix("data:image/png;base64,").unwrap();
        assert_eq!(
            base64::engine::general_purpose::STANDARD
                .decode(text)
                .unwrap(),
            image
        );
    }
}

#[tokio::test]
async fn the_key_stands_in_its_header_and_nowhere_else() {
    let server = Server::start(|_| {
        let body = format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}"}}}}"#);
        answer("401 Unauthorized", "", &body)
    })
    .await;
    let transport = transport_to(&server.url, b"", options());
    assert!(!format!("{transport:?}").contains(KEY));
    let attempted = transport.send(&request(&judge("m"), "q")).await;
    let seen = server.seen().pop().unwrap();
    assert_eq!(seen.headers["authorization"], format!("Bearer {KEY}"));
    assert!(!String::from_utf8(seen.body).unwrap().contains(KEY));
    assert!(!format!("{attempted:?}").contains(KEY), "{attempted:?}");
    assert_eq!(kind(&failure(attempted)), ApiErrorKind::Auth);
}

#[tokio::test]
async fn a_key_that_no_header_can_carry_is_refused_without_showing_it() {
    let dialect = verispec_providers::dialect("openai").unwrap();
    let images = Arc::new(OneImage(Bytes::new()));
    let key = Some(SecretString::from("secret\nvalue"));
    let error = HttpTransport::new(dialect, "http://127.0.0.1:1", key, images, options());
    let error = error.unwrap_err().to_string();
    assert!(!error.contains("secret"), "{error}");
}

#[tokio::test]
async fn a_rate_limit_says_how_long_to_wait() {
    let act = answer(
        "429 Too Many Requests",
        "Retry-After: 7\r\n",
        r#"{"error":{"message":"slow"}}"#,
    );
    let failure = failure(attempt(act, options()).await);
    assert_eq!(kind(&failure), ApiErrorKind::RateLimit);
    let Failure::Api { retry_after, .. } = failure else {
        unreachable!()
    };
    assert_eq!(retry_after, Some(Duration::from_secs(7)));
}

#[tokio::test]
async fn a_silent_server_times_out_before_and_inside_the_answer() {
    let timeout = Duration::from_millis(300);
    let short = HttpOptions {
        timeout,
        ..options()
    };
    for act in [Act::Stall, Act::StallInBody] {
        let attempted = attempt(act, short).await;
        assert_eq!(attempted.result, Err(Failure::TimedOut(timeout)));
        assert!(
            attempted.sending.body_hash.is_some(),
            "the body was sent in full"
        );
    }
}

#[tokio::test]
async fn nobody_there_and_a_dropped_connection_are_no_answers() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let refused = transport_to(&url, b"", options())
        .send(&request(&judge("m"), "q"))
        .await;
    for attempted in [refused, attempt(Act::Close, options()).await] {
        assert!(attempted.raw.is_none());
        assert!(matches!(failure(attempted), Failure::Unreachable(_)));
    }
}

#[tokio::test]
async fn a_connection_closed_without_a_word_is_tried_once_more_at_once() {
    let calls = Arc::new(AtomicUsize::new(0));
    let count = calls.clone();
    let server = Server::start(move |_| match count.fetch_add(1, Ordering::SeqCst) {
        1 => Act::Close,
        _ => chat("Yes"),
    })
    .await;
    let transport = transport_to(&server.url, b"", options());
    for question in ["first", "second, on the connection of the first"] {
        let attempted = transport.send(&request(&judge("m"), question)).await;
        assert_eq!(attempted.result.unwrap().text, "Yes");
    }
    assert_eq!(calls.load(Ordering::SeqCst), 3);
    let bodies: Vec<_> = server.seen().into_iter().map(|s| s.body).collect();
    assert_eq!(bodies[1], bodies[2]);

    let server = Server::start(|_| Act::Close).await;
    let transport = transport_to(&server.url, b"", options());
    let attempted = transport.send(&request(&judge("m"), "q")).await;
    assert!(matches!(failure(attempted), Failure::Unreachable(_)));
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let other = Server::start(|_| chat("Yes")).await;
    let location = format!("Location: {}/chat/completions\r\n", other.url);
    let failure =
        failure(attempt(answer("307 Temporary Redirect", &location, ""), options()).await);
    assert_eq!(kind(&failure), ApiErrorKind::NotFound);
    assert!(other.seen().is_empty(), "the key went to another server");
}

#[tokio::test]
async fn an_answer_without_end_is_cut_off() {
    let small = HttpOptions {
        max_reply: 1000,
        ..options()
    };
    let failure = failure(attempt(chat(&"x".repeat(5000)), small).await);
    assert_eq!(kind(&failure), ApiErrorKind::Malformed);
}

#[tokio::test]
async fn a_missing_image_is_never_sent() {
    let server = Server::start(|_| chat("Yes")).await;
    let transport = transport_to(&server.url, b"x", options());
    let attempted = transport.send(&with_image("gone.png")).await;
    let expected = Failure::Unsendable("gone.png: no such file".into());
    assert_eq!(failure(attempted), expected);
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn an_unknown_parameter_is_a_configuration_error() {
    let server = Server::start(|_| chat("Yes")).await;
    let transport = transport_to(&server.url, b"", options());
    let mut identity = (*judge("m")).clone();
    identity
        .params
        .insert("no_such_parameter".into(), serde_json::json!(1));
    let attempted = transport.send(&request(&Arc::new(identity), "q")).await;
    let Failure::Config(message) = failure(attempted) else {
        panic!("was sent")
    };
    assert!(message.contains("no_such_parameter"), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_over_http_is_stored_raw_and_read_back() {
    let dir = tempfile::tempdir().unwrap();
    let failures = Arc::new(Mutex::new(0));
    let server = Server::start(move |seen| {
        let mut failures = failures.lock().unwrap();
        if *failures < 3 {
            *failures += 1;
            return answer(
                "503 Service Unavailable",
                "Retry-After: 0\r\n",
                "<html>busy</html>",
            );
        }
        let body: serde_json::Value = serde_json::from_slice(&seen.body).unwrap();
        chat(&format!(
            "about {}",
            body["messages"][0]["content"][0]["text"]
                .as_str()
                .unwrap_or_else(|| body["messages"][0]["content"].as_str().unwrap())
        ))
    })
    .await;
    let judge = judge("m");
    let jobs = one_each(&judge, (0..40).map(|i| format!("item {i}")));
    let lock = RunLock::acquire(dir.path()).unwrap();
    let transport = Arc::new(transport_to(&server.url, b"", options()));
    let setup = Setup::new(vec![Lane::new(judge.clone(), transport, 8)]);
    let done = execute(&jobs, &lock, setup).await.unwrap();
    assert!(done.summary.is_complete(), "{:?}", done.summary);
    assert_eq!(done.summary.calls_made(), 43);
    for (job, step) in jobs.iter().zip(read_all(&jobs, &done.replies)) {
        let Some(Settled::Answered(Reply { text, .. })) = &step.readings[0] else {
            panic!()
        };
        assert_eq!(*text, format!("about {}", job.id));
    }
    let ledger = Ledger::open_read(&dir.path().join(LEDGER_FILE)).unwrap();
    let totals = ledger.totals().unwrap();
    assert_eq!(totals.usage.input, Some(40 * 11));
    let attempts = ledger.attempts(&request_key(&jobs[7].requests[0])).unwrap();
    let raw = attempts.last().unwrap().raw.clone().unwrap();
    assert_eq!((&*raw.dialect, raw.status), ("openai", 200));
    assert!(
        String::from_utf8(raw.body.to_vec())
            .unwrap()
            .contains("about item 7")
    );
    let bytes = std::fs::read(dir.path().join(LEDGER_FILE)).unwrap();
    assert!(
        !bytes.windows(KEY.len()).any(|w| w == KEY.as_bytes()),
        "the key is in the ledger"
    );
}

#[test]
fn a_proxy_is_not_used_for_this_machine() {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_behind_a_dead_proxy", "--ignored"])
        .env("HTTP_PROXY", "http://127.0.0.1:9")
        .env("http_proxy", "http://127.0.0.1:9")
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}

#[tokio::test]
#[ignore = "run by a_proxy_is_not_used_for_this_machine"]
async fn child_behind_a_dead_proxy() {
    assert_eq!(
        attempt(chat("Yes"), options()).await.result.unwrap().text,
        "Yes"
    );
}

#[tokio::test]
async fn azure_addresses_carry_their_version_and_take_their_key_in_a_header_of_its_own() {
    let server = Server::start(|_| chat("Yes")).await;
    let base = server.url.trim_end_matches("/v1");
    let url = format!("{base}/openai/deployments/d?api-version=2024-10-21");
    let transport = transport_to(&url, b"", options());
    let attempted = transport.send(&request(&judge("m"), "Is it red?")).await;
    assert_eq!(attempted.result.unwrap().text, "Yes");
    let seen = &server.seen()[0];
    let path = "/openai/deployments/d/chat/completions?api-version=2024-10-21";
    assert_eq!(seen.line, format!("POST {path} HTTP/1.1"));
    assert_eq!(seen.headers.get("api-key").map(String::as_str), Some(KEY));
    assert!(!seen.headers.contains_key("authorization"));
}
