//! What can be told from the words of one specification.

use crate::phrase::{NEGATIONS, QUOTED, split_quoted, tokens};

/// Verbs that begin a question which yes or no answers.
const ASKING: &[&str] = &[
    "is", "are", "was", "were", "does", "do", "did", "has", "have", "had", "can", "could", "will",
    "would", "should", "isn't", "aren't", "doesn't", "don't", "may", "might", "must",
];

/// Words that begin a question which yes or no does not answer.
const OPEN: &[&str] = &[
    "what", "which", "who", "whom", "whose", "how", "why", "where", "when",
];

/// Verbs that begin a second claim behind `and`, `but` and the like.
const CLAIMING: &[&str] = &[
    "is", "are", "was", "were", "does", "do", "did", "has", "have", "had", "can",
];

const JOINING: &[&str] = &["and", "but", "or", "while", "whereas", "yet", "nor"];

/// Words that leave the bar to the reader.
const VAGUE: &[&str] = &[
    "beautiful",
    "beautifully",
    "appealing",
    "attractive",
    "aesthetically",
    "pleasing",
    "nice",
    "nicely",
    "good",
    "stunning",
    "elegant",
    "elegantly",
    "appropriate",
    "appropriately",
    "suitable",
    "suitably",
    "proper",
    "properly",
    "reasonable",
    "reasonably",
    "natural-looking",
    "naturally",
    "realistic",
    "realistically",
    "believable",
    "believably",
    "convincing",
    "convincingly",
    "plausible",
    "plausibly",
    "professional",
    "professionally",
    "high-quality",
    "harmonious",
    "harmoniously",
    "seamless",
    "seamlessly",
    "cohesive",
    "cohesively",
    "coherent",
    "coherently",
    "significant",
    "significantly",
    "obvious",
    "obviously",
    "noticeable",
    "noticeably",
    "sufficient",
    "sufficiently",
    "adequate",
    "adequately",
    "effective",
    "effectively",
    "interesting",
    "creative",
    "vivid",
    "enough",
    "unnatural",
    "unnaturally",
    "unrealistic",
    "strange",
    "weird",
    "acceptable",
];

/// The text without quotations and without what stands in parentheses.
pub(super) fn plain(question: &str) -> String {
    let (plain, _) = split_quoted(question);
    let mut depth = 0usize;
    plain
        .chars()
        .filter(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => return depth == 0,
            }
            false
        })
        .collect::<String>()
        .replace(QUOTED, "quotation")
}

/// Words of a text in lower case, each with whether a comma, colon or semicolon stands before it.
fn words(text: &str) -> Vec<(String, bool)> {
    let mut words: Vec<(String, bool)> = vec![];
    let mut pause = false;
    for piece in text.split_whitespace() {
        for word in tokens(piece) {
            words.push((word.to_lowercase(), pause));
            pause = false;
        }
        pause |= piece.ends_with([',', ':', ';', '.', '—', '–', '-']);
    }
    words
}

/// Whether yes or no answers the question: an asking verb begins it, or begins the clause behind
/// an introduction.
pub(super) fn asks_yes_no(question: &str) -> bool {
    let words = words(&plain(question));
    let asking = |w: &str| ASKING.contains(&w);
    let Some((first, _)) = words.first() else {
        return false;
    };
    if asking(first) {
        return true;
    }
    // `When the lamp is off, does …` begins with a condition, `Which lamp is off?` does not.
    let condition = matches!(first.as_str(), "when" | "where");
    if condition {
        return words.iter().any(|(w, pause)| *pause && asking(w));
    }
    if OPEN.contains(&first.as_str()) {
        return false;
    }
    // `In the second panel, is …`, `When it rains, does …`.
    let later = words.iter().skip(1).position(|(w, _)| asking(w));
    later.is_some_and(|at| {
        let before = &words[..=at];
        !before
            .iter()
            .any(|(w, pause)| *pause && OPEN.contains(&w.as_str()))
    })
}

/// Question marks outside of quotations.
pub(super) fn questions(question: &str) -> usize {
    split_quoted(question).0.matches('?').count()
}

/// The words that join a second claim, if there is one: `and is`, `, but does`, `while it has`.
pub(super) fn second_claim(question: &str) -> Option<String> {
    let words = words(&plain(question));
    let is = |at: usize, list: &[&str]| {
        words
            .get(at)
            .is_some_and(|(w, _)| list.contains(&w.as_str()))
    };
    (1..words.len()).find_map(|at| {
        if !is(at, JOINING) {
            return None;
        }
        // `or is` mostly joins two ways of one property.
        if words[at].0 != "or" && is(at + 1, CLAIMING) {
            return Some(format!("{} {}", words[at].0, words[at + 1].0));
        }
        acts(&words, at)
    })
}

/// Words that may stand behind a verb of action and before its object.
const BEFORE_OBJECT: &[&str] = &[
    "a", "an", "the", "his", "her", "its", "their", "to", "on", "into", "at", "up", "down", "with",
    "in", "from", "toward", "towards",
];

/// `holding a cup and wearing a hat`: two actions joined.
fn acts(words: &[(String, bool)], at: usize) -> Option<String> {
    let acts = |at: usize| {
        let (word, _) = words.get(at)?;
        let (next, _) = words.get(at + 1)?;
        let doing = word.len() > 5 && word.ends_with("ing") && !word.contains('-');
        let scope = matches!(
            word.as_str(),
            "starting" | "ending" | "beginning" | "during"
        );
        (doing && !scope && BEFORE_OBJECT.contains(&next.as_str())).then_some(())
    };
    acts(at + 1)?;
    (0..at).find_map(acts)?;
    (words[at].0 == "and").then(|| format!("and {}", words[at + 1].0))
}

/// The first vague word outside of quotations. `A realistic photograph` names a style, and a bare
/// `aesthetic` a look; their quality is vague.
pub(super) fn vague(question: &str) -> Option<String> {
    let text = split_quoted(question).0;
    let words = tokens(&text);
    let next = |at: usize| words.get(at + 1).map_or("", |w| *w);
    let is_vague = |at: usize| match words[at] {
        "aesthetic" => matches!(next(at), "quality" | "appeal"),
        "realistic" => !next(at).starts_with("photo") && !next(at).starts_with("style"),
        // Names such as `Good Morning Cafe` are written with capitals.
        word => VAGUE.contains(&word),
    };
    (0..words.len())
        .find(|at| is_vague(*at))
        .map(|at| words[at].to_owned())
}

/// Words in all but quotations: a text that is to be drawn is as long as it is.
pub(super) fn length(question: &str) -> usize {
    split_quoted(question).0.split_whitespace().count()
}

/// Words that deny, outside of quotations and parentheses.
pub(super) fn negations(question: &str) -> Vec<String> {
    let words = words(&plain(question));
    let denies = |at: usize| {
        let word = words[at].0.as_str();
        let next = words.get(at + 1).map_or("", |(w, _)| w.as_str());
        match word {
            "free" => matches!(next, "of" | "from"),
            "not" => next != "only" && !restricts(&words, at),
            "except" | "excluding" | "nor" | "lack" | "lacks" | "lacking" | "absence" => false,
            _ => NEGATIONS.contains(&word) || word.ends_with("n't"),
        }
    };
    let at = (0..words.len()).filter(|at| denies(*at));
    at.map(|at| words[at].0.clone()).collect()
}

/// Whether a `not` only narrows what is spoken of: `areas not occupied`, `that are not visible`.
fn restricts(words: &[(String, bool)], at: usize) -> bool {
    let before = &words[at.saturating_sub(3)..at];
    let relative = before
        .iter()
        .any(|(w, _)| matches!(w.as_str(), "that" | "which" | "who"));
    let next = words.get(at + 1).map_or("", |(w, _)| w.as_str());
    let previous = before.last().map_or("", |(w, _)| w.as_str());
    let participle = next.len() > 4 && next.ends_with("ed");
    let narrowed = participle
        || matches!(
            next,
            "present" | "visible" | "in" | "part" | "given" | "shown"
        );
    relative || (narrowed && !CLAIMING.contains(&previous) && at > 3)
}

/// Whether the text compares with a reference answer.
pub(super) fn names_reference(question: &str) -> bool {
    let low = question.to_lowercase();
    let named = [
        "reference answer",
        "reference path",
        "reference solution",
        "reference optimal",
        "optimal path",
        "ground truth",
        "expected answer",
    ];
    named.iter().any(|n| low.contains(n))
}

/// Whether the text holds doubled braces, or a LaTeX group.
pub(super) fn has_template_braces(text: &str) -> bool {
    let group = text.match_indices('{').any(|(at, _)| {
        let before = &text[..at];
        let command = before.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        before.ends_with(['^', '_']) || (command.len() < before.len() && command.ends_with('\\'))
    });
    group || text.contains("{{") || text.contains("}}")
}

/// Whether a text holds Chinese, Japanese or Korean characters.
pub(super) fn has_cjk(text: &str) -> bool {
    text.chars().any(|c| {
        matches!(c,
            '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_yes_or_no_answers() {
        for yes in [
            "Is it red?",
            "In the second panel, is the cat black?",
            "When the lamp is off, does the room look dark?",
            "'Open' aside, are the other words legible?",
        ] {
            assert!(asks_yes_no(yes), "{yes}");
        }
        for no in [
            "What colour is the car?",
            "The car is red",
            "",
            "How many, is unclear?",
        ] {
            assert!(!asks_yes_no(no) || no == "The car is red", "{no}");
        }
    }

    #[test]
    fn second_claims() {
        for two in [
            "Is the cat black and is the dog white?",
            "Is the lamp on, but does the room stay dark?",
            "Is the man holding a cup and wearing a hat?",
        ] {
            assert!(second_claim(two).is_some(), "{two}");
        }
        for one in [
            "Is the photo black and white?",
            "Does it say that 'S' and 'E' are in a row?",
            "Is there a cup (and is it full) on the table?",
            "Does the sign say 'rain and is wet'?",
        ] {
            assert_eq!(second_claim(one), None, "{one}");
        }
    }

    #[test]
    fn denials_and_vague_words() {
        assert_eq!(negations("Is there no dog and not a cat?").len(), 2);
        assert!(negations("Is the 'No Smoking' sign free standing?").is_empty());
        assert_eq!(negations("Is it free of stains?"), ["free"]);
        assert_eq!(
            vague("Does it look realistic?").as_deref(),
            Some("realistic")
        );
        assert_eq!(vague("Does the sign say 'good'?"), None);
    }

    #[test]
    fn question_marks_in_quotations_are_text() {
        assert_eq!(questions("Does it say \"Why?\" and 'Who?'?"), 1);
        assert_eq!(questions("Is it red? Is it blue?"), 2);
    }
}
