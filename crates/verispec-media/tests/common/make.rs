//! Images made in the tests.

use std::io::Cursor;

use image::{DynamicImage, Frame, GrayAlphaImage, ImageFormat, RgbImage, RgbaImage};

/// A smooth colourful picture.
pub(crate) fn picture(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        image::Rgb([
            (x * 3 % 256) as u8,
            (y * 5 % 256) as u8,
            ((x + y) * 2 % 256) as u8,
        ])
    })
}

pub(crate) fn write(pixels: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(vec![]);
    pixels.write_to(&mut out, format).unwrap();
    out.into_inner()
}

pub(crate) fn rgb(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    write(&picture(width, height).into(), format)
}

/// White strokes on nothing.
pub(crate) fn white_on_transparent() -> Vec<u8> {
    let pixels = RgbaImage::from_fn(40, 30, |x, y| {
        let ink = if (10..30).contains(&x) && y % 7 < 3 {
            255
        } else {
            0
        };
        image::Rgba([255, 255, 255, ink])
    });
    write(&pixels.into(), ImageFormat::Png)
}

pub(crate) fn gray_alpha() -> Vec<u8> {
    write(
        &GrayAlphaImage::from_pixel(9, 9, image::LumaA([0, 64])).into(),
        ImageFormat::Png,
    )
}

/// Three frames of red, green and blue.
pub(crate) fn three_frame_gif() -> Vec<u8> {
    let mut out = vec![];
    {
        let mut encoder = image::codecs::gif::GifEncoder::new(&mut out);
        for colour in [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]] {
            let frame = Frame::new(RgbaImage::from_pixel(20, 10, image::Rgba(colour)));
            encoder.encode_frame(frame).unwrap();
        }
    }
    out
}

/// A JPEG with an EXIF orientation.
pub(crate) fn turned_jpeg(orientation: u16) -> Vec<u8> {
    let jpeg = rgb(48, 32, ImageFormat::Jpeg);
    let mut exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01".to_vec();
    exif.extend(orientation.to_be_bytes());
    exif.extend([0; 6]);
    let mut out = vec![0xFF, 0xD8, 0xFF, 0xE1];
    out.extend(((exif.len() + 2) as u16).to_be_bytes());
    out.extend(exif);
    out.extend(&jpeg[2..]);
    out
}

/// A whole, valid PNG of one colour, one bit a pixel and any size: small as a file, huge decoded.
pub(crate) fn one_colour_png(width: u32, height: u32) -> Vec<u8> {
    let mut out = vec![];
    {
        let mut encoder = png::Encoder::new(&mut out, width, height);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::One);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header().unwrap();
        let mut stream = writer.stream_writer().unwrap();
        let row = vec![0; width.div_ceil(8) as usize];
        for _ in 0..height {
            std::io::Write::write_all(&mut stream, &row).unwrap();
        }
        stream.finish().unwrap();
    }
    out
}
