//! Answers questions about objects from what was found.

use std::fmt::Write as _;

use crate::coco::Class;
use crate::decide::Range;
use crate::detect::Thing;
use crate::question::Amount;
use crate::tri::{All, Tri};

/// An answer to the question in the positive, the score that decided, if one did, and what was
/// found. That something is absent has no score.
pub(crate) fn counts(found: &[Thing], wanted: &[(Amount, Class)]) -> (Tri, Option<f64>, String) {
    let (mut all, mut why) = (All::new(), String::new());
    for &(amount, class) in wanted {
        let things = Things::of(found, class);
        let truth = things.range().meets(amount);
        all.add(truth, things.decided(amount, truth));
        let and = if why.is_empty() { "" } else { "; " };
        // Writing to a string does not fail.
        let _ = write!(why, "{and}{}", things.text(class));
    }
    (all.truth, all.confidence.map(f64::from), why)
}

/// Scores of what was found of one class, the best first.
struct Things {
    sure: Vec<f32>,
    traces: Vec<f32>,
}

impl Things {
    fn of(found: &[Thing], class: Class) -> Self {
        let scores = |sure: bool| {
            let mut scores: Vec<f32> = found
                .iter()
                .filter(|t| t.class == class && t.sure == sure)
                .map(|t| t.score)
                .collect();
            scores.sort_by(|a, b| b.total_cmp(a));
            scores
        };
        Self {
            sure: scores(true),
            traces: scores(false),
        }
    }

    fn range(&self) -> Range {
        let size = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Range {
            least: size(self.sure.len()),
            most: size(self.sure.len() + self.traces.len()),
        }
    }

    /// The score of the last thing that was needed: of the n-th for "n or more", of one more than
    /// n against "n or fewer".
    fn decided(&self, amount: Amount, truth: Tri) -> Option<f32> {
        let needed = match (amount, truth) {
            (Amount::AtLeast(n) | Amount::Exactly(n), Tri::Yes) => n.checked_sub(1)?,
            (Amount::AtMost(n) | Amount::Exactly(n), Tri::No) => n,
            _ => return None,
        };
        self.sure.get(needed as usize).copied()
    }

    fn text(&self, class: Class) -> String {
        let list = |scores: &[f32]| {
            let scores: Vec<String> = scores.iter().map(|s| format!("{s:.2}")).collect();
            scores.join(", ")
        };
        let name = class.name();
        match (self.sure.as_slice(), self.traces.as_slice()) {
            ([], []) => format!("no trace of a {name} was found"),
            (sure, []) => format!("found {} × {name} ({})", sure.len(), list(sure)),
            ([], traces) => format!("found traces of {name} alone ({})", list(traces)),
            (sure, traces) => format!(
                "found {} × {name} ({}), and traces ({})",
                sure.len(),
                list(sure),
                list(traces)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::boxes::Rect;
    use crate::question::parse_objects;

    /// Things of a class, those of 0.5 and more being sure.
    fn things(list: &[(&str, f32)]) -> Vec<Thing> {
        let place = Rect {
            left: 0.0,
            top: 0.0,
            right: 1.0,
            bottom: 1.0,
        };
        list.iter()
            .map(|&(class, score)| Thing {
                class: Class::from_words(class).unwrap(),
                score,
                sure: score >= 0.5,
                place,
            })
            .collect()
    }

    fn ask(found: &[Thing], question: &str) -> (Tri, Option<f64>) {
        let asked = parse_objects(question).unwrap_or_else(|| panic!("not typed: {question}"));
        let (truth, score, why) = counts(found, &asked.wanted);
        assert!(!why.is_empty());
        (truth.flip_if(asked.negated), score)
    }

    #[test]
    fn what_is_between_sure_and_no_trace_is_left_open() {
        let found = things(&[("cup", 0.9), ("cup", 0.75), ("cat", 0.3), ("dog", 0.5)]);
        for (question, want, score) in [
            ("Is there a cup?", Tri::Yes, Some(0.9)),
            ("Is there no cup?", Tri::No, Some(0.9)),
            ("Isn't there a cup?", Tri::No, Some(0.9)),
            ("Are there exactly two cups?", Tri::Yes, Some(0.75)),
            ("Are there exactly 3 cups?", Tri::No, None),
            ("Is there only one cup?", Tri::No, Some(0.75)),
            ("Are there at least two cups?", Tri::Yes, Some(0.75)),
            ("Are there more than two cups?", Tri::No, None),
            ("Is there a cat?", Tri::Maybe, None),
            ("Is there no cat?", Tri::Maybe, None),
            ("Are there exactly two cats?", Tri::No, None),
            ("Is there a horse?", Tri::No, None),
            ("Are there no horses?", Tri::Yes, None),
            ("Is there a cup and a dog?", Tri::Yes, Some(0.5)),
            ("Is there a cup and a cat?", Tri::Maybe, Some(0.9)),
            ("Is there a cup and a horse?", Tri::No, None),
        ] {
            let (truth, found) = ask(&found, question);
            assert_eq!(truth, want, "{question}");
            let near = match (found, score) {
                (Some(a), Some(b)) => f64::abs(a - b) < 1e-6,
                (a, b) => truth == Tri::Maybe || a == b,
            };
            assert!(near, "{question}: {found:?}");
        }
    }

    #[test]
    fn a_trace_beside_a_sure_thing_leaves_the_count_open() {
        let found = things(&[("person", 0.9), ("person", 0.3)]);
        assert_eq!(ask(&found, "Is there a person?").0, Tri::Yes);
        assert_eq!(ask(&found, "Is there exactly one person?").0, Tri::Maybe);
        assert_eq!(ask(&found, "Are there exactly two people?").0, Tri::Maybe);
        assert_eq!(ask(&found, "Are there at least three people?").0, Tri::No);
    }
}
