//! A specification taken apart: what it counts, quotes, colours, denies, where and about what.
//!
//! This is the typed key of merging and the ground of its vetoes. It is a closed grammar of word
//! lists, not a parser of English: what it does not know is content, and content that differs
//! keeps two specifications apart.

mod quote;
mod words;

use std::collections::BTreeMap;

pub(crate) use quote::{QUOTED, split_quoted};
pub(crate) use words::NEGATIONS;
use words::{
    COLOURS, DIRECTED, EMPTY, EMPTY_BESIDE_QUOTE, NUMBERS, ORDINALS, PLACES, RELATIONS, SAME,
    SCOPES,
};

/// A relation between what stands before it and what stands behind it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Relation {
    /// Canonical name, for instance `left of`.
    pub name: &'static str,
    /// Name when both sides are exchanged; the same name if it holds both ways.
    pub inverse: &'static str,
    /// How many content words stand before it.
    pub at: usize,
}

/// A number or colour, and how many content words stand before it.
type Value = (String, usize);

/// A specification taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phrase {
    /// Words that deny.
    pub negations: usize,
    /// Numbers and ordinals, in order, each with what it counts: `3>cup`.
    pub numbers: Vec<String>,
    /// Words that widen or narrow (`at least`, `only`, `all`), sorted.
    pub scopes: Vec<&'static str>,
    /// Quoted texts and words in capitals, in order, as written.
    pub quoted: Vec<String>,
    /// Colours by base name, in order, each with what has it: `red>car`.
    pub colours: Vec<String>,
    /// Places and directions, sorted.
    pub places: Vec<&'static str>,
    /// Relations of two things, in order.
    pub relations: Vec<Relation>,
    /// Content words by stem, in order.
    pub words: Vec<String>,
    /// Content word to the `in` or `on` before it.
    pub prepositions: BTreeMap<String, &'static str>,
    /// A word tells who does what to whom (`holding`, `to`, `than`), so that order matters.
    pub directed: bool,
    /// It begins with does, do or did, so that a verb may do the same.
    pub acts: bool,
}

impl Phrase {
    /// Takes a specification apart.
    #[must_use]
    pub fn of(question: &str) -> Self {
        let (plain, quoted) = split_quoted(question);
        let mut phrase = Self {
            quoted,
            ..Self::default()
        };
        let words = tokens(&plain);
        let mut reader = Reader {
            words: &words,
            preposition: None,
            numbers: vec![],
            colours: vec![],
            subject: None,
            phrase: &mut phrase,
        };
        let mut at = 0;
        while at < words.len() {
            at += reader.take(at);
        }
        let (mut numbers, mut colours) = (reader.numbers, reader.colours);
        phrase.acts = words
            .first()
            .is_some_and(|w| ["does", "do", "did"].contains(&w.to_lowercase().as_str()));
        if !phrase.quoted.is_empty() {
            phrase.forget(EMPTY_BESIDE_QUOTE, [&mut numbers, &mut colours]);
        }
        phrase.numbers = phrase.bound(numbers);
        phrase.colours = phrase.bound(colours);
        phrase.scopes.sort_unstable();
        phrase.places.sort_unstable();
        phrase
    }

    /// Values with the content word that they belong to: the next one, else the one before.
    fn bound(&self, values: Vec<Value>) -> Vec<String> {
        let owner = |at: usize| self.words.get(at).or_else(|| self.words.last());
        let name = |at| owner(at).map_or("", String::as_str);
        values
            .into_iter()
            .map(|(value, at)| format!("{value}>{}", name(at)))
            .collect()
    }

    /// Removes content words; what is placed among them stays in place.
    fn forget(&mut self, empty: &[&str], values: [&mut Vec<Value>; 2]) {
        let gone = |w: &String| empty.contains(&w.as_str());
        let words = &self.words;
        let shift = |at: &mut usize| *at -= words[..*at].iter().filter(|w| gone(w)).count();
        self.relations.iter_mut().for_each(|r| shift(&mut r.at));
        values.into_iter().flatten().for_each(|(_, at)| shift(at));
        self.words.retain(|w| !gone(w));
    }

    /// Content words, sorted.
    #[must_use]
    pub fn bag(&self) -> Vec<&str> {
        sorted(&self.words)
    }

    /// A text that is equal for specifications that say the same word for word but for what says
    /// nothing: the typed key of merging.
    #[must_use]
    pub fn key(&self) -> String {
        let relations: Vec<&str> = self.relations.iter().map(|r| r.name).collect();
        format!(
            "not {} | count {} {} | text {} | colour {} | where {} {} | what {}",
            self.negations,
            self.scopes.join(","),
            self.numbers.join(","),
            self.quoted.join("\u{1f}"),
            self.colours.join(","),
            self.places.join(","),
            relations.join(","),
            self.words.join(" ")
        )
    }
}

pub(crate) fn sorted(words: &[String]) -> Vec<&str> {
    let mut bag: Vec<&str> = words.iter().map(String::as_str).collect();
    bag.sort_unstable();
    bag
}

/// Words as written, without the possessive ending and the punctuation around them.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    let edge = |c: char| !c.is_alphanumeric() && !matches!(c, '%' | '$' | '€' | '°' | '+' | '-');
    let split = |c: char| {
        c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ';' | '—' | '–' | '"' | '?' | '!')
    };
    text.split(split)
        .map(|w| w.trim_matches(edge).trim_end_matches('-'))
        .map(|w| w.strip_suffix("'s").or(w.strip_suffix("’s")).unwrap_or(w))
        .filter(|w| w.chars().any(char::is_alphanumeric))
        .collect()
}

struct Reader<'a> {
    words: &'a [&'a str],
    preposition: Option<&'static str>,
    numbers: Vec<Value>,
    colours: Vec<Value>,
    /// Place of the content word that `the number of` or `the colour of` speaks of.
    subject: Option<usize>,
    phrase: &'a mut Phrase,
}

impl Reader<'_> {
    fn lower(&self, at: usize) -> String {
        let word = self.words.get(at).copied().unwrap_or_default();
        word.to_lowercase()
    }

    /// Reads the word at this place; how many words that took.
    fn take(&mut self, at: usize) -> usize {
        let word = self.words[at];
        let low = self.lower(at);
        if quote::is_literal(word, at == 0) {
            self.phrase.quoted.push(word.to_owned());
            return 1;
        }
        if let Some(len) = self.number(at, &low) {
            return len;
        }
        if let Some(len) = self.place(at, &low) {
            return len;
        }
        if NEGATIONS.contains(&low.as_str()) || low.ends_with("n't") {
            self.phrase.negations += 1;
        } else if let Some(scope) = find(&SCOPES, &low) {
            self.phrase.scopes.push(scope);
        } else if let Some(colour) = colour(&low) {
            let owner = self.owner();
            self.colours.push((colour.to_owned(), owner));
        } else if matches!(low.as_str(), "in" | "on") {
            self.preposition = Some(if low == "in" { "in" } else { "on" });
        } else if DIRECTED.contains(&low.as_str()) {
            self.phrase.directed |= !matches!(low.as_str(), "with" | "for");
        } else if !EMPTY.contains(&low.as_str()) {
            self.content(&low);
        }
        1
    }

    /// Place of the content word that a value here belongs to.
    fn owner(&mut self) -> usize {
        self.subject.take().unwrap_or(self.phrase.words.len())
    }

    fn number(&mut self, at: usize, low: &str) -> Option<usize> {
        if matches!(low, "number" | "count" | "colour" | "color") && self.lower(at + 1) == "of" {
            self.subject = Some(self.phrase.words.len());
            return Some(2);
        }
        if low == "number" {
            // `bar number three` is an ordinal; `the number of cups is three` is a count.
            let value = number_of(&self.lower(at + 1))?;
            let owner = self.phrase.words.len().saturating_sub(1);
            self.numbers.push((ordinal(&value), owner));
            return Some(2);
        }
        let value = match number_of(low) {
            Some(value) => value,
            None => {
                let named = find(&ORDINALS, low).filter(|o| *o != "next" || !self.is_next_to(at));
                named?.to_owned()
            }
        };
        let owner = self.owner();
        self.numbers.push((value, owner));
        Some(1)
    }

    fn is_next_to(&self, at: usize) -> bool {
        self.lower(at + 1) == "to"
    }

    fn place(&mut self, at: usize, low: &str) -> Option<usize> {
        let follows = |n: usize, word: &str| self.lower(at + n) == word;
        let (name, inverse, len) = match low {
            "next" if follows(1, "to") => ("beside", "beside", 2),
            "left" if follows(1, "of") => ("left of", "right of", 2),
            "right" if follows(1, "of") => ("right of", "left of", 2),
            "front" if follows(1, "of") => ("ahead of", "behind", 2),
            "ahead" if follows(1, "of") => ("ahead of", "behind", 2),
            "top" if follows(1, "of") && at > 0 && self.lower(at - 1) == "on" => {
                ("above", "below", 2)
            }
            _ => {
                if let Some((_, name, inverse)) = RELATIONS.iter().find(|(w, ..)| *w == low) {
                    (*name, *inverse, 1)
                } else {
                    self.phrase.places.push(find(&PLACES, low)?);
                    return Some(1);
                }
            }
        };
        self.phrase.relations.push(Relation {
            name,
            inverse,
            at: self.phrase.words.len(),
        });
        // `to the left of`: its `to` says nothing.
        self.preposition = None;
        Some(len)
    }

    fn content(&mut self, low: &str) {
        self.phrase.directed |= low.len() > 5 && low.ends_with("ing");
        let stem = stem(low);
        if let Some(preposition) = self.preposition.take() {
            self.phrase.prepositions.insert(stem.clone(), preposition);
        }
        self.phrase.words.push(stem);
    }
}

fn find(table: &[(&'static str, &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(w, _)| *w == word).map(|(_, v)| *v)
}

fn colour(word: &str) -> Option<&'static str> {
    let named = COLOURS.iter().find(|(_, names)| names.contains(&word));
    named.map(|(base, _)| *base)
}

/// A number as digits: `three`, `3`, `1,200`, `10:10`, `45%`.
fn number_of(word: &str) -> Option<String> {
    if let Some(value) = find(&NUMBERS, word) {
        return Some(value.to_owned());
    }
    let starts = word.trim_start_matches(['$', '€', '-', '+']);
    if !starts.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let grouped = |(i, c): (usize, char)| c != ',' || !thousands(word, i);
    Some(
        word.char_indices()
            .filter(|p| grouped(*p))
            .map(|(_, c)| c)
            .collect(),
    )
}

/// Whether the comma at this place groups thousands.
fn thousands(word: &str, at: usize) -> bool {
    let rest = word[at + 1..]
        .bytes()
        .take_while(u8::is_ascii_digit)
        .count();
    rest == 3
}

/// `3` as `3rd`.
fn ordinal(value: &str) -> String {
    let ending = match value {
        "1" => "st",
        "2" => "nd",
        "3" => "rd",
        _ => "th",
    };
    format!("{value}{ending}")
}

/// The word without the endings of number and tense. Rough on purpose and the same for both
/// sides; what it makes need not be a word.
fn stem(word: &str) -> String {
    if let Some(same) = find(&SAME, word) {
        return same.to_owned();
    }
    let long = |stem: &str| stem.len() >= 3;
    let cut = |ending: &str| word.strip_suffix(ending).filter(|s| long(s));
    let single = if let Some(s) = cut("ies") {
        format!("{s}y")
    } else if let Some(s) = ["ches", "shes", "sses", "xes"]
        .iter()
        .find(|e| word.ends_with(**e))
    {
        word[..word.len() - 2.min(s.len())].to_owned()
    } else if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
        word.to_owned()
    } else {
        cut("s").unwrap_or(word).to_owned()
    };
    let bare = ["ing", "ed"].iter().find_map(|e| single.strip_suffix(e));
    let bare = match bare {
        Some(s) if s.len() >= 3 && s.contains(['a', 'e', 'i', 'o', 'u', 'y']) => s.to_owned(),
        _ => single,
    };
    let bare = find(&SAME, &bare).unwrap_or(&bare).to_owned();
    bare.strip_suffix('e')
        .filter(|s| long(s))
        .unwrap_or(&bare)
        .to_owned()
}

#[cfg(test)]
mod tests;
