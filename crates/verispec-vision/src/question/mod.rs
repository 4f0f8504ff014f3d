//! Typed questions: what is asked, or nothing.
//!
//! A question is typed only if *every* word of it is understood. Whatever is left over ("on a
//! wooden table", "in bold letters") might change the answer, so such a question is not typed and
//! the judge abstains.

mod figures;
mod objects;
mod phrases;
mod text;
mod words;

#[cfg(test)]
mod tests;

use crate::coco::Class;
use crate::colour::Colour;
use crate::geometry::Kind;

/// What a noun phrase such as "red circles" asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Noun {
    /// Colour, if one is named.
    pub(crate) colour: Option<Colour>,
    /// Kind; `None` for "shape".
    pub(crate) kind: Option<Kind>,
}

/// A condition on a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Amount {
    /// Exactly that many.
    Exactly(u32),
    /// That many or more.
    AtLeast(u32),
    /// That many or fewer.
    AtMost(u32),
}

/// Where one figure stands against another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// Left of it.
    Left,
    /// Right of it.
    Right,
    /// Above it.
    Above,
    /// Below it.
    Below,
    /// Inside of it.
    Inside,
}

/// What is said about a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Its colour.
    Colour(Colour),
    /// Its kind.
    Kind(Kind),
    /// Both, as in "is the shape a red circle?".
    Both(Colour, Kind),
}

/// A question about figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FigureQuestion {
    /// "Is there a red circle?", "Are there exactly three red circles and one blue square?"
    Counts(Vec<(Amount, Noun)>),
    /// "Are there more red circles than blue squares?": how the first count compares.
    Compare(std::cmp::Ordering, Noun, Noun),
    /// "Is the circle blue?"
    Claim(Noun, Claim),
    /// "Are all squares yellow?"
    Every(Noun, Claim),
    /// "Is the red circle left of the blue square?"
    Relation(Noun, Relation, Noun),
    /// "Is the background white?"
    Background(Colour),
}

/// A question about text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TextQuestion {
    /// "Does the sign read 'OPEN'?" All of these texts are there.
    Reads {
        /// The texts, as quoted.
        texts: Vec<String>,
        /// Upper and lower case matter.
        case: bool,
        /// Punctuation matters, too.
        strict: bool,
    },
    /// "Is there any text?"
    Any,
    /// "Is there any text other than 'OPEN'?"
    Other(Vec<String>),
}

/// A typed question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Question {
    /// About figures.
    Figures(FigureQuestion),
    /// About text.
    Text(TextQuestion),
}

/// A typed question and whether it is put in the negative ("is there not a …").
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Typed {
    /// What is asked.
    pub(crate) question: Question,
    /// A `Yes` to `question` means `No`.
    pub(crate) negated: bool,
}

/// Types a question in English, or `None`.
pub(crate) fn parse(question: &str) -> Option<Typed> {
    let words = words::split(question)?;
    if words.iter().any(|w| matches!(w, words::Word::Quoted(_))) || text::speaks_of_text(&words) {
        return text::parse(&words);
    }
    let plain: Vec<&str> = words.iter().filter_map(words::Word::plain).collect();
    figures::parse(&plain)
}

/// What a question about objects asks for, where [`parse`] does not type it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ObjectQuestion {
    /// All of these amounts are there.
    pub(crate) wanted: Vec<(Amount, Class)>,
    /// A `Yes` to that means `No`.
    pub(crate) negated: bool,
}

/// Types a question about objects in English, or `None`.
pub(crate) fn parse_objects(question: &str) -> Option<ObjectQuestion> {
    let words = words::split(question)?;
    let plain: Option<Vec<&str>> = words.iter().map(words::Word::plain).collect();
    let (wanted, negated) = objects::parse(&plain?)?;
    Some(ObjectQuestion { wanted, negated })
}
