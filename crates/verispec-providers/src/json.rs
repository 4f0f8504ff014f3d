//! Reading JSON that servers send: bytes that are not quite UTF-8, escapes that are not quite
//! Unicode, fields that are absent or null.

use std::borrow::Cow;

use serde_json::Value;

/// Parses JSON text. A lone surrogate escape (half of a character cut by the model) becomes
/// U+FFFD instead of costing the whole reply.
pub(crate) fn parse(text: &str) -> Option<Value> {
    match serde_json::from_str(text) {
        Ok(value) => Some(value),
        Err(_) => match replace_lone_surrogates(text) {
            Cow::Owned(mended) => serde_json::from_str(&mended).ok(),
            Cow::Borrowed(_) => None,
        },
    }
}

fn replace_lone_surrogates(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(step) = text[at..].find('\\') {
        let escape = at + step;
        match unicode_escape(text, escape) {
            Some(0xD800..=0xDBFF) => {
                let low = unicode_escape(text, escape + 6);
                if matches!(low, Some(0xDC00..=0xDFFF)) {
                    at = escape + 12;
                    continue;
                }
            }
            Some(0xDC00..=0xDFFF) => {}
            Some(_) => {
                at = escape + 6;
                continue;
            }
            None => {
                at = next_char(text, escape + 1);
                continue;
            }
        }
        out.push_str(&text[copied..escape]);
        out.push_str("\\ufffd");
        copied = escape + 6;
        at = copied;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// The code unit of a `\uXXXX` escape that starts at byte `at`.
fn unicode_escape(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    if digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        u16::from_str_radix(digits, 16).ok()
    } else {
        None
    }
}

/// The byte after the character at `at`, at most the end.
fn next_char(text: &str, at: usize) -> usize {
    at + text[at..].chars().next().map_or(0, char::len_utf8)
}

/// `value[name]` as text.
pub(crate) fn str_of<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

/// `value[name]` as a list; absent, null and other types are an empty one.
pub(crate) fn list_of<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// A count at a path such as `["usage", "prompt_tokens"]`.
pub(crate) fn count_at(value: &Value, path: &[&str]) -> Option<u64> {
    path.iter()
        .try_fold(value, |v, name| v.get(name))
        .and_then(Value::as_u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_are_replaced_and_pairs_kept() {
        let text = |t: &str| parse(t).and_then(|v| v.as_str().map(str::to_owned));
        assert_eq!(text(r#""a\ud83db""#).as_deref(), Some("a\u{FFFD}b"));
        assert_eq!(
            text(r#""\ude00\ud83d\ude00\ud83d""#).as_deref(),
            Some("\u{FFFD}😀\u{FFFD}")
        );
        assert_eq!(text(r#""\\ud83d é""#).as_deref(), Some("\\ud83d é"));
        assert_eq!(text(r#""\u00e9\udc00""#).as_deref(), Some("é\u{FFFD}"));
        assert_eq!(text(r#""open\"#), None);
    }
}
