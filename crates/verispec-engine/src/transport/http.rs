//! Attempts over HTTP/1.1.

use std::error::Error as _;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::{Bytes, BytesMut};
use reqwest::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
};
use reqwest::{Client, Response};
use secrecy::{ExposeSecret as _, SecretString};
use verispec_model::{ApiErrorKind, Request};
use verispec_providers::{Auth, Dialect, Message, retry_after};

use super::body::{Admission, BodyPieces, SentHash};
use super::endpoint::{TransportError, is_loopback, parse_endpoint, shown};
use super::images::{ImageSource, Loaded, load_all};
use super::{Attempted, BoxFuture, Failure, Transport};
use crate::ledger::{Raw, Sending, now};

/// Bounds of one HTTP transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HttpOptions {
    /// Longest time of one attempt, from connecting to the last byte of the answer.
    pub timeout: Duration,
    /// Longest time to connect.
    pub connect_timeout: Duration,
    /// Largest answer, in bytes.
    pub max_reply: usize,
    /// Most image bytes of all bodies that are not fully sent.
    pub max_unsent: u32,
}

impl Default for HttpOptions {
    /// 180 s, 30 s, 64 MiB, 32 MiB.
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(180),
            connect_timeout: Duration::from_secs(30),
            max_reply: 64 << 20,
            max_unsent: 32 << 20,
        }
    }
}

/// A judge behind an HTTP address.
///
/// No redirects, no proxy for loopback addresses, no retries of its own. The key is sent in a
/// header and stands nowhere else.
pub struct HttpTransport {
    dialect: &'static dyn Dialect,
    endpoint: String,
    /// Azure wants its key in another header; its addresses carry `api-version`.
    azure: bool,
    shown: String,
    key: Option<SecretString>,
    client: Client,
    images: Arc<dyn ImageSource>,
    admission: Admission,
    options: HttpOptions,
}

impl HttpTransport {
    /// Sets up a transport. Nothing is sent.
    ///
    /// # Errors
    /// The address or the key cannot be used.
    pub fn new(
        dialect: &'static dyn Dialect,
        endpoint: &str,
        key: Option<SecretString>,
        images: Arc<dyn ImageSource>,
        options: HttpOptions,
    ) -> Result<Self, TransportError> {
        let url = parse_endpoint(endpoint)?;
        if let Some(key) = &key {
            header_value(key.expose_secret()).ok_or(TransportError::Key)?;
        }
        let mut builder = Client::builder()
            .http1_only()
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .connect_timeout(options.connect_timeout)
            .tcp_nodelay(true)
            .user_agent(concat!("verispec/", env!("CARGO_PKG_VERSION")));
        if is_loopback(&url) {
            builder = builder.no_proxy();
        }
        Ok(Self {
            dialect,
            endpoint: endpoint.trim_end_matches('/').to_owned(),
            azure: url.query_pairs().any(|(name, _)| name == "api-version"),
            shown: shown(&url),
            key,
            client: builder
                .build()
                .map_err(|e| TransportError::Client(e.to_string()))?,
            images,
            admission: Admission::new(options.max_unsent),
            options,
        })
    }

    async fn attempt(&self, request: &Request) -> Attempted {
        let mut sending = Sending {
            endpoint: Some(self.shown.clone()),
            ..Sending::default()
        };
        let mut sent_at = now();
        let prepared = self.prepare(request).await;
        let (result, raw) = match prepared {
            Err(failure) => (Err(failure), None),
            Ok((message, pieces, encoder)) => {
                sending.encoder = encoder;
                sent_at = now();
                let hash = pieces.hash();
                let mut answer = self.exchange(&message, pieces).await;
                sending.body_hash = body_hash(&hash);
                if answer.as_ref().is_err_and(|lost| lost.stale) {
                    answer = self.once_more(request).await;
                }
                self.read(answer.map_err(|lost| lost.failure))
            }
        };
        Attempted {
            result,
            raw,
            sending,
            sent_at,
            received_at: now(),
        }
    }

    /// Loads images, waits for room and renders the body.
    async fn prepare(
        &self,
        request: &Request,
    ) -> Result<(Message, BodyPieces, Option<String>), Failure> {
        let _turn = self.admission.turn().await;
        let loaded = self.load(request).await?;
        let permit = self.admission.admit(loaded.size()).await;
        let mut message = self
            .dialect
            .encode(request, &loaded.images)
            .map_err(|e| Failure::Config(e.to_string()))?;
        let pieces = BodyPieces::new(std::mem::take(&mut message.body), permit);
        Ok((message, pieces, loaded.encoder))
    }

    async fn load(&self, request: &Request) -> Result<Loaded, Failure> {
        let has_image = request
            .parts
            .iter()
            .any(|p| matches!(p, verispec_model::Part::Image(_)));
        if !has_image {
            return Ok(Loaded::default());
        }
        let (images, request) = (self.images.clone(), request.clone());
        tokio::task::spawn_blocking(move || load_all(&*images, &request))
            .await
            .unwrap_or_else(|e| Err(format!("an image could not be prepared: {e}")))
            .map_err(Failure::Unsendable)
    }

    /// Sends a request again whose connection the server had given up: at once, because nothing is
    /// wrong with the server. llama.cpp closes the connection behind every stream without saying
    /// so, and proxies close idle ones.
    async fn once_more(&self, request: &Request) -> Result<Answer, Lost> {
        let (message, pieces, _) = self.prepare(request).await?;
        self.exchange(&message, pieces).await
    }

    /// Sends and receives within the time for one attempt.
    async fn exchange(&self, message: &Message, pieces: BodyPieces) -> Result<Answer, Lost> {
        let headers = self.headers(message, pieces.unsent_len())?;
        let request = self
            .client
            .post(join(&self.endpoint, &message.path))
            .headers(headers)
            .body(reqwest::Body::wrap_stream(futures_util::stream::iter(
                pieces,
            )));
        let answer = async {
            let response = request.send().await.map_err(Lost::sending)?;
            Ok(self.receive(response).await?)
        };
        match tokio::time::timeout(self.options.timeout, answer).await {
            Ok(answer) => answer,
            Err(_) => Err(Failure::TimedOut(self.options.timeout).into()),
        }
    }

    fn headers(&self, message: &Message, length: usize) -> Result<HeaderMap, Failure> {
        let config = || Failure::Config("a header of the request is not valid".to_owned());
        let mut headers = HeaderMap::new();
        for (name, value) in &message.headers {
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| config())?;
            headers.insert(name, HeaderValue::from_str(value).map_err(|_| config())?);
        }
        headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
        if let Some(key) = &self.key {
            let (name, text) = match message.auth {
                Auth::Bearer if self.azure => (HeaderName::from_static("api-key"), key.clone()),
                Auth::Bearer => (
                    AUTHORIZATION,
                    SecretString::from(format!("Bearer {}", key.expose_secret())),
                ),
                Auth::Header(name) => (HeaderName::from_static(name), key.clone()),
            };
            headers.insert(name, header_value(text.expose_secret()).ok_or_else(config)?);
        }
        Ok(headers)
    }

    async fn receive(&self, mut response: Response) -> Result<Answer, Failure> {
        let status = response.status().as_u16();
        let text = |v: &HeaderValue| String::from_utf8_lossy(v.as_bytes()).into_owned();
        let content_type = response.headers().get(CONTENT_TYPE).map(text);
        let headers: Vec<(String, String)> = response
            .headers()
            .iter()
            .map(|(n, v)| (n.as_str().to_owned(), text(v)))
            .collect();
        let mut body = BytesMut::new();
        while let Some(piece) = response.chunk().await.map_err(unreachable_error)? {
            if body.len() + piece.len() > self.options.max_reply {
                return Err(too_large(status, self.options.max_reply));
            }
            body.extend_from_slice(&piece);
        }
        let mut body = body.freeze();
        if !(200..300).contains(&status) {
            body = self.without_key(body);
        }
        let names = headers.iter().map(|(n, v)| (n.as_str(), v.as_str()));
        let retry_after = retry_after(names, &body, SystemTime::now());
        let dialect = self.dialect.name().into();
        Ok(Answer {
            raw: Raw {
                dialect,
                status,
                content_type,
                body,
            },
            retry_after,
        })
    }

    fn read(
        &self,
        answer: Result<Answer, Failure>,
    ) -> (Result<verispec_model::Reply, Failure>, Option<Raw>) {
        match answer {
            Err(failure) => (Err(failure), None),
            Ok(Answer { raw, retry_after }) => {
                let decoded = self.dialect.decode(&raw.response());
                (
                    decoded.map_err(|error| Failure::Api { error, retry_after }),
                    Some(raw),
                )
            }
        }
    }

    /// Some servers repeat a wrong key in their error page; it must not reach the ledger.
    fn without_key(&self, body: Bytes) -> Bytes {
        let Some(key) = self
            .key
            .as_ref()
            .map(|k| k.expose_secret())
            .filter(|k| k.len() >= 4)
        else {
            return body;
        };
        match std::str::from_utf8(&body) {
            Ok(text) if text.contains(key) => Bytes::from(text.replace(key, "[key]")),
            _ => body,
        }
    }
}

/// A whole response.
struct Answer {
    raw: Raw,
    retry_after: Option<Duration>,
}

/// An attempt without a response.
struct Lost {
    failure: Failure,
    /// The connection was closed before the first byte of a response.
    stale: bool,
}

impl From<Failure> for Lost {
    fn from(failure: Failure) -> Self {
        let stale = false;
        Self { failure, stale }
    }
}

impl Lost {
    fn sending(error: reqwest::Error) -> Self {
        let mut stale = false;
        let mut cause = error.source();
        while let Some(inner) = cause {
            let hyper = inner.downcast_ref::<hyper::Error>();
            stale |= hyper.is_some_and(|e| e.is_incomplete_message() || e.is_canceled());
            cause = inner.source();
        }
        Self {
            failure: unreachable_error(error),
            stale,
        }
    }
}

impl Transport for HttpTransport {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Attempted> {
        Box::pin(self.attempt(request))
    }
}

impl std::fmt::Debug for HttpTransport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpTransport")
            .field("dialect", &self.dialect.name())
            .field("endpoint", &self.shown)
            .finish_non_exhaustive()
    }
}

/// The path goes before the query of the endpoint, whose parameters go before those of the path.
fn join(endpoint: &str, path: &str) -> String {
    let Some((base, query)) = endpoint.split_once('?') else {
        return format!("{endpoint}{path}");
    };
    let base = base.trim_end_matches('/');
    match path.split_once('?') {
        Some((path, more)) => format!("{base}{path}?{query}&{more}"),
        None => format!("{base}{path}?{query}"),
    }
}

fn body_hash(hash: &SentHash) -> Option<verispec_model::Hash> {
    hash.get().copied()
}

fn header_value(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

fn unreachable_error(error: reqwest::Error) -> Failure {
    Failure::Unreachable(causes(error))
}

/// All causes in one line, without the address, which may hold a key or be signed.
pub(crate) fn causes(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    text
}

fn too_large(status: u16, most: usize) -> Failure {
    let message = format!("the answer is larger than {most} bytes");
    Failure::api(ApiErrorKind::Malformed, status, message)
}
