//! Replies that answer a list of questions.

use std::collections::BTreeSet;

use verispec_model::{ReadStage, SpecId, Unjudged};

use super::decide::{Resolved, decide, salvage};
use super::json::{Node, salvage_at};
use super::scan::{Scan, scan};
use super::shape;
use super::{ItemReading, ListReading, ReadOptions, ReadStatus};

/// Reads a reply to the questions with the `asked` ids.
///
/// Accepted forms: a list of `{"id", "answer"}`; the same under a name such as `answers`; a map
/// of ids to answers; items or lists one after the other. They may stand in fences and prose;
/// reasoning tags are skipped. Never fails and never panics: what cannot be read is
/// [`Unjudged::Unparsed`], an asked id that a well-formed reply lacks is [`Unjudged::MissingId`],
/// answers that contradict each other are [`Unjudged::Conflict`].
#[must_use]
pub fn read_list(text: &str, asked: &[SpecId], options: ReadOptions) -> ListReading {
    let found = scan(text, shape::answers);
    if let Some(resolved) = decide(&found, asked) {
        let stage = stage(&found, &resolved);
        return reading(
            resolved,
            asked,
            ReadStatus::WellFormed,
            stage,
            Unjudged::MissingId,
        );
    }
    let kept = if options.lenient {
        salvaged(text, &found)
    } else {
        None
    };
    match kept.filter(|r| asked.iter().any(|id| r.items.contains_key(id))) {
        None => ListReading::unparsed(asked),
        Some(resolved) => {
            let stage = stage(&found, &resolved);
            reading(
                resolved,
                asked,
                ReadStatus::PartialSalvaged,
                stage,
                Unjudged::Unparsed,
            )
        }
    }
}

/// Stage that a well-formed reading came from.
pub(super) fn stage(found: &Scan, resolved: &Resolved) -> ReadStage {
    match (resolved.edited, found.whole) {
        (true, _) => ReadStage::Repaired,
        (false, true) => ReadStage::Strict,
        (false, false) => ReadStage::Extracted,
    }
}

/// Complete objects of the list in which the text ends, if the end is all that is wrong with it.
fn salvaged(text: &str, found: &Scan) -> Option<Resolved> {
    let (start, adjacent) = found.cut.filter(|_| found.broken.len() == 1)?;
    let list = shape::wrapped_list_start(text, start).unwrap_or(start);
    // A cut object outside a list leaves nothing of its own, but what stands before it.
    let (items, edited) = salvage_at(text, list).unwrap_or_default();
    let tail = shape::answers(&Node::Array(items)).unwrap_or_default();
    Some(salvage(found, &tail.entries, edited, adjacent))
}

fn reading(
    resolved: Resolved,
    asked: &[SpecId],
    status: ReadStatus,
    stage: ReadStage,
    absent: Unjudged,
) -> ListReading {
    let Resolved {
        mut items,
        unmatched,
        duplicates,
        ..
    } = resolved;
    let mut take = |id| {
        items
            .remove(&id)
            .unwrap_or_else(|| ItemReading::unjudged(absent))
    };
    // Asked ids are distinct by contract; a repeated one must not find its item gone.
    let distinct: BTreeSet<SpecId> = asked.iter().copied().collect();
    ListReading {
        items: distinct.into_iter().map(|id| (id, take(id))).collect(),
        status,
        stage: Some(stage),
        unknown_ids: items.into_keys().collect(),
        unmatched,
        duplicates: duplicates.into_iter().collect(),
    }
}
