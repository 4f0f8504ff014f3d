//! A data hub on this machine, with a store on another port that it redirects to, and faults.

use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use sha1::Sha1;
use sha2::{Digest as _, Sha256};
use tokio::sync::oneshot;

/// Commit that every revision of a [`FakeHub`] stands for.
pub const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// A file of the hub's one repository.
#[derive(Debug, Clone)]
pub struct HubFile {
    /// Path as listed, also one that no hub should list.
    pub path: String,
    /// Content.
    pub bytes: Vec<u8>,
    /// Whether it lies in large-file storage: listed with SHA-256, served by the store.
    pub large: bool,
    /// What goes wrong, once each, in this order; then it is served well.
    pub faults: Vec<HubFault>,
}

impl HubFile {
    /// A file without faults.
    #[must_use]
    pub fn new(path: &str, bytes: impl Into<Vec<u8>>, large: bool) -> Self {
        Self {
            path: path.to_owned(),
            bytes: bytes.into(),
            large,
            faults: vec![],
        }
    }

    /// The same with faults.
    #[must_use]
    pub fn with_faults(self, faults: impl IntoIterator<Item = HubFault>) -> Self {
        Self {
            faults: faults.into_iter().collect(),
            ..self
        }
    }
}

/// What may go wrong with one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HubFault {
    /// The connection breaks after so many bytes.
    CutAfter(usize),
    /// The first byte is another one.
    Wrong,
    /// More bytes than listed.
    Longer,
    /// The whole file although a part was asked for.
    IgnoreRange,
    /// An error status.
    Status(u16),
}

/// A hub with one repository.
#[derive(Debug, Clone)]
pub struct HubConfig {
    /// `datasets` or `models`.
    pub kind: &'static str,
    /// `owner/name`.
    pub repo: String,
    /// Files.
    pub files: Vec<HubFile>,
    /// Entries on one page of the listing, at least 1.
    pub page: usize,
    /// The token it wants; without it, everything is answered with 401.
    pub token: Option<String>,
    /// Whether its refusals say that terms have to be accepted.
    pub gated: bool,
    /// Address that the listing's next page is said to have, instead of the right one.
    pub next_page: Option<String>,
}

impl HubConfig {
    /// A public data set `owner/data` with these files.
    #[must_use]
    pub fn new(files: Vec<HubFile>) -> Self {
        Self {
            kind: "datasets",
            repo: "owner/data".to_owned(),
            files,
            page: 1_000,
            token: None,
            gated: false,
            next_page: None,
        }
    }
}

/// A request as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubRequest {
    /// Whether it came to the store instead of the hub.
    pub to_store: bool,
    /// Path, decoded.
    pub path: String,
    /// `Authorization`.
    pub authorization: Option<String>,
    /// `Range`.
    pub range: Option<String>,
}

/// A running hub. Stops when dropped.
#[derive(Debug)]
pub struct FakeHub {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    config: HubConfig,
    store: SocketAddr,
    served: Mutex<HashMap<String, usize>>,
    log: Mutex<Vec<HubRequest>>,
}

impl FakeHub {
    /// Starts serving on two ports of 127.0.0.1.
    ///
    /// # Panics
    /// When ports or a thread are not to be had.
    #[must_use]
    pub fn start(config: HubConfig) -> Self {
        let listen = || {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
            listener
                .set_nonblocking(true)
                .expect("a non-blocking socket");
            let address = listener.local_addr().expect("an address");
            (listener, address)
        };
        let ((hub, address), (store, store_address)) = (listen(), listen());
        let shared = Arc::new(Shared {
            config,
            store: store_address,
            served: Mutex::default(),
            log: Mutex::default(),
        });
        let (stop, stopped) = oneshot::channel();
        let state = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("fake-hub".to_owned())
            .spawn(move || run(hub, store, state, stopped))
            .expect("a thread");
        Self {
            address,
            shared,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Address for `HF_ENDPOINT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Requests so far, in order of arrival.
    #[must_use]
    pub fn log(&self) -> Vec<HubRequest> {
        self.shared
            .log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Drop for FakeHub {
    fn drop(&mut self) {
        if let (Some(stop), Some(thread)) = (self.stop.take(), self.thread.take()) {
            let _ = stop.send(());
            let _ = thread.join();
        }
    }
}

fn run(hub: TcpListener, store: TcpListener, shared: Arc<Shared>, stopped: oneshot::Receiver<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let listener = |l| tokio::net::TcpListener::from_std(l).expect("a listener");
        let router = |to_store| {
            Router::new()
                .fallback(answer)
                .with_state((Arc::clone(&shared), to_store))
        };
        tokio::select! {
            _ = async { axum::serve(listener(hub), router(false)).await } => {}
            _ = async { axum::serve(listener(store), router(true)).await } => {}
            _ = stopped => {}
        }
    });
    runtime.shutdown_background();
}

async fn answer(
    State((shared, to_store)): State<(Arc<Shared>, bool)>,
    request: Request,
) -> Response {
    let text = |name| Some(request.headers().get(name)?.to_str().ok()?.to_owned());
    let seen = HubRequest {
        to_store,
        path: decode(request.uri().path()),
        authorization: text(header::AUTHORIZATION),
        range: text(header::RANGE),
    };
    let mut log = shared.log.lock().unwrap_or_else(PoisonError::into_inner);
    log.push(seen.clone());
    drop(log);
    match to_store {
        true => shared.stored(&seen),
        false => shared.hub(&seen, request.uri().query().unwrap_or_default()),
    }
}

impl Shared {
    fn hub(&self, seen: &HubRequest, query: &str) -> Response {
        let config = &self.config;
        let wanted = config.token.as_ref().map(|t| format!("Bearer {t}"));
        if wanted.is_some() && seen.authorization != wanted {
            let code = if config.gated {
                "GatedRepo"
            } else {
                "RepoNotFound"
            };
            return reply(
                401,
                &[("x-error-code", code), ("x-error-message", "no access")],
                "",
            );
        }
        let api = format!("/api/{}/{}", config.kind, config.repo);
        if let Some(rest) = seen.path.strip_prefix(&api) {
            return match rest {
                "/revision/main" => reply(200, &[], json!({ "sha": COMMIT }).to_string()),
                _ if rest == format!("/tree/{COMMIT}") => self.tree(query),
                _ => reply(404, &[("x-error-message", "Invalid rev id")], ""),
            };
        }
        let before = if config.kind == "models" {
            ""
        } else {
            "/datasets"
        };
        let resolve = format!("{before}/{}/resolve/{COMMIT}/", config.repo);
        let file = seen
            .path
            .strip_prefix(&resolve)
            .and_then(|path| self.file(path));
        match file {
            None => reply(404, &[("x-error-message", "Repository not found")], ""),
            Some(file) if file.large => {
                let to = format!(
                    "http://{}/store/{}?signature=s",
                    self.store,
                    encode(&file.path)
                );
                reply(302, &[("location", &to)], "")
            }
            Some(file) => self.content(file, seen),
        }
    }

    fn stored(&self, seen: &HubRequest) -> Response {
        match seen
            .path
            .strip_prefix("/store/")
            .and_then(|path| self.file(path))
        {
            Some(file) => self.content(file, seen),
            None => reply(404, &[], ""),
        }
    }

    fn file(&self, path: &str) -> Option<&HubFile> {
        self.config.files.iter().find(|f| f.path == path)
    }

    /// One page of the listing; folders are listed too, as hubs do.
    fn tree(&self, query: &str) -> Response {
        let from = query
            .split('&')
            .find_map(|p| p.strip_prefix("cursor=")?.parse().ok())
            .unwrap_or(0);
        let folder = json!({ "type": "directory", "path": "eval_data", "size": 0, "oid": "0" });
        let files = self.config.files.iter().map(listed);
        let all: Vec<Value> = std::iter::once(folder).chain(files).collect();
        let to = (from + self.config.page.max(1)).min(all.len());
        let body = Value::from(all[from.min(to)..to].to_vec()).to_string();
        if to == all.len() {
            return reply(200, &[], body);
        }
        let path = format!(
            "/api/{}/{}/tree/{COMMIT}?recursive=true&cursor={to}",
            self.config.kind, self.config.repo
        );
        let next = self.config.next_page.clone().unwrap_or(path);
        reply(200, &[("link", &format!("<{next}>; rel=\"next\""))], body)
    }

    fn content(&self, file: &HubFile, seen: &HubRequest) -> Response {
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        let n = served.entry(file.path.clone()).or_default();
        let fault = file.faults.get(*n).copied();
        *n += 1;
        drop(served);
        let range = seen
            .range
            .as_deref()
            .filter(|_| fault != Some(HubFault::IgnoreRange));
        let from = range.and_then(|r| r.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok());
        let mut bytes = file.bytes.clone();
        match fault {
            Some(HubFault::Status(status)) => return reply(status, &[("retry-after", "0")], ""),
            Some(HubFault::Wrong) => bytes[0] ^= 1,
            Some(HubFault::Longer) => bytes.extend_from_slice(b"more"),
            _ => {}
        }
        if from.is_some_and(|from: usize| from >= bytes.len()) {
            return reply(416, &[], "");
        }
        let body = Bytes::from(bytes[from.unwrap_or(0)..].to_vec());
        let mut response = match fault {
            Some(HubFault::CutAfter(n)) => cut(body, n),
            _ => reply(200, &[], body),
        };
        if let Some(from) = from {
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            let text = format!("bytes {from}-{}/{}", bytes.len() - 1, bytes.len());
            response
                .headers_mut()
                .insert(header::CONTENT_RANGE, text.parse().expect("a header"));
        }
        response
    }
}

/// Says it has all and breaks off.
fn cut(body: Bytes, after: usize) -> Response {
    let length = body.len();
    let first = futures_util::stream::iter([Ok(body.slice(..after.min(length)))]);
    let end = futures_util::stream::once(async {
        // The server only sends what it holds when nothing more is ready.
        tokio::time::sleep(Duration::from_millis(20)).await;
        Err(io::Error::from(io::ErrorKind::ConnectionReset))
    });
    let mut response = Response::new(Body::from_stream(first.chain(end)));
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, length.into());
    response
}

fn listed(file: &HubFile) -> Value {
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let size = file.bytes.len();
    let blob = [format!("blob {size}\0").as_bytes(), &file.bytes].concat();
    let mut entry =
        json!({ "type": "file", "path": file.path, "size": size, "oid": hex(&Sha1::digest(blob)) });
    if file.large {
        let sha256 = hex(&Sha256::digest(&file.bytes));
        entry["oid"] = "1".repeat(40).into();
        entry["lfs"] = json!({ "oid": sha256, "size": size, "pointerSize": 132 });
    }
    entry
}

fn reply(status: u16, headers: &[(&'static str, &str)], body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = StatusCode::from_u16(status).expect("a status");
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.insert(*name, value.parse().expect("a header"));
    }
    *response.headers_mut() = map;
    response
}

fn encode(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/-._~".contains(&b);
    let one = |b: u8| {
        if plain(b) {
            (b as char).to_string()
        } else {
            format!("%{b:02X}")
        }
    };
    path.bytes().map(one).collect()
}

fn decode(path: &str) -> String {
    let (mut bytes, mut rest) = (vec![], path.as_bytes());
    while let [first, tail @ ..] = rest {
        let hex = tail.get(..2).filter(|_| *first == b'%');
        let value = hex.and_then(|h| u8::from_str_radix(std::str::from_utf8(h).ok()?, 16).ok());
        bytes.push(value.unwrap_or(*first));
        rest = if value.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
