//! Free-text replies to a multiple choice.
//!
//! A ladder; the first rung that says something decides:
//!
//! 1. the whole reply is one letter with brackets or punctuation;
//! 2. the whole reply is the text of exactly one option;
//! 3. `\boxed{X}`, the last one;
//! 4. the last declaration (`the answer is C`, `Answer: c`, `I choose C`, `答案是C`); without one,
//!    the only letter that is named as an option (`option (d)`, `选项 C`);
//! 5. the reply starts with a letter and `.`, `)` or `:`;
//! 6. exactly one letter stands alone (the article "A" and the pronoun "I" do not count).
//!
//! Width (NFKC), reasoning tags and markup do not matter. Letters inside words never count, nor do
//! those of options that the item does not have. "A or B" decides nothing.

mod declared;
mod letters;

use unicode_normalization::UnicodeNormalization;

use super::answer::is_decoration;
use super::scan::without_reasoning;
use super::single::{boxed, without_tags};
use declared::{Declared, declared};
use letters::{Letter, letters, option_letter};

/// Most options that have a letter.
pub const MAX_OPTIONS: usize = 26;

/// The letter, upper-case, of the option that a reply names; `None` if it names none, several, or
/// one that is not there. `options` are the texts of the options in order, `A` first.
#[must_use]
pub fn read_choice(text: &str, options: &[String]) -> Option<char> {
    let visible: String = without_tags(&without_reasoning(text)).nfkc().collect();
    let visible = visible.trim_matches(is_blank);
    let n = options.len().min(MAX_OPTIONS);
    if visible.is_empty() || n == 0 {
        return None;
    }
    if let Some(letter) = whole(visible, n).or_else(|| option_text(visible, options)) {
        return Some(letter);
    }
    if let Some(inside) = boxed(visible).filter(|inside| *inside != visible) {
        return whole(inside, n).or_else(|| option_text(inside, options));
    }
    let found = letters(visible, n);
    match declared(visible, &found) {
        Some(Declared::Letter(letter)) => return Some(letter),
        Some(Declared::Ambiguous) => return None,
        None => {}
    }
    leading(&found).or_else(|| only(&found))
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

fn is_wrapping(c: char) -> bool {
    is_decoration(c)
        || matches!(
            c,
            '$' | '<' | '>' | '{' | '}' | '#' | '-' | '【' | '】' | '「' | '」'
        )
}

/// The letter that a text is, if it is nothing else.
fn whole(text: &str, n: usize) -> Option<char> {
    let mut rest = text.trim_matches(is_wrapping).chars();
    let letter = rest.next().and_then(|c| option_letter(c, n))?;
    rest.next().is_none().then_some(letter)
}

/// The one option whose text this is, case and punctuation aside. A label such as `B.` in the
/// option's text does not count; one in the reply does, by a rung of its own.
fn option_text(text: &str, options: &[String]) -> Option<char> {
    let wanted = plain(text);
    let fits = |option: &String| {
        let option: String = option.nfkc().collect();
        plain(&option) == wanted || plain(without_label(&option)) == wanted
    };
    let mut places = options.iter().take(MAX_OPTIONS).enumerate();
    let (at, _) = places
        .find(|(_, o)| fits(o))
        .filter(|_| !wanted.is_empty())?;
    let letter = u8::try_from(at).ok().map(|i| char::from(b'A' + i))?;
    places.all(|(_, o)| !fits(o)).then_some(letter)
}

fn without_label(text: &str) -> &str {
    let mut chars = text.trim_matches(is_wrapping).chars();
    let label = chars.next().is_some_and(|c| c.is_ascii_alphabetic());
    match chars.next() {
        Some('.' | ')' | ':') if label => chars.as_str(),
        _ => text,
    }
}

/// Lower case, single spaced, without punctuation around it.
fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").trim_matches(is_wrapping).to_lowercase()
}

/// The letter that labels the reply's start, unless another letter labels something too: an
/// echoed list of options.
fn leading(found: &[Letter<'_>]) -> Option<char> {
    let first = found.first().filter(|l| l.opens() && l.is_label())?;
    let echoed = found
        .iter()
        .any(|l| l.is_label() && l.letter != first.letter);
    (!echoed).then_some(first.letter)
}

/// The only letter that stands alone.
fn only(found: &[Letter<'_>]) -> Option<char> {
    let mut standing = found.iter().filter(|l| l.stands());
    let first = standing.next()?;
    let clear = standing.all(|l| l.letter == first.letter) && !first.is_excluded();
    clear.then_some(first.letter)
}

#[cfg(test)]
mod tests;
