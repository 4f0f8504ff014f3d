//! Patterns in prompts and questions.

/// Numbers of all `[<word>n]` in a text, for instance `[IMAGE2]` with the word `IMAGE`.
pub(super) fn bracketed_numbers(text: &str, word: &str) -> Vec<usize> {
    let open = format!("[{word}");
    text.match_indices(&open)
        .filter_map(|(at, _)| {
            let rest = &text[at + open.len()..];
            let end = rest.find(|c: char| !c.is_ascii_digit())?;
            rest[end..]
                .starts_with(']')
                .then(|| rest[..end].parse().ok())
                .flatten()
        })
        .collect()
}

/// Lower-case words of letters and digits.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

const ORDINALS: [&str; 9] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
];

/// Highest input image that a text names by ordinal, as in "the second image", "second input
/// image" or "image 2"; 0 if it names none.
pub(super) fn highest_image(text: &str) -> usize {
    let words = words(text);
    let is_image = |i: usize| {
        words
            .get(i)
            .is_some_and(|w| matches!(w.as_str(), "image" | "images" | "picture" | "photo"))
    };
    let by_ordinal = (0..words.len()).filter_map(|i| {
        let n = ORDINALS.iter().position(|o| *o == words[i])? + 1;
        (is_image(i + 1) || is_image(i + 2)).then_some(n)
    });
    let by_number = (1..words.len()).filter_map(|i| {
        let n: usize = words[i].parse().ok()?;
        (n < 100 && is_image(i - 1)).then_some(n)
    });
    by_ordinal.chain(by_number).max().unwrap_or(0)
}

/// Whether a text holds Chinese, Japanese or Korean characters.
pub(super) fn has_cjk(text: &str) -> bool {
    text.chars().any(|c| {
        matches!(c,
            '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
    })
}

/// Whether a text holds a LaTeX group: a brace after a command, `^` or `_`.
pub(super) fn has_latex_braces(text: &str) -> bool {
    text.match_indices('{').any(|(at, _)| {
        let before = &text[..at];
        let command = before.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        before.ends_with(['^', '_']) || (command.len() < before.len() && command.ends_with('\\'))
    })
}

/// Whether `part` occurs in `whole` as consecutive words.
pub(super) fn contains_sequence(whole: &[String], part: &[String]) -> bool {
    whole.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders() {
        assert_eq!(
            bracketed_numbers("[IMAGE1] and [IMAGE12] [IMAGE] [IMAGE2", "IMAGE"),
            [1, 12]
        );
        assert_eq!(
            bracketed_numbers("[Image 1] [Image 2: a] [image 3]", "Image "),
            [1]
        );
    }

    #[test]
    fn images_by_ordinal_and_number() {
        assert_eq!(
            highest_image("from the first image into the second input image"),
            2
        );
        assert_eq!(highest_image("as in Image 3, not picture 2"), 3);
        assert_eq!(highest_image("the second day of the image"), 0);
        assert_eq!(highest_image("an image 2048 pixels wide"), 0);
    }

    #[test]
    fn braces() {
        assert!(has_latex_braces(r"\frac{1}{2}"));
        assert!(has_latex_braces("F_{net}"));
        assert!(!has_latex_braces("`t-${Date.now()}`"));
        assert!(!has_latex_braces("curly braces {}, set {x}"));
    }

    #[test]
    fn cjk() {
        assert!(has_cjk("the sign 電音") && has_cjk("ハ") && has_cjk("글"));
        assert!(!has_cjk("“quotes” — ½ π é"));
    }

    #[test]
    fn sequences_of_words() {
        let w = words("Is it 'up,  up, Right'?");
        assert!(contains_sequence(&w, &words("up, up, right")));
        assert!(!contains_sequence(&w, &words("up, right, right")));
        assert!(!contains_sequence(&[], &words("up")));
    }
}
