//! Replies that answer one question.

use serde_json::Value;
use verispec_model::{ReadStage, Reading, SpecId, Unjudged};

use super::answer::{AnswerWord, answer_word};
use super::decide::decide;
use super::json::{Node, parse_at};
use super::list::stage;
use super::plain::read_plain;
use super::scan::{scan, without_reasoning};
use super::shape::single_answer;
use super::{ItemReading, SingleReading};

/// Reads a reply to one question, whose label is `id`.
///
/// Accepted forms: everything that [`read_list`](super::read_list) accepts; an object with
/// `answer` and no `id`, alone or as only element of a list; a JSON string; free text. Free text
/// is read by whole words: a declaration (`Answer: No`), the first word, or the one yes/no word
/// that is set off from its sentence. A text that holds structure is never read as free text.
#[must_use]
pub fn read_single(text: &str, id: SpecId) -> SingleReading {
    let found = scan(text, |node| single_answer(node, id));
    if found.candidates.is_empty() && found.broken.is_empty() {
        return free_text(text);
    }
    let Some(mut resolved) = decide(&found, &[id]) else {
        return unparsed();
    };
    let stage = Some(stage(&found, &resolved));
    let item = resolved.items.remove(&id);
    let item = item.unwrap_or_else(|| ItemReading::unjudged(Unjudged::MissingId));
    SingleReading { item, stage }
}

fn unparsed() -> SingleReading {
    SingleReading {
        item: ItemReading::unjudged(Unjudged::Unparsed),
        stage: None,
    }
}

fn free_text(text: &str) -> SingleReading {
    if let Some(quoted) = whole_string(text) {
        let reading =
            answer_word(&quoted).map_or(Reading::Unjudged(Unjudged::Unparsed), AnswerWord::reading);
        let item = ItemReading {
            reading,
            raw: Some(Value::String(quoted)),
            note: None,
        };
        return SingleReading {
            item,
            stage: Some(ReadStage::Strict),
        };
    }
    let visible = without_tags(&without_reasoning(text)).replace("```", " ");
    let visible = visible.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let visible = boxed(visible).unwrap_or(visible);
    if visible.is_empty() || visible.contains(['{', '}']) {
        return unparsed();
    }
    let word = answer_word(visible);
    let alone = word.is_some();
    let reading = word.map_or_else(|| read_plain(visible), AnswerWord::reading);
    let stage = match reading {
        Reading::Unjudged(Unjudged::Unparsed) => None,
        _ if alone && visible == text.trim() => Some(ReadStage::Strict),
        _ => Some(ReadStage::Extracted),
    };
    let note = (!alone).then(|| visible.to_owned());
    let item = ItemReading {
        reading,
        raw: Some(Value::String(visible.to_owned())),
        note,
    };
    SingleReading { item, stage }
}

/// The text without markup tags and special tokens (`<answer>`, `<|end_of_box|>`); each becomes a
/// line break, because what it surrounds stands for itself.
pub(super) fn without_tags(text: &str) -> String {
    const LONGEST: usize = 40;
    let is_tag = |name: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '|' | '/');
        !name.is_empty() && name.len() <= LONGEST && name.chars().all(plain)
    };
    let mut parts = text.split('<');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('>').filter(|(name, _)| is_tag(name)) {
            Some((_, rest)) => out.extend(["\n", rest]),
            None => out.extend(["<", part]),
        }
    }
    out
}

/// What the last `\boxed{...}` holds, the customary mark of a final answer.
pub(super) fn boxed(text: &str) -> Option<&str> {
    let (_, rest) = text.rsplit_once("\\boxed{")?;
    let rest = rest.strip_prefix("\\text{").unwrap_or(rest);
    rest.split_once('}').map(|(inside, _)| inside.trim())
}

fn whole_string(text: &str) -> Option<String> {
    let text = text.trim();
    let found = text.starts_with('"').then(|| parse_at(text, 0).ok())??;
    match found.node {
        Node::Text(string) if found.end == text.len() && !found.edited => Some(string),
        _ => None,
    }
}
