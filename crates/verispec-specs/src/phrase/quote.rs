//! Quoted texts: spans between quotation marks, words in capitals, single capital letters.

/// Pairs of quotation marks. The straight apostrophe is handled apart: it is a letter of `man's`.
const PAIRS: [(char, char); 5] = [('"', '"'), ('“', '”'), ('「', '」'), ('‘', '’'), ('`', '`')];

/// Stands in a text where a quoted span was.
pub(crate) const QUOTED: char = '\u{fffc}';

/// A text without its quoted spans (each leaves [`QUOTED`]), and the spans.
pub(crate) fn split_quoted(text: &str) -> (String, Vec<String>) {
    let mut plain = String::with_capacity(text.len());
    let mut quoted = vec![];
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let after = at + c.len_utf8();
        let end = match closing(c) {
            Some(close) => text[after..].find(close),
            None if c == '\'' && opens(&text[..at]) => closes(&text[after..]),
            None => None,
        };
        match end {
            Some(len) => {
                quoted.push(text[after..after + len].trim().to_owned());
                plain.extend([' ', QUOTED, ' ']);
                let close = text[after + len..].chars().next();
                at = after + len + close.map_or(0, char::len_utf8);
            }
            None => {
                plain.push(c);
                at = after;
            }
        }
    }
    (plain, quoted)
}

fn closing(open: char) -> Option<char> {
    PAIRS.iter().find(|(o, _)| *o == open).map(|(_, c)| *c)
}

/// Whether an apostrophe behind this text opens a quotation.
fn opens(before: &str) -> bool {
    let last = before.chars().next_back();
    last.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | ',' | ':' | '/' | '-'))
}

/// Where the apostrophe stands that closes a quotation.
fn closes(after: &str) -> Option<usize> {
    let ends = |at: usize| {
        let next = after[at + 1..].chars().next();
        next.is_none_or(|c| !c.is_alphanumeric())
    };
    after
        .match_indices('\'')
        .map(|(at, _)| at)
        .find(|at| ends(*at))
}

/// Whether a word stands for itself: two or more letters, all capitals, as on a sign; or one
/// capital letter that does not begin the sentence, as in `option B`.
pub(super) fn is_literal(word: &str, begins: bool) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let capital = word.chars().all(|c| !c.is_lowercase());
    match letters {
        0 => false,
        1 => capital && !begins && word != "I" && word.chars().count() == 1,
        _ => capital && word.chars().any(char::is_uppercase),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_of_every_kind_are_found_and_apostrophes_are_not() {
        let (plain, quoted) =
            split_quoted("Does the man's sign say 'It's open' and “yes” or \"no 'x'\"?");
        assert_eq!(quoted, ["It's open", "yes", "no 'x'"]);
        assert!(plain.contains("man's sign say") && !plain.contains("open"));
        let (plain, quoted) = split_quoted("Is the girls' \"unfinished");
        assert_eq!(
            (plain.as_str(), quoted.len()),
            ("Is the girls' \"unfinished", 0)
        );
    }

    #[test]
    fn capitals_stand_for_themselves() {
        assert!(is_literal("OPEN", false) && is_literal("B", false));
        assert!(!is_literal("A", true) && !is_literal("I", false) && !is_literal("Open", false));
    }
}
