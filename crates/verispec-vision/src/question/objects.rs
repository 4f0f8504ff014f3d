//! Grammar of questions about objects: presence and counts of what the detector knows, and nothing
//! else about them.

use crate::coco::Class;
use crate::question::Amount;
use crate::question::figures::{quantities, without_picture};
use crate::question::phrases::Cursor;

/// Most words in the name of a class.
const NAME: usize = 2;

/// Amounts of classes, and whether the question is put in the negative.
pub(crate) type Objects = (Vec<(Amount, Class)>, bool);

/// Parses a whole question.
pub(crate) fn parse(words: &[&str]) -> Option<Objects> {
    let words = without_picture(words);
    // "Only a dog" may mean that there is one, or that there is nothing else.
    let alone = |w: &[&str]| ["only", "just"].contains(&w[0]) && ["a", "an"].contains(&w[1]);
    if words.windows(2).any(alone) {
        return None;
    }
    let (wanted, negated) = quantities(Cursor(&words), noun)?;
    wanted
        .iter()
        .all(|(amount, class)| class.is_counted() || is_presence(*amount))
        .then_some((wanted, negated))
}

fn is_presence(amount: Amount) -> bool {
    matches!(
        amount,
        Amount::AtLeast(1) | Amount::Exactly(0) | Amount::AtMost(0)
    )
}

/// The name of a class. The longest counts: a hot dog is no dog.
fn noun(c: &mut Cursor) -> Option<Class> {
    (1..=NAME).rev().find_map(|n| {
        let class = Class::from_words(&c.0.get(..n)?.join(" "))?;
        c.0 = &c.0[n..];
        Some(class)
    })
}
