//! From the candidates of a message to the answers that count.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use verispec_model::{Reading, SpecId, Unjudged};

use super::ItemReading;
use super::scan::{Candidate, Scan};
use super::shape::Entry;

/// Answers of one or several lists, by id.
#[derive(Debug, Clone, Default)]
pub(super) struct Resolved {
    pub(super) items: BTreeMap<SpecId, ItemReading>,
    pub(super) unmatched: Vec<Value>,
    pub(super) duplicates: BTreeSet<SpecId>,
    pub(super) edited: bool,
}

impl Resolved {
    fn of(entries: &[Entry], edited: bool) -> Self {
        let mut out = Self {
            edited,
            ..Self::default()
        };
        for entry in entries {
            let item = ItemReading {
                reading: entry.reading.clone(),
                raw: entry.raw.clone(),
                note: entry.note.clone(),
            };
            match entry.id {
                None => out.unmatched.push(entry.raw_id.clone()),
                Some(id) => out.add(id, item),
            }
        }
        out
    }

    fn add(&mut self, id: SpecId, item: ItemReading) {
        match self.items.remove(&id) {
            None => {
                self.items.insert(id, item);
            }
            Some(first) => {
                self.duplicates.insert(id);
                self.items.insert(id, combine(first, item));
            }
        }
    }

    fn covers(&self, asked: &[SpecId]) -> bool {
        asked.iter().all(|id| self.items.contains_key(id))
    }

    fn answers_any(&self, asked: &[SpecId]) -> bool {
        asked.iter().any(|id| self.items.contains_key(id))
    }

    /// Takes over what another list says about the same ids, where it says something else.
    fn contradict(&mut self, other: &Self) {
        for (id, theirs) in &other.items {
            if let Some(ours) = self.items.get_mut(id)
                && ours.reading != theirs.reading
            {
                *ours = combine(theirs.clone(), ours.clone());
                self.duplicates.insert(*id);
            }
        }
    }
}

/// Most answers that a conflict keeps.
const MAX_RAWS: usize = 8;

/// Two answers to one item: the later one if they say the same, else a conflict that keeps both.
fn combine(first: ItemReading, second: ItemReading) -> ItemReading {
    if first.reading == second.reading {
        return second;
    }
    let raws = [first.raw, second.raw]
        .into_iter()
        .flatten()
        .flat_map(|raw| match raw {
            Value::Array(several) => several,
            one => vec![one],
        });
    ItemReading {
        reading: Reading::Unjudged(Unjudged::Conflict),
        raw: Some(Value::Array(raws.take(MAX_RAWS).collect())),
        note: second.note,
    }
}

/// Lists with nothing but white space and fences between them: one statement of the judge.
struct Group {
    start: usize,
    line_start: bool,
    lists: Vec<Resolved>,
}

/// What the message says, or `None` if that is not certain.
///
/// Rules. The *last* group that covers the asked ids wins; without one, the last that answers any;
/// without that, the last, provided that the message holds nothing else.
/// What stands before it is superseded (an echoed example, a draft); what comes after it and says
/// otherwise is a conflict. Something unreadable after the winner makes everything uncertain;
/// before the winner, it must cover all ids and start a line, or it might be a piece of what was
/// unreadable.
pub(super) fn decide(scan: &Scan, asked: &[SpecId]) -> Option<Resolved> {
    let groups = groups(scan);
    let resolved: Vec<Resolved> = groups.iter().map(|g| resolve(&g.lists, asked)).collect();
    let pick = |fits: &dyn Fn(&Resolved) -> bool| resolved.iter().rposition(fits);
    let winner = pick(&|r| r.covers(asked) && r.answers_any(asked))
        .or_else(|| pick(&|r| r.answers_any(asked)))
        .or_else(|| pick(&|_| !scan.prose))?;
    let group = &groups[winner];
    let mut answer = resolved[winner].clone();
    if let Some(last) = scan.broken.last() {
        let safe = answer.covers(asked) && group.line_start && *last < group.start;
        safe.then_some(())?;
    }
    for later in &resolved[winner + 1..] {
        answer.contradict(later);
    }
    Some(answer)
}

/// The complete objects of a cut list, with the answers right before it.
pub(super) fn salvage(scan: &Scan, tail: &[Entry], edited: bool, adjacent: bool) -> Resolved {
    let before = groups(scan).pop().filter(|_| adjacent);
    let mut all = Resolved::of(tail, edited);
    for list in before.into_iter().flat_map(|g| g.lists) {
        all.edited |= list.edited;
        all.unmatched.extend(list.unmatched);
        for (id, item) in list.items {
            all.add(id, item);
        }
    }
    all
}

fn groups(scan: &Scan) -> Vec<Group> {
    let lists = lists(&scan.candidates);
    // Lists without a single answer word, such as an echoed checklist, count only if there is
    // nothing else.
    let answers = |l: &&List| l.entries.iter().any(|e| is_answer(&e.reading));
    let any = lists.iter().any(|l| answers(&l));
    let mut groups: Vec<Group> = vec![];
    for list in lists.iter().filter(|l| !any || answers(l)) {
        let resolved = Resolved::of(&list.entries, list.edited);
        match groups.last_mut().filter(|_| list.first.adjacent) {
            Some(group) => group.lists.push(resolved),
            None => groups.push(Group {
                start: list.first.start,
                line_start: list.first.line_start,
                lists: vec![resolved],
            }),
        }
    }
    groups
}

/// A list of the message, or bare items one after the other.
struct List<'a> {
    first: &'a Candidate,
    entries: Vec<Entry>,
    edited: bool,
}

fn lists(candidates: &[Candidate]) -> Vec<List<'_>> {
    let mut lists: Vec<List<'_>> = vec![];
    for candidate in candidates {
        let bare = |c: &Candidate| c.answers.bare_item;
        let continued = candidate.adjacent && bare(candidate);
        match lists.last_mut().filter(|l| continued && bare(l.first)) {
            Some(list) => {
                list.entries
                    .extend(candidate.answers.entries.iter().cloned());
                list.edited |= candidate.edited;
            }
            None => lists.push(List {
                first: candidate,
                entries: candidate.answers.entries.clone(),
                edited: candidate.edited,
            }),
        }
    }
    lists
}

fn is_answer(reading: &Reading) -> bool {
    matches!(
        reading,
        Reading::Answer(_) | Reading::Unjudged(Unjudged::Abstained | Unjudged::Conflict)
    )
}

/// One group: its last list that covers the asked ids; or all lists together if no two answer the
/// same id (a list continued); or the last. Contradictions inside the group are conflicts.
fn resolve(lists: &[Resolved], asked: &[SpecId]) -> Resolved {
    let total: usize = lists.iter().map(|l| l.items.len()).sum();
    let distinct: BTreeSet<SpecId> = lists.iter().flat_map(|l| l.items.keys().copied()).collect();
    let full = lists.iter().rposition(|l| l.covers(asked));
    if full.is_none() && total == distinct.len() {
        let mut all = Resolved::default();
        for list in lists {
            all.items.extend(list.items.clone());
            all.unmatched.extend(list.unmatched.clone());
            all.duplicates.extend(&list.duplicates);
            all.edited |= list.edited;
        }
        return all;
    }
    let base = full.unwrap_or(lists.len() - 1);
    let mut out = lists[base].clone();
    for (i, list) in lists.iter().enumerate() {
        if i != base {
            out.contradict(list);
        }
    }
    out
}
