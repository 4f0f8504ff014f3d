//! JPEG, both ways, by the encoder that this build has.
//!
//! Encoding is baseline, one scan, 4:2:0, with the IJG quality scale and a JFIF header only. With
//! feature `turbojpeg` the bytes equal Pillow's `save(quality=q, optimize=True)`. Without it the
//! picture is near the same, the bytes differ, and the Huffman tables are the standard ones: that
//! encoder optimises tables only by writing each channel as a scan of its own, which some decoders
//! (zune-jpeg 0.5.15 among them) turn into another picture.

use image::RgbImage;

use crate::error::MediaErrorKind;
use crate::probe::ImageInfo;

/// The JPEG encoder of this build; recorded with every reply, since bytes differ between encoders.
#[cfg(feature = "turbojpeg")]
pub const ENCODER: &str = "turbojpeg-1.5/libjpeg-turbo-3.1";
/// The JPEG encoder of this build; recorded with every reply, since bytes differ between encoders.
#[cfg(not(feature = "turbojpeg"))]
pub const ENCODER: &str = "jpeg-encoder-0.7";

/// Longest side libjpeg writes, in pixels (`JPEG_MAX_DIMENSION`); kept for every encoder.
const MAX_SIDE: u32 = 65_500;

/// Refuses sizes that JPEG cannot hold.
pub(crate) const fn check_sides(width: u32, height: u32) -> Result<(), MediaErrorKind> {
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(MediaErrorKind::SideTooLong { width, height });
    }
    Ok(())
}

/// Encodes as baseline JPEG, 4:2:0, in one scan.
///
/// `quality` is on the IJG scale, 1 to 100.
///
/// # Errors
/// A side over 65,500 pixels, or an encoder that fails.
pub fn encode_jpeg(pixels: &RgbImage, quality: u8) -> Result<Vec<u8>, MediaErrorKind> {
    check_sides(pixels.width(), pixels.height())?;
    backend::encode(pixels, quality)
}

/// Decodes to RGB: gray is repeated, inks become `round(c * k / 255)` of the stored (inverted)
/// values, which is what Pillow's plain conversion gives. EXIF and ICC are not looked at.
pub(crate) fn decode_jpeg(bytes: &[u8], info: &ImageInfo) -> Result<RgbImage, MediaErrorKind> {
    backend::decode(bytes, info)
}

mod portable {
    use image::RgbImage;

    use crate::error::MediaErrorKind;
    use crate::pixels::decode_generic;
    use crate::probe::{ImageInfo, jpeg_has_split_scans};

    pub(super) fn decode(bytes: &[u8], info: &ImageInfo) -> Result<RgbImage, MediaErrorKind> {
        // The decoder silently gives wrong pixels for these (zune-jpeg 0.5.15).
        if jpeg_has_split_scans(bytes) {
            let what = "JPEG whose channels are in separate scans";
            return Err(MediaErrorKind::NotInThisBuild(what));
        }
        Ok(decode_generic(bytes, info)?.into_rgb8())
    }
}

#[cfg(not(feature = "turbojpeg"))]
mod backend {
    use image::RgbImage;
    use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

    use crate::error::MediaErrorKind;

    pub(super) use super::portable::decode;

    pub(super) fn encode(pixels: &RgbImage, quality: u8) -> Result<Vec<u8>, MediaErrorKind> {
        let failed = |e: &dyn std::fmt::Display| MediaErrorKind::Encode(e.to_string());
        let mut out = Vec::new();
        let mut encoder = Encoder::new(&mut out, quality);
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
        encoder.set_optimized_huffman_tables(false);
        let width = u16::try_from(pixels.width()).map_err(|e| failed(&e))?;
        let height = u16::try_from(pixels.height()).map_err(|e| failed(&e))?;
        encoder
            .encode(pixels, width, height, ColorType::Rgb)
            .map_err(|e| failed(&e))?;
        Ok(out)
    }
}

#[cfg(feature = "turbojpeg")]
mod backend {
    use image::RgbImage;
    use turbojpeg::{Colorspace, Compressor, Decompressor, Image, PixelFormat, Subsamp};

    use super::portable;
    use crate::error::MediaErrorKind;
    use crate::probe::ImageInfo;
    use crate::published::inks_to_rgb;

    pub(super) fn encode(pixels: &RgbImage, quality: u8) -> Result<Vec<u8>, MediaErrorKind> {
        let run = || -> turbojpeg::Result<Vec<u8>> {
            let mut compressor = Compressor::new()?;
            compressor.set_quality(quality.into())?;
            compressor.set_subsamp(Subsamp::Sub2x2)?;
            compressor.set_optimize(true)?;
            compressor.compress_to_vec(Image {
                pixels: pixels.as_raw().as_slice(),
                width: pixels.width() as usize,
                pitch: 3 * pixels.width() as usize,
                height: pixels.height() as usize,
                format: PixelFormat::RGB,
            })
        };
        run().map_err(|e| MediaErrorKind::Encode(e.to_string()))
    }

    /// What libjpeg only warns about is an error here; the other decoder goes on, as Pillow does.
    pub(super) fn decode(bytes: &[u8], info: &ImageInfo) -> Result<RgbImage, MediaErrorKind> {
        match decode_turbo(bytes) {
            Ok(pixels) => Ok(pixels),
            Err(_) => portable::decode(bytes, info),
        }
    }

    fn decode_turbo(bytes: &[u8]) -> Result<RgbImage, Box<dyn std::error::Error>> {
        let mut decompressor = Decompressor::new()?;
        let header = decompressor.read_header(bytes)?;
        let (width, height) = (header.width, header.height);
        let inks = matches!(header.colorspace, Colorspace::CMYK | Colorspace::YCCK);
        let format = if inks {
            PixelFormat::CMYK
        } else {
            PixelFormat::RGB
        };
        let pitch = format.size() * width;
        let mut pixels = vec![0; pitch * height];
        let target = Image {
            pixels: pixels.as_mut_slice(),
            width,
            pitch,
            height,
            format,
        };
        decompressor.decompress(bytes, target)?;
        if inks {
            pixels = inks_to_rgb(&pixels);
        }
        let (width, height) = (u32::try_from(width)?, u32::try_from(height)?);
        RgbImage::from_raw(width, height, pixels).ok_or_else(|| "buffer of the wrong size".into())
    }
}
