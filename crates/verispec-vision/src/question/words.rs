//! Splits a question into lower-case words and quoted texts.

/// A word of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Word {
    /// A word: as written, and in lower case.
    Plain {
        /// As written.
        raw: String,
        /// Lower case.
        low: String,
    },
    /// A text in quotation marks, as written inside them.
    Quoted(String),
}

impl Word {
    /// The lower-case word, unless quoted.
    pub(crate) fn plain(&self) -> Option<&str> {
        match self {
            Self::Plain { low, .. } => Some(low),
            Self::Quoted(_) => None,
        }
    }
}

/// Splits a question. `None` if a quotation mark is left open or it is not one single question.
pub(crate) fn split(question: &str) -> Option<Vec<Word>> {
    let question = question.trim();
    let question = question.strip_suffix('?').unwrap_or(question);
    let chars: Vec<char> = question.chars().collect();
    let (mut out, mut word, mut i) = (Vec::new(), String::new(), 0);
    while i < chars.len() {
        let c = chars[i];
        if let Some(close) = closing(&chars, i) {
            flush(&mut word, &mut out)?;
            let end = find_close(&chars, i + 1, close)?;
            out.push(Word::Quoted(chars[i + 1..end].iter().collect()));
            i = end + 1;
            continue;
        }
        match c {
            '.' | '?' | '!' | ';' | ':' if word.is_empty() || ends_word(&chars, i) => return None,
            c if c.is_whitespace() || c == ',' || c == '-' => {
                flush(&mut word, &mut out)?;
                if c == ',' {
                    out.push(plain(","));
                }
            }
            '\u{2019}' => word.push('\''),
            c => word.push(c),
        }
        i += 1;
    }
    flush(&mut word, &mut out)?;
    // A comma before "and", or at the end, says nothing.
    let comma = plain(",");
    out.dedup();
    let keep = |i: &usize| {
        out[*i] != comma
            || !matches!(out.get(i + 1), Some(w) if w.plain() == Some("and")) && i + 1 < out.len()
    };
    Some(
        (0..out.len())
            .filter(keep)
            .map(|i| out[i].clone())
            .collect(),
    )
}

fn ends_word(chars: &[char], i: usize) -> bool {
    chars.get(i + 1).is_none_or(|c| c.is_whitespace())
}

fn plain(word: &str) -> Word {
    Word::Plain {
        raw: word.to_owned(),
        low: word.to_lowercase(),
    }
}

/// The closing mark for an opening mark at `i`.
fn closing(chars: &[char], i: usize) -> Option<char> {
    let starts = i == 0 || !chars[i - 1].is_alphanumeric();
    match chars[i] {
        '"' => Some('"'),
        '\u{201c}' => Some('\u{201d}'),
        '\u{ab}' => Some('\u{bb}'),
        '\u{2018}' if starts => Some('\u{2019}'),
        '\'' | '`' if starts => Some(chars[i]),
        _ => None,
    }
}

fn find_close(chars: &[char], from: usize, close: char) -> Option<usize> {
    let apostrophe = matches!(close, '\'' | '\u{2019}');
    (from..chars.len()).find(|&i| {
        chars[i] == close && !(apostrophe && chars.get(i + 1).is_some_and(|c| c.is_alphanumeric()))
    })
}

fn flush(word: &mut String, out: &mut Vec<Word>) -> Option<()> {
    if word.is_empty() {
        return Some(());
    }
    let raw = std::mem::take(word).trim_matches(['(', ')']).to_owned();
    let low = raw.to_lowercase();
    if let Some(stem) = low.strip_suffix("n't") {
        out.push(plain(stem));
        out.push(plain("not"));
    } else if low
        .chars()
        .all(|c| c.is_alphanumeric() || "'%&+/#$_.".contains(c))
    {
        out.push(Word::Plain { raw, low });
    } else {
        return None;
    }
    Some(())
}

/// The value of a number word or of digits, up to 1,000.
pub(crate) fn number(word: &str) -> Option<u32> {
    const WORDS: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    if let Some(n) = WORDS.iter().position(|w| *w == word) {
        return u32::try_from(n).ok();
    }
    word.parse().ok().filter(|n| *n <= 1000)
}
