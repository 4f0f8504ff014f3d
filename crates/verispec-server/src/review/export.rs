//! What a review gives: rows of JSON Lines.

use serde_json::{Map, Value, json};
use verispec_model::YesNo;

use super::event::{Decision, Said};
use super::item::{Item, Kind};
use super::merged::Review;
use super::state::Made;

/// The rows of one kind, as they stand in [`Kind::file`].
#[must_use]
pub fn export_rows(review: &Review, kind: Kind) -> Vec<Value> {
    match kind {
        Kind::Specification => reviewed_rows(review),
        Kind::Verdict | Kind::Graph => human_rows(review, kind),
        Kind::Rating | Kind::Answer => rating_rows(review, kind),
    }
}

/// Specifications after review, in order: one row each that is to be used (`state` accepted,
/// edited or split), rejected, or not settled (open, conflict). Of a split one row a part.
#[must_use]
pub fn reviewed_rows(review: &Review) -> Vec<Value> {
    let items = review.set.items().iter();
    items
        .filter(|i| i.row.kind == Kind::Specification)
        .flat_map(|i| reviewed(review, i))
        .collect()
}

fn reviewed(review: &Review, item: &Item) -> Vec<Value> {
    let outcome = review.outcome(item);
    let base = |state: &str, question: &str, expected: Option<YesNo>| {
        json!({
            "id": item.row.id,
            "track": item.row.track,
            "instance": item.row.instance,
            "state": state,
            "question": question,
            "expected": expected.map(YesNo::as_str),
            "category": item.row.category,
            "source": item.row.source,
            "version": item.version,
            "settled": outcome.name(),
            "actions": actions(review, item),
        })
    };
    let (question, expected) = (item.row.question.as_str(), item.row.expected);
    match outcome.decision() {
        None => vec![base(outcome.name(), question, expected)],
        Some(Decision::Accept { .. }) => vec![base("accepted", question, expected)],
        Some(Decision::Edit {
            question, expected, ..
        }) => vec![base("edited", question, Some(*expected))],
        Some(Decision::Split { parts, .. }) => parts
            .iter()
            .zip(1..)
            .map(|(part, number)| {
                let mut row = base("split", &part.question, Some(part.expected));
                row["part"] = json!(number);
                row
            })
            .collect(),
        Some(_) => vec![base("rejected", question, expected)],
    }
}

/// Who did what, adjudication last: the history of a specification.
fn actions(review: &Review, item: &Item) -> Vec<Value> {
    let row = |made: &Made, role: &str| json!({"by": made.by, "role": role, "event": made.n, "decision": made.decision});
    let mut rows: Vec<Value> = review
        .decisions(item)
        .into_iter()
        .map(|m| row(m, "annotator"))
        .collect();
    rows.extend(review.settled(item).map(|m| row(m, "adjudicator")));
    rows
}

/// Verdicts as `verispec study human` reads them: the sample's own rows with `human` filled in
/// where people agree or somebody settled it. `human` is empty where nobody decided, people
/// differ, or nobody could tell (`state` says which). `inclusion` is the item's own; where the set
/// gives none it is 1 if every item is answered, and absent otherwise: labels of some items that
/// somebody picked have no known probability. Also facts of scene graphs.
#[must_use]
pub fn human_rows(review: &Review, kind: Kind) -> Vec<Value> {
    let items = review.set.items().iter().filter(|i| i.row.kind == kind);
    let mut rows: Vec<Value> = items.map(|item| human(review, item)).collect();
    // A set that was not drawn and is answered whole is certain to hold each of its items.
    let all = |row: &Value| row["inclusion"].is_null() && row["human"] != "";
    if rows.iter().all(all) {
        rows.iter_mut()
            .for_each(|row| row["inclusion"] = json!(1.0));
    }
    rows
}

fn human(review: &Review, item: &Item) -> Value {
    let row = &item.row;
    let outcome = review.outcome(item);
    let (human, state) = match outcome.decision() {
        Some(Decision::Answer { said, .. }) => match said {
            Said::Yes => ("Yes", outcome.name()),
            Said::No => ("No", outcome.name()),
            Said::CannotTell => ("", "cannot tell"),
        },
        _ => ("", outcome.name()),
    };
    let each: Map<String, Value> = review
        .decisions(item)
        .into_iter()
        .map(|m| (m.by.clone(), json!(m.decision.name())))
        .collect();
    let mut out = json!({
        "model": row.model,
        "track": row.track,
        "dimension": row.dimension,
        "instance": row.instance,
        "spec": row.spec,
        "question": row.question,
        "human": human,
        "verdict": row.verdict.map(YesNo::as_str),
        "expected": row.expected.map(YesNo::as_str),
        "stratum": row.stratum,
        "inclusion": row.inclusion,
        "state": state,
        "annotators": each,
        "version": item.version,
    });
    if row.kind == Kind::Graph {
        out["fact"] = json!(row.id);
    }
    out
}

/// Grades as `verispec study human` reads ratings: one row an item and person, for
/// [`Kind::Rating`] and [`Kind::Answer`]. An adjudication replaces nobody's grade.
#[must_use]
pub fn rating_rows(review: &Review, kind: Kind) -> Vec<Value> {
    let items = review.set.items().iter().filter(|i| i.row.kind == kind);
    let mut rows = vec![];
    for item in items {
        for made in review.decisions(item) {
            let Decision::Grade { grade, reason } = &made.decision else {
                continue;
            };
            let row = &item.row;
            let mut out = json!({
                "track": row.track,
                "id": row.instance,
                "model": row.model,
                "annotator": made.by,
                "rating": grade,
                "inclusion": row.inclusion,
                "remark": reason,
                "version": item.version,
            });
            if row.kind == Kind::Answer {
                out["fact"] = json!(row.id);
            }
            rows.push(out);
        }
    }
    rows
}

#[cfg(test)]
mod tests;
