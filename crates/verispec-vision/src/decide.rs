//! Answers questions about figures from a measured scene.

use std::cmp::Ordering;

use crate::colour::{Colour, describe};
use crate::geometry::{Kind, Scene, Shape};
use crate::question::{Amount, Claim, FigureQuestion, Noun, Relation};
use crate::tri::Tri;

/// An answer to the question in the positive, and what was measured.
pub(crate) fn figures(scene: &Scene, question: &FigureQuestion) -> (Tri, String) {
    match question {
        FigureQuestion::Counts(wanted) => counts(scene, wanted),
        FigureQuestion::Compare(order, a, b) => compare(scene, *order, *a, *b),
        FigureQuestion::Claim(subject, claim) => claimed(scene, *subject, *claim, false),
        FigureQuestion::Every(subject, claim) => claimed(scene, *subject, *claim, true),
        FigureQuestion::Relation(a, relation, b) => related(scene, *a, *relation, *b),
        FigureQuestion::Background(colour) => background(scene, *colour),
    }
}

/// How many figures fit a noun: surely, and at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) least: u32,
    pub(crate) most: u32,
}

impl Range {
    fn text(self) -> String {
        if self.least == self.most {
            self.least.to_string()
        } else {
            format!("{} to {}", self.least, self.most)
        }
    }

    /// Whether the amount is met.
    pub(crate) fn meets(self, amount: Amount) -> Tri {
        let (lo, hi) = match amount {
            Amount::Exactly(n) => (n, n),
            Amount::AtLeast(n) => (n, u32::MAX),
            Amount::AtMost(n) => (0, n),
        };
        if self.least >= lo && self.most <= hi {
            Tri::Yes
        } else if self.most < lo || self.least > hi {
            Tri::No
        } else {
            Tri::Maybe
        }
    }
}

fn fits(shape: &Shape, noun: Noun, broadly: bool) -> Tri {
    let colour = noun.colour.map_or(Tri::Yes, |c| shape.has_colour(c));
    let kind = match noun.kind {
        Some(kind) if broadly => shape.form.is_broadly(kind),
        Some(kind) => shape.form.is(kind),
        None => Tri::of(!shape.letter, true),
    };
    colour.and(kind)
}

fn count(scene: &Scene, noun: Noun, broadly: bool) -> Range {
    let fit = |wanted: Tri| {
        let n = scene
            .shapes
            .iter()
            .filter(|s| fits(s, noun, broadly) >= wanted)
            .count();
        u32::try_from(n).unwrap_or(u32::MAX)
    };
    Range {
        least: fit(Tri::Yes),
        most: fit(Tri::Maybe),
    }
}

fn phrase(noun: Noun) -> String {
    let kind = noun.kind.map_or("shape", |k| k.word());
    noun.colour
        .map_or_else(|| kind.to_owned(), |c| format!("{} {kind}", c.word()))
}

fn counts(scene: &Scene, wanted: &[(Amount, Noun)]) -> (Tri, String) {
    let (mut all, mut seen) = (Tri::Yes, Vec::new());
    for &(amount, noun) in wanted {
        // "Is there a rectangle?" is met by a square; a count of rectangles leaves it open.
        let exists = matches!(amount, Amount::AtLeast(1));
        let range = count(scene, noun, exists);
        all = all.and(range.meets(amount));
        seen.push(format!("{} × {}", range.text(), phrase(noun)));
    }
    (all, format!("counted {}", seen.join(", ")))
}

fn compare(scene: &Scene, order: Ordering, a: Noun, b: Noun) -> (Tri, String) {
    let (x, y) = (count(scene, a, false), count(scene, b, false));
    let verdict = match order {
        Ordering::Greater => Tri::of(x.least > y.most, x.most > y.least),
        Ordering::Less => Tri::of(x.most < y.least, x.least < y.most),
        Ordering::Equal if x.least == x.most && y == x => Tri::Yes,
        Ordering::Equal => Tri::of(false, x.least <= y.most && y.least <= x.most),
    };
    (
        verdict,
        format!(
            "counted {} × {}, {} × {}",
            x.text(),
            phrase(a),
            y.text(),
            phrase(b)
        ),
    )
}

/// A claim about "the X" needs one X, or several that agree; a claim about "every X" is refuted by
/// one that differs. Where there is no X the question's assumption fails and nothing is answered.
fn claimed(scene: &Scene, subject: Noun, claim: Claim, every: bool) -> (Tri, String) {
    let fitting = |s: &&Shape| fits(s, subject, true) != Tri::No;
    let subjects: Vec<&Shape> = scene.shapes.iter().filter(fitting).collect();
    let name = phrase(subject);
    if subjects.is_empty() {
        return (Tri::Maybe, format!("there is no {name}"));
    }
    let seen: Vec<String> = subjects.iter().map(|s| looks(s)).collect();
    let why = format!("{name}: {}", seen.join(", "));
    let sure = |s: &&Shape| fits(s, subject, true) == Tri::Yes;
    let holds: Vec<Tri> = subjects
        .iter()
        .copied()
        .filter(sure)
        .map(|s| holds(s, claim))
        .collect();
    let agree = |t: Tri| holds.len() == subjects.len() && holds.iter().all(|h| *h == t);
    let verdict = if (every && holds.contains(&Tri::No)) || agree(Tri::No) {
        Tri::No
    } else {
        Tri::of(agree(Tri::Yes), true)
    };
    (verdict, why)
}

fn holds(shape: &Shape, claim: Claim) -> Tri {
    match claim {
        Claim::Colour(colour) => shape.has_colour(colour),
        Claim::Kind(kind) => shape.form.is_broadly(kind),
        Claim::Both(colour, kind) => shape.has_colour(colour).and(shape.form.is_broadly(kind)),
    }
}

fn looks(shape: &Shape) -> String {
    let kind = shape.form.sure().map_or("shape", |k| k.word());
    format!("{} {kind}", describe(shape.rgb))
}

fn background(scene: &Scene, colour: Colour) -> (Tri, String) {
    scene.background.map_or_else(
        || (Tri::Maybe, "no one colour along the border".to_owned()),
        |rgb| {
            (
                colour.names(rgb),
                format!("the background is {}", describe(rgb)),
            )
        },
    )
}

/// The one figure that fits; `Err` says why there is not exactly one.
fn the_one(scene: &Scene, noun: Noun) -> Result<&Shape, String> {
    let mut fitting = scene
        .shapes
        .iter()
        .filter(|s| fits(s, noun, true) != Tri::No);
    let one = fitting
        .next()
        .ok_or_else(|| format!("there is no {}", phrase(noun)))?;
    if fitting.next().is_some() || fits(one, noun, true) == Tri::Maybe {
        return Err(format!("not exactly one {} for sure", phrase(noun)));
    }
    Ok(one)
}

fn related(scene: &Scene, a: Noun, relation: Relation, b: Noun) -> (Tri, String) {
    let (first, second) = match (the_one(scene, a), the_one(scene, b)) {
        (Ok(first), Ok(second)) => (first, second),
        (Err(why), _) | (_, Err(why)) => return (Tri::Maybe, why),
    };
    let (dx, dy) = (
        second.centre.0 - first.centre.0,
        second.centre.1 - first.centre.1,
    );
    let why = format!(
        "{} at ({:.0}, {:.0}), {} at ({:.0}, {:.0})",
        phrase(a),
        first.centre.0,
        first.centre.1,
        phrase(b),
        second.centre.0,
        second.centre.1
    );
    let (width, height) = scene.size;
    let verdict = match relation {
        Relation::Left => beside(dx, dy, width),
        Relation::Right => beside(-dx, dy, width),
        Relation::Above => beside(dy, dx, height),
        Relation::Below => beside(-dy, dx, height),
        Relation::Inside => inside(first, second),
    };
    (verdict, why)
}

/// Whether `along` is clearly positive: by 4 % of the image, and not dwarfed by the distance
/// across.
fn beside(along: f64, across: f64, size: f64) -> Tri {
    let clear = along.abs() >= 0.04 * size && along.abs() >= 0.5 * across.abs();
    if clear {
        Tri::from(along > 0.0)
    } else {
        Tri::Maybe
    }
}

/// Whether one figure's box lies in that of another, which has to be a full convex figure.
fn inside(inner: &Shape, outer: &Shape) -> Tri {
    let (i, o) = (inner.bbox, outer.bbox);
    let within = i[0] > o[0] && i[1] > o[1] && i[2] < o[2] && i[3] < o[3];
    let apart = i[2] < o[0] || i[0] > o[2] || i[3] < o[1] || i[1] > o[3];
    let boxed = matches!(outer.form.sure(), Some(Kind::Rectangle | Kind::Square));
    Tri::of(within && boxed, !apart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry;
    use crate::question::{Question, parse};
    use image::{Rgb, RgbImage};

    const RED: [u8; 3] = [220, 30, 30];
    const BLUE: [u8; 3] = [30, 60, 200];

    /// Circles (x, y, radius, colour) on white, 300 by 200.
    fn circles(list: &[(f32, f32, f32, [u8; 3])]) -> Scene {
        let image = RgbImage::from_fn(300, 200, |x, y| {
            let hit = |c: &&(f32, f32, f32, [u8; 3])| (x as f32 - c.0).hypot(y as f32 - c.1) <= c.2;
            Rgb(list.iter().rev().find(hit).map_or([255; 3], |c| c.3))
        });
        geometry::analyse(&image).unwrap()
    }

    fn ask(scene: &Scene, question: &str) -> Tri {
        let typed = parse(question).unwrap();
        let Question::Figures(asked) = &typed.question else {
            panic!("{question}")
        };
        figures(scene, asked).0.flip_if(typed.negated)
    }

    #[test]
    fn counts_and_claims() {
        let scene = circles(&[
            (50.0, 50.0, 30.0, RED),
            (150.0, 60.0, 25.0, RED),
            (240.0, 150.0, 30.0, BLUE),
        ]);
        for (question, want) in [
            ("Are there exactly two red circles?", Tri::Yes),
            ("Are there exactly three circles?", Tri::Yes),
            ("Are there exactly three red circles?", Tri::No),
            ("Are there at least two red circles?", Tri::Yes),
            ("Are there fewer than two red circles?", Tri::No),
            ("Is there a green circle?", Tri::No),
            ("Is there not a green circle?", Tri::Yes),
            ("Are there no squares?", Tri::Yes),
            ("Are all the circles red?", Tri::No),
            ("Is the circle red?", Tri::Maybe),
            ("Is the square red?", Tri::Maybe),
            ("Are there more red circles than blue circles?", Tri::Yes),
            ("Are there as many red circles as blue circles?", Tri::No),
            ("Is the background white?", Tri::Yes),
            ("Is the background blue?", Tri::No),
        ] {
            assert_eq!(ask(&scene, question), want, "{question}");
        }
    }

    #[test]
    fn relations() {
        let scene = circles(&[(50.0, 100.0, 30.0, RED), (250.0, 110.0, 30.0, BLUE)]);
        for (question, want) in [
            (
                "Is the red circle to the left of the blue circle?",
                Tri::Yes,
            ),
            ("Is the red circle right of the blue circle?", Tri::No),
            ("Is the red circle above the blue circle?", Tri::Maybe),
            ("Is the red circle inside the blue circle?", Tri::No),
            (
                "Is the red circle to the left of the green circle?",
                Tri::Maybe,
            ),
        ] {
            assert_eq!(ask(&scene, question), want, "{question}");
        }
    }

    #[test]
    fn a_covered_circle_is_not_counted_and_not_denied() {
        let scene = circles(&[(100.0, 100.0, 40.0, RED), (150.0, 100.0, 40.0, BLUE)]);
        assert_eq!(ask(&scene, "Is there a blue circle?"), Tri::Yes);
        assert_eq!(ask(&scene, "Is there a red circle?"), Tri::Maybe);
        assert_eq!(ask(&scene, "Are there exactly two circles?"), Tri::Maybe);
    }

    #[test]
    fn noise_is_no_drawing() {
        let mut state = 1u32;
        let image = RgbImage::from_fn(200, 200, |_, _| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Rgb([(state >> 24) as u8, (state >> 16) as u8, (state >> 8) as u8])
        });
        assert!(geometry::analyse(&image).is_err());
        let gradient = RgbImage::from_fn(200, 200, |x, y| {
            Rgb([x as u8, y as u8, (x / 2 + y / 2) as u8])
        });
        assert!(geometry::analyse(&gradient).is_err());
    }
}
