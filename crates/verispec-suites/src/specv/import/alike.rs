//! Files that say the same but for their answers.
//!
//! A judge's files of one instance repeat its specifications for every model. Where a file is byte
//! for byte one that was read before, but for the answers, nothing else has to be read again.

use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;

/// Text of a file, and where its answers stand in it.
#[derive(Debug)]
pub(super) struct Alike {
    text: Box<str>,
    answers: Vec<Range<usize>>,
}

#[derive(Deserialize)]
struct Answered<'a> {
    #[serde(borrow)]
    answer: &'a RawValue,
}

impl Alike {
    /// Of a file whose items all have an answer; `None` for any other.
    pub(super) fn of(text: &str) -> Option<Self> {
        let items: Vec<Answered<'_>> = serde_json::from_str(text).ok()?;
        let place = |item: &Answered<'_>| {
            let raw = item.answer.get();
            let start = raw.as_ptr().addr() - text.as_ptr().addr();
            start..start + raw.len()
        };
        Some(Self {
            answers: items.iter().map(place).collect(),
            text: text.into(),
        })
    }

    /// Answers of a file that is this one but for them, item by item: plain strings, as judges
    /// write them. `None` for any other file, which is to be read as a whole.
    pub(super) fn answers<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let (mut rest, mut at) = (text, 0);
        let mut answers = Vec::with_capacity(self.answers.len());
        for place in &self.answers {
            rest = rest.strip_prefix(&self.text[at..place.start])?;
            let (answer, after) = rest.strip_prefix('"')?.split_once('"')?;
            // An escape, or a character that JSON does not allow.
            if answer.contains(|c: char| c == '\\' || c < ' ') {
                return None;
            }
            answers.push(answer);
            (rest, at) = (after, place.end);
        }
        (*rest == self.text[at..]).then_some(answers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"[{"id": 1, "answer": "Yes"}, {"answer" : null, "question": "a \"b\""}]"#;

    #[test]
    fn only_answers_may_differ() {
        let alike = Alike::of(FILE).unwrap();
        let other = FILE.replace("null", "\"N/A\"").replace("Yes", "是");
        assert_eq!(alike.answers(&other), Some(vec!["是", "N/A"]));
        for (from, to) in [
            ("\"N/A\"", "null"),
            ("\"N/A\"", "\"a\\n\""),
            ("\"N/A\"", "\"a\n\""),
            ("\"N/A\"", "\"Yes\", \"x\": \"\""),
            ("\"id\": 1", "\"id\": 2"),
            ("}]", "}] "),
            ("}]", "}"),
        ] {
            let changed = other.replace(from, to);
            assert_ne!(changed, other);
            assert_eq!(alike.answers(&changed), None, "{changed}");
        }
    }

    #[test]
    fn files_without_an_answer_are_like_no_other() {
        for text in ["[{}]", r#"[{"answer": "Yes"}, {"id": 2}]"#, "{}", ""] {
            assert!(Alike::of(text).is_none(), "{text}");
        }
    }
}
