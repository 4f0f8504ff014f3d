//! Escapes in JSON text that stand for no character: halves of surrogate pairs, and NUL, at which
//! programs written in C stop reading.

use std::borrow::Cow;

/// Replaces such escapes by that of U+FFFD and counts them. Text without any is handed through.
pub(crate) fn mend(text: &str) -> (Cow<'_, str>, usize) {
    let bytes = text.as_bytes();
    let (mut out, mut copied, mut count, mut at) = (String::new(), 0, 0, 0);
    while let Some(step) = bytes[at..].iter().position(|b| *b == b'\\') {
        at += step;
        let length = match (unit(bytes, at), unit(bytes, at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0 | 0xD800..=0xDFFF), _) => {
                out.push_str(&text[copied..at]);
                out.push_str("\\ufffd");
                count += 1;
                copied = at + 6;
                6
            }
            (Some(_), _) => 6,
            // The backslash and what it escapes, which may be another backslash.
            (None, _) => 2,
        };
        at = (at + length).min(bytes.len());
    }
    if count == 0 {
        return (Cow::Borrowed(text), 0);
    }
    out.push_str(&text[copied..]);
    (Cow::Owned(out), count)
}

/// The code unit of a `\uXXXX` escape that starts at `at`.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let hex = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| hex)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::mend;

    #[test]
    fn e10_only_escapes_of_no_character_are_replaced() {
        for (text, mended, count) in [
            (r#""a""#, r#""a""#, 0),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#, 0),
            (r#""\ud83d""#, r#""\ufffd""#, 1),
            (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#, 2),
            (r#""\uD83D\uD83D\uDE00""#, r#""\ufffd\uD83D\uDE00""#, 1),
            (r#""\\ud83d \u0000""#, r#""\\ud83d \ufffd""#, 1),
            (r#""é\"\u00e9\u12""#, r#""é\"\u00e9\u12""#, 0),
            ("\\", "\\", 0),
            ("\\é\\ud800", "\\é\\ufffd", 1),
        ] {
            let (got, n) = mend(text);
            assert_eq!((got.as_ref(), n), (mended, count), "{text}");
        }
    }
}
