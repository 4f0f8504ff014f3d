//! The server around the answers.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use axum::routing::get;
use bytes::Bytes;
use futures_util::Stream;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::time::{Sleep, sleep};
use verispec_model::Hash;

use super::answer;
use super::conn::{Conn, Resettable};
use super::fault::{Arrival, Fault, draw};
use super::log::{InFlight, LogEntry, Shared};
use super::making;
use super::wire::{self, Style};

/// Serves until told to stop. Connections are cut then, not drained.
pub(super) fn run(
    listener: std::net::TcpListener,
    shared: Arc<Shared>,
    threads: usize,
    stopped: oneshot::Receiver<()>,
) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
        let router = Router::new()
            .route("/health", get(async || "ok"))
            .route("/log", get(show_log))
            .fallback(judge)
            .with_state(shared);
        let service = router.into_make_service_with_connect_info::<Conn>();
        tokio::select! {
            served = axum::serve(Resettable(listener), service) => {
                let never: Result<(), io::Error> = served;
                never.expect("serving does not end by itself");
            }
            _ = stopped => {}
        }
    });
    runtime.shutdown_background();
}

async fn show_log(State(shared): State<Arc<Shared>>) -> Response {
    let body = json!({ "counters": shared.counters(), "log": shared.log() });
    plain(StatusCode::OK, "application/json", body.to_string())
}

fn plain(status: StatusCode, content_type: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let value = header::HeaderValue::from_static(content_type);
    response.headers_mut().insert(header::CONTENT_TYPE, value);
    response
}

async fn judge(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(conn): ConnectInfo<Conn>,
    request: Request,
) -> Result<Response, Infallible> {
    let flight = InFlight::begin(Arc::clone(&shared));
    let (head, body) = request.into_parts();
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        // The client went away while sending; nobody reads this answer.
        return Ok(plain(
            StatusCode::BAD_REQUEST,
            "text/plain",
            "incomplete body",
        ));
    };
    let path = head.uri.path();
    let style = wire::style_of(path);
    let hash = Hash::of(&body);
    let attempt = shared.attempt(hash);
    let mut entry = LogEntry {
        n: 0,
        at_ms: 0,
        dialect: style.map_or("", Style::name).to_owned(),
        model: String::new(),
        body: hash,
        body_len: body.len() as u64,
        attempt,
        status: 200,
        fault: None,
        ids: Vec::new(),
    };
    let faults = &shared.config.faults;
    sleep(
        shared
            .config
            .latency
            .wait(draw(faults.seed, "latency", hash.as_bytes(), attempt)),
    )
    .await;
    let mut played = Played {
        style,
        fault: None,
        entry: &mut entry,
        flight: &flight,
    };
    let answer = played.answer(path, &head.headers, &body);
    let fault = played.fault;
    entry.fault = fault.map(Fault::name);
    entry.status = answer.status;
    if fault == Some(Fault::Stall) {
        std::future::pending::<()>().await;
    }
    if fault == Some(Fault::Reset) {
        conn.reset();
    }
    Ok(send(&shared, answer, entry, flight, conn, fault))
}

/// An answer before it is sent.
struct Answer {
    status: u16,
    content_type: &'static str,
    pieces: Vec<String>,
}

/// A request while its answer is made.
struct Played<'a> {
    style: Option<Style>,
    fault: Option<Fault>,
    entry: &'a mut LogEntry,
    flight: &'a InFlight,
}

impl Played<'_> {
    fn answer(&mut self, path: &str, headers: &HeaderMap, body: &Bytes) -> Answer {
        let Some(style) = self.style else {
            return self.error(404, &format!("no such address: {path}"));
        };
        let config = &self.flight.shared().config;
        if config
            .api_key
            .as_deref()
            .is_some_and(|key| sent_key(style, headers) != Some(key))
        {
            return self.error(401, "Incorrect API key provided");
        }
        let incoming = match wire::read(style, path, body) {
            Ok(incoming) => incoming,
            Err(message) => return self.error(400, &message),
        };
        self.entry.model.clone_from(&incoming.prompt.model);
        self.fault = config.faults.choose(&Arrival {
            before: self.flight.before,
            in_flight: self.flight.in_flight,
            body: self.entry.body,
            attempt: self.entry.attempt,
            text: &incoming.prompt.text,
        });
        if let Some(answer) = self.fault.and_then(|fault| self.failure(fault)) {
            return answer;
        }
        if config.makes || style == Style::Images {
            return self.made(style, &incoming);
        }
        let Some(asked) = (config.find)(&incoming.prompt) else {
            return self.error(400, "no question found in the prompt");
        };
        self.entry.ids = asked.questions.iter().map(|q| q.id).collect();
        let content = answer::content(&config.answers, &incoming.prompt, &asked, self.fault);
        let rendered = wire::answer(style, &incoming, &content);
        Answer {
            status: 200,
            content_type: rendered.content_type,
            pieces: rendered.pieces,
        }
    }

    /// What a model under test makes.
    fn made(&self, style: Style, incoming: &wire::Incoming) -> Answer {
        if style == Style::Images && self.fault == Some(Fault::Refusal) {
            return Answer {
                status: 400,
                content_type: "application/json",
                pieces: vec![making::refusal().to_string()],
            };
        }
        let prompt = &incoming.prompt;
        let rendered = match making::answer(style, prompt, self.fault) {
            Some(body) => wire::Rendered {
                content_type: "application/json",
                pieces: vec![body.to_string()],
            },
            None => wire::answer(style, incoming, &making::content(prompt, self.fault)),
        };
        Answer {
            status: 200,
            content_type: rendered.content_type,
            pieces: rendered.pieces,
        }
    }

    /// Answers of faults that replace the whole answer.
    fn failure(&self, fault: Fault) -> Option<Answer> {
        match fault {
            Fault::RateLimited => Some(self.error(429, "Rate limit reached")),
            Fault::ServerError => Some(self.error(500, "The server had an error")),
            Fault::BadRequest => Some(self.error(400, "The request is invalid")),
            Fault::Unauthorized => Some(self.error(401, "Incorrect API key provided")),
            Fault::HtmlError => Some(Answer {
                status: 502,
                content_type: "text/html",
                pieces: vec!["<html><head><title>502 Bad Gateway</title></head></html>".into()],
            }),
            Fault::InBandError => Some(Answer {
                status: 200,
                ..self.error(500, "The engine is overloaded")
            }),
            Fault::Reset | Fault::Stall => Some(Answer {
                status: 0,
                content_type: "text/plain",
                pieces: vec![],
            }),
            _ => None,
        }
    }

    fn error(&self, status: u16, message: &str) -> Answer {
        let body: Value = wire::error(self.style, status, message);
        Answer {
            status,
            content_type: "application/json",
            pieces: vec![body.to_string()],
        }
    }
}

fn sent_key(style: Style, headers: &HeaderMap) -> Option<&str> {
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok());
    match style {
        Style::Gemini => text("x-goog-api-key"),
        Style::Anthropic => text("x-api-key"),
        _ => text("authorization")?.strip_prefix("Bearer "),
    }
}

fn send(
    shared: &Shared,
    answer: Answer,
    entry: LogEntry,
    flight: InFlight,
    conn: Conn,
    fault: Option<Fault>,
) -> Response {
    let faults = &shared.config.faults;
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let mut pieces: VecDeque<Bytes> = answer.pieces.into_iter().map(Bytes::from).collect();
    let whole: usize = pieces.iter().map(Bytes::len).sum();
    let mut pause = Duration::ZERO;
    if matches!(fault, Some(Fault::Trickle | Fault::ResetMidway)) {
        pause = faults.trickle;
        pieces = pieces.iter().flat_map(cut).collect();
    }
    if fault == Some(Fault::ResetMidway) {
        pieces.truncate(pieces.len().div_ceil(2));
    }
    let reset = Some(conn).filter(|_| matches!(fault, Some(Fault::Reset | Fault::ResetMidway)));
    let body = Sending {
        pieces,
        pause,
        sleep: None,
        reset,
        entry: Some(entry),
        flight,
    };
    let mut response = plain(status, answer.content_type, Body::from_stream(body));
    if fault != Some(Fault::Trickle) {
        let length = header::HeaderValue::from(whole);
        response
            .headers_mut()
            .insert(header::CONTENT_LENGTH, length);
    }
    if let (429, Some(value)) = (answer.status, &faults.retry_after) {
        let value = header::HeaderValue::from_str(value).expect("a header value");
        response.headers_mut().insert(header::RETRY_AFTER, value);
    }
    response
}

/// About eight pieces.
fn cut(bytes: &Bytes) -> Vec<Bytes> {
    let size = bytes.len().div_ceil(8).max(1);
    (0..bytes.len())
        .step_by(size)
        .map(|at| bytes.slice(at..bytes.len().min(at + size)))
        .collect()
}

/// A body on its way. When the last piece is taken, the request is completed; when the client
/// goes away before, it never is.
struct Sending {
    pieces: VecDeque<Bytes>,
    pause: Duration,
    sleep: Option<Pin<Box<Sleep>>>,
    /// Reset this connection instead of ending.
    reset: Option<Conn>,
    entry: Option<LogEntry>,
    flight: InFlight,
}

impl Stream for Sending {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(sleep) = &mut self.sleep {
            ready!(sleep.as_mut().poll(cx));
            self.sleep = None;
        }
        if let Some(piece) = self.pieces.pop_front() {
            if !self.pause.is_zero() {
                self.sleep = Some(Box::pin(sleep(self.pause)));
            }
            return Poll::Ready(Some(Ok(piece)));
        }
        Poll::Ready(self.reset.as_ref().map(|conn| {
            conn.reset();
            Err(io::ErrorKind::ConnectionReset.into())
        }))
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        let whole = self.pieces.is_empty() && self.reset.is_none();
        if let Some(entry) = self.entry.take().filter(|_| whole) {
            self.flight.shared().complete(entry);
        }
    }
}
