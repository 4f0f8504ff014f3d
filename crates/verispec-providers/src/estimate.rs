//! A rough count of prompt tokens, to size a run before the first call. Never a bill: every
//! figure made from it is called an estimate.

use verispec_model::Params;

use crate::Dialect;

/// Estimated prompt tokens: text by [`text_tokens`], images by the dialect's rule.
///
/// `images` holds width and height in pixels, as sent.
#[must_use]
pub fn estimate_tokens<'a>(
    dialect: &dyn Dialect,
    (model, params): (&str, &Params),
    texts: impl IntoIterator<Item = &'a str>,
    images: &[(u32, u32)],
) -> u64 {
    let text: u64 = texts.into_iter().map(text_tokens).sum();
    let image: u64 = images
        .iter()
        .map(|(w, h)| dialect.image_tokens(model, params, *w, *h))
        .sum();
    text + image
}

/// One token per four ASCII characters, rounded up, and one per other character.
fn text_tokens(text: &str) -> u64 {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let other = text.chars().count() - ascii;
    (ascii.div_ceil(4) + other) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_images_add_up() {
        let n = estimate_tokens(
            &crate::OpenAi,
            ("gpt-4o", &Params::new()),
            ["abcde", "红色"],
            &[(1024, 1024)],
        );
        assert_eq!(n, 2 + 2 + 765);
    }
}
