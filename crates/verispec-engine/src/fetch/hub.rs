//! One hub: its address, the token, and requests with redirects.

use std::time::{Duration, SystemTime};

use reqwest::header::{
    AUTHORIZATION, CONTENT_RANGE, HeaderMap, HeaderValue, LINK, LOCATION, RANGE,
};
use reqwest::{Client, Response, StatusCode, Url};
use secrecy::{ExposeSecret as _, SecretString};

use super::error::FetchError;
use crate::transport::{causes, is_loopback, parse_endpoint, shown};

/// The hub that is asked unless `HF_ENDPOINT` names another.
pub const DEFAULT_ENDPOINT: &str = "https://huggingface.co";

/// Redirects that are followed for one file.
const MOST_REDIRECTS: usize = 8;

/// Largest page of a listing, in bytes.
const MOST_TEXT: usize = 64 << 20;

/// Longest silence before an answer or between two pieces of it.
const SILENCE: Duration = Duration::from_secs(60);

/// Attempts at one page of a listing.
const LIST_ATTEMPTS: u32 = 5;

/// What a repository holds, which is part of its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepoKind {
    /// Data.
    Dataset,
    /// Weights.
    Model,
}

impl RepoKind {
    pub(super) const fn plural(self) -> &'static str {
        match self {
            Self::Dataset => "datasets",
            Self::Model => "models",
        }
    }
}

/// A hub.
pub struct Hub {
    endpoint: Url,
    token: Option<HeaderValue>,
    client: Client,
}

impl std::fmt::Debug for Hub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hub")
            .field("endpoint", &self.shown())
            .finish_non_exhaustive()
    }
}

/// Why a request brought nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Problem {
    /// An error status.
    Status {
        /// HTTP status.
        status: u16,
        /// Whether the hub itself gave it, not a store it redirected to.
        by_hub: bool,
        /// Whether terms have to be accepted.
        gated: bool,
        /// Wait asked for.
        retry_after: Option<Duration>,
        /// The server's words.
        message: String,
    },
    /// No connection, or it broke.
    Broken(String),
    /// A redirect that is not followed.
    Redirect(String),
}

impl Problem {
    /// Whether it may be gone next time. An address that a store no longer honours has expired;
    /// the hub gives a new one.
    pub(super) fn is_transient(&self) -> bool {
        match self {
            Self::Status { status, by_hub, .. } => {
                matches!(status, 408 | 425 | 429 | 500..)
                    || (!by_hub && matches!(status, 401 | 403 | 404))
            }
            Self::Broken(_) => true,
            Self::Redirect(_) => false,
        }
    }

    pub(super) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// The error that ends the command, if this one does.
    pub(super) fn no_access(&self, repo: &str, had_token: bool) -> Option<FetchError> {
        match self {
            Self::Status {
                status: status @ (401 | 403),
                by_hub: true,
                gated,
                message,
                ..
            } => Some(FetchError::NoAccess {
                repo: repo.to_owned(),
                status: *status,
                had_token,
                gated: *gated,
                message: message.clone(),
            }),
            _ => None,
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Status {
                status,
                by_hub,
                message,
                ..
            } => {
                let who = if *by_hub {
                    "the hub"
                } else {
                    "the hub's store"
                };
                write!(f, "{who} answers {status}")?;
                if !message.is_empty() {
                    write!(f, " ({message})")?;
                }
                Ok(())
            }
            Self::Broken(text) | Self::Redirect(text) => f.write_str(text),
        }
    }
}

impl Hub {
    /// Sets up a hub. Nothing is sent.
    ///
    /// # Errors
    /// The address or the token cannot be used; also a token for an address that is neither
    /// encrypted nor on this machine.
    pub fn new(endpoint: &str, token: Option<&SecretString>) -> Result<Self, FetchError> {
        let url = parse_endpoint(endpoint).map_err(|e| FetchError::Endpoint {
            endpoint: endpoint
                .split(['?', '@'])
                .next_back()
                .unwrap_or_default()
                .to_owned(),
            reason: e.to_string(),
        })?;
        if token.is_some() && url.scheme() != "https" && !is_loopback(&url) {
            return Err(FetchError::InsecureToken(shown(&url)));
        }
        let token = token
            .map(|t| bearer(t).ok_or(FetchError::Token))
            .transpose()?;
        let mut builder = Client::builder()
            .http1_only()
            // Followed by hand, so that no header meant for the hub reaches another host.
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .retry(reqwest::retry::never())
            .connect_timeout(Duration::from_secs(30))
            .read_timeout(SILENCE)
            .user_agent(concat!("verispec/", env!("CARGO_PKG_VERSION")));
        if is_loopback(&url) {
            builder = builder.no_proxy();
        }
        let client = builder
            .build()
            .map_err(|e| FetchError::Client(e.to_string()))?;
        Ok(Self {
            endpoint: url,
            token,
            client,
        })
    }

    /// The address, without secrets.
    #[must_use]
    pub fn shown(&self) -> String {
        shown(&self.endpoint)
    }

    pub(super) const fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// Whether an address is of the hub's own origin.
    pub(super) fn owns(&self, url: &Url) -> bool {
        url.origin() == self.endpoint.origin()
    }

    /// An address below the hub's, every part percent-encoded as one segment but for the
    /// repository and paths, whose slashes separate.
    pub(super) fn address(
        &self,
        before: &[&str],
        repo: &str,
        after: &[&str],
        query: &[(&str, &str)],
    ) -> Result<Url, FetchError> {
        let mut url = self.endpoint.clone();
        url.path_segments_mut()
            .map_err(|()| FetchError::Repo(repo.to_owned()))?
            .pop_if_empty()
            .extend(before)
            .extend(repo.split('/'))
            .extend(after);
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        Ok(url)
    }

    /// The address of a file's content.
    pub(super) fn file(
        &self,
        kind: RepoKind,
        repo: &str,
        commit: &str,
        path: &str,
    ) -> Result<Url, FetchError> {
        let before: &[&str] = match kind {
            RepoKind::Dataset => &["datasets"],
            RepoKind::Model => &[],
        };
        let after: Vec<&str> = ["resolve", commit]
            .into_iter()
            .chain(path.split('/'))
            .collect();
        self.address(before, repo, &after, &[])
    }

    /// A text and its `Link` header, with repetitions.
    pub(super) async fn text(
        &self,
        url: Url,
        repo: &str,
        revision: &str,
    ) -> Result<(String, Option<String>), FetchError> {
        let mut attempt = 0;
        loop {
            let problem = match self.try_text(url.clone()).await {
                Ok(done) => return Ok(done),
                Err(problem) => problem,
            };
            attempt += 1;
            if let Some(error) = problem.no_access(repo, self.has_token()) {
                return Err(error);
            }
            if let Problem::Status {
                status: 404,
                by_hub: true,
                message,
                ..
            } = &problem
            {
                return Err(FetchError::NotFound {
                    repo: repo.to_owned(),
                    revision: revision.to_owned(),
                    message: message.clone(),
                });
            }
            if !problem.is_transient() || attempt >= LIST_ATTEMPTS {
                let what = format!("listing of {repo} at {}", self.shown());
                return Err(FetchError::Hub {
                    what,
                    reason: problem.to_string(),
                });
            }
            tokio::time::sleep(pause(attempt, problem.retry_after())).await;
        }
    }

    async fn try_text(&self, url: Url) -> Result<(String, Option<String>), Problem> {
        let mut response = self.get(url, 0).await?;
        let link = header(response.headers(), LINK.as_str());
        let mut body = vec![];
        while let Some(piece) = response.chunk().await.map_err(broken)? {
            if body.len() + piece.len() > MOST_TEXT {
                return Err(Problem::Redirect(format!(
                    "a page of over {MOST_TEXT} bytes"
                )));
            }
            body.extend_from_slice(&piece);
        }
        Ok((String::from_utf8_lossy(&body).into_owned(), link))
    }

    /// Asks for an address, from a byte on, and follows redirects. The token goes to the hub's
    /// own origin only.
    pub(super) async fn get(&self, url: Url, from: u64) -> Result<Response, Problem> {
        let mut url = url;
        for _ in 0..=MOST_REDIRECTS {
            let by_hub = self.owns(&url);
            let mut request = self.client.get(url.clone());
            if let Some(token) = self.token.as_ref().filter(|_| by_hub) {
                request = request.header(AUTHORIZATION, token.clone());
            }
            if from > 0 {
                request = request.header(RANGE, format!("bytes={from}-"));
            }
            let response = request.send().await.map_err(broken)?;
            match response.status() {
                s if s.is_success() => return Ok(response),
                s if s.is_redirection() => url = redirect(&url, &response)?,
                s => return Err(refused(s, by_hub, response).await),
            }
        }
        Err(Problem::Redirect(format!(
            "more than {MOST_REDIRECTS} redirects"
        )))
    }
}

/// `OWNER/NAME`; nothing that changes the address.
pub(super) fn check_repo(repo: &str) -> Result<(), FetchError> {
    let good = |part: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        !part.is_empty() && part != "." && part != ".." && part.chars().all(plain)
    };
    match repo.split_once('/') {
        Some((owner, name)) if good(owner) && good(name) => Ok(()),
        _ => Err(FetchError::Repo(repo.to_owned())),
    }
}

/// First byte that a partial answer holds, from its `Content-Range`.
pub(super) fn range_start(headers: &HeaderMap) -> Option<u64> {
    let text = header(headers, CONTENT_RANGE.as_str())?;
    text.strip_prefix("bytes ")?
        .split('-')
        .next()?
        .trim()
        .parse()
        .ok()
}

/// Wait before a further attempt (1 is the first repetition): what the server asks for up to two
/// minutes, else full jitter under 1, 2, 4 … at most 30 s.
pub(super) fn pause(attempt: u32, asked: Option<Duration>) -> Duration {
    if let Some(asked) = asked {
        return asked.min(Duration::from_secs(120));
    }
    let most = f64::from(1_u32 << attempt.saturating_sub(1).min(5)).min(30.0);
    Duration::from_secs_f64(most * rand::random::<f64>())
}

fn redirect(from: &Url, response: &Response) -> Result<Url, Problem> {
    let refuse = |why: &str| Problem::Redirect(format!("{} redirects {why}", shown(from)));
    let to = header(response.headers(), LOCATION.as_str()).ok_or_else(|| refuse("nowhere"))?;
    let url = from.join(&to).map_err(|_| refuse("to no address"))?;
    match (from.scheme(), url.scheme()) {
        (_, "https") | ("http", "http") => Ok(url),
        _ => Err(refuse("to an address that is not encrypted")),
    }
}

async fn refused(status: StatusCode, by_hub: bool, response: Response) -> Problem {
    let headers = response.headers().clone();
    let code = header(&headers, "x-error-code").unwrap_or_default();
    // The store's error page may repeat a signed address; the hub's own words are short.
    let message = match (header(&headers, "x-error-message"), by_hub) {
        (Some(message), true) => message.chars().take(300).collect(),
        _ => String::new(),
    };
    let names: Vec<(String, String)> = ["retry-after"]
        .into_iter()
        .filter_map(|n| Some((n.to_owned(), header(&headers, n)?)))
        .collect();
    let names = names.iter().map(|(n, v)| (n.as_str(), v.as_str()));
    Problem::Status {
        status: status.as_u16(),
        by_hub,
        gated: code == "GatedRepo",
        retry_after: verispec_providers::retry_after(names, &[], SystemTime::now()),
        message,
    }
}

fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = headers.get(name)?;
    Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
}

fn bearer(token: &SecretString) -> Option<HeaderValue> {
    let mut value =
        HeaderValue::from_str(&format!("Bearer {}", token.expose_secret().trim())).ok()?;
    value.set_sensitive(true);
    Some(value)
}

pub(super) fn broken(error: reqwest::Error) -> Problem {
    Problem::Broken(causes(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_change_the_address() {
        for good in ["a/b", "A-1/b_c.d"] {
            assert!(check_repo(good).is_ok(), "{good}");
        }
        for bad in [
            "a", "a/b/c", "/b", "a/", "../b", "a/..", "a/b?x", "a/b#x", "a b/c",
        ] {
            assert!(check_repo(bad).is_err(), "{bad}");
        }
        let hub = Hub::new("https://hub.test/mirror/", None).unwrap();
        let url = hub
            .file(RepoKind::Dataset, "o/n", "refs/pr/1", "a b/图#?.png")
            .unwrap();
        assert_eq!(
            url.as_str(),
            "https://hub.test/mirror/datasets/o/n/resolve/refs%2Fpr%2F1/a%20b/%E5%9B%BE%23%3F.png"
        );
    }

    #[test]
    fn a_token_is_not_sent_in_the_clear() {
        let token = SecretString::from("hf_secret");
        assert!(matches!(
            Hub::new("http://mirror.test", Some(&token)),
            Err(FetchError::InsecureToken(_))
        ));
        assert!(Hub::new("http://127.0.0.1:1", Some(&token)).is_ok());
        let hub = Hub::new("https://hub.test", Some(&token)).unwrap();
        assert!(!format!("{hub:?}").contains("hf_secret"));
        let bad = SecretString::from("line\nbreak");
        assert!(matches!(
            Hub::new("https://hub.test", Some(&bad)),
            Err(FetchError::Token)
        ));
    }

    #[test]
    fn an_address_with_a_password_is_not_repeated() {
        let error = Hub::new("ftp://me:secret@host", None)
            .unwrap_err()
            .to_string();
        assert!(!error.contains("secret"), "{error}");
    }
}
