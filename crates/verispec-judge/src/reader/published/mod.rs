//! Reading as the released SpecV scripts do, faults included.
//!
//! Behaviour, not code, of `parse_json_response` and `merge_result_with_checklist` (SpecV 2af3845,
//! run with Python 3.11): a ladder of guesses of which the first that parses wins, whatever it
//! parses to; then only a list is accepted; then answers are looked up by id with Python's idea of
//! equality, the last one winning. Some accepted lists are corruptions of what the judge wrote.
//!
//! Known differences, all on input that no judge sends: a lone surrogate becomes U+FFFD; nesting
//! beyond [`json::MAX_DEPTH`] and repairs beyond a work limit are "not accepted", where the scripts
//! depend on the call stack and on patience.

mod edits;
pub mod json;
mod ladder;
mod merge;

use std::collections::BTreeMap;

use serde_json::Value;
use verispec_model::{Reading, SpecId, Unjudged, YesNo};

pub use json::PyValue;
pub use ladder::{Hit, parse_ladder};
pub use merge::{MergeError, merge};

use super::{ItemReading, ListReading, ReadStatus};

/// What the scripts write for an item without an answer.
pub const NOT_AVAILABLE: &str = "N/A";

/// The list that the scripts go on with: any list, of whatever.
#[must_use]
pub fn accepted(value: &PyValue) -> Option<&[PyValue]> {
    match value {
        PyValue::List(items) => Some(items),
        _ => None,
    }
}

/// How a merged answer counts: only the exact strings `Yes` and `No` are verdicts; `N/A` is an
/// item that the reply lacks; anything else (also `yes` and `true`) is unparsed.
#[must_use]
pub fn reading(answer: &Value) -> Reading {
    match answer.as_str() {
        Some("Yes") => Reading::yes_no(YesNo::Yes),
        Some("No") => Reading::yes_no(YesNo::No),
        Some(NOT_AVAILABLE) => Reading::Unjudged(Unjudged::MissingId),
        _ => Reading::Unjudged(Unjudged::Unparsed),
    }
}

/// Ladder, acceptance and merge in one: the scripts' reading of a reply, in the terms of the
/// default reader. A reply that the scripts would ask again is [`ReadStatus::Unparsed`]; raw
/// answers are exactly what the scripts store, `N/A` included. Unknown ids and duplicates are
/// not listed: the scripts do not look.
#[must_use]
pub fn read_list(text: &str, asked: &[SpecId]) -> ListReading {
    let unparsed = ListReading::unparsed(asked);
    let Some(hit) = parse_ladder(text) else {
        return unparsed;
    };
    let Some(list) = accepted(&hit.value) else {
        return unparsed;
    };
    let Ok(answers) = merge(list, asked) else {
        return unparsed;
    };
    let item = |raw: Value| ItemReading {
        reading: reading(&raw),
        raw: Some(raw),
        note: None,
    };
    let items: BTreeMap<_, _> = asked
        .iter()
        .copied()
        .zip(answers.into_iter().map(item))
        .collect();
    ListReading {
        items,
        status: ReadStatus::WellFormed,
        stage: Some(hit.stage),
        ..unparsed
    }
}
