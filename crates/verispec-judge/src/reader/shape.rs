//! Which values are answers: lists of items, lists under a known name, maps of ids.

use serde_json::Value;
use verispec_model::{Reading, SpecId, Unjudged};

use super::answer::{raw_id, read_answer, read_id, text_id};
use super::json::Node;

/// One answer of a list.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    /// `None` if what stands there is no id.
    pub(super) id: Option<SpecId>,
    pub(super) raw_id: Value,
    pub(super) reading: Reading,
    pub(super) raw: Option<Value>,
    pub(super) note: Option<String>,
}

/// A value that answers.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Answers {
    pub(super) entries: Vec<Entry>,
    /// A single item outside any list; several in a row form one list.
    pub(super) bare_item: bool,
}

/// Names under which a list or map may stand.
const WRAPPERS: &[&str] = &[
    "answers",
    "results",
    "evaluations",
    "evaluation",
    "items",
    "judgments",
    "judgements",
    "verdicts",
    "responses",
    "checklist",
];

/// Members that hold the judge's explanation, best first.
const NOTES: &[&str] = &[
    "reason",
    "explanation",
    "rationale",
    "justification",
    "reasoning",
    "evidence",
    "note",
    "comment",
    "analysis",
];

/// The answers that a value is; `None` if it has none of the accepted shapes.
///
/// Accepted: a list with at least one object that has an `id`; such an object alone; an object
/// with exactly one such list, or map, under a known name; a map with ids as keys.
pub(super) fn answers(node: &Node) -> Option<Answers> {
    match node {
        Node::Array(items) => list(items),
        Node::Object(members) if has(members, "id") => Some(Answers {
            entries: item(members),
            bare_item: true,
        }),
        Node::Object(members) => wrapped(members).or_else(|| map(members)),
        _ => None,
    }
}

/// As [`answers`], for a reply to one question: an object with `answer` needs no id, alone or as
/// the only element of a list.
pub(super) fn single_answer(node: &Node, id: SpecId) -> Option<Answers> {
    let alone = match node {
        Node::Array(items) if items.len() == 1 => &items[0],
        other => other,
    };
    match alone {
        Node::Object(members) if has(members, "answer") && !has(members, "id") => {
            let entries = vec![entry(Some(id), Value::Null, members)];
            Some(Answers {
                entries,
                bare_item: false,
            })
        }
        _ => answers(node),
    }
}

/// Whether a cut value starts like an object that wraps a list; then where the list starts.
pub(super) fn wrapped_list_start(text: &str, start: usize) -> Option<usize> {
    let rest = text[start..]
        .strip_prefix('{')?
        .trim_start()
        .strip_prefix('"')?;
    let (name, rest) = rest.split_once('"')?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    (is_wrapper(name) && rest.starts_with('[')).then(|| text.len() - rest.len())
}

fn is_wrapper(name: &str) -> bool {
    WRAPPERS.contains(&name.trim().to_lowercase().as_str())
}

fn list(items: &[Node]) -> Option<Answers> {
    let is_item = |n: &&Node| matches!(n, Node::Object(m) if has(m, "id"));
    if !items.is_empty() && !items.iter().any(|n| is_item(&n)) {
        return None;
    }
    let entries = items.iter().flat_map(|n| match n {
        Node::Object(members) => item(members),
        _ => vec![],
    });
    Some(Answers {
        entries: entries.collect(),
        bare_item: false,
    })
}

fn wrapped(members: &[(String, Node)]) -> Option<Answers> {
    let mut inner = members
        .iter()
        .filter(|(key, _)| is_wrapper(key))
        .map(|(_, v)| v);
    match (inner.next(), inner.next()) {
        (Some(Node::Array(items)), None) => list(items),
        (Some(Node::Object(members)), None) => map(members),
        _ => None,
    }
}

fn map(members: &[(String, Node)]) -> Option<Answers> {
    let entries: Vec<Entry> = members
        .iter()
        .filter_map(|(key, value)| {
            let id = text_id(key)?;
            let raw_id = Value::String(key.clone());
            Some(match value {
                Node::Object(inner) => entry(Some(id), raw_id, inner),
                other => Entry {
                    id: Some(id),
                    raw_id,
                    reading: read_answer(other),
                    raw: Some(other.to_value()),
                    note: None,
                },
            })
        })
        .collect();
    (!entries.is_empty()).then_some(Answers {
        entries,
        bare_item: false,
    })
}

/// An item's entries: one; or, if it names several ids, one unparsed entry for each, because the
/// answer may belong to any of them.
fn item(members: &[(String, Node)]) -> Vec<Entry> {
    let mut ids: Vec<&Node> = vec![];
    for node in all(members, "id") {
        if !ids.iter().any(|other| read_id(other) == read_id(node)) {
            ids.push(node);
        }
    }
    if ids.len() <= 1 {
        let id = ids.first().copied();
        return vec![entry(id.and_then(read_id), raw_id(id), members)];
    }
    let unclear = |id: &&Node| Entry {
        reading: Reading::Unjudged(Unjudged::Unparsed),
        ..entry(read_id(id), raw_id(Some(id)), members)
    };
    ids.iter().map(unclear).collect()
}

/// An entry with the answer of these members. Several answers that differ are a conflict; none is
/// unparsed.
fn entry(id: Option<SpecId>, raw_id: Value, members: &[(String, Node)]) -> Entry {
    let answers: Vec<&Node> = all(members, "answer").collect();
    let readings: Vec<Reading> = answers.iter().map(|n| read_answer(n)).collect();
    let unparsed = Reading::Unjudged(Unjudged::Unparsed);
    let first = readings.first().cloned().unwrap_or(unparsed);
    let agree = readings.iter().all(|r| *r == first);
    let raw = match answers.as_slice() {
        [] => None,
        [first, ..] if agree => Some(first.to_value()),
        several => Some(Value::Array(several.iter().map(|n| n.to_value()).collect())),
    };
    let reading = if agree {
        first
    } else {
        Reading::Unjudged(Unjudged::Conflict)
    };
    Entry {
        id,
        raw_id,
        reading,
        raw,
        note: note(members),
    }
}

pub(super) fn note(members: &[(String, Node)]) -> Option<String> {
    let texts = NOTES.iter().flat_map(|name| all(members, name));
    texts.into_iter().find_map(|n| match n {
        Node::Text(text) if !text.trim().is_empty() => Some(text.clone()),
        _ => None,
    })
}

pub(super) fn all<'a>(members: &'a [(String, Node)], name: &str) -> impl Iterator<Item = &'a Node> {
    let is = move |key: &str| key.trim().eq_ignore_ascii_case(name);
    members
        .iter()
        .filter(move |(key, _)| is(key))
        .map(|(_, value)| value)
}

fn has(members: &[(String, Node)], name: &str) -> bool {
    all(members, name).next().is_some()
}
