//! Letters that a text declares to be its answer.

use super::letters::{Letter, among};

/// What stands between an announcement and the letter.
const LINKS: &str = ":|=|→|->|–|—| -| is| be| est| es| ist| é| è| был|是|为|為|は|은|는| :";

/// Words one of which an announcement holds.
const ANNOUNCE: &str = "answer|option|choice|letter|response|conclusion|réponse|choix|option|\
    respuesta|opción|antwort|lösung|resposta|opção|risposta|ответ|вариант|cevap";

/// The same in languages that do not part their words.
const ANNOUNCE_EAST: &str = "答案|选项|選項|正解|答え|選択肢|정답|답";

/// Words right behind which a letter is the choice.
const CHOOSE: &str = "choose|chose|choosing|pick|picking|select|selecting|go with|going with|\
    therefore|thus|hence|wähle|choisis|elijo|escolho|scelgo|выбираю|选择|選擇|选|選";

/// Words right behind which a letter is at least an option.
const NAME: &str = "option|choice|answer|letter|opción|opção|opzione|réponse|antwort|вариант|ответ|\
    选项|選項|选|選|答案|正解|選択肢|정답|답";

/// Words that turn an announcement round.
const DENY: &str = "not|isn't|wrong|incorrect|cannot|can't|doubt|unlikely|never|if|whether|n't";

/// Words behind a letter that rule it out.
const RULED_OUT: &str =
    "wrong|incorrect|not|isn't|false|impossible|cannot|can't|excluded|eliminated|out|unlikely";

/// What a text declares.
pub(super) enum Declared {
    /// One letter.
    Letter(char),
    /// "A or B", or several options named alike.
    Ambiguous,
}

/// The last declaration; without one, the only letter that is named as an option.
pub(super) fn declared(text: &str, found: &[Letter<'_>]) -> Option<Declared> {
    let last = found
        .iter()
        .rposition(|l| is_declared(l) && !l.is_word_when_declared());
    if let Some(at) = last {
        let letter = &found[at];
        let next = found.get(at + 1);
        let one = next.is_none_or(|next| !is_alternative(text, letter, next));
        return Some(if one {
            Declared::Letter(letter.letter)
        } else {
            Declared::Ambiguous
        });
    }
    let mut named = found.iter().filter(|l| is_named(l) && !is_ruled_out(l));
    let first = named.next()?;
    let only = named.all(|l| l.letter == first.letter);
    Some(if only {
        Declared::Letter(first.letter)
    } else {
        Declared::Ambiguous
    })
}

/// Text before a letter without what may wrap the letter, in lower case.
fn lead(letter: &Letter<'_>) -> String {
    const LONGEST: usize = 200;
    let mut start = letter.before.len().saturating_sub(LONGEST);
    while !letter.before.is_char_boundary(start) {
        start += 1;
    }
    unwrapped(&letter.before[start..]).to_lowercase()
}

fn unwrapped(text: &str) -> &str {
    text.trim_end_matches(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '*' | '_' | '"' | '\'' | '`' | '(' | '[' | '{' | '<' | '$' | '“' | '「' | '【'
            )
    })
}

fn ends_with_any<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let parts = |word: &&str| {
        let rest = text.strip_suffix(*word)?;
        let plain = word
            .chars()
            .next()
            .is_some_and(|c| c.is_alphabetic() && u32::from(c) < 0x3000);
        let joined = plain && rest.chars().next_back().is_some_and(char::is_alphanumeric);
        (!joined).then_some(rest)
    };
    words.split('|').find_map(|word| parts(&word))
}

/// The sentence that a text ends with.
fn clause(text: &str) -> &str {
    text.rsplit(['.', '!', '?', ';', '\n', '。', '；'])
        .next()
        .unwrap_or("")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|w| !w.is_empty())
}

fn is_declared(letter: &Letter<'_>) -> bool {
    let lead = lead(letter);
    let denied = || words(clause(&lead)).any(|w| among(DENY, w) || w.ends_with("n't"));
    if ends_with_any(&lead, CHOOSE).is_some() {
        return !denied() && !is_ruled_out(letter);
    }
    let Some(rest) = ends_with_any(&lead, LINKS) else {
        return false;
    };
    let rest = unwrapped(rest);
    let clause = clause(rest);
    let announced = words(clause).any(|w| among(ANNOUNCE, w))
        || ANNOUNCE_EAST.split('|').any(|w| clause.contains(w));
    announced && !denied()
}

fn is_named(letter: &Letter<'_>) -> bool {
    let lead = lead(letter);
    let Some(rest) = ends_with_any(&lead, NAME) else {
        return false;
    };
    let previous = words(clause(rest)).last().unwrap_or("");
    !among(DENY, previous) && !letter.is_word_when_declared()
}

/// Whether the next words say that it is not this one.
fn is_ruled_out(letter: &Letter<'_>) -> bool {
    let after = letter.after.trim_start_matches([')', ']', '*', '"', '`']);
    let end = after
        .find(['.', ',', ';', '!', '?', '\n', '。', '，'])
        .unwrap_or(after.len());
    words(&after[..end].to_lowercase())
        .take(4)
        .any(|w| among(RULED_OUT, w) || w.ends_with("n't"))
}

/// Whether two letters that follow each other are offered both: "A or B", "A/B", "A, B".
fn is_alternative(text: &str, first: &Letter<'_>, second: &Letter<'_>) -> bool {
    let start = first.before.len() + 1;
    let Some(between) = text.get(start..second.before.len()) else {
        return false;
    };
    let between = between.to_lowercase();
    let link = between.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '*' | '"' | '`')
    });
    let joined = among(
        "or|and|/|&|+|und|oder|et|ou|y|o|e|和|或|與|и|или|と|か",
        link,
    );
    let listed = link == ","
        && second
            .after
            .trim_start_matches([')', '*'])
            .trim_start()
            .chars()
            .next()
            .is_none_or(|c| ".,".contains(c));
    second.letter != first.letter && (joined || listed)
}
