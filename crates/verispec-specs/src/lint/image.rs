//! Images that a specification speaks of.

const ORDINALS: [&str; 9] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
];

const IMAGES: &[&str] = &[
    "image",
    "images",
    "picture",
    "photo",
    "photograph",
    "reference",
];

/// Words that make an image one of the inputs.
const INPUT: &[&str] = &[
    "input",
    "reference",
    "source",
    "original",
    "provided",
    "given",
];

/// The highest image a text names by number or ordinal: of all that are named, and of those that
/// it calls an input.
pub(super) fn highest(text: &str) -> (usize, usize) {
    // Punctuation stays a word of its own: `a result reference, (2) a plan` names no reference 2.
    let mut words: Vec<String> = vec![];
    for piece in text.split_whitespace() {
        let inner = piece.trim_start_matches(['(', '[', '#', '"', '\'']);
        let word: String = inner.chars().take_while(|c| c.is_alphanumeric()).collect();
        let rest = &inner[word.len()..];
        words.push(word.to_lowercase());
        if !rest.is_empty() {
            words.push(rest.to_lowercase());
        }
    }
    let has = |at: usize, list: &[&str]| words.get(at).is_some_and(|w| list.contains(&w.as_str()));
    let mut all = (0, 0);
    let mut name = |n: usize, input: bool| {
        all.0 = all.0.max(n);
        if input {
            all.1 = all.1.max(n);
        }
    };
    for (at, word) in words.iter().enumerate() {
        if let Some(i) = ORDINALS.iter().position(|o| o == word) {
            let one = has(at + 1, IMAGES);
            let two = has(at + 2, IMAGES) && has(at + 1, INPUT);
            if one || two {
                name(i + 1, two || has(at + 1, &["reference"]));
            }
        }
        let number = word.parse::<usize>().ok().filter(|n| *n < 100);
        if let Some(n) = number.filter(|_| at > 0 && has(at - 1, IMAGES)) {
            let input = has(at - 1, INPUT) || (at > 1 && has(at - 2, INPUT));
            name(n, input);
        }
    }
    all
}

/// Whether a text holds `[IMAGEn]`.
pub(super) fn has_placeholder(text: &str) -> bool {
    text.match_indices("[IMAGE").any(|(at, open)| {
        let rest = &text[at + open.len()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && rest[digits..].starts_with(']')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_by_number_and_ordinal() {
        assert_eq!(highest("Is it the dog of Image 2, not picture 1?"), (2, 0));
        assert_eq!(highest("as in the third reference image"), (3, 3));
        assert_eq!(highest("matching the subject reference (Image 1)"), (1, 1));
        assert_eq!(highest("on the second day, an image of 300 dots"), (0, 0));
        assert_eq!(highest("the final result reference, (2) a plan"), (0, 0));
        assert!(has_placeholder("like [IMAGE12]?") && !has_placeholder("[IMAGE] [Image 1]"));
    }
}
