//! Tokens of an image.

/// Anthropic's rule: width x height / 750, once the image is scaled down to a longer side of 1568
/// pixels; at most about 1,600. Models with high-resolution images count up to three times as
/// much.
pub(super) fn tokens(width: u32, height: u32) -> u64 {
    let (w, h) = (f64::from(width.max(1)), f64::from(height.max(1)));
    let fit = (1568.0 / w.max(h)).min(1.0);
    ((w * fit) * (h * fit) / 750.0).ceil().clamp(1.0, 1600.0) as u64
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn published_examples() {
        // Anthropic's guide: 200 x 200 is about 54, 1000 x 1000 about 1334, 1092 x 1092 about 1590.
        assert_eq!(tokens(200, 200), 54);
        assert_eq!(tokens(1000, 1000), 1334);
        assert_eq!(tokens(1092, 1092), 1590);
        assert_eq!(tokens(4000, 4000), 1600);
        for (w, h) in [(0, 0), (1, 65_535), (u32::MAX, 1), (u32::MAX, u32::MAX)] {
            assert!((1..=1600).contains(&tokens(w, h)), "{w} x {h}");
        }
    }
}
