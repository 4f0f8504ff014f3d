use super::*;

#[test]
fn a_specification_is_taken_apart() {
    let p =
        Phrase::of("Are there at least three red lanterns to the left of the 'Tea House' sign?");
    assert_eq!(p.numbers, ["3>lantern"]);
    assert_eq!(p.scopes, ["at least"]);
    assert_eq!(p.colours, ["red>lantern"]);
    assert_eq!(p.quoted, ["Tea House"]);
    assert_eq!(p.words, ["lantern", "sign"]);
    assert_eq!((p.relations[0].name, p.relations[0].at), ("left of", 1));
    assert!(p.places.is_empty() && p.negations == 0);
}

#[test]
fn counts_ordinals_and_texts() {
    assert_eq!(
        Phrase::of("Is bar number three the tallest?").numbers,
        ["3rd>bar"]
    );
    assert_eq!(
        Phrase::of("Is the number of cups three?").numbers,
        ["3>cup"]
    );
    assert_eq!(
        Phrase::of("Does it cost $1,200.50?").numbers,
        ["$1200.50>cost"]
    );
    assert_eq!(Phrase::of("Is it (1,2)?").numbers, ["1,2>"]);
    assert_eq!(Phrase::of("Does option B say OPEN?").quoted, ["B", "OPEN"]);
}

#[test]
fn equal_meaning_has_an_equal_key() {
    let key = |q: &str| Phrase::of(q).key();
    assert_eq!(key("Is the car red?"), key("Is the colour of the car red?"));
    assert_eq!(
        key("Are there exactly 3 cups?"),
        key("Is the number of cups three?")
    );
    assert_ne!(key("Is there no dog?"), key("Is there a dog?"));
    assert_ne!(key("Are at least 3 cups there?"), key("Are 3 cups there?"));
    assert_ne!(
        key("Is the red car near the house?"),
        key("Is the car near the red house?")
    );
    assert_ne!(key("Is the ring silver?"), key("Is the ring gold?"));
}

proptest::proptest! {
    #[test]
    fn any_text_is_taken_apart(text in "\\PC{0,60}") {
        let phrase = Phrase::of(&text);
        for relation in &phrase.relations {
            proptest::prop_assert!(relation.at <= phrase.words.len());
        }
    }
}
