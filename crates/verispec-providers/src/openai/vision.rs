//! Prompt tokens of images, by model: OpenAI's tile and patch rules ("Images and vision",
//! "Calculating costs") and the rule of Qwen-VL models (Alibaba Cloud Model Studio, "Visual
//! understanding"; the same rounding is in the preprocessor that vLLM and SGLang run).
//!
//! | models | rule |
//! |---|---|
//! | gpt-4o, gpt-4.1, gpt-4.5 | 85 + 170 per tile |
//! | gpt-4o-mini | 2,833 + 5,667 per tile |
//! | gpt-5, gpt-5-chat-latest and later ones without a suffix | 70 + 140 per tile |
//! | o1, o3 | 75 + 150 per tile |
//! | gpt-4.1-mini, gpt-5-mini, …-mini | patches x 1.62 |
//! | gpt-4.1-nano, gpt-5-nano, …-nano | patches x 2.46 |
//! | o4-mini | patches x 1.72 |
//! | Qwen2-VL, Qwen2.5-VL, qwen-vl-max, qwen-vl-plus | one per 28 x 28 pixels, plus 2 |
//! | Qwen3-VL, Qwen3.5 and later | one per 32 x 32 pixels, plus 2 |
//! | anything else | as gpt-4o |

/// How a model counts.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    /// Tokens of the image as a whole, and of each tile of 512 x 512.
    Tiles { base: u64, tile: u64 },
    /// Tokens of each patch of 32 x 32, in hundredths.
    Patches { hundredths: u64 },
    /// Side of the square that is one token.
    Qwen { side: u32 },
}

/// Patches at most, of OpenAI's patch rule.
const MOST_PATCHES: f64 = 1536.0;

/// Tokens of one image; `low` is the detail that was asked for.
pub(super) fn tokens(model: &str, low: bool, width: u32, height: u32) -> u64 {
    match rule(model) {
        Rule::Tiles { base, .. } if low => base,
        Rule::Tiles { base, tile } => base + tile * tiles(width, height),
        Rule::Patches { hundredths } => (patches(width, height) * hundredths).div_ceil(100),
        Rule::Qwen { side } => qwen(side, width, height),
    }
}

fn rule(model: &str) -> Rule {
    let name = model.to_ascii_lowercase();
    // Routers and servers put an owner or a path in front.
    let name = name.rsplit('/').next().unwrap_or(&name);
    if name.contains("qwen") || name.contains("qvq") {
        return Rule::Qwen {
            side: qwen_side(name),
        };
    }
    let gpt4o_mini = name.starts_with("gpt-4o-mini");
    match () {
        () if gpt4o_mini => Rule::Tiles {
            base: 2833,
            tile: 5667,
        },
        () if name.starts_with("o4-mini") => Rule::Patches { hundredths: 172 },
        () if name.starts_with("gpt-") && name.contains("-nano") => {
            Rule::Patches { hundredths: 246 }
        }
        () if name.starts_with("gpt-") && name.contains("-mini") => {
            Rule::Patches { hundredths: 162 }
        }
        () if name.starts_with("gpt-5") => Rule::Tiles {
            base: 70,
            tile: 140,
        },
        () if name.starts_with("o1") || name.starts_with("o3") => Rule::Tiles {
            base: 75,
            tile: 150,
        },
        () => Rule::Tiles {
            base: 85,
            tile: 170,
        },
    }
}

fn qwen_side(name: &str) -> u32 {
    let old = ["qwen2", "qwen-vl", "qvq", "qwen-omni"];
    if old.iter().any(|o| name.contains(o)) {
        28
    } else {
        32
    }
}

/// Tiles of 512 x 512, after scaling down into 2048 x 2048 and to a shorter side of 768.
fn tiles(width: u32, height: u32) -> u64 {
    let (w, h) = (f64::from(width.max(1)), f64::from(height.max(1)));
    let fit = (2048.0 / w.max(h)).min(1.0);
    let short = (768.0 / (w.min(h) * fit)).min(1.0);
    let along = |side: f64| ((side * fit * short) / 512.0).ceil().max(1.0) as u64;
    along(w) * along(h)
}

/// Patches of 32 x 32; an image of more than 1,536 is scaled down until a whole number of them
/// fits in each direction.
fn patches(width: u32, height: u32) -> u64 {
    let (w, h) = (f64::from(width.max(1)), f64::from(height.max(1)));
    let whole = |side: f64| (side / 32.0).ceil();
    if whole(w) * whole(h) <= MOST_PATCHES {
        return (whole(w) * whole(h)) as u64;
    }
    let shrink = (32.0 * 32.0 * MOST_PATCHES / (w * h)).sqrt();
    let along = |side: f64| side * shrink / 32.0;
    let fit = |side: f64| (along(side).floor().max(1.0)) / along(side);
    let shrink = shrink * fit(w).min(fit(h));
    // A product that is whole but for rounding must not become one patch more.
    let count = |side: f64| (side * shrink / 32.0 - 1e-9).ceil().max(1.0);
    (count(w) * count(h)).min(MOST_PATCHES) as u64
}

/// Sides rounded to whole squares, the area kept between 4 and 16,384 of them (the bounds of
/// the released preprocessor; hosted models default to less), and two tokens around the image.
fn qwen(side: u32, width: u32, height: u32) -> u64 {
    let (w, h, side) = (
        f64::from(width.max(1)),
        f64::from(height.max(1)),
        f64::from(side),
    );
    let (least, most) = (4.0 * side * side, 16_384.0 * side * side);
    let near = |pixels: f64| (pixels / side).round().max(1.0);
    let (mut across, mut down) = (near(w), near(h));
    let area = across * down * side * side;
    if area > most {
        let shrink = (w * h / most).sqrt();
        across = (w / shrink / side).floor().max(1.0);
        down = (h / shrink / side).floor().max(1.0);
    } else if area < least {
        let grow = (least / (w * h)).sqrt();
        across = (w * grow / side).ceil();
        down = (h * grow / side).ceil();
    }
    (across * down) as u64 + 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_examples_of_tiles() {
        // 1024 x 1024 is 765, 2048 x 4096 is 1,105, low detail is 85.
        assert_eq!(tokens("gpt-4o", false, 1024, 1024), 765);
        assert_eq!(tokens("gpt-4.1-2025-04-14", false, 2048, 4096), 1105);
        assert_eq!(tokens("gpt-4o", true, 4096, 8192), 85);
        assert_eq!(tokens("gpt-4o-mini", false, 1024, 1024), 2833 + 4 * 5667);
        assert_eq!(tokens("gpt-5", false, 1024, 1024), 70 + 4 * 140);
        assert_eq!(tokens("o3", true, 9, 9), 75);
    }

    #[test]
    fn published_examples_of_patches() {
        // 1024 x 1024 has 1,024 patches, 1800 x 2400 is scaled to 1,452.
        assert_eq!(patches(1024, 1024), 1024);
        assert_eq!(patches(1800, 2400), 1452);
        assert_eq!(tokens("gpt-4.1-mini", false, 1024, 1024), 1659);
        assert_eq!(tokens("openai/gpt-4.1-nano", false, 1024, 1024), 2520);
        assert_eq!(tokens("o4-mini", false, 1800, 2400), 2498);
    }

    #[test]
    fn published_examples_of_qwen() {
        // Tables of servers of Qwen2.5-VL: 336 is 144, 672 is 576, 1024 is 1,369, 1280 x 720 is
        // 1,196 and 1920 x 1080 is 2,691 (39 x 69) before the two tokens around the image.
        for (w, h, expected) in [
            (336, 336, 144),
            (672, 672, 576),
            (1024, 1024, 1369),
            (1280, 720, 1196),
        ] {
            assert_eq!(
                tokens("Qwen/Qwen2.5-VL-7B-Instruct", false, w, h),
                expected + 2
            );
        }
        assert_eq!(tokens("Qwen3-VL-32B", false, 1024, 1024), 1024 + 2);
        assert_eq!(tokens("qwen-vl-max", false, 8, 8), 4 + 2);
        assert!(tokens("qwen3-vl-plus", false, 20_000, 20_000) <= 16_384 + 2);
    }

    #[test]
    fn extreme_sizes_are_counted() {
        for model in ["gpt-4o", "gpt-4.1-mini", "qwen2.5-vl"] {
            for (w, h) in [(0, 0), (1, 65_535), (u32::MAX, 1), (u32::MAX, u32::MAX)] {
                let n = tokens(model, false, w, h);
                assert!((1..100_000_000).contains(&n), "{model} {w} x {h}: {n}");
            }
        }
    }
}
