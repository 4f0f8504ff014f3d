use std::cmp::Ordering;

use super::*;

fn counts(amount: Amount, colour: Option<Colour>, kind: Option<Kind>) -> FigureQuestion {
    FigureQuestion::Counts(vec![(amount, Noun { colour, kind })])
}

fn figures(question: &str) -> (FigureQuestion, bool) {
    match parse(question).unwrap_or_else(|| panic!("not typed: {question}")) {
        Typed {
            question: Question::Figures(q),
            negated,
        } => (q, negated),
        other => panic!("{question}: {other:?}"),
    }
}

#[test]
fn presence_and_counts() {
    let red_circle = |amount| counts(amount, Some(Colour::Red), Some(Kind::Circle));
    for (question, want, negated) in [
        ("Is there a red circle?", Amount::AtLeast(1), false),
        (
            "Is there not a red circle in the image?",
            Amount::AtLeast(1),
            true,
        ),
        ("Isn't there a red circle?", Amount::AtLeast(1), true),
        (
            "Does the image contain a red circle?",
            Amount::AtLeast(1),
            false,
        ),
        (
            "Does the image not contain a red circle?",
            Amount::AtLeast(1),
            true,
        ),
        (
            "Doesn't the image contain a red circle?",
            Amount::AtLeast(1),
            true,
        ),
        ("Is a red circle present?", Amount::AtLeast(1), false),
        ("Is no red circle present?", Amount::Exactly(0), false),
        ("Are there any red circles?", Amount::AtLeast(1), false),
        (
            "Are there no red circles in the picture?",
            Amount::Exactly(0),
            false,
        ),
        (
            "Are there exactly three red circles?",
            Amount::Exactly(3),
            false,
        ),
        (
            "Are there 3 red circles visible in the image?",
            Amount::Exactly(3),
            false,
        ),
        (
            "Are exactly three red circles shown?",
            Amount::Exactly(3),
            false,
        ),
        (
            "Are there at least two red circles?",
            Amount::AtLeast(2),
            false,
        ),
        (
            "Are there more than two red circles?",
            Amount::AtLeast(3),
            false,
        ),
        (
            "Are there fewer than two red circles?",
            Amount::AtMost(1),
            false,
        ),
        (
            "Are there no more than two red circles?",
            Amount::AtMost(2),
            false,
        ),
        (
            "Are there three or more red circles?",
            Amount::AtLeast(3),
            false,
        ),
        ("Is there only one red circle?", Amount::Exactly(1), false),
        (
            "Is there exactly one circle that is red?",
            Amount::Exactly(1),
            false,
        ),
        (
            "Is the number of red circles equal to three?",
            Amount::Exactly(3),
            false,
        ),
        (
            "Is the number of red-coloured circles at least 4?",
            Amount::AtLeast(4),
            false,
        ),
    ] {
        assert_eq!(figures(question), (red_circle(want), negated), "{question}");
    }
    let (both, _) = figures("Are there exactly two red circles and one blue square?");
    assert!(matches!(both, FigureQuestion::Counts(v) if v.len() == 2));
}

#[test]
fn claims_relations_background() {
    let circle = Noun {
        colour: None,
        kind: Some(Kind::Circle),
    };
    let red = Noun {
        colour: Some(Colour::Red),
        kind: None,
    };
    let blue = Claim::Colour(Colour::Blue);
    assert_eq!(
        figures("Is the circle blue?"),
        (FigureQuestion::Claim(circle, blue), false)
    );
    assert_eq!(
        figures("Is the circle not blue?"),
        (FigureQuestion::Claim(circle, blue), true)
    );
    assert_eq!(
        figures("Is the colour of the circle blue?"),
        (FigureQuestion::Claim(circle, blue), false)
    );
    assert_eq!(
        figures("Is the red shape a circle?"),
        (FigureQuestion::Claim(red, Claim::Kind(Kind::Circle)), false)
    );
    assert_eq!(
        figures("Are all the circles blue?"),
        (FigureQuestion::Every(circle, blue), false)
    );
    assert_eq!(
        figures("Are the circles blue?"),
        (FigureQuestion::Every(circle, blue), false)
    );
    assert_eq!(
        figures("Is the background of the image white?"),
        (FigureQuestion::Background(Colour::White), false)
    );
    let (relation, _) = figures("Is the red circle to the left of the blue square?");
    assert!(matches!(
        relation,
        FigureQuestion::Relation(_, Relation::Left, _)
    ));
    let (compare, _) = figures("Are there more red circles than blue squares?");
    assert!(matches!(
        compare,
        FigureQuestion::Compare(Ordering::Greater, ..)
    ));
}

fn reads(question: &str) -> Option<(Vec<String>, bool)> {
    match parse(question)? {
        Typed {
            question: Question::Text(TextQuestion::Reads { texts, .. }),
            negated,
        } => Some((texts, negated)),
        _ => None,
    }
}

#[test]
fn texts() {
    for (question, text, negated) in [
        ("Does the sign read 'OPEN'?", "OPEN", false),
        ("Does the sign say OPEN?", "OPEN", false),
        ("Is the text \"SALE 50%\" visible?", "SALE 50%", false),
        (
            "Is the text “It's time” clearly legible in the image?",
            "It's time",
            false,
        ),
        ("Does the sign say 'DON'T PANIC'?", "DON'T PANIC", false),
        ("Is the word \"COFFEE\" spelled correctly?", "COFFEE", false),
        ("Is the word \"COFFEE\" misspelled?", "COFFEE", true),
        (
            "Is the spelling of \"FLY FREE\" exactly correct (including punctuation)?",
            "FLY FREE",
            false,
        ),
        ("Is the text \"CLOSED\" not visible?", "CLOSED", true),
        (
            "Does the poster not contain the word \"FREE\"?",
            "FREE",
            true,
        ),
    ] {
        assert_eq!(
            reads(question),
            Some((vec![text.to_owned()], negated)),
            "{question}"
        );
    }
    assert_eq!(
        reads("Are the words \"OPEN\" and \"24 HOURS\" visible?").map(|r| r.0.len()),
        Some(2)
    );
    let kind = |q: &str| parse(q).map(|t| (t.question, t.negated));
    assert_eq!(
        kind("Is there any text in the image?"),
        Some((Question::Text(TextQuestion::Any), false))
    );
    let other = Question::Text(TextQuestion::Other(vec!["OPEN".into()]));
    assert_eq!(
        kind("Is there any text other than \"OPEN\"?"),
        Some((other.clone(), false))
    );
    assert_eq!(
        kind("Is \"OPEN\" the only text in the image?"),
        Some((other, true))
    );
}

#[test]
fn what_is_not_wholly_understood_is_not_typed() {
    for question in [
        "",
        "Is there a dog in the image?",
        "Is there a red circle on a wooden table?",
        "Is there a large red circle?",
        "Is the circle red or blue?",
        "Is the circle redder than the square?",
        "Are there any circles that are not red?",
        "Does the image contain a red circle and no dog?",
        "Is the image in the style of Van Gogh?",
        "Is the red circle directly above the blue square in the reference image?",
        "Is the text \"OPEN\" rendered in bold black letters?",
        "Is the text \"OPEN\" printed at the top of the sign?",
        "Is the text \"OPEN\" larger than \"CLOSED\"?",
        "Is there a \"stop sign\" in the image?",
        "Is the text \"OPEN\" or \"CLOSED\" visible?",
        "Is the text legible?",
        "Is there a red circle? Is there a blue square?",
        "Does the sign say \"OPEN?",
        "Is the edited image the same as the reference?",
        "Has the red circle been removed?",
    ] {
        assert_eq!(parse(question), None, "{question}");
    }
}

fn objects(question: &str) -> Option<(Vec<(Amount, &'static str)>, bool)> {
    let asked = parse_objects(question)?;
    let wanted = asked.wanted.iter().map(|(a, c)| (*a, c.name())).collect();
    Some((wanted, asked.negated))
}

#[test]
fn presence_absence_and_counts_of_objects() {
    use Amount::{AtLeast, AtMost, Exactly};
    for (question, amount, class, negated) in [
        ("Is there a cat?", AtLeast(1), "cat", false),
        ("Does the image show a dog?", AtLeast(1), "dog", false),
        (
            "Does the photo contain people?",
            AtLeast(1),
            "person",
            false,
        ),
        (
            "Is a traffic light visible?",
            AtLeast(1),
            "traffic light",
            false,
        ),
        (
            "Are there any wine glasses in the picture?",
            AtLeast(1),
            "wine glass",
            false,
        ),
        ("Is there no person?", Exactly(0), "person", false),
        ("Is there not a sofa?", AtLeast(1), "couch", true),
        (
            "Doesn't the image contain a knife?",
            AtLeast(1),
            "knife",
            true,
        ),
        ("Are there exactly 3 cups?", Exactly(3), "cup", false),
        (
            "Are there two teddy-bears in the image?",
            Exactly(2),
            "teddy bear",
            false,
        ),
        (
            "Are there at least two hot dogs?",
            AtLeast(2),
            "hot dog",
            false,
        ),
        (
            "Are there fewer than three sheep?",
            AtMost(2),
            "sheep",
            false,
        ),
        (
            "Is the number of buses equal to four?",
            Exactly(4),
            "bus",
            false,
        ),
        (
            "Are there scissors in the image?",
            AtLeast(1),
            "scissors",
            false,
        ),
    ] {
        let want = Some((vec![(amount, class)], negated));
        assert_eq!(objects(question), want, "{question}");
    }
    let both = objects("Are there exactly two cats and one dog?").unwrap();
    assert_eq!(
        both,
        (vec![(Exactly(2), "cat"), (Exactly(1), "dog")], false)
    );
}

#[test]
fn what_a_detector_does_not_see_is_no_question_about_objects() {
    for question in [
        "",
        "Is there a unicorn?",
        "Is there a red car?",
        "Is there a dog wearing a hat?",
        "Is there a stuffed dog toy?",
        "Is there a dog toy?",
        "Is there a picture of a dog?",
        "Is there a dog on the couch?",
        "Is there a dog next to a cat?",
        "Is there a small dog?",
        "Is there a police car?",
        "Is there a sleeping cat?",
        "Are there two people shaking hands?",
        "Is there a man?",
        "Is there a mouse?",
        "Is there a table?",
        "Is there a bike?",
        "Is the dog brown?",
        "Is the cat visible?",
        "Is it a cat?",
        "Is this a photo of a cat?",
        "Is there a cat or a dog?",
        "Is there only a dog?",
        "Is there a cat but no dog?",
        "Is there not a cat and a dog?",
        "Is there a cat in the background?",
        "Is there a cat in the reference image?",
        "Is there a \"stop sign\" in the image?",
        "Are there two scissors?",
        "Is there a pair of scissors?",
        "Are there many cars?",
        "Are there several cars?",
        "Is there one more cup than plates?",
        "Is there a cat and a red circle?",
        "Has the dog been removed?",
        "How many cats are there?",
        "Is there a cat? Is there a dog?",
    ] {
        assert_eq!(objects(question), None, "{question}");
    }
}
