//! What every request has to pass: host, method, origin, cookie.
//!
//! The server listens on the loopback interface, but every web page in the same browser can send
//! requests there, and a hostile name can be made to resolve to it. So: the Host header must be
//! ours (no rebinding), a request that changes something must come from our own page (Origin,
//! and a secret in the form), and everything needs the cookie that the printed link gave.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY,
    SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::answer::{plain, refused};
use super::people::same;
use super::{Guest, Shared};

/// Nothing but our own style, script and images; forms go to us alone; no frame may hold us.
const POLICY: &str = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The guest who asks.
#[derive(Clone)]
pub(super) struct Who(pub(super) Arc<Guest>);

pub(super) async fn guard(
    State(shared): State<Arc<Shared>>,
    mut request: Request,
    next: Next,
) -> Response {
    let response = match admit(&shared, &request) {
        Ok(Admitted::Guest(who)) => {
            request.extensions_mut().insert(Who(who));
            next.run(request).await
        }
        Ok(Admitted::ByLink(who)) => entered(&shared, &who),
        Err(response) => *response,
    };
    with_headers(response)
}

enum Admitted {
    Guest(Arc<Guest>),
    /// The token stood in the address: the cookie is still to be given.
    ByLink(Arc<Guest>),
}

fn admit(shared: &Shared, request: &Request) -> Result<Admitted, Box<Response>> {
    let headers = request.headers();
    let no = |status, text| Err(Box::new(plain(status, text)));
    if !ours(headers, &HOST, shared.address, "").unwrap_or(false)
        || request
            .uri()
            .authority()
            .is_some_and(|a| !is_ours(a.as_str(), shared.address, ""))
    {
        let text = "This page answers to 127.0.0.1 and localhost alone.";
        return no(StatusCode::MISDIRECTED_REQUEST, text);
    }
    let post = request.method() == Method::POST;
    if !post && request.method() != Method::GET {
        return no(StatusCode::METHOD_NOT_ALLOWED, "GET and POST alone.");
    }
    let foreign = match ours(headers, &ORIGIN, shared.address, "http://") {
        Some(own) => !own,
        None => post,
    };
    let site = headers.get("sec-fetch-site");
    let cross = site.is_some_and(|s| s != "same-origin" && s != "none");
    if foreign || (post && cross) {
        let text = "This request comes from another page; nothing was changed.";
        return no(StatusCode::FORBIDDEN, text);
    }
    if !post && request.uri().path() == "/" {
        let token = super::answer::value(request.uri().query().unwrap_or(""), "token");
        if let Some(token) = token {
            let found = find(shared, |g| same(&token, &g.token));
            return found
                .map(Admitted::ByLink)
                .ok_or_else(|| Box::new(refused(request.uri())));
        }
    }
    let session = cookie(headers, &cookie_name(shared.address));
    let found = session.and_then(|s| find(shared, |g| same(s, &g.session)));
    found
        .map(Admitted::Guest)
        .ok_or_else(|| Box::new(refused(request.uri())))
}

fn find(shared: &Shared, is: impl Fn(&Guest) -> bool) -> Option<Arc<Guest>> {
    shared.guests.iter().find(|g| is(g)).map(Arc::clone)
}

/// Whether a header names us; `None` when it is absent. Two of them name nobody.
fn ours(headers: &HeaderMap, name: &HeaderName, address: SocketAddr, before: &str) -> Option<bool> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?;
    let own = first.to_str().is_ok_and(|h| is_ours(h, address, before));
    Some(own && all.next().is_none())
}

fn is_ours(text: &str, address: SocketAddr, before: &str) -> bool {
    let port = address.port();
    ["127.0.0.1", "localhost"]
        .iter()
        .any(|host| text == format!("{before}{host}:{port}"))
}

/// Cookies are not kept apart by port; the name does it.
fn cookie_name(address: SocketAddr) -> String {
    format!("verispec_review_{}", address.port())
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(COOKIE).iter();
    let mut pairs = all
        .filter_map(|h| h.to_str().ok())
        .flat_map(|h| h.split(';'))
        .filter_map(|p| p.trim().split_once('='));
    pairs.find(|(n, _)| *n == name).map(|(_, value)| value)
}

/// Gives the cookie and takes the token out of the address.
fn entered(shared: &Shared, guest: &Guest) -> Response {
    let cookie = format!(
        "{}={}; Path=/; HttpOnly; SameSite=Strict",
        cookie_name(shared.address),
        guest.session
    );
    (
        StatusCode::SEE_OTHER,
        [(LOCATION, "/".to_owned()), (SET_COOKIE, cookie)],
    )
        .into_response()
}

fn with_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let fixed = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        // Not `no-referrer`: it would make the browser send `Origin: null` with our own forms.
        (REFERRER_POLICY, "same-origin"),
        (CACHE_CONTROL, "no-store"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
