//! Small answers, and what stands in addresses and forms.

use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::http::{StatusCode, Uri};
use axum::response::{Html, IntoResponse as _, Response};

/// A line of text.
pub(super) fn plain(status: StatusCode, text: &'static str) -> Response {
    (status, [(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

/// Another page, to be asked for by GET.
pub(super) fn redirect(to: &str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, to.to_owned())]).into_response()
}

/// A page that was rendered, or the fault of a template.
pub(super) fn page(status: StatusCode, html: Result<String, minijinja::Error>) -> Response {
    match html {
        Ok(html) => (status, Html(html)).into_response(),
        Err(_) => plain(
            StatusCode::INTERNAL_SERVER_ERROR,
            "The page cannot be shown; what was saved is saved.",
        ),
    }
}

/// Without the cookie there is one page, which shows nothing. A link on a page of another origin
/// (a report) does not send a strict cookie; the same link on this page does.
pub(super) fn refused(uri: &Uri) -> Response {
    let again = if uri.path() == "/at" {
        let query = uri.query().unwrap_or("");
        let query: String = query.chars().filter(|c| c.is_ascii_graphic()).collect();
        let query = query
            .replace('&', "&amp;")
            .replace(['"', '\'', '<', '>'], "");
        format!(
            "<p>Coming from a report? <a href=\"/at?{query}\" autofocus>Go on to the item</a>, if \
             this browser has opened the review before.</p>"
        )
    } else {
        String::new()
    };
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Review</title><h1>Open the printed link</h1><p>This \
         page opens with the link that <code>verispec</code> printed when it was started; each \
         start makes new links. Nothing was changed. What you typed is kept in this browser and \
         stands in its place again once the new link is open.</p>{again}</html>"
    );
    (StatusCode::FORBIDDEN, Html(html)).into_response()
}

/// The first value of a name in a query or form.
pub(super) fn value(text: &str, name: &str) -> Option<String> {
    let mut pairs = form_urlencoded::parse(text.as_bytes());
    pairs.find(|(n, _)| n == name).map(|(_, v)| v.into_owned())
}
