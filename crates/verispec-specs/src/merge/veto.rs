//! Reasons to keep two specifications apart, whatever an embedding says.

use serde::{Deserialize, Serialize};

use crate::phrase::{Phrase, Relation, sorted};

/// Why two specifications are not the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Veto {
    /// Other numbers or ordinals, or of other things.
    Number,
    /// Other bounds or shares: `at least`, `only`, `all`.
    Scope,
    /// Other quoted texts or words in capitals.
    Quoted,
    /// Other colours, or of other things.
    Colour,
    /// One denies and the other does not.
    Negation,
    /// Other places, directions or relations, or their sides exchanged.
    Spatial,
    /// The same words in an order that may say who does what to whom.
    Order,
    /// One speaks of something that the other does not.
    Words,
}

impl std::fmt::Display for Veto {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Number => "a number",
            Self::Scope => "a bound or share",
            Self::Quoted => "a quoted text",
            Self::Colour => "a colour",
            Self::Negation => "a denial",
            Self::Spatial => "a place or relation",
            Self::Order => "the order of words",
            Self::Words => "a word",
        })
    }
}

/// Everything that keeps two specifications apart; empty if nothing does.
#[must_use]
pub fn vetoes(a: &Phrase, b: &Phrase) -> Vec<Veto> {
    let checks = [
        (Veto::Number, a.numbers != b.numbers),
        (Veto::Scope, a.scopes != b.scopes),
        (Veto::Quoted, a.quoted != b.quoted),
        (Veto::Colour, a.colours != b.colours),
        (Veto::Negation, a.negations != b.negations),
        (Veto::Spatial, spatial(a, b)),
        (Veto::Order, order(a, b)),
        (Veto::Words, a.bag() != b.bag()),
    ];
    let differs = checks.into_iter().filter(|(_, differs)| *differs);
    differs.map(|(veto, _)| veto).collect()
}

/// Whether two specifications speak of the same thing and say different things about it, so that
/// one output can hardly meet both: the same words, and one of number, quotation, colour,
/// negation or place differs.
#[must_use]
pub fn contradicts(a: &Phrase, b: &Phrase) -> bool {
    let found = vetoes(a, b);
    let one = [
        Veto::Number,
        Veto::Quoted,
        Veto::Colour,
        Veto::Negation,
        Veto::Spatial,
    ];
    !a.words.is_empty() && found.len() == 1 && one.contains(&found[0])
}

/// What a model must not join without a reviewer: other numbers, quotations, colours, negation or
/// places. Looser than [`vetoes`], since a model may know other words for one thing: values count,
/// not what they belong to.
#[must_use]
pub fn differ_in(a: &Phrase, b: &Phrase) -> Option<Veto> {
    fn values(list: &[String]) -> Vec<&str> {
        let value = |v: &'_ String| v.find('>').unwrap_or(v.len());
        let mut values: Vec<&str> = list.iter().map(|v| &v[..value(v)]).collect();
        values.sort_unstable();
        values
    }
    let checks = [
        (Veto::Number, values(&a.numbers) != values(&b.numbers)),
        (Veto::Quoted, sorted(&a.quoted) != sorted(&b.quoted)),
        (Veto::Colour, values(&a.colours) != values(&b.colours)),
        (Veto::Negation, a.negations != b.negations),
        (Veto::Spatial, a.places != b.places),
    ];
    checks
        .into_iter()
        .find(|(_, differs)| *differs)
        .map(|(veto, _)| veto)
}

fn spatial(a: &Phrase, b: &Phrase) -> bool {
    let moved = a.prepositions.iter().any(|(word, preposition)| {
        let other = b.prepositions.get(word);
        other.is_some_and(|p| p != preposition)
    });
    a.places != b.places || moved || !related(a, b)
}

/// Whether the relations of two phrases say the same.
fn related(a: &Phrase, b: &Phrase) -> bool {
    let names = |p: &Phrase| p.relations.iter().map(|r| r.name).collect::<Vec<_>>();
    if names(a) == names(b) {
        let pairs = a.relations.iter().zip(&b.relations);
        return pairs
            .into_iter()
            .all(|(x, y)| x.name == x.inverse || sides(a, x) == sides(b, y) || a.bag() != b.bag());
    }
    match (a.relations.as_slice(), b.relations.as_slice()) {
        ([x], [y]) => {
            let (before, after) = sides(b, y);
            x.name == y.inverse && x.name != x.inverse && sides(a, x) == (after, before)
        }
        _ => false,
    }
}

/// Content words before and behind a relation, each sorted.
fn sides<'a>(phrase: &'a Phrase, relation: &Relation) -> (Vec<&'a str>, Vec<&'a str>) {
    let (before, after) = phrase.words.split_at(relation.at);
    (sorted(before), sorted(after))
}

/// Whether the same words stand in another order, and order may matter. Where a relation stands,
/// its sides were compared already.
fn order(a: &Phrase, b: &Phrase) -> bool {
    let reordered = a.words != b.words && a.bag() == b.bag();
    let directed = a.directed || b.directed || (a.acts && b.acts);
    reordered && directed && a.relations.is_empty() && b.relations.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(a: &str, b: &str) -> Vec<Veto> {
        let (a, b) = (Phrase::of(a), Phrase::of(b));
        let found = vetoes(&a, &b);
        assert_eq!(found, vetoes(&b, &a), "a veto holds both ways");
        found
    }

    #[test]
    fn each_veto_by_its_name() {
        for (a, b, veto) in [
            ("Are there 3 cups?", "Are there 4 cups?", Veto::Number),
            (
                "Are there at least 3 cups?",
                "Are there at most 3 cups?",
                Veto::Scope,
            ),
            ("Does it say 'yes'?", "Does it say 'no'?", Veto::Quoted),
            ("Is the car red?", "Is the car blue?", Veto::Colour),
            ("Is there a dog?", "Is there no dog?", Veto::Negation),
            (
                "Is it above the box?",
                "Is it below the box?",
                Veto::Spatial,
            ),
            (
                "Is the ball in the box?",
                "Is the ball on the box?",
                Veto::Spatial,
            ),
            (
                "Does a dog chase a cat?",
                "Does a cat chase a dog?",
                Veto::Order,
            ),
            ("Is there a dog?", "Is there a cat?", Veto::Words),
        ] {
            assert_eq!(between(a, b), [veto], "{a} {b}");
        }
    }

    #[test]
    fn exchanged_sides_of_an_inverse_relation_are_the_same() {
        let none: [Veto; 0] = [];
        let (a, b) = ("Is the lamp above the desk?", "Is the desk below the lamp?");
        assert_eq!(between(a, b), none);
        assert_eq!(
            between("Is the dog beside the cat?", "Is the cat next to the dog?"),
            none
        );
        let (a, b) = ("Is the lamp above the desk?", "Is the desk above the lamp?");
        assert_eq!(between(a, b), [Veto::Spatial]);
    }

    #[test]
    fn contradictions_speak_of_the_same_thing() {
        let contradict = |a: &str, b: &str| contradicts(&Phrase::of(a), &Phrase::of(b));
        assert!(contradict("Is the car red?", "Is the car blue?"));
        assert!(contradict("Are there 3 cups?", "Are there 4 cups?"));
        assert!(!contradict("Is the car red?", "Is the bus red?"));
        assert!(!contradict(
            "Is the car red?",
            "Is the color of the car red?"
        ));
    }

    proptest::proptest! {
        #[test]
        fn a_text_is_the_same_as_itself(text in "\\PC{0,60}") {
            let phrase = Phrase::of(&text);
            proptest::prop_assert!(vetoes(&phrase, &phrase).is_empty());
        }
    }
}
