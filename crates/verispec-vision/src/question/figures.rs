//! Grammar of questions about figures. Each function takes words from the front and fails if it
//! does not understand them.

use std::cmp::Ordering;

use crate::colour::Colour;
use crate::geometry::Kind;
use crate::question::phrases::{Cursor, amount, noun, singular};
use crate::question::words::number;
use crate::question::{Amount, Claim, FigureQuestion, Question, Relation, Typed};

const PICTURE: [&str; 11] = [
    "image",
    "picture",
    "drawing",
    "scene",
    "illustration",
    "canvas",
    "output",
    "graphic",
    "photo",
    "photograph",
    "frame",
];
const SEEN: [&str; 8] = [
    "visible",
    "present",
    "shown",
    "displayed",
    "depicted",
    "drawn",
    "seen",
    "rendered",
];

/// Parses a whole question.
pub(crate) fn parse(words: &[&str]) -> Option<Typed> {
    let words = without_picture(words);
    let start = Cursor(&words);
    [background, relation, compare, claim, counted_figures]
        .iter()
        .find_map(|rule| rule(start))
        .map(|(question, negated)| Typed {
            question: Question::Figures(question),
            negated,
        })
}

type Parsed = Option<(FigureQuestion, bool)>;

/// Drops "in the image" and the like, which every question means.
pub(crate) fn without_picture<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < words.len() {
        let mut rest = Cursor(&words[i..]);
        let phrase = rest.take_any(&["in", "on", "within"]) && rest.take_any(&["the", "this"]) && {
            rest.take_any(&["generated", "output"]);
            rest.next().is_some_and(|w| PICTURE.contains(&w))
        };
        let filler = phrase || {
            rest = Cursor(&words[i..]);
            rest.take("in total")
        };
        if filler {
            i = words.len() - rest.0.len();
        } else {
            out.push(words[i]);
            i += 1;
        }
    }
    out
}

/// "is the background (of the image) white", "does the image have a white background"
fn background(mut c: Cursor) -> Parsed {
    let has = c.try_with(|c| {
        picture_verb(c, &["have"])?;
        c.take_any(&["a plain", "a solid", "a"]).then_some(())?;
        let colour = Colour::from_word(c.next()?)?;
        c.take("background").then_some(colour)
    });
    if let Some(colour) = has {
        c.end()?;
        return Some((FigureQuestion::Background(colour), false));
    }
    c.take("is").then_some(())?;
    if c.take("the color of") || c.take("the colour of") {
        c.take("the background").then_some(())?;
    } else {
        c.take("the background").then_some(())?;
        c.take_any(&["color", "colour"]);
    }
    c.try_with(|c| (c.take("of the") && PICTURE.contains(&c.next()?)).then_some(()));
    let negated = c.take("not");
    c.take_any(&["plain", "solid", "a plain", "a solid"]);
    let colour = Colour::from_word(c.next()?)?;
    c.end()?;
    Some((FigureQuestion::Background(colour), negated))
}

/// "is the red circle to the left of the blue square"
fn relation(mut c: Cursor) -> Parsed {
    if !c.take("is there") {
        c.take("is").then_some(())?;
    }
    c.take_any(&["the", "a", "an"]).then_some(())?;
    let first = noun(&mut c)?;
    let negated = c.take("not");
    c.take_any(&["located", "positioned", "placed", "situated"]);
    let relation = relation_words(&mut c)?;
    c.take_any(&["the", "a", "an"]).then_some(())?;
    let second = noun(&mut c)?;
    c.end()?;
    Some((FigureQuestion::Relation(first, relation, second), negated))
}

fn relation_words(c: &mut Cursor) -> Option<Relation> {
    for (side, relation) in [("left", Relation::Left), ("right", Relation::Right)] {
        let forms = [
            "to the X of",
            "on the X of",
            "on the X side of",
            "X of",
            "at the X of",
        ];
        if forms.iter().any(|f| c.take(&f.replace('X', side))) {
            return Some(relation);
        }
    }
    if c.take("above") {
        Some(Relation::Above)
    } else if c.take_any(&["below", "beneath", "underneath"]) {
        Some(Relation::Below)
    } else {
        c.take_any(&["inside of", "inside", "within"])
            .then_some(Relation::Inside)
    }
}

/// "are there more red circles than blue squares"
fn compare(mut c: Cursor) -> Parsed {
    let negated = opening(&mut c)?;
    let order = if c.take("more") {
        Ordering::Greater
    } else if c.take_any(&["fewer", "less"]) {
        Ordering::Less
    } else {
        c.take_any(&["as many", "the same number of", "an equal number of"])
            .then_some(())?;
        Ordering::Equal
    };
    let first = noun(&mut c)?;
    let link: &[&str] = if order == Ordering::Equal {
        &["as", "and"]
    } else {
        &["than"]
    };
    c.take_any(link).then_some(())?;
    c.take("there are");
    let second = noun(&mut c)?;
    c.end()?;
    Some((FigureQuestion::Compare(order, first, second), negated))
}

fn counted_figures(c: Cursor) -> Parsed {
    let (wanted, negated) = quantities(c, noun)?;
    Some((FigureQuestion::Counts(wanted), negated))
}

/// Reads a noun phrase of the things that are counted.
type Thing<N> = fn(&mut Cursor) -> Option<N>;

/// Amounts of things, and whether the question is put in the negative.
type Quantities<N> = Option<(Vec<(Amount, N)>, bool)>;

/// A question that asks for nothing but presence, absence or counts of things.
pub(crate) fn quantities<N>(c: Cursor, thing: Thing<N>) -> Quantities<N> {
    number_of(c, thing).or_else(|| counts(c, thing))
}

/// "is the number of red circles (equal to) three"
fn number_of<N>(mut c: Cursor, thing: Thing<N>) -> Quantities<N> {
    c.take_any(&["is the number of", "is the total number of"])
        .then_some(())?;
    let thing = thing(&mut c)?;
    let negated = c.take("not");
    c.take("equal to");
    let amount = amount(&mut c).or_else(|| Some(Amount::Exactly(number(c.next()?)?)))?;
    c.end()?;
    Some((vec![(amount, thing)], negated))
}

/// "is the circle blue", "is the shape a circle", "are all the squares yellow"
fn claim(mut c: Cursor) -> Parsed {
    let plural = c.take("are");
    (plural || c.take("is")).then_some(())?;
    let of_colour = c.take_any(&["the color of", "the colour of"]);
    let every = c.take_any(&[
        "all of the",
        "all the",
        "all",
        "both of the",
        "both the",
        "both",
        "every",
        "each of the",
        "each",
    ]);
    (every || c.take("the")).then_some(())?;
    let every = every || plural;
    let subject = noun(&mut c)?;
    let negated = c.take("not");
    c.take_any(&[
        "colored",
        "coloured",
        "filled with",
        "drawn in",
        "filled in",
    ]);
    let article = c.take_any(&["a", "an"]);
    let claim = match (Colour::from_word(c.peek()?), subject.colour) {
        (Some(colour), _) => {
            c.next();
            match (c.next().map(singular), article) {
                (None, false) => Claim::Colour(colour),
                (Some(word), _) if !of_colour => Claim::Both(colour, Kind::from_word(&word)?),
                _ => return None,
            }
        }
        (None, _) if !of_colour => Claim::Kind(Kind::from_word(&singular(c.next()?))?),
        _ => return None,
    };
    c.end()?;
    // "Are all circles not red?" may deny the claim or the "all".
    (!every || !negated).then_some(())?;
    let question = if every {
        FigureQuestion::Every(subject, claim)
    } else {
        FigureQuestion::Claim(subject, claim)
    };
    Some((question, negated))
}

/// "is there a red circle", "does the image contain at least two squares and one star"
fn counts<N>(mut c: Cursor, thing: Thing<N>) -> Quantities<N> {
    let mut negated = false;
    let mut existential = true;
    if let Some(not) = opening(&mut c) {
        negated = not;
    } else {
        c.take_any(&["is", "are"]).then_some(())?;
        existential = false;
    }
    let mut all = vec![counted(&mut c, thing)?];
    while c.take_any(&[",", "and"]) {
        all.push(counted(&mut c, thing)?);
    }
    let seen = c.next();
    match seen {
        Some("not") if !existential => {
            negated = !negated;
            SEEN.contains(&c.next()?).then_some(())?;
        }
        Some(word) => SEEN.contains(&word).then_some(())?,
        None => existential.then_some(())?,
    }
    c.end()?;
    // "Not two circles and one square" does not say which part is denied.
    (all.len() == 1 || !negated).then_some(())?;
    Some((all, negated))
}

/// "is there (not)", "does the image (not) contain": true if in the negative.
fn opening(c: &mut Cursor) -> Option<bool> {
    if c.take_any(&["is there", "are there"]) {
        return Some(c.take("not"));
    }
    c.take_any(&["is not there", "are not there"])
        .then_some(true)
        .or_else(|| {
            c.try_with(|c| {
                picture_verb(
                    c,
                    &[
                        "contain", "show", "include", "have", "depict", "display", "feature",
                    ],
                )
            })
        })
}

fn picture_verb(c: &mut Cursor, verbs: &[&str]) -> Option<bool> {
    c.take_any(&["does", "do"]).then_some(())?;
    let before = c.take("not");
    c.take_any(&["the", "this"]).then_some(())?;
    c.take("generated");
    PICTURE.contains(&c.next()?).then_some(())?;
    let after = c.take("not");
    verbs.contains(&c.next()?).then_some(before != after)
}

/// An amount and a noun; without an amount "at least one".
fn counted<N>(c: &mut Cursor, thing: Thing<N>) -> Option<(Amount, N)> {
    let amount = amount(c).unwrap_or_else(|| {
        c.take_any(&["any", "an", "a", "some"]);
        Amount::AtLeast(1)
    });
    let noun = thing(c)?;
    // "a red circle" is satisfied by two; "two red circles" by two only.
    if let Amount::Exactly(n) = amount
        && c.take("or more")
    {
        return Some((Amount::AtLeast(n), noun));
    }
    Some((amount, noun))
}
