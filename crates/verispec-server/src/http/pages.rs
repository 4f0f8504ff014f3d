//! What the page shows.

use std::sync::Arc;

use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};

use super::answer::{page, plain, redirect, value};
use super::forms::Desk;
use super::guard::Who;
use super::view::{self, Note, Sent};
use super::{Guest, Shared};
use crate::review::{Image, Item, Kind, export_rows};

/// Our own script, style and icon.
const SCRIPT: &str = include_str!("assets/review.js");
const STYLE: &str = include_str!("assets/review.css");
const ICON: &str = include_str!("assets/icon.svg");

pub(super) async fn nothing() -> Response {
    plain(StatusCode::NOT_FOUND, "There is no such page.")
}

pub(super) async fn overview(
    State(shared): State<Arc<Shared>>,
    Extension(Who(guest)): Extension<Who>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = query.unwrap_or_default();
    let context = view::overview(&shared.store().review, &guest, &query);
    render(&shared, StatusCode::OK, "overview.html", &context)
}

pub(super) async fn item(
    State(shared): State<Arc<Shared>>,
    Extension(Who(guest)): Extension<Who>,
    Path(place): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    show(&shared, &guest, &place, query, Desk::Own)
}

pub(super) async fn conflict(
    State(shared): State<Arc<Shared>>,
    Extension(Who(guest)): Extension<Who>,
    Path(place): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    show(&shared, &guest, &place, query, Desk::Conflict)
}

fn show(
    shared: &Shared,
    guest: &Guest,
    place: &str,
    query: Option<String>,
    desk: Desk,
) -> Response {
    if desk == Desk::Conflict && !guest.person.adjudicates {
        return plain(StatusCode::FORBIDDEN, "Adjudicators see conflicts.");
    }
    let found = number(place).and_then(|n| n.checked_sub(1));
    let note = Note::of(&query.unwrap_or_default());
    let context = {
        let store = shared.store();
        let item = found.and_then(|p| store.review.set.items().get(p));
        item.map(|item| view::item(&store.review, guest, item, desk, &note, &Sent::default()))
    };
    match context {
        Some(context) => render(shared, StatusCode::OK, "item.html", &context),
        None => plain(StatusCode::NOT_FOUND, "There is no such item."),
    }
}

/// Digits alone: neither sign nor blank nor dot.
fn number(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// The item's page once more, with what was sent, after something kept it from being saved.
pub(super) fn again(
    shared: &Shared,
    guest: &Guest,
    item: &Item,
    desk: Desk,
    note: &Note,
    sent: Sent,
) -> Response {
    let context = view::item(&shared.store().review, guest, item, desk, note, &sent);
    render(shared, note.status(), "item.html", &context)
}

pub(super) async fn next(
    State(shared): State<Arc<Shared>>,
    Extension(Who(guest)): Extension<Who>,
    RawQuery(query): RawQuery,
) -> Response {
    let after = value(&query.unwrap_or_default(), "after").and_then(|a| number(&a));
    let after = after.and_then(|p| p.checked_sub(1));
    let open = shared.store().review.next_open(&guest.person.name, after);
    match open {
        Some(place) => redirect(&format!("/item/{}", place + 1)),
        None => redirect("/?all=done"),
    }
}

/// The first conflict.
pub(super) async fn conflicts(
    State(shared): State<Arc<Shared>>,
    Extension(Who(guest)): Extension<Who>,
) -> Response {
    if !guest.person.adjudicates {
        return plain(StatusCode::FORBIDDEN, "Adjudicators see conflicts.");
    }
    let first = shared.store().review.conflicts().next();
    match first {
        Some(place) => redirect(&format!("/conflict/{}", place + 1)),
        None => redirect("/?all=settled"),
    }
}

/// An item by coordinates, as a report's page names it.
pub(super) async fn at(State(shared): State<Arc<Shared>>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let of = |name| value(&query, name);
    let (model, track, instance) = (of("model"), of("track"), of("instance"));
    let spec = of("spec").and_then(|s| s.parse::<u32>().ok());
    let store = shared.store();
    let fits = |item: &Item| {
        let row = &item.row;
        let other = row.model.is_some() && model.is_some() && row.model != model;
        let spec = spec.is_none() || row.spec.is_none() || row.spec == spec;
        !other
            && track.as_ref() == Some(&row.track)
            && spec
            && instance.as_ref() == Some(&row.instance)
    };
    match store.review.set.items().iter().position(fits) {
        Some(place) => redirect(&format!("/item/{}", place + 1)),
        None => plain(
            StatusCode::NOT_FOUND,
            "This review does not hold that item. Labels outside of a sample have no known \
             probability; start a review of the whole run, or draw another sample.",
        ),
    }
}

/// An image of the closed list, as it was when the review started.
pub(super) async fn image(State(shared): State<Arc<Shared>>, Path(name): Path<String>) -> Response {
    let found = {
        let store = shared.store();
        number(&name).and_then(|n| store.review.set.images().get(n).cloned())
    };
    let Some(Image {
        hash,
        file: Ok((path, _)),
        ..
    }) = found
    else {
        return plain(StatusCode::NOT_FOUND, "There is no such image.");
    };
    let read = tokio::task::spawn_blocking(move || {
        // A link that was put in its way since leads elsewhere.
        if path.canonicalize().ok().as_ref() != Some(&path) {
            return Err("the file is another one now");
        }
        let (bytes, mime) = crate::review::read_image(&path)?;
        let same = blake3::hash(&bytes).to_hex().as_str() == hash;
        Ok(same.then_some((bytes, mime)))
    });
    match read.await {
        Ok(Ok(Some((bytes, mime)))) => ([(CONTENT_TYPE, mime.as_str())], bytes).into_response(),
        Ok(Ok(None)) => plain(
            StatusCode::CONFLICT,
            "The image has changed since the review started; start it again.",
        ),
        _ => plain(StatusCode::NOT_FOUND, "The image is no longer there."),
    }
}

pub(super) async fn asset(Path(name): Path<String>) -> Response {
    let (kind, text) = match name.as_str() {
        "review.css" => ("text/css; charset=utf-8", STYLE),
        "review.js" => ("text/javascript; charset=utf-8", SCRIPT),
        "icon.svg" => ("image/svg+xml", ICON),
        _ => return plain(StatusCode::NOT_FOUND, "There is no such file."),
    };
    ([(CONTENT_TYPE, kind)], text).into_response()
}

/// Results as files. They show everybody's decisions, so adjudicators alone get them.
pub(super) async fn export(
    State(shared): State<Arc<Shared>>,
    Extension(Who(guest)): Extension<Who>,
    Path(name): Path<String>,
) -> Response {
    if !guest.person.adjudicates {
        return plain(
            StatusCode::FORBIDDEN,
            "Adjudicators get everybody's decisions.",
        );
    }
    let Some(kind) = Kind::ALL.into_iter().find(|k| k.file() == name) else {
        return plain(StatusCode::NOT_FOUND, "There is no such file.");
    };
    let rows = export_rows(&shared.store().review, kind);
    let text: String = rows.iter().map(|r| format!("{r}\n")).collect();
    let headers = [
        (CONTENT_TYPE, "application/x-ndjson".to_owned()),
        (
            CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
    ];
    (headers, text).into_response()
}

fn render(
    shared: &Shared,
    status: StatusCode,
    name: &str,
    context: &serde_json::Value,
) -> Response {
    let values = minijinja::Value::from(minijinja::value::Serde(context));
    let html = shared
        .pages
        .get_template(name)
        .and_then(|t| t.render(values));
    page(status, html)
}
