//! Letters that stand for themselves in a text.

/// Words before which "A" is a letter, not an article.
const AFTER_LETTER: &str =
    "is|was|are|because|since|as|and|or|but|not|looks|seems|matches|fits|would|should|must|can";

/// Words before a letter that rule it out.
const EXCLUDES: &str = "not|never|isn't|exclude|excluding|except|eliminate|no|nor|neither|非|不是";

/// One ASCII letter that no other letter or digit touches.
pub(super) struct Letter<'a> {
    /// Upper-case.
    pub(super) letter: char,
    upper: bool,
    /// Text before it.
    pub(super) before: &'a str,
    /// Text after it.
    pub(super) after: &'a str,
}

/// The letter of an option out of `n`, upper-case; `None` for anything else.
pub(super) fn option_letter(c: char, n: usize) -> Option<char> {
    let upper = c.to_ascii_uppercase();
    let place = usize::try_from(u32::from(upper).checked_sub(u32::from('A'))?).ok()?;
    (upper.is_ascii_uppercase() && place < n).then_some(upper)
}

/// All letters of options that stand alone, in order.
pub(super) fn letters(text: &str, n: usize) -> Vec<Letter<'_>> {
    let mut found = vec![];
    for (at, c) in text.char_indices() {
        let Some(letter) = option_letter(c, n) else {
            continue;
        };
        let (before, after) = (&text[..at], &text[at + 1..]);
        if !touched_before(before) && !touched_after(after) {
            found.push(Letter {
                letter,
                upper: c.is_ascii_uppercase(),
                before,
                after,
            });
        }
    }
    found
}

/// Chinese, Japanese and Korean are written without spaces: their letters touch nothing.
fn joins(c: char) -> bool {
    let east_asian = matches!(u32::from(c), 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xAC00..=0xD7AF);
    c.is_alphanumeric() && !east_asian
}

fn touched_before(before: &str) -> bool {
    let mut chars = before.chars().rev();
    match chars.next() {
        Some('_' | '\'' | '’' | '-' | '.') => chars.next().is_some_and(joins),
        Some(c) => joins(c),
        None => false,
    }
}

fn touched_after(after: &str) -> bool {
    let mut chars = after.chars();
    match chars.next() {
        Some('_' | '\'' | '’' | '-' | '.') => chars.next().is_some_and(joins),
        Some(c) => joins(c),
        None => false,
    }
}

pub(super) fn among(words: &str, word: &str) -> bool {
    words.split('|').any(|other| other == word)
}

/// The first word after white space, in lower case; empty if something else comes first.
fn next_word(after: &str) -> String {
    let rest = after.trim_start();
    let len = rest
        .find(|c: char| !c.is_alphanumeric() && c != '\'')
        .unwrap_or(rest.len());
    let spaced = rest.len() < after.len();
    if spaced {
        rest[..len].to_lowercase()
    } else {
        String::new()
    }
}

impl Letter<'_> {
    /// Whether nothing but brackets and markup stands before it.
    pub(super) fn opens(&self) -> bool {
        self.before
            .chars()
            .all(|c| c.is_whitespace() || matches!(c, '(' | '[' | '*' | '_' | '"' | '`' | '【'))
    }

    /// Whether it labels what follows: `B.`, `(B)`, `**B**:`.
    pub(super) fn is_label(&self) -> bool {
        let after = self.after.trim_start_matches(['*', '_', '`']);
        after.starts_with(['.', ')', ':', ']', '、', '】'])
    }

    /// Whether it is the article "a" or the pronoun "I" rather than the name of an option.
    pub(super) fn is_word(&self) -> bool {
        let next = next_word(self.after);
        match self.letter {
            'A' => !next.is_empty() && (!self.upper || !among(AFTER_LETTER, &next)),
            'I' => !next.is_empty(),
            _ => false,
        }
    }

    /// As [`is_word`](Self::is_word) behind "the answer is", where a capital "A" before a word is
    /// the article only in a text of capitals.
    pub(super) fn is_word_when_declared(&self) -> bool {
        let capitals = !self.before.chars().any(char::is_lowercase);
        let named = self.upper && !capitals && self.letter == 'A';
        self.is_word() && !named
    }

    /// Whether it counts by itself: a capital, or a small letter in brackets.
    pub(super) fn stands(&self) -> bool {
        let bracketed = self.before.ends_with(['(', '[']) && self.after.starts_with([')', ']']);
        bracketed || (self.upper && !self.is_word())
    }

    /// Whether the word before it rules it out: "not B".
    pub(super) fn is_excluded(&self) -> bool {
        let before = self
            .before
            .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '*' | '"'));
        let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '\'');
        among(EXCLUDES, &word.take(1).collect::<String>().to_lowercase())
    }
}
