//! Prompt tokens of images (Gemini's guide, "Understand and count tokens"; checked 2026-11).

/// Gemini's tile rule: 258 tokens if both sides are at most 384 pixels; otherwise 258 per square
/// tile whose side is the shorter side / 1.5, at least 256 and at most 768 pixels.
pub(super) fn tokens(width: u32, height: u32) -> u64 {
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
    use super::tokens;

    #[test]
    fn published_examples() {
        // The guide: 960 x 540 has tiles of 360 pixels, six of them.
        assert_eq!(tokens(384, 384), 258);
        assert_eq!(tokens(960, 540), 6 * 258);
    }

    #[test]
    fn extreme_sizes_are_counted() {
        for (w, h) in [(0, 0), (1, 65_535), (u32::MAX, 1), (u32::MAX, u32::MAX)] {
            assert!(tokens(w, h) >= 258);
        }
    }
}
