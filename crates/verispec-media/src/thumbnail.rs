//! Small copies of images for people to look at. Never sent to a judge.

use std::path::Path;

use crate::error::MediaError;
use crate::jpeg::encode_jpeg;
use crate::limits::Limits;
use crate::probe::read_file;
use crate::published::rgb_as_pillow;
use crate::resize::resize_lanczos;

/// Quality of a thumbnail.
const QUALITY: u8 = 78;

/// A JPEG of an image's first frame, its longer side at most `side` pixels (at least 1).
///
/// # Errors
/// The file cannot be read, is no image of a known kind, or is above the limits.
pub fn thumbnail(path: &Path, side: u32, limits: &Limits) -> Result<Vec<u8>, MediaError> {
    let bytes = read_file(path, limits)?;
    let make = || {
        let pixels = rgb_as_pillow(&bytes, limits)?;
        let longest = pixels.width().max(pixels.height()).max(1);
        let side = side.max(1);
        if longest <= side {
            return encode_jpeg(&pixels, QUALITY);
        }
        let scaled = |length: u32| {
            let exact = u64::from(length) * u64::from(side) / u64::from(longest);
            u32::try_from(exact).unwrap_or(side).max(1)
        };
        let (width, height) = (scaled(pixels.width()), scaled(pixels.height()));
        encode_jpeg(&resize_lanczos(&pixels, width, height), QUALITY)
    };
    make().map_err(|kind| MediaError::new(path, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_side_is_bounded_and_small_images_keep_their_size() {
        let folder = tempfile::tempdir().unwrap();
        for ((w, h), wanted) in [
            ((400, 100), (64, 16)),
            ((30, 20), (30, 20)),
            ((1, 500), (1, 64)),
        ] {
            let path = folder.path().join(format!("{w}.png"));
            image::RgbImage::new(w, h).save(&path).unwrap();
            let small = thumbnail(&path, 64, &Limits::default()).unwrap();
            let small = image::load_from_memory(&small).unwrap();
            assert_eq!((small.width(), small.height()), wanted);
        }
        let path = folder.path().join("text.png");
        std::fs::write(&path, "text").unwrap();
        assert!(thumbnail(&path, 64, &Limits::default()).is_err());
    }
}
