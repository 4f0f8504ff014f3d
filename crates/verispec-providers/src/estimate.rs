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
    params: &Params,
    texts: impl IntoIterator<Item = &'a str>,
    images: &[(u32, u32)],
) -> u64 {
    let text: u64 = texts.into_iter().map(text_tokens).sum();
    let image: u64 = images
        .iter()
        .map(|(w, h)| dialect.image_tokens(params, *w, *h))
        .sum();
    text + image
}

/// One token per four ASCII characters, rounded up, and one per other character.
fn text_tokens(text: &str) -> u64 {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let other = text.chars().count() - ascii;
    (ascii.div_ceil(4) + other) as u64
}

/// OpenAI's tile rule (GPT-4o, GPT-4.1): 85 tokens with detail `low`; otherwise the image is
/// scaled down into 2048 x 2048, then to a shorter side of 768, and costs 85 plus 170 per tile of
/// 512 x 512. Other models of the dialect count otherwise.
pub(crate) fn openai_tiles(low: bool, width: u32, height: u32) -> u64 {
    if low {
        return 85;
    }
    let (w, h) = (f64::from(width.max(1)), f64::from(height.max(1)));
    let fit = (2048.0 / w.max(h)).min(1.0);
    let short = (768.0 / (w.min(h) * fit)).min(1.0);
    let tiles = |side: f64| ((side * fit * short) / 512.0).ceil().max(1.0) as u64;
    85 + 170 * tiles(w) * tiles(h)
}

/// Gemini's tile rule: 258 tokens if both sides are at most 384 pixels; otherwise 258 per square
/// tile whose side is the shorter side / 1.5, at least 256 and at most 768 pixels.
pub(crate) fn gemini_tiles(width: u32, height: u32) -> u64 {
    if width <= 384 && height <= 384 {
        return 258;
    }
    let side = (f64::from(width.min(height)) / 1.5)
        .floor()
        .clamp(256.0, 768.0);
    let tiles = |pixels: u32| (f64::from(pixels) / side).ceil().max(1.0) as u64;
    258 * tiles(width) * tiles(height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_examples() {
        // OpenAI's guide: 1024 x 1024 is 765, 2048 x 4096 is 1105, low detail is 85.
        assert_eq!(openai_tiles(false, 1024, 1024), 765);
        assert_eq!(openai_tiles(false, 2048, 4096), 1105);
        assert_eq!(openai_tiles(true, 4096, 8192), 85);
        // Gemini's guide: 960 x 540 has tiles of 360 pixels, six of them.
        assert_eq!(gemini_tiles(384, 384), 258);
        assert_eq!(gemini_tiles(960, 540), 6 * 258);
    }

    #[test]
    fn extreme_sizes_are_counted() {
        for (w, h) in [(0, 0), (1, 65_535), (u32::MAX, 1), (u32::MAX, u32::MAX)] {
            assert!(openai_tiles(false, w, h) >= 255);
            assert!(gemini_tiles(w, h) >= 258);
        }
    }

    #[test]
    fn texts_and_images_add_up() {
        let n = estimate_tokens(
            &crate::OpenAi,
            &Params::new(),
            ["abcde", "红色"],
            &[(1024, 1024)],
        );
        assert_eq!(n, 2 + 2 + 765);
    }
}
