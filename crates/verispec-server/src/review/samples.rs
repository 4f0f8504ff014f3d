//! Items and events of tests.

use verispec_media::HashCache;
use verispec_model::YesNo;

use super::{Action, Decision, Event, Item, ItemRow, Kind, ReviewSet, Said};

/// A specification.
pub(crate) fn specification(id: &str) -> ItemRow {
    let mut row = ItemRow::new(Kind::Specification, id, "t2i", "1", "Is there a red boat?");
    row.prompt = "A red boat.".to_owned();
    row.expected = Some(YesNo::Yes);
    row
}

/// Something of a model's output.
pub(crate) fn of_output(kind: Kind, id: &str) -> ItemRow {
    let mut row = ItemRow::new(kind, id, "t2i", "1", "Is the boat red?");
    row.model = Some("painter".to_owned());
    row.spec = Some(3);
    row.gold = Some("red".to_owned());
    row.answer = Some("crimson".to_owned());
    row.inclusion = Some(0.25);
    row.verdict = Some(YesNo::Yes);
    row.expected = Some(YesNo::Yes);
    row
}

/// `n` specifications s1, s2 …
pub(crate) fn set(n: usize) -> ReviewSet {
    let rows = (1..=n).map(|i| specification(&format!("s{i}"))).collect();
    ReviewSet::new("test", rows, &HashCache::in_memory()).unwrap()
}

/// An event as the page makes one that has seen everything up to `seen`.
pub(crate) fn event(n: u64, by: &str, item: &Item, seen: u64, action: Action) -> Event {
    Event {
        n,
        at: 0,
        by: by.to_owned(),
        item: item.row.id.clone(),
        version: item.version.clone(),
        seen,
        action,
    }
}

/// Accept without a reason.
pub(crate) fn accept() -> Decision {
    Decision::Accept {
        reason: String::new(),
    }
}

/// Reject for a reason.
pub(crate) fn reject() -> Decision {
    Decision::Reject {
        reason: "ambiguous".to_owned(),
    }
}

/// A verdict.
pub(crate) fn said(said: Said) -> Decision {
    Decision::Answer {
        said,
        reason: String::new(),
    }
}
