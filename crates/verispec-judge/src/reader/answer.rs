//! Which words are answers, and which values are ids.

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use verispec_model::{Reading, SpecId, Unjudged, YesNo};

use super::json::Node;

/// What an answer word says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerWord {
    /// Yes.
    Yes,
    /// No.
    No,
    /// The judge says that it cannot tell or that the question does not apply.
    Abstain,
}

impl AnswerWord {
    /// The reading that this word is.
    #[must_use]
    pub const fn reading(self) -> Reading {
        match self {
            Self::Yes => Reading::yes_no(YesNo::Yes),
            Self::No => Reading::yes_no(YesNo::No),
            Self::Abstain => Reading::Unjudged(Unjudged::Abstained),
        }
    }
}

/// The answer that a folded text is. A table of patterns, because it is asked several times for
/// each of hundreds of thousands of replies.
fn named(plain: &str) -> Option<AnswerWord> {
    match plain {
        "yes" | "true" | "是" | "是的" | "oui" | "ja" | "sí" | "sì" | "sim" | "да" | "はい"
        | "예" | "네" | "evet" | "نعم" => Some(AnswerWord::Yes),
        "no" | "false" | "否" | "不是" | "non" | "nein" | "não" | "nao" | "нет" | "いいえ"
        | "아니요" | "아니오" | "nee" | "hayır" | "لا" => Some(AnswerWord::No),
        "n/a"
        | "n.a"
        | "not applicable"
        | "abstain"
        | "unsure"
        | "not sure"
        | "i am not sure"
        | "i'm not sure"
        | "uncertain"
        | "unclear"
        | "unknown"
        | "undetermined"
        | "cannot tell"
        | "can not tell"
        | "can't tell"
        | "i cannot tell"
        | "i can't tell"
        | "cannot determine"
        | "can't determine"
        | "i cannot determine"
        | "i can't determine"
        | "cannot be determined"
        | "cannot answer"
        | "i don't know"
        | "don't know"
        | "不确定"
        | "无法判断"
        | "无法确定"
        | "不适用" => Some(AnswerWord::Abstain),
        _ => None,
    }
}

/// Longest text, in bytes, that can be an answer word with its decoration.
const LONGEST: usize = 96;

/// The answer that a text is, if it is nothing else.
///
/// Width (NFKC), case, white space, and punctuation or markup around the word do not matter. A
/// sentence, a question mark, a grade or a letter is no answer word.
#[must_use]
pub fn answer_word(text: &str) -> Option<AnswerWord> {
    let text = text.trim_matches(is_decoration);
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let plain = folded(text);
    let plain = plain.trim_matches(is_decoration);
    named(plain)
}

/// A text without differences of width and case, with straight apostrophes.
pub(super) fn folded(text: &str) -> String {
    // Nearly all replies: normalising them changes nothing and takes most of the time of reading.
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let folded = text.nfkc().collect::<String>().to_lowercase();
    folded.replace('\u{2019}', "'")
}

/// White space, punctuation and markup that may stand around an answer without changing it.
pub(super) fn is_decoration(c: char) -> bool {
    // Where nearly every text begins and ends.
    if c.is_ascii_alphanumeric() {
        return false;
    }
    c.is_whitespace() || ".,;:!*_`\"'()[]“”‘’。，！；：\u{feff}".contains(c)
}

/// The reading of an answer value: booleans and answer words; anything else is unparsed.
pub(super) fn read_answer(node: &Node) -> Reading {
    let word = match node {
        Node::Bool(true) => Some(AnswerWord::Yes),
        Node::Bool(false) => Some(AnswerWord::No),
        Node::Text(text) => answer_word(text),
        _ => None,
    };
    word.map_or(Reading::Unjudged(Unjudged::Unparsed), AnswerWord::reading)
}

/// The id that a value is: `1`, `1.0`, `1e0`, `"1"`, `"01"`, full-width digits. Not `1.5`, `true`,
/// `null`, `"one"`.
pub(super) fn read_id(node: &Node) -> Option<SpecId> {
    match node {
        Node::Number(text) => number_id(text),
        Node::Text(text) => text_id(text),
        _ => None,
    }
}

/// As [`read_id`], for keys of a map.
pub(super) fn text_id(text: &str) -> Option<SpecId> {
    if text.len() > LONGEST {
        return None;
    }
    let plain: String = text.trim().nfkc().collect();
    let digits = plain.bytes().all(|b| b.is_ascii_digit());
    if digits {
        plain.parse().ok()
    } else {
        number_id(&plain)
    }
}

fn number_id(text: &str) -> Option<SpecId> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if let Ok(id) = text.parse() {
        return Some(id);
    }
    let number: f64 = text.parse().ok()?;
    let whole = number.fract() == 0.0 && number <= f64::from(SpecId::MAX);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked above"
    )]
    whole.then_some(number as SpecId)
}

/// An id as it stands in the reply, for the list of unmatched ones.
pub(super) fn raw_id(node: Option<&Node>) -> Value {
    node.map_or(Value::Null, Node::to_value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a12_width_and_language_do_not_matter() {
        for text in [
            "Yes",
            " yes.",
            "YES",
            "**Yes**",
            "Ｙｅｓ",
            "是",
            "是的。",
            "Oui",
            "true",
            "\"Yes\"",
            "Sí",
        ] {
            assert_eq!(answer_word(text), Some(AnswerWord::Yes), "{text}");
        }
        for text in [
            "No",
            "no!",
            "(No)",
            "Ｎｏ",
            "否",
            "不是",
            "nein",
            "FALSE",
            "いいえ",
        ] {
            assert_eq!(answer_word(text), Some(AnswerWord::No), "{text}");
        }
        for text in [
            "N/A",
            "n/a.",
            "Cannot tell",
            "can’t tell",
            "Unsure",
            "无法判断",
        ] {
            assert_eq!(answer_word(text), Some(AnswerWord::Abstain), "{text}");
        }
    }

    #[test]
    fn what_is_not_an_answer() {
        for text in [
            "",
            " ",
            "maybe",
            "Yes?",
            "Yes/No",
            "Yes or No",
            "yesterday",
            "know",
            "Y es",
            "Ye\ns",
            "y",
            "Yes, but",
            "none",
            "null",
            "1",
            "partly",
            "not visible",
            "是否",
        ] {
            assert_eq!(answer_word(text), None, "{text}");
        }
    }

    #[test]
    fn ids() {
        let number = |t: &str| read_id(&Node::Number(t.into()));
        assert_eq!(number("1"), Some(1));
        assert_eq!(number("1.0"), Some(1));
        assert_eq!(number("1e0"), Some(1));
        assert_eq!(number("1.5"), None);
        assert_eq!(number("-1"), None);
        assert_eq!(number("1e99"), None);
        assert_eq!(number("99999999999"), None);
        let text = |t: &str| read_id(&Node::Text(t.into()));
        assert_eq!(text("1"), Some(1));
        assert_eq!(text(" 07 "), Some(7));
        assert_eq!(text("１２"), Some(12));
        assert_eq!(text("one"), None);
        assert_eq!(text("inf"), None);
        assert_eq!(text(""), None);
        assert_eq!(read_id(&Node::Bool(true)), None);
        assert_eq!(read_id(&Node::Null), None);
    }
}
