//! The published ladder of qualities and sizes that brings a JPEG under a cap.

use image::RgbImage;

use crate::error::MediaErrorKind;
use crate::jpeg::encode_jpeg;
use crate::resize::resize_lanczos;

/// Qualities tried at full size.
const FULL: [u8; 11] = [95, 90, 85, 80, 70, 60, 50, 40, 30, 20, 10];
/// Qualities tried at each smaller size.
const SMALLER: [u8; 4] = [60, 40, 20, 10];
/// Number of smaller sizes, each three quarters of the one before.
const SIZES: u32 = 10;

/// The rung that fitted.
#[derive(Debug)]
pub(crate) struct Fitted {
    pub(crate) bytes: Vec<u8>,
    pub(crate) quality: u8,
    /// Size in pixels, if it is not that of the source.
    pub(crate) resized: Option<(u32, u32)>,
}

/// First JPEG of at most `cap` bytes: full size by falling quality, then each size
/// `max(1, floor(side * 0.75^r))`, r = 1..=10, always resized from the source.
pub(crate) fn fit(pixels: &RgbImage, cap: usize) -> Result<Fitted, MediaErrorKind> {
    if let Some((bytes, quality)) = first_fit(pixels, &FULL, cap)? {
        return Ok(Fitted {
            bytes,
            quality,
            resized: None,
        });
    }
    for step in 1..=SIZES {
        let (width, height) = (shrink(pixels.width(), step), shrink(pixels.height(), step));
        let small = resize_lanczos(pixels, width, height);
        if let Some((bytes, quality)) = first_fit(&small, &SMALLER, cap)? {
            return Ok(Fitted {
                bytes,
                quality,
                resized: Some((width, height)),
            });
        }
    }
    Err(MediaErrorKind::DoesNotFit(cap))
}

fn first_fit(
    pixels: &RgbImage,
    qualities: &[u8],
    cap: usize,
) -> Result<Option<(Vec<u8>, u8)>, MediaErrorKind> {
    for &quality in qualities {
        let bytes = encode_jpeg(pixels, quality)?;
        if bytes.len() <= cap {
            return Ok(Some((bytes, quality)));
        }
    }
    Ok(None)
}

/// `max(1, floor(side * 0.75^step))`, exact in integers.
fn shrink(side: u32, step: u32) -> u32 {
    let scaled = u64::from(side) * 3_u64.pow(step) / 4_u64.pow(step);
    // No larger than `side`.
    (scaled as u32).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_by_hand() {
        assert_eq!((shrink(8192, 1), shrink(6000, 1)), (6144, 4500));
        assert_eq!((shrink(100, 2), shrink(7, 1), shrink(1, 10)), (56, 5, 1));
    }

    #[test]
    fn a_cap_that_nothing_meets_is_an_error() {
        let pixels = RgbImage::from_pixel(64, 64, image::Rgb([1, 2, 3]));
        assert_eq!(
            fit(&pixels, 10).unwrap_err(),
            MediaErrorKind::DoesNotFit(10)
        );
    }

    #[test]
    fn quality_falls_before_size_does() {
        let noise = |x: u32, y: u32| {
            let v = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).wrapping_mul(97);
            image::Rgb([(v >> 8) as u8, (v >> 16) as u8, (v >> 24) as u8])
        };
        let pixels = RgbImage::from_fn(128, 96, noise);
        let whole = fit(&pixels, usize::MAX).unwrap();
        assert_eq!((whole.quality, whole.resized), (95, None));
        let lower = fit(&pixels, whole.bytes.len() - 1).unwrap();
        assert_eq!((lower.quality, lower.resized), (90, None));
        let lowest = encode_jpeg(&pixels, 10).unwrap().len();
        let smaller = fit(&pixels, lowest - 1).unwrap();
        assert_eq!(smaller.resized, Some((96, 72)));
        assert!(smaller.bytes.len() < lowest);
    }
}
