//! The ladder itself: in which order what is tried.

use verispec_model::ReadStage;

use super::edits::{add_opening_quotes, drop_trailing_commas, escape_inner_quotes, strip};
use super::json::{PyError, PyValue, loads_chars};

/// What the ladder found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The value, of any type; never `None`, which counts as nothing found.
    pub value: PyValue,
    /// Rung, as the behaviour's description numbers them: `1` whole text, `3b` first fence with
    /// quotes added, and so on.
    pub rung: &'static str,
    /// The rung in terms of the default reader.
    pub stage: ReadStage,
}

/// Characters that the repairs may parse, over all rungs: seconds, not hours, on hostile text.
const WORK: usize = 1_000_000_000;

/// What is done to a piece of text before it is parsed.
#[derive(Clone, Copy)]
enum Edit {
    Plain,
    /// Q+.
    Quotes,
    /// T-.
    Commas,
    /// U+.
    Inner,
    /// U+ after Q+.
    QuotesInner,
}

/// One rung: its name, its edit, and whether an exception other than a decode error ends the
/// whole ladder (`true`) or only this rung.
type Rung = (&'static str, Edit, bool);

const WHOLE: &[Rung] = &[("1", Edit::Plain, true), ("2", Edit::Quotes, true)];
const FENCE: &[Rung] = &[
    ("3a", Edit::Plain, true),
    ("3b", Edit::Quotes, true),
    ("3c", Edit::Inner, false),
    ("3d", Edit::QuotesInner, false),
    ("3e", Edit::Commas, true),
];
const OPEN_FENCE: &[Rung] = &[
    ("4a", Edit::Plain, true),
    ("4b", Edit::Quotes, false),
    ("4c", Edit::QuotesInner, false),
    ("4d", Edit::Inner, false),
];
const SQUARE: &[Rung] = &[
    ("5a", Edit::Plain, true),
    ("5b", Edit::Commas, true),
    ("5c", Edit::Quotes, false),
    ("5d", Edit::Inner, false),
    ("5e", Edit::QuotesInner, false),
];
const CURLY: &[Rung] = &[
    ("6a", Edit::Plain, true),
    ("6b", Edit::Commas, true),
    ("6c", Edit::Quotes, false),
    ("6d", Edit::Inner, false),
    ("6e", Edit::QuotesInner, false),
];

/// How a run of rungs ended.
enum Outcome {
    Found(Hit),
    /// Python's `None`, or an exception that the scripts do not catch here.
    Nothing,
    GoOn,
}

/// Reads a judge's text as the released scripts do. `None` if they find nothing (or JSON `null`,
/// or fail in a way that makes them ask again).
#[must_use]
pub fn parse_ladder(text: &str) -> Option<Hit> {
    let chars: Vec<char> = text.chars().collect();
    let content = strip(&chars);
    if content.is_empty() {
        return None;
    }
    let mut work = WORK;
    let pieces = [
        (Some(content), WHOLE),
        (fenced(content), FENCE),
        (open_fence(content), OPEN_FENCE),
        (between(content, '[', ']'), SQUARE),
        (between(content, '{', '}'), CURLY),
    ];
    for (piece, rungs) in pieces {
        match piece.map_or(Outcome::GoOn, |p| climb(p, rungs, &mut work)) {
            Outcome::Found(hit) => return Some(hit),
            Outcome::Nothing => return None,
            Outcome::GoOn => {}
        }
    }
    None
}

fn climb(piece: &[char], rungs: &[Rung], work: &mut usize) -> Outcome {
    for &(rung, edit, fatal) in rungs {
        match attempt(piece, edit, work) {
            Ok(Some(PyValue::None)) if !repairs(edit) => return Outcome::Nothing,
            Ok(Some(PyValue::None) | None) | Err(PyError::Decode(_)) => {}
            Ok(Some(value)) => {
                let stage = match (rung, edit) {
                    ("1", _) => ReadStage::Strict,
                    (_, Edit::Plain) => ReadStage::Extracted,
                    _ => ReadStage::Repaired,
                };
                return Outcome::Found(Hit { value, rung, stage });
            }
            Err(PyError::Other) if fatal => return Outcome::Nothing,
            // The scripts try 4b to 4d under one handler.
            Err(PyError::Other) if rung.starts_with('4') => return Outcome::GoOn,
            Err(PyError::Other) => {}
        }
    }
    Outcome::GoOn
}

const fn repairs(edit: Edit) -> bool {
    matches!(edit, Edit::Inner | Edit::QuotesInner)
}

fn attempt(piece: &[char], edit: Edit, work: &mut usize) -> Result<Option<PyValue>, PyError> {
    match edit {
        Edit::Plain => loads_chars(piece).map(Some),
        Edit::Quotes => loads_chars(&add_opening_quotes(piece)).map(Some),
        Edit::Commas => loads_chars(&drop_trailing_commas(piece)).map(Some),
        Edit::Inner => escape_inner_quotes(piece, work),
        Edit::QuotesInner => escape_inner_quotes(&add_opening_quotes(piece), work),
    }
}

fn find(text: &[char], from: usize, pattern: &str) -> Option<usize> {
    let pattern: Vec<char> = pattern.chars().collect();
    let rest = text.get(from..)?;
    rest.windows(pattern.len())
        .position(|w| w == pattern)
        .map(|i| i + from)
}

/// Body of the first closed fence, without a `json` or `JSON` tag.
fn fenced(text: &[char]) -> Option<&[char]> {
    let mut start = find(text, 0, "```")? + 3;
    let tag: String = text[start..].iter().take(4).collect();
    if tag == "json" || tag == "JSON" {
        start += 4;
    }
    let end = find(text, start, "```")?;
    Some(strip(&text[start..end]))
}

/// Everything behind the first `json` fence (else the first `JSON` fence), without backticks at
/// the end.
fn open_fence(text: &[char]) -> Option<&[char]> {
    let start = find(text, 0, "```json").or_else(|| find(text, 0, "```JSON"))? + 7;
    let mut body = strip(&text[start..]);
    while let [head @ .., '`'] = body {
        body = head;
    }
    Some(strip(body))
}

/// From the first `open` to the last `close`.
fn between(text: &[char], open: char, close: char) -> Option<&[char]> {
    let start = text.iter().position(|c| *c == open)?;
    let end = text.iter().rposition(|c| *c == close)? + 1;
    (end > start).then(|| &text[start..end])
}
