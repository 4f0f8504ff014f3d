//! One result file: an array of items, each a specification's record with an answer.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use verispec_judge::reader::published::json;
use verispec_model::{SpecRules, YesNo};

use crate::specv::load::{Position, Step, describe, syntax_message};

/// What scoring reads of an item; everything else stays in the text. A value of any kind is large
/// and rare: boxed.
#[derive(Debug, Deserialize)]
pub(super) struct Item<'a> {
    #[serde(default, deserialize_with = "present")]
    pub(super) id: Option<Box<Value>>,
    #[serde(default, borrow)]
    pub(super) question: Option<Text<'a>>,
    #[serde(default, borrow)]
    pub(super) category: Option<Text<'a>>,
    #[serde(default, borrow)]
    pub(super) subcategory: Option<Text<'a>>,
    #[serde(default, borrow)]
    expected_answer: Option<Text<'a>>,
    /// `None` when the key is absent; `null` is an answer like any other unusable one.
    #[serde(default, deserialize_with = "present")]
    pub(super) answer: Option<Box<Value>>,
    #[serde(default)]
    pub(super) score: Option<f64>,
    /// How the specification counts beside others; no field of the release.
    #[serde(default)]
    depends_on: Option<Box<Value>>,
    #[serde(default)]
    weight: Option<Box<Value>>,
    #[serde(default)]
    critical: Option<Box<Value>>,
    /// Only in tables of verdicts: what the judge wrote.
    #[serde(default, borrow)]
    pub(super) raw: Option<Text<'a>>,
    /// Only in tables of verdicts: why there is no answer.
    #[serde(default, borrow)]
    pub(super) unjudged: Option<Text<'a>>,
    /// Only in imports of grades: the grade of the whole output.
    #[serde(default)]
    pub(super) grade: Option<f64>,
    /// Only in imports of grades: smallest and largest value of the scale.
    #[serde(default)]
    pub(super) range: Option<(f64, f64)>,
}

/// A string that is copied only where it holds escapes.
#[derive(Debug, Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Text<'_> {
    /// The string.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// A value by its name.
    pub(super) fn parse<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_value(Value::from(self.0.as_ref())).ok()
    }
}

impl From<Text<'_>> for String {
    fn from(text: Text<'_>) -> Self {
        text.0.into_owned()
    }
}

impl Item<'_> {
    /// How it counts beside others; or the field that cannot be used, and what is expected of it.
    pub(super) fn rules(&self) -> Result<SpecRules, (&'static str, &'static str)> {
        let [depends_on, weight, critical] =
            [&self.depends_on, &self.weight, &self.critical].map(Option::as_deref);
        SpecRules::of_values(depends_on, weight, critical)
    }

    /// The expected answer; [`check`] has made sure that there is one.
    pub(super) fn expected(&self) -> Option<YesNo> {
        match self.expected_answer.as_ref().map(|text| text.0.as_ref()) {
            Some("Yes") => Some(YesNo::Yes),
            Some("No") => Some(YesNo::No),
            _ => None,
        }
    }
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<Value>>, D::Error> {
    Box::deserialize(deserializer).map(Some)
}

/// Reads items from text that [`check`] has accepted.
pub(super) fn parse(text: &str) -> Result<Vec<Item<'_>>, serde_json::Error> {
    serde_json::from_str(text)
}

/// Whether each item says which answer is expected.
pub(super) fn complete(items: &[Item<'_>]) -> bool {
    items.iter().all(|item| item.expected().is_some())
}

/// A file's text in one line, with what is noteworthy about it.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) line: String,
    /// Python's `NaN` or infinities were replaced by text.
    pub(super) not_a_number: bool,
}

/// Accepts the text of a result file, or says where it is broken, as `:line:column: what`.
pub(super) fn check(text: &str) -> Result<Checked, String> {
    let items = match parse(text) {
        Ok(items) => items,
        Err(error) => return check_python(text, &error),
    };
    for (index, item) in items.iter().enumerate() {
        if item.expected().is_none() {
            let path = [Step::Index(index), Step::Key("expected_answer")];
            let got = match &item.expected_answer {
                Some(text) => describe(&Value::from(text.0.as_ref())),
                None => "nothing".to_owned(),
            };
            let Position { line, column } = Position::of(text, &path);
            return Err(format!(
                ":{line}:{column}: field `[{index}].expected_answer`: expected \"Yes\" or \"No\", \
                 got {got}"
            ));
        }
    }
    Ok(Checked {
        line: one_line(text),
        not_a_number: false,
    })
}

/// A second chance for what Python's reader takes and strict JSON does not: NaN and infinities.
fn check_python(text: &str, error: &serde_json::Error) -> Result<Checked, String> {
    let broken = || {
        format!(
            ":{}:{}: {}",
            error.line(),
            error.column(),
            words(text, error)
        )
    };
    let mends = text.contains("NaN") || text.contains("Infinity");
    let value = if mends {
        json::loads(text).map_err(|_| broken())?
    } else {
        return Err(broken());
    };
    let mended = value.to_json().to_string();
    parse(&mended).map_err(|_| broken())?;
    check(&mended).map(|checked| Checked {
        not_a_number: true,
        ..checked
    })
}

fn words(text: &str, error: &serde_json::Error) -> String {
    if text.trim().is_empty() {
        return "the file is empty; its writer was probably killed".to_owned();
    }
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(_)) => syntax_message(error).replace("not valid JSON: ", "item: "),
        Ok(other) => format!("expected an array of items, got {}", describe(&other)),
        Err(error) => syntax_message(&error),
    }
}

/// Valid JSON without newlines. None can be inside a string, so white space at the ends of a line
/// is between tokens.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    text.split('\n')
        .for_each(|part| line.push_str(part.trim_ascii()));
    line
}

/// JSON text inside a document, neither escaped nor parsed.
pub(super) mod raw {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::value::RawValue;

    pub(crate) fn serialize<S: Serializer>(
        text: &Option<String>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let raw = text.clone().map(RawValue::from_string).transpose();
        raw.map_err(serde::ser::Error::custom)?
            .serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<String>, D::Error> {
        let raw = Option::<Box<RawValue>>::deserialize(deserializer)?;
        Ok(raw.map(|raw| Box::<str>::from(raw).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_go_and_strings_stay() {
        let text = "[ {\"a b\" : \"x \\\" y \",\n\t\"c\\\\\": 1.50 } ]\r\n";
        assert_eq!(
            one_line(text),
            "[ {\"a b\" : \"x \\\" y \",\"c\\\\\": 1.50 } ]"
        );
    }

    #[test]
    fn broken_files_say_where() {
        let item = r#"{"id":1,"expected_answer":"Yes","answer":"Yes"}"#;
        for (text, expected) in [
            ("", ":1:0: the file is empty"),
            (" \n", "the file is empty"),
            (
                "{\"error\": \"x\"}",
                "expected an array of items, got an object",
            ),
            ("[{\"id\":1", ":1:8: not valid JSON: EOF"),
            (
                &format!("[{item},\n {{\"id\": 2}}]"),
                ":2:2: field `[1].expected_answer`",
            ),
            (&format!("[{item},\n 7]"), ":2:2: item: invalid type"),
            (
                "[{\"expected_answer\": \"maybe\"}]",
                "got the string \"maybe\"",
            ),
            (
                "[{\"expected_answer\":\"Yes\",\"category\":[]}]",
                "item: invalid type",
            ),
            ("[NaN]", "not valid JSON"),
        ] {
            let error = check(text).unwrap_err();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
    }

    #[test]
    fn python_numbers_become_text() {
        let text = r#"[{"id": NaN, "expected_answer": "Yes", "answer": -Infinity}]"#;
        let checked = check(text).unwrap();
        assert!(checked.not_a_number);
        let items = parse(&checked.line).unwrap();
        assert_eq!(items[0].answer.as_deref(), Some(&Value::from("-Infinity")));
    }

    #[test]
    fn an_absent_answer_is_not_a_null_answer() {
        let text = r#"[{"expected_answer":"Yes"},{"expected_answer":"No","answer":null}]"#;
        let items = parse(text).unwrap();
        assert_eq!(items[0].answer, None);
        assert_eq!(items[1].answer.as_deref(), Some(&Value::Null));
    }
}
