//! The three repairs of the released ladder, with the meaning of Python's `re`.

use super::json::{PyError, PyValue, check, loads_chars};

/// `str.isspace` and `\s` of Python: Unicode white space and the four ASCII separators.
pub(super) const fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// `str.strip()`.
pub(super) fn strip(text: &[char]) -> &[char] {
    let start = text
        .iter()
        .position(|c| !is_space(*c))
        .unwrap_or(text.len());
    let end = text
        .iter()
        .rposition(|c| !is_space(*c))
        .map_or(start, |i| i + 1);
    &text[start..end]
}

fn skip_space(text: &[char], mut i: usize) -> usize {
    while text.get(i).is_some_and(|c| is_space(*c)) {
        i += 1;
    }
    i
}

/// Q+: a quote is put before whatever follows a colon and is not the start of a JSON value; then
/// a quote before a `[` that follows a colon and does not look like a list. Strings are not
/// respected.
pub(super) fn add_opening_quotes(text: &[char]) -> Vec<char> {
    let first = quote_after_colon(text, |text, i| match text[i] {
        '"' | '{' | '[' | '-' => false,
        c if is_digit(c) => false,
        _ => !["true", "false", "null"]
            .iter()
            .any(|word| whole_word(text, i, word)),
    });
    let second = |text: &[char], i: usize| {
        let plain = |c: char| {
            !is_space(c)
                && !matches!(c, '"' | '[' | ']' | '{' | '}' | 't' | 'f' | '-' | 'n')
                && !is_digit(c)
        };
        text[i] == '[' && text.get(i + 1).is_some_and(|c| plain(*c))
    };
    quote_after_colon(&first, second)
}

fn quote_after_colon(text: &[char], wanted: impl Fn(&[char], usize) -> bool) -> Vec<char> {
    let mut out = Vec::with_capacity(text.len() + 16);
    let mut i = 0;
    while i < text.len() {
        out.push(text[i]);
        i += 1;
        if text[i - 1] != ':' {
            continue;
        }
        let next = skip_space(text, i);
        out.extend(&text[i..next]);
        i = next;
        if i < text.len() && wanted(text, i) {
            out.push('"');
        }
    }
    out
}

/// Whether `word` stands at `i` and ends there (`\b`).
fn whole_word(text: &[char], i: usize, word: &str) -> bool {
    let end = i + word.len();
    let here = text
        .get(i..end)
        .is_some_and(|t| t.iter().copied().eq(word.chars()));
    here && !text.get(end).is_some_and(|c| is_word(*c))
}

/// `\w`: what Python's `str.isalnum` holds, and the underscore.
fn is_word(c: char) -> bool {
    let symbol = matches!(c, '\u{24b6}'..='\u{24e9}' | '\u{1f130}'..='\u{1f189}');
    let mark = unicode_normalization::char::is_combining_mark(c);
    c == '_' || (c.is_alphanumeric() && !symbol && !mark)
}

/// `\d`: decimal digits (Nd) of Unicode 14, each script's zero followed by nine more.
fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
        || ZEROS
            .iter()
            .any(|zero| (*zero..*zero + 10).contains(&u32::from(c)))
}

const ZEROS: &[u32] = &[
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
    0x0de6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
    0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// T-: a comma before a closing bracket goes.
pub(super) fn drop_trailing_commas(text: &[char]) -> Vec<char> {
    let mut out = Vec::with_capacity(text.len());
    let mut i = 0;
    while i < text.len() {
        if text[i] == ',' {
            let next = skip_space(text, i + 1);
            if matches!(text.get(next), Some('}' | ']')) {
                i = next;
            }
        }
        out.push(text[i]);
        i += 1;
    }
    out
}

/// Rounds of U+.
const MAX_FIXES: usize = 50;

/// U+: escapes the quote nearest before the place of the error (else one shortly after it) with
/// which the text parses or fails further right, again and again.
///
/// `work` is the number of characters that may still be parsed; when it is used up the repair
/// fails.
pub(super) fn escape_inner_quotes(
    text: &[char],
    work: &mut usize,
) -> Result<Option<PyValue>, PyError> {
    let mut text = text.to_vec();
    for _ in 0..MAX_FIXES {
        let pos = match loads_chars(&text) {
            Ok(value) => return Ok(Some(value)),
            Err(PyError::Decode(pos)) => pos,
            Err(other) => return Err(other),
        };
        match better(&text, pos, work)? {
            Better::Parses(fixed) => return loads_chars(&fixed).map(Some),
            Better::Further(fixed) => text = fixed,
            Better::None => return Ok(None),
        }
    }
    Ok(None)
}

enum Better {
    Parses(Vec<char>),
    Further(Vec<char>),
    None,
}

/// The text with the first quote escaped that gets the parser beyond `pos`.
fn better(text: &[char], pos: usize, work: &mut usize) -> Result<Better, PyError> {
    let lowest = pos.saturating_sub(100);
    let before = (lowest + 1..pos).rev();
    let after = pos..text.len().min(pos + 10);
    for i in before.chain(after) {
        if text[i] != '"' || (i > 0 && text[i - 1] == '\\') {
            continue;
        }
        *work = work.saturating_sub(text.len());
        if *work == 0 {
            return Err(PyError::Other);
        }
        let mut fixed = text.to_vec();
        fixed.insert(i, '\\');
        match check(&fixed) {
            Ok(()) => return Ok(Better::Parses(fixed)),
            Err(PyError::Decode(further)) if further > pos => return Ok(Better::Further(fixed)),
            Err(PyError::Decode(_)) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(Better::None)
}
