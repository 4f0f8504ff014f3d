//! What templates are given.

use axum::http::StatusCode;
use minijinja::{Environment, UndefinedBehavior};
use serde_json::{Value, json};
use verispec_model::YesNo;

use super::Guest;
use super::answer::value;
use super::forms::{Desk, Fields, all, field, fields_of};
use super::people::Person;
use crate::review::{Decision, Item, Kind, Made, Review, Shown, Tally, agreement};

/// Items a page of the list.
const LISTED: usize = 100;
/// Rows of an empty split.
const SPLIT_ROWS: usize = 3;

const TEMPLATES: [(&str, &str); 4] = [
    ("base.html", include_str!("templates/base.html")),
    ("parts.html", include_str!("templates/parts.html")),
    ("item.html", include_str!("templates/item.html")),
    ("overview.html", include_str!("templates/overview.html")),
];

/// Templates; names end in `.html`, so everything is escaped.
pub(super) fn engine() -> Result<Environment<'static>, minijinja::Error> {
    let mut engine = Environment::new();
    engine.set_undefined_behavior(UndefinedBehavior::Strict);
    for (name, source) in TEMPLATES {
        engine.add_template(name, source)?;
    }
    Ok(engine)
}

/// What is to be said above an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Note {
    None,
    /// Event of this number is on disk.
    Saved(u64),
    /// Event of this number no longer counts.
    Undone(u64),
    /// The page was not current; what was sent is event of this number, which does not count.
    Stale(u64),
    /// What was sent does not do, in words.
    Fault(String),
    /// The disk took nothing, in words.
    Disk(String),
    /// Undo of something that was not the last action.
    NotLast,
}

impl Note {
    pub(super) fn of(query: &str) -> Self {
        let number = |name| value(query, name).and_then(|v| v.parse().ok());
        match (number("saved"), number("undone")) {
            (Some(n), _) => Self::Saved(n),
            (None, Some(n)) => Self::Undone(n),
            (None, None) => Self::None,
        }
    }

    pub(super) const fn status(&self) -> StatusCode {
        match self {
            Self::None | Self::Saved(_) | Self::Undone(_) => StatusCode::OK,
            Self::Stale(_) | Self::NotLast => StatusCode::CONFLICT,
            Self::Fault(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Disk(_) => StatusCode::INSUFFICIENT_STORAGE,
        }
    }

    fn view(&self) -> Value {
        let (kind, n, text) = match self {
            Self::None => ("none", None, ""),
            Self::Saved(n) => ("saved", Some(*n), ""),
            Self::Undone(n) => ("undone", Some(*n), ""),
            Self::Stale(n) => ("stale", Some(*n), ""),
            Self::Fault(text) => ("fault", None, text.as_str()),
            Self::Disk(text) => ("disk", None, text.as_str()),
            Self::NotLast => ("not-last", None, ""),
        };
        json!({"kind": kind, "n": n, "text": text})
    }
}

/// What a form held that was not saved.
#[derive(Debug, Clone, Default)]
pub(super) struct Sent {
    pub(super) fields: Fields,
    pub(super) whole: Option<Decision>,
}

/// What every page has.
fn frame(review: &Review, guest: &Guest, note: &Note, tally: &Tally<'_>) -> Value {
    let Person { name, adjudicates } = &guest.person;
    let conflicts = adjudicates.then(|| count(tally, "conflict"));
    let undo = review.own.undoable(name).map(|(n, item)| {
        let place = review.set.place(item).map(|p| p + 1);
        json!({"of": n, "item": item, "place": place})
    });
    json!({
        "set": review.set.name(),
        "person": name,
        "adjudicates": adjudicates,
        "csrf": guest.csrf,
        "done": tally.people.get(name.as_str()).unwrap_or(&0),
        "total": review.set.items().len(),
        "conflicts": conflicts,
        "undo": undo,
        "note": note.view(),
        "saved": saved(review, guest, note),
    })
}

/// The event that was just saved.
fn saved(review: &Review, guest: &Guest, note: &Note) -> Value {
    let Note::Saved(n) = note else {
        return Value::Null;
    };
    let last = review.own.undoable(&guest.person.name);
    let item = last.filter(|(m, _)| m == n);
    let item = item.and_then(|(_, id)| review.set.item(id));
    let Some(item) = item else {
        return Value::Null;
    };
    let own = review.by(item, &guest.person.name).filter(|m| m.n == *n);
    let made = own.or_else(|| review.settled(item).filter(|m| m.n == *n));
    let what = made.map(|m| m.decision.name());
    json!({"n": n, "item": item.row.id, "version": item.version, "what": what})
}

fn decision(decision: &Decision) -> Value {
    let (question, expected) = match decision {
        Decision::Edit {
            question, expected, ..
        } => (Some(question.as_str()), Some(expected.as_str())),
        _ => (None, None),
    };
    let parts: Vec<Value> = match decision {
        Decision::Split { parts, .. } => parts
            .iter()
            .map(|p| json!({"question": p.question, "expected": p.expected.as_str()}))
            .collect(),
        _ => vec![],
    };
    json!({
        "name": decision.name(),
        "reason": decision.reason(),
        "question": question,
        "expected": expected,
        "parts": parts,
        "fields": fields_of(decision),
    })
}

fn made(made: &Made) -> Value {
    json!({"n": made.n, "by": made.by, "decision": decision(&made.decision)})
}

/// The page of an item.
pub(super) fn item(
    review: &Review,
    guest: &Guest,
    item: &Item,
    desk: Desk,
    note: &Note,
    sent: &Sent,
) -> Value {
    let mut context = frame(review, guest, note, &review.tally());
    let name = &guest.person.name;
    let place = review.set.place(&item.row.id).unwrap_or(0) + 1;
    let mine = match desk {
        Desk::Own => review.by(item, name),
        Desk::Conflict => review.settled(item),
    };
    let seen = match desk {
        Desk::Own => review.own.seen_own(&item.row.id, name),
        Desk::Conflict => review.own.seen_any(&item.row.id),
    };
    let voices: Vec<Value> = match desk {
        Desk::Own => vec![],
        Desk::Conflict => review.decisions(item).into_iter().map(made).collect(),
    };
    // A decision on an earlier version does not count but is worth knowing.
    let earlier = review.own.own(&item.row.id, name);
    let earlier = earlier.filter(|m| m.version != item.version && desk == Desk::Own);
    let desk = match desk {
        Desk::Own => "item",
        Desk::Conflict => "conflict",
    };
    context["desk"] = json!(desk);
    context["place"] = json!(place);
    context["seen"] = json!(seen);
    context["item"] = about(review, item);
    context["mine"] = json!(mine.map(made));
    context["earlier"] = json!(earlier.map(made));
    context["voices"] = json!(voices);
    context["sent"] = json!(sent.whole.as_ref().map(decision));
    context["draft"] = draft(item, sent);
    context
}

fn about(review: &Review, item: &Item) -> Value {
    let row = &item.row;
    let image = |n: usize| {
        let image = review.set.images().get(n);
        let missing = image.and_then(|i| i.file.as_ref().err().copied());
        json!({"n": n, "name": image.map(|i| i.name.as_str()), "missing": missing})
    };
    let output: Vec<Value> = item
        .output
        .iter()
        .map(|piece| match piece {
            Shown::Text(text) => json!({"text": text, "image": null}),
            Shown::Image(n) => json!({"text": null, "image": image(*n)}),
        })
        .collect();
    let references: Vec<Value> = item.references.iter().map(|n| image(*n)).collect();
    let scale = row.scale.as_ref();
    let specification = row.kind == Kind::Specification;
    json!({
        "id": row.id,
        "version": item.version,
        "kind": row.kind.as_str(),
        "yes_no": row.kind.is_yes_no(),
        "grades": item.grades().map(|(low, high)| (low..=high).collect::<Vec<_>>()),
        "low_label": scale.map(|s| s.low_label.as_str()),
        "high_label": scale.map(|s| s.high_label.as_str()),
        "track": row.track,
        "dimension": row.dimension,
        "instance": row.instance,
        "model": row.model,
        "spec": row.spec,
        "prompt": row.prompt,
        "references": references,
        "output": output,
        "question": row.question,
        // What counts as met, and what the judge said, would sway a verdict.
        "expected": row.expected.filter(|_| specification).map(YesNo::as_str),
        "category": row.category,
        "source": row.source,
        "ratings": row.ratings,
        "notes": row.notes,
        "gold": row.gold,
        "answer": row.answer,
    })
}

/// What stands in the forms: what was sent, else the item's own words.
fn draft(item: &Item, sent: &Sent) -> Value {
    let fields = &sent.fields;
    let expected = item.row.expected.map_or("Yes", YesNo::as_str);
    let or = |text: &str, other: &str| if text.is_empty() { other } else { text }.to_owned();
    let mut parts: Vec<Value> = all(fields, "part")
        .zip(all(fields, "part_expected"))
        .map(|(question, expected)| json!({"question": question, "expected": expected}))
        .collect();
    while parts.len() < SPLIT_ROWS {
        parts.push(json!({"question": "", "expected": expected}));
    }
    json!({
        "open": field(fields, "do"),
        "question": or(field(fields, "question"), &item.row.question),
        "expected": or(field(fields, "expected"), expected),
        "reason": field(fields, "reason"),
        "parts": parts,
    })
}

/// The first page: progress, agreement, the list.
pub(super) fn overview(review: &Review, guest: &Guest, query: &str) -> Value {
    let mut tally = review.tally();
    let mut context = frame(review, guest, &Note::of(query), &tally);
    let name = &guest.person.name;
    let items = review.set.items();
    let show = value(query, "show").unwrap_or_default();
    let from: usize = value(query, "from")
        .and_then(|f| f.parse().ok())
        .unwrap_or(0);
    let wanted = |item: &Item| match show.as_str() {
        "open" => review.by(item, name).is_none(),
        "done" => review.by(item, name).is_some(),
        _ => true,
    };
    let found: Vec<(usize, &Item)> = items
        .iter()
        .enumerate()
        .filter(|(_, item)| wanted(item))
        .collect();
    let page = found.iter().skip(from).take(LISTED);
    let list: Vec<Value> = page
        .map(|(p, item)| line(review, guest, *p, item))
        .collect();
    let settled = settled(&tally);
    tally.people.entry(name).or_insert(0);
    let people: Vec<Value> = tally
        .people
        .into_iter()
        .map(|(name, done)| json!({"name": name, "done": done}))
        .collect();
    let kept: Vec<Value> = review
        .own
        .kept(name)
        .map(|m| json!({"n": m.n, "what": m.decision.name()}))
        .collect();
    context["show"] = json!(show);
    context["list"] = json!(list);
    context["found"] = json!(found.len());
    context["from"] = json!(from);
    context["earlier"] = json!((from > 0).then(|| from.saturating_sub(LISTED)));
    let later = from.saturating_add(LISTED);
    context["later"] = json!((later < found.len()).then_some(later));
    context["people"] = json!(people);
    context["kept"] = json!(kept);
    context["all"] = json!(value(query, "all").unwrap_or_default());
    context["settled"] = settled;
    context["agreement"] = json!(
        agreement(review)
            .iter()
            .map(coefficients)
            .collect::<Vec<_>>()
    );
    context
}

fn line(review: &Review, guest: &Guest, place: usize, item: &Item) -> Value {
    let own = review.by(item, &guest.person.name);
    // Whoever only annotates stays blind to the others.
    let outcome = || review.outcome(item).name();
    let outcome = guest.person.adjudicates.then(outcome);
    json!({
        "place": place + 1,
        "id": item.row.id,
        "kind": item.row.kind.as_str(),
        "question": item.row.question,
        "own": own.map(|m| m.decision.name()),
        "outcome": outcome,
    })
}

fn count(tally: &Tally<'_>, outcome: &str) -> usize {
    tally.outcomes.get(outcome).copied().unwrap_or(0)
}

fn settled(tally: &Tally<'_>) -> Value {
    let count = |outcome| count(tally, outcome);
    json!({"open": count("open"), "agreed": count("agreed"), "graded": count("graded"),
           "conflict": count("conflict"), "adjudicated": count("adjudicated")})
}

fn coefficients(of: &crate::review::Coefficients) -> Value {
    let number = |r: &Result<f64, verispec_stats::Undefined>| match r {
        Ok(v) => json!({"value": format!("{v:.3}"), "why": null}),
        Err(e) => json!({"value": null, "why": e.to_string()}),
    };
    let pairs: Vec<Value> = of
        .pairs
        .iter()
        .map(|p| {
            json!({"first": p.first, "second": p.second, "items": p.items, "same": p.same,
                   "kappa": number(&p.kappa)})
        })
        .collect();
    json!({
        "kind": of.kind.as_str(),
        "graded": of.kind.is_graded(),
        "items": of.items,
        "people": of.people.len(),
        "alpha": number(&of.alpha),
        "fleiss": number(&of.fleiss),
        "ac1": number(&of.ac1),
        "observed": number(&of.observed),
        "pairs": pairs,
    })
}
