//! Grammar of questions about text: quoted texts among words that change nothing.

use crate::question::words::Word;
use crate::question::{Question, TextQuestion, Typed};

/// Words that say that the quoted thing is text.
const CUES: [&str; 34] = [
    "text",
    "texts",
    "word",
    "words",
    "phrase",
    "phrases",
    "title",
    "heading",
    "headline",
    "caption",
    "slogan",
    "inscription",
    "lettering",
    "letters",
    "number",
    "numbers",
    "digits",
    "name",
    "label",
    "label's",
    "reads",
    "read",
    "reading",
    "say",
    "says",
    "spell",
    "spelled",
    "spelt",
    "spelling",
    "spells",
    "written",
    "printed",
    "labeled",
    "labelled",
];

/// Carriers of text. Which of them carries it is not checked.
const CARRIERS: [&str; 22] = [
    "sign",
    "poster",
    "banner",
    "label",
    "card",
    "board",
    "page",
    "button",
    "badge",
    "sticker",
    "ticket",
    "plate",
    "logo",
    "image",
    "picture",
    "drawing",
    "illustration",
    "output",
    "graphic",
    "photo",
    "photograph",
    "canvas",
];

/// Words that do not change what is asked.
const NEUTRAL: [&str; 52] = [
    "is",
    "are",
    "does",
    "do",
    "the",
    "a",
    "an",
    "this",
    "there",
    "that",
    "it",
    "in",
    "on",
    "of",
    "and",
    "with",
    "as",
    "any",
    "visible",
    "clearly",
    "present",
    "shown",
    "displayed",
    "rendered",
    "appear",
    "appears",
    "contain",
    "contains",
    "include",
    "includes",
    "show",
    "shows",
    "display",
    "displays",
    "have",
    "has",
    "exact",
    "exactly",
    "correct",
    "correctly",
    "accurate",
    "accurately",
    "legible",
    "legibly",
    "readable",
    "generated",
    "properly",
    "both",
    "all",
    "precisely",
    "fully",
    "somewhere",
];

const NEGATIONS: [&str; 3] = ["not", "no", "without"];
const WRONG: [&str; 6] = [
    "misspelled",
    "misspelt",
    "incorrect",
    "incorrectly",
    "wrong",
    "wrongly",
];
const CASE: [&str; 5] = [
    "uppercase",
    "capitals",
    "lowercase",
    "capitalization",
    "capitalisation",
];
const OTHER: [&[&str]; 6] = [
    &["other", "than"],
    &["besides"],
    &["apart", "from"],
    &["aside", "from"],
    &["except"],
    &["except", "for"],
];
const ANY: [&str; 6] = [
    "text",
    "words",
    "letters",
    "writing",
    "lettering",
    "characters",
];

/// Whether a question without quotation marks is about text.
pub(crate) fn speaks_of_text(words: &[Word]) -> bool {
    let has = |list: &[&str]| {
        words
            .iter()
            .any(|w| w.plain().is_some_and(|p| list.contains(&p)))
    };
    has(&["text", "writing", "lettering"]) || (has(&CUES) && words.iter().any(is_capitals))
}

/// Parses a whole question.
pub(crate) fn parse(words: &[Word]) -> Option<Typed> {
    if let Some(typed) = any_text(words) {
        return Some(typed);
    }
    let words = quote_capitals(words);
    let texts: Vec<String> = words.iter().filter_map(quoted).collect();
    if texts.is_empty() || texts.iter().any(|t| t.trim().is_empty()) {
        return None;
    }
    let plain: Vec<&str> = words.iter().filter_map(Word::plain).collect();
    if let Some(typed) = other_text(&words, &texts) {
        return Some(typed);
    }
    reads(&words, &plain, texts)
}

fn quoted(word: &Word) -> Option<String> {
    match word {
        Word::Quoted(text) => Some(text.clone()),
        Word::Plain { .. } => None,
    }
}

fn is_capitals(word: &Word) -> bool {
    match word {
        Word::Plain { raw, .. } => {
            raw.chars().filter(|c| c.is_alphabetic()).count() >= 2
                && !raw.chars().any(char::is_lowercase)
        }
        Word::Quoted(_) => false,
    }
}

/// Without quotation marks, a run of words in capitals is the text: "does the sign say OPEN".
fn quote_capitals(words: &[Word]) -> Vec<Word> {
    if words.iter().any(|w| matches!(w, Word::Quoted(_))) {
        return words.to_vec();
    }
    let mut out: Vec<Word> = Vec::new();
    let mut run: Vec<&str> = Vec::new();
    for word in words {
        match word {
            Word::Plain { raw, .. } if is_capitals(word) => run.push(raw),
            _ => {
                if !run.is_empty() {
                    out.push(Word::Quoted(std::mem::take(&mut run).join(" ")));
                }
                out.push(word.clone());
            }
        }
    }
    if !run.is_empty() {
        out.push(Word::Quoted(run.join(" ")));
    }
    out
}

/// "is there any text", "does the image contain text"
fn any_text(words: &[Word]) -> Option<Typed> {
    let plain: Option<Vec<&str>> = words.iter().map(Word::plain).collect();
    let plain = plain?;
    let known = |w: &&str| NEUTRAL.contains(w) || CARRIERS.contains(w) || NEGATIONS.contains(w);
    let asked = plain.iter().filter(|w| ANY.contains(w)).count();
    let rest = plain.iter().filter(|w| !ANY.contains(w)).all(known);
    let negations = plain.iter().filter(|w| NEGATIONS.contains(w)).count();
    // "Is the text legible?" is another question: only existence is understood.
    let judged = ["the", "legible", "readable", "correct", "clearly"];
    let at = plain.iter().position(|w| ANY.contains(w))?;
    let quality =
        plain.iter().any(|w| judged[1..].contains(w)) || (at > 0 && plain[at - 1] == "the");
    if asked != 1 || !rest || negations > 1 || quality {
        return None;
    }
    Some(Typed {
        question: Question::Text(TextQuestion::Any),
        negated: negations == 1,
    })
}

/// "is there any text other than "OPEN"", "is "OPEN" the only text"
fn other_text(words: &[Word], texts: &[String]) -> Option<Typed> {
    let plain: Vec<&str> = words.iter().filter_map(Word::plain).collect();
    let first_quote = words.iter().position(|w| matches!(w, Word::Quoted(_)))?;
    let typed = |negated| Typed {
        question: Question::Text(TextQuestion::Other(texts.to_vec())),
        negated,
    };
    let fits = |skip: &[&str]| plain.iter().all(|w| skip.contains(w) || fits_text(w));
    if plain.contains(&"only") {
        let only = plain
            .windows(2)
            .any(|p| p[0] == "only" && ANY.contains(&p[1]));
        return (only && first_quote < words.len() - 1 && fits(&["only"])).then(|| typed(true));
    }
    let before: Vec<&str> = words[..first_quote]
        .iter()
        .filter_map(Word::plain)
        .collect();
    let link = OTHER
        .iter()
        .filter(|o| before.windows(o.len()).any(|w| w == **o))
        .max_by_key(|o| o.len())?;
    let existence = before
        .first()
        .is_some_and(|w| ["is", "are", "does"].contains(w))
        && before.iter().any(|w| ANY.contains(w));
    let negations = plain.iter().filter(|w| NEGATIONS.contains(w)).count();
    (existence && negations <= 1 && fits(link)).then(|| typed(negations == 1))
}

fn fits_text(word: &str) -> bool {
    NEUTRAL.contains(&word)
        || CUES.contains(&word)
        || CARRIERS.contains(&word)
        || NEGATIONS.contains(&word)
        || word == ","
}

fn reads(words: &[Word], plain: &[&str], texts: Vec<String>) -> Option<Typed> {
    let has = |list: &[&str]| plain.iter().any(|w| list.contains(w));
    // "a 'stop sign'" is a thing; a text is announced by a cue or stands alone.
    let cue = has(&CUES)
        || words.windows(2).any(|w| {
            matches!(&w[1], Word::Quoted(_)) && matches!(w[0].plain(), Some("is" | "are" | "does"))
        });
    let negations = plain.iter().filter(|w| NEGATIONS.contains(w)).count();
    let wrong = plain.iter().filter(|w| WRONG.contains(w)).count();
    let punctuation = plain.windows(2).any(|p| p == ["including", "punctuation"]);
    let case = has(&CASE) || plain.windows(2).any(|p| p == ["capital", "letters"]);
    let extra = ["including", "punctuation", "all", "capital", "or", "case"];
    let understood = plain.iter().all(|w| {
        fits_text(w)
            || WRONG.contains(w)
            || CASE.contains(w)
            || ((punctuation || case) && extra.contains(w))
    });
    let listed = texts.len() == 1 || joined_by_and(words);
    // "Not 'A' and 'B'" does not say which is denied; "lowercase" is compared as written.
    if !cue
        || !understood
        || !listed
        || negations + wrong > 1
        || (texts.len() > 1 && negations + wrong > 0)
    {
        return None;
    }
    let question = TextQuestion::Reads {
        texts,
        case,
        strict: punctuation,
    };
    Some(Typed {
        question: Question::Text(question),
        negated: negations + wrong == 1,
    })
}

/// Whether between neighbouring quotes there is only "and", commas and cues.
fn joined_by_and(words: &[Word]) -> bool {
    let quotes: Vec<usize> = (0..words.len())
        .filter(|&i| matches!(words[i], Word::Quoted(_)))
        .collect();
    quotes.windows(2).all(|q| {
        let between: Vec<&str> = words[q[0] + 1..q[1]]
            .iter()
            .filter_map(Word::plain)
            .collect();
        let link = |w: &&str| ["and", ",", "the", "text", "word"].contains(w);
        !between.is_empty() && between.iter().all(link)
    })
}
