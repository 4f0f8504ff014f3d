//! Free-text replies to one yes/no question.
//!
//! A ladder: the whole text is an answer word; an explicit declaration (`Answer: No`); the first
//! word; exactly one distinct yes/no word, set off from its sentence. Words inside words ("know",
//! "yesterday") never count, nor does "no" as in "no visible text".

use verispec_model::{Reading, Unjudged};

use super::answer::{AnswerWord, answer_word, folded, is_decoration};

/// Words that announce a verdict.
const DECLARE: &str = "answer|verdict|conclusion|result|judgment|judgement|decision|final|response|答案\
    |结论|réponse|respuesta|antwort|resposta|ответ";

/// What may follow "no" without punctuation and still leaves it an answer: "No it does not".
const AFTER_NO: &str = "it|there|the|this|that|these|those|they|he|she|i|we|because|as|since";

/// Words behind which a verdict stands.
const BEFORE_VERDICT: &str = "is|be|say|so|therefore|hence|thus|answer";

/// Words that make a lone yes or no doubtful.
const HEDGES: &str = "cannot|can't|unable|unsure|sure|unclear|uncertain|maybe|perhaps|partly|partially\
    |if|unless|whether|not|neither";

/// Bytes that are looked at to find the word behind a place.
const AHEAD: usize = 160;

fn among(words: &str, word: &str) -> bool {
    words.split('|').any(|other| other == word)
}

/// What a free text says.
pub(super) fn read_plain(text: &str) -> Reading {
    if let Some(word) = answer_word(text) {
        return word.reading();
    }
    let lower = folded(text);
    let unparsed = Reading::Unjudged(Unjudged::Unparsed);
    match (declared(&lower), leading(&lower)) {
        (Some(Declared::Other), _) => unparsed,
        (Some(Declared::Answer(a)), Some(b)) if a != b => Reading::Unjudged(Unjudged::Conflict),
        (Some(Declared::Answer(word)), _) | (None, Some(word)) => word.reading(),
        (None, None) => only_word(&lower).map_or(unparsed, AnswerWord::reading),
    }
}

/// The first `n` bytes, or a little less.
fn head(text: &str, n: usize) -> &str {
    let mut end = text.len().min(n);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '\'' || c == '/'
}

/// The first word and what follows it.
fn first_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let len = text.find(|c| !is_word(c)).unwrap_or(text.len());
    let word = text[..len].trim_end_matches(['\'', '/']);
    (!word.is_empty()).then(|| (word, &text[word.len()..]))
}

/// The answer that a text starts with.
fn leading(text: &str) -> Option<AnswerWord> {
    let (word, rest) = first_word(head(text, AHEAD))?;
    let answer = answer_word(word)?;
    let next = first_word(rest).map_or("", |(next, _)| next);
    if both_named(next, rest) {
        return None;
    }
    let fits = set_off(rest)
        || (word == "yes" && rest.starts_with(char::is_whitespace))
        || (word == "no" && rest.starts_with(' ') && among(AFTER_NO, next));
    fits.then_some(answer)
}

/// "Yes or no", "yes / no": the choice is repeated, not made.
fn both_named(next: &str, rest: &str) -> bool {
    let joined = matches!(
        next,
        "or" | "and" | "nor" | "oder" | "ou" | "o" | "und" | "et"
    );
    let second = || {
        let after = first_word(rest).and_then(|(_, after)| first_word(after));
        after.is_some_and(|(word, _)| answer_word(word).is_some())
    };
    rest.trim_start().starts_with('/') || (joined && second())
}

/// Whether a word ends a phrase: the text ends, or punctuation or a line break follows.
fn set_off(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['*', '_', '`', '"', '\'', '”', '’', ')', ']']);
    let solid = rest.trim_start_matches([' ', '\t', '\u{a0}']);
    match solid.chars().next() {
        None | Some('.' | ',' | ';' | ':' | '!' | '\n' | '\r' | '。' | '、' | '—' | '–' | '(') => {
            true
        }
        Some('-') => solid.len() < rest.len(),
        Some(_) => false,
    }
}

enum Declared {
    Answer(AnswerWord),
    /// Something else than an answer is declared.
    Other,
}

/// The last explicit declaration: a colon whose clause holds a word such as "answer".
fn declared(lower: &str) -> Option<Declared> {
    for (colon, _) in lower.rmatch_indices(':') {
        let clause = lower[..colon]
            .rsplit(['.', '!', '?', ';', ':', '\n', '。'])
            .next()
            .unwrap_or("");
        let mut words = clause.split(|c| !is_word(c)).filter(|w| !w.is_empty());
        let immediate = words.clone().next_back().is_some_and(|w| among(DECLARE, w));
        if !immediate && !words.any(|w| among(DECLARE, w)) {
            continue;
        }
        let tail = head(lower[colon + 1..].trim_start_matches(is_decoration), AHEAD);
        let line = tail.lines().next().unwrap_or("");
        match answer_word(line).or_else(|| leading(tail)) {
            Some(answer) => return Some(Declared::Answer(answer)),
            None if immediate => return Some(Declared::Other),
            None => {}
        }
    }
    None
}

/// The one yes/no word of a text, if there is one that is set off and nothing speaks against it.
fn only_word(lower: &str) -> Option<AnswerWord> {
    let mut answer = None;
    let mut decisive = false;
    let mut previous = "";
    let mut pos = 0;
    while let Some((word, rest)) = first_word(&lower[pos..]) {
        let end = lower.len() - rest.len();
        let before = &lower[pos..end - word.len()];
        if among(HEDGES, word) {
            return None;
        }
        let here = match word {
            "yes" | "true" | "是" | "是的" => Some(AnswerWord::Yes),
            "no" | "false" | "否" | "不是" => Some(AnswerWord::No),
            _ => None,
        };
        if let Some(here) = here {
            if answer.is_some_and(|other| other != here) {
                return None;
            }
            answer = Some(here);
            decisive |= set_off(rest) && stands_free(before, previous, pos == 0);
        }
        (previous, pos) = (word, end);
    }
    answer.filter(|_| decisive)
}

/// Whether a verdict may stand behind this: a new sentence or clause, or a word such as "is";
/// never inside quotes.
fn stands_free(before: &str, previous: &str, first: bool) -> bool {
    let quoted = before.contains(['"', '“', '”', '«', '‘', '\'']);
    let clause = before.contains(['.', '!', '?', ';', ',', '\n', '。']);
    !quoted && (first || clause || among(BEFORE_VERDICT, previous))
}
