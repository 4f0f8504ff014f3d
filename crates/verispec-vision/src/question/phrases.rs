//! Phrases that questions about figures are made of: amounts and noun phrases.

use crate::colour::Colour;
use crate::geometry::Kind;
use crate::question::words::number;
use crate::question::{Amount, Noun};

/// A position in the words of a question.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a>(pub(crate) &'a [&'a str]);

impl<'a> Cursor<'a> {
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.0.first().copied()
    }

    pub(crate) fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// Takes the words of `phrase` if they come next.
    pub(crate) fn take(&mut self, phrase: &str) -> bool {
        let mut ahead = *self;
        let all = phrase.split(' ').all(|w| ahead.next() == Some(w));
        if all {
            *self = ahead;
        }
        all
    }

    pub(crate) fn take_any(&mut self, phrases: &[&str]) -> bool {
        phrases.iter().any(|p| self.take(p))
    }

    pub(crate) fn try_with<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let mut ahead = *self;
        let out = parse(&mut ahead)?;
        *self = ahead;
        Some(out)
    }

    pub(crate) fn end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}

/// "exactly three", "at least two", "more than 4", "no", "only one", "a total of five"
pub(crate) fn amount(c: &mut Cursor) -> Option<Amount> {
    c.try_with(|c| {
        if c.take_any(&["no more than", "at most", "not more than"]) {
            return Some(Amount::AtMost(number(c.next()?)?));
        }
        if c.take_any(&[
            "no fewer than",
            "no less than",
            "at least",
            "not fewer than",
        ]) {
            return Some(Amount::AtLeast(number(c.next()?)?));
        }
        if c.take("more than") {
            return Some(Amount::AtLeast(number(c.next()?)? + 1));
        }
        if c.take_any(&["fewer than", "less than"]) {
            return Some(Amount::AtMost(number(c.next()?)?.checked_sub(1)?));
        }
        if c.take("no") {
            return Some(Amount::Exactly(0));
        }
        let exact = c.take_any(&["exactly", "precisely", "only", "just", "a total of"]);
        if c.take("a single") {
            return Some(Amount::Exactly(1));
        }
        if c.take("a pair of") {
            return Some(Amount::Exactly(2));
        }
        if exact && c.take_any(&["a", "an"]) {
            return Some(Amount::Exactly(1));
        }
        let n = number(c.next()?)?;
        if c.take("or more") {
            return Some(Amount::AtLeast(n));
        }
        if c.take_any(&["or fewer", "or less"]) {
            return Some(Amount::AtMost(n));
        }
        Some(Amount::Exactly(n))
    })
}

/// "red circles", "blue-coloured shape", "circle that is red"
pub(crate) fn noun(c: &mut Cursor) -> Option<Noun> {
    c.try_with(|c| {
        let mut colour = Colour::from_word(c.peek()?);
        if colour.is_some() {
            c.next();
            c.take_any(&["colored", "coloured"]);
        }
        let word = singular(c.next()?);
        let kind = if word == "shape" {
            None
        } else {
            Some(Kind::from_word(&word)?)
        };
        if colour.is_none() && c.take_any(&["that is", "that are", "which is", "which are"]) {
            colour = Some(Colour::from_word(c.next()?)?);
        }
        Some(Noun { colour, kind })
    })
}

pub(crate) fn singular(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word);
    match word {
        "ellipses" => "ellipse".to_owned(),
        "rhombuses" | "rhombi" => "rhombus".to_owned(),
        _ => word
            .strip_suffix('s')
            .filter(|w| *w != "rhombu")
            .unwrap_or(word)
            .to_owned(),
    }
}
