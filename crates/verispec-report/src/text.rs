//! Untrusted text on its way to a terminal.

use std::path::Path;

/// Makes text from data, models and judges safe to print: control characters (a terminal obeys
/// them) and bidirectional overrides (they reorder what is read) become U+FFFD; line breaks and
/// tabs stay, a tab as one space.
#[must_use]
pub fn clean(text: &str) -> String {
    text.replace("\r\n", "\n")
        .chars()
        .map(|c| match c {
            '\n' => '\n',
            '\t' => ' ',
            c if c.is_control() || is_bidi_control(c) => '\u{FFFD}',
            c => c,
        })
        .collect()
}

/// As [`clean`], on one line.
#[must_use]
pub(crate) fn clean_line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A path for people; parts that are no UTF-8 show U+FFFD.
#[must_use]
pub(crate) fn path(path: &Path) -> String {
    clean(&path.to_string_lossy()).replace('\n', "\u{FFFD}")
}

const fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_get_no_commands() {
        assert_eq!(clean("a\u{1b}[31mred\u{7}"), "a\u{FFFD}[31mred\u{FFFD}");
        assert_eq!(clean("x\u{9b}2J"), "x\u{FFFD}2J");
        assert_eq!(clean("one\r\ntwo\tthree"), "one\ntwo three");
        assert_eq!(clean("a\u{202E}b"), "a\u{FFFD}b");
        assert_eq!(clean_line(" a\n  b "), "a b");
    }
}
