//! What the page sends.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::Response;
use verispec_model::YesNo;

use super::answer::{plain, redirect};
use super::guard::Who;
use super::people::same;
use super::view::{Note, Sent};
use super::{Guest, Shared, Trouble, pages};
use crate::review::{Action, Decision, Event, Item, Part, Refusal, Said};

/// A form's fields in order.
pub(super) type Fields = Vec<(String, String)>;

/// Which of the two pages a decision came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Desk {
    /// A person's own item.
    Own,
    /// A conflict.
    Conflict,
}

pub(super) async fn decide(
    State(shared): State<Arc<Shared>>,
    Extension(Who(guest)): Extension<Who>,
    body: Bytes,
) -> Response {
    act(shared, &guest, &body, Desk::Own).await
}

pub(super) async fn adjudicate(
    State(shared): State<Arc<Shared>>,
    Extension(Who(guest)): Extension<Who>,
    body: Bytes,
) -> Response {
    act(shared, &guest, &body, Desk::Conflict).await
}

/// A form of this person's page.
fn open(guest: &Guest, body: &[u8]) -> Result<Fields, Box<Response>> {
    let fields: Fields = form_urlencoded::parse(body)
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    if same(field(&fields, "csrf"), &guest.csrf) {
        return Ok(fields);
    }
    let text = "This form is not of a page of ours; nothing was changed. Open the page again.";
    Err(Box::new(plain(StatusCode::FORBIDDEN, text)))
}

async fn act(shared: Arc<Shared>, guest: &Guest, body: &[u8], desk: Desk) -> Response {
    let fields = match open(guest, body) {
        Ok(fields) => fields,
        Err(response) => return *response,
    };
    if desk == Desk::Conflict && !guest.person.adjudicates {
        return plain(StatusCode::FORBIDDEN, "Adjudicators settle conflicts.");
    }
    let item = shared
        .store()
        .review
        .set
        .item(field(&fields, "item"))
        .cloned();
    let Some(item) = item else {
        let text = "The review no longer has this item; nothing was changed.";
        return plain(StatusCode::NOT_FOUND, text);
    };
    let decision = match parse(&fields) {
        Ok(decision) => decision,
        Err(fault) => {
            let sent = Sent {
                fields,
                whole: None,
            };
            return pages::again(&shared, guest, &item, desk, &Note::Fault(fault), sent);
        }
    };
    let event = event(guest, &item, &fields, action(desk, decision.clone()));
    // Writing waits for the disk.
    let writer = Arc::clone(&shared);
    let sent_event = event.clone();
    let done = tokio::task::spawn_blocking(move || writer.store().act(sent_event)).await;
    let sent = Sent {
        fields,
        whole: Some(decision.clone()),
    };
    match done {
        Ok(Ok(n)) => onwards(&shared, guest, &item, desk, n),
        Ok(Err(Trouble::No(Refusal::Stale))) => {
            if let Some(n) = sent_before(&shared, guest, &item, desk, &decision) {
                return onwards(&shared, guest, &item, desk, n);
            }
            let note = keep(&shared, event, decision).await;
            pages::again(&shared, guest, &item, desk, &note, sent)
        }
        Ok(Err(Trouble::No(Refusal::Fault(fault)))) => {
            pages::again(&shared, guest, &item, desk, &Note::Fault(fault), sent)
        }
        Ok(Err(Trouble::No(Refusal::NothingToUndo))) => redirect("/"),
        Ok(Err(Trouble::Disk(e))) => pages::again(
            &shared,
            guest,
            &item,
            desk,
            &Note::Disk(e.to_string()),
            sent,
        ),
        Err(_) => {
            let note = Note::Disk("the server could not finish".to_owned());
            pages::again(&shared, guest, &item, desk, &note, sent)
        }
    }
}

const fn action(desk: Desk, decision: Decision) -> Action {
    match desk {
        Desk::Own => Action::Decide(decision),
        Desk::Conflict => Action::Adjudicate(decision),
    }
}

fn event(guest: &Guest, item: &Item, fields: &Fields, action: Action) -> Event {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    Event {
        n: 0,
        at: since.map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(0)),
        by: guest.person.name.clone(),
        item: item.row.id.clone(),
        version: field(fields, "version").to_owned(),
        // No number is no number that any page showed.
        seen: field(fields, "seen").parse().unwrap_or(u64::MAX),
        action,
    }
}

/// Number of the event that the same form made when it was sent before.
fn sent_before(
    shared: &Shared,
    guest: &Guest,
    item: &Item,
    desk: Desk,
    decision: &Decision,
) -> Option<u64> {
    let store = shared.store();
    let made = match desk {
        Desk::Own => store.review.by(item, &guest.person.name),
        Desk::Conflict => store.review.settled(item),
    };
    made.filter(|m| m.decision == *decision && m.by == guest.person.name)
        .map(|m| m.n)
}

/// Writes down what came from a page that was not current.
async fn keep(shared: &Arc<Shared>, mut event: Event, decision: Decision) -> Note {
    event.action = Action::Keep(decision);
    let writer = Arc::clone(shared);
    let kept = tokio::task::spawn_blocking(move || writer.store().act(event)).await;
    match kept {
        Ok(Ok(n)) => Note::Stale(n),
        _ => Note::Disk("the page was not current, and the disk takes nothing".to_owned()),
    }
}

fn onwards(shared: &Shared, guest: &Guest, item: &Item, desk: Desk, n: u64) -> Response {
    let store = shared.store();
    let review = &store.review;
    let here = review.set.place(&item.row.id);
    let to = match desk {
        Desk::Own => match review.next_open(&guest.person.name, here) {
            Some(place) => format!("/item/{}?saved={n}", place + 1),
            None => format!("/?saved={n}"),
        },
        Desk::Conflict => match review.conflicts().next() {
            Some(place) => format!("/conflict/{}?saved={n}", place + 1),
            None => format!("/?saved={n}"),
        },
    };
    redirect(&to)
}

pub(super) async fn undo(
    State(shared): State<Arc<Shared>>,
    Extension(Who(guest)): Extension<Who>,
    body: Bytes,
) -> Response {
    let fields = match open(&guest, &body) {
        Ok(fields) => fields,
        Err(response) => return *response,
    };
    let item = shared
        .store()
        .review
        .set
        .item(field(&fields, "item"))
        .cloned();
    let Some(item) = item else {
        return plain(StatusCode::NOT_FOUND, "There is nothing to undo here.");
    };
    let of = field(&fields, "of").parse().unwrap_or(0);
    let event = event(&guest, &item, &fields, Action::Undo { of });
    let writer = Arc::clone(&shared);
    let done = tokio::task::spawn_blocking(move || writer.store().act(event)).await;
    let place = shared.store().review.set.place(&item.row.id).unwrap_or(0) + 1;
    let sent = Sent::default();
    match done {
        Ok(Ok(_)) => redirect(&format!("/item/{place}?undone={of}")),
        Ok(Err(Trouble::No(_))) => {
            pages::again(&shared, &guest, &item, Desk::Own, &Note::NotLast, sent)
        }
        Ok(Err(Trouble::Disk(e))) => pages::again(
            &shared,
            &guest,
            &item,
            Desk::Own,
            &Note::Disk(e.to_string()),
            sent,
        ),
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "Nothing was undone."),
    }
}

/// First value of a field; empty when it is absent.
pub(super) fn field<'a>(fields: &'a Fields, name: &str) -> &'a str {
    let found = fields.iter().find(|(n, _)| n == name);
    found.map_or("", |(_, value)| value.as_str())
}

/// All values of a field.
pub(super) fn all<'a>(fields: &'a Fields, name: &str) -> impl Iterator<Item = &'a str> {
    fields
        .iter()
        .filter(move |(n, _)| n == name)
        .map(|(_, value)| value.as_str())
}

/// The decision that a form holds.
///
/// # Errors
/// What is missing, in words.
pub(super) fn parse(fields: &Fields) -> Result<Decision, String> {
    let text = |name| clean(field(fields, name));
    let reason = text("reason");
    Ok(match field(fields, "do") {
        "accept" => Decision::Accept { reason },
        "reject" => Decision::Reject { reason },
        "edit" => Decision::Edit {
            question: text("question"),
            expected: yes_no(field(fields, "expected"))?,
            reason,
        },
        "split" => Decision::Split {
            parts: parts(fields)?,
            reason,
        },
        "answer" => Decision::Answer {
            said: match field(fields, "said") {
                "yes" => Said::Yes,
                "no" => Said::No,
                "cannot-tell" => Said::CannotTell,
                _ => return Err("choose yes, no or cannot tell".to_owned()),
            },
            reason,
        },
        "grade" => Decision::Grade {
            grade: field(fields, "grade")
                .parse()
                .map_err(|_| "choose a grade".to_owned())?,
            reason,
        },
        _ => return Err("choose what to do".to_owned()),
    })
}

/// Line ends as everywhere else, and no blanks around; browsers send CR LF.
fn clean(text: &str) -> String {
    text.replace("\r\n", "\n").trim().to_owned()
}

fn yes_no(text: &str) -> Result<YesNo, String> {
    match text {
        "Yes" => Ok(YesNo::Yes),
        "No" => Ok(YesNo::No),
        _ => Err("choose the expected answer, Yes or No".to_owned()),
    }
}

/// Rows of a split that say something.
fn parts(fields: &Fields) -> Result<Vec<Part>, String> {
    let questions = all(fields, "part").map(clean);
    let both = questions.zip(all(fields, "part_expected"));
    let parts = both
        .filter(|(question, _)| !question.is_empty())
        .map(|(question, expected)| {
            let expected = yes_no(expected)?;
            Ok(Part { question, expected })
        });
    parts.collect()
}

/// The fields of a form that says the same.
pub(super) fn fields_of(decision: &Decision) -> Fields {
    let mut fields = vec![];
    let mut add = |name: &str, value: &str| fields.push((name.to_owned(), value.to_owned()));
    match decision {
        Decision::Accept { .. } => add("do", "accept"),
        Decision::Reject { .. } => add("do", "reject"),
        Decision::Edit {
            question, expected, ..
        } => {
            add("do", "edit");
            add("question", question);
            add("expected", expected.as_str());
        }
        Decision::Split { parts, .. } => {
            add("do", "split");
            for part in parts {
                add("part", &part.question);
                add("part_expected", part.expected.as_str());
            }
        }
        Decision::Answer { said, .. } => {
            add("do", "answer");
            let said = match said {
                Said::Yes => "yes",
                Said::No => "no",
                Said::CannotTell => "cannot-tell",
            };
            add("said", said);
        }
        Decision::Grade { grade, .. } => {
            add("do", "grade");
            add("grade", &grade.to_string());
        }
    }
    add("reason", decision.reason());
    fields
}

#[cfg(test)]
mod tests;
