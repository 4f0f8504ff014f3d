//! WordPiece tokens of BERT's uncased vocabulary.
//!
//! The rules (lower case, accents off, punctuation and CJK characters apart, longest match first)
//! are those of the BERT release; a few dozen lines of them spare a tokenizer library with its
//! forty dependencies.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Most tokens of one text, the two ends included; the rest is cut off.
pub(super) const MAX_TOKENS: usize = 128;
/// Longest word in characters; a longer one is unknown.
const MAX_WORD: usize = 100;

/// A vocabulary: token to number.
pub(super) struct Vocabulary {
    numbers: HashMap<String, i32>,
    unknown: i32,
    begin: i32,
    end: i32,
}

impl Vocabulary {
    /// Reads a vocabulary, one token a line; `None` if a special token is absent.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let lines = text.lines().enumerate();
        let numbers: HashMap<String, i32> = lines
            .filter_map(|(i, token)| Some((token.to_owned(), i32::try_from(i).ok()?)))
            .collect();
        let special = |token: &str| numbers.get(token).copied();
        Some(Self {
            unknown: special("[UNK]")?,
            begin: special("[CLS]")?,
            end: special("[SEP]")?,
            numbers,
        })
    }

    /// Token numbers of a text with both ends, at most [`MAX_TOKENS`].
    pub(super) fn encode(&self, text: &str) -> Vec<i32> {
        let mut numbers = vec![self.begin];
        for word in words(text) {
            self.pieces(&word, &mut numbers);
        }
        numbers.truncate(MAX_TOKENS - 1);
        numbers.push(self.end);
        numbers
    }

    /// The longest pieces of a word from the left.
    fn pieces(&self, word: &str, numbers: &mut Vec<i32>) {
        let before = numbers.len();
        let mut start = 0;
        let too_long = word.chars().count() > MAX_WORD;
        while start < word.len() {
            let ends = word[start..]
                .char_indices()
                .map(|(i, c)| start + i + c.len_utf8());
            let mut ends: Vec<usize> = ends.collect();
            ends.reverse();
            let prefix = if start == 0 { "" } else { "##" };
            let piece = |end: &usize| {
                let number = self.numbers.get(&format!("{prefix}{}", &word[start..*end]));
                number.map(|n| (*n, *end))
            };
            let Some((number, end)) = ends.iter().find_map(piece).filter(|_| !too_long) else {
                numbers.truncate(before);
                numbers.push(self.unknown);
                return;
            };
            numbers.push(number);
            start = end;
        }
    }
}

/// Words and punctuation marks of a text, in lower case and without accents.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![];
    let mut word = String::new();
    let plain = text
        .chars()
        .flat_map(char::to_lowercase)
        .collect::<String>();
    for c in plain.nfd().filter(|c| !is_combining_mark(*c)) {
        if c.is_whitespace() || c.is_control() || is_mark(c) {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if is_mark(c) {
                words.push(c.to_string());
            }
        } else {
            word.push(c);
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Punctuation, and ideographs, which are words of their own.
fn is_mark(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c,
            '\u{a1}' | '\u{a7}' | '\u{ab}' | '\u{b6}' | '\u{b7}' | '\u{bb}' | '\u{bf}'
            | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{3001}'..='\u{3003}'
            | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' | '\u{ff01}'..='\u{ff0f}'
            | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_into_the_longest_known_pieces() {
        let text = "[UNK]\n[CLS]\n[SEP]\nis\nthe\nred\n##dish\n?\ncafe\n電\n";
        let vocabulary = Vocabulary::parse(text).unwrap();
        assert_eq!(
            vocabulary.encode("Is the Reddish CAFÉ?"),
            [1, 3, 4, 5, 6, 8, 7, 2]
        );
        assert_eq!(vocabulary.encode("blue 電電"), [1, 0, 9, 9, 2]);
        assert_eq!(vocabulary.encode(&"red ".repeat(500)).len(), MAX_TOKENS);
        assert!(Vocabulary::parse("a\nb\n").is_none());
    }
}
