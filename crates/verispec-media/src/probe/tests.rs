use super::*;

const LIMITS: Limits = Limits {
    max_pixels: 1_000_000,
    max_file_bytes: 1_000_000,
};

fn encoded(pixels: &image::DynamicImage, format: image::ImageFormat) -> Vec<u8> {
    let mut out = std::io::Cursor::new(vec![]);
    pixels.write_to(&mut out, format).unwrap();
    out.into_inner()
}

#[test]
fn sizes_of_every_format() {
    let pixels = image::DynamicImage::new_rgb8(123, 45);
    for (format, name) in [
        (image::ImageFormat::Png, Format::Png),
        (image::ImageFormat::Jpeg, Format::Jpeg),
        (image::ImageFormat::Gif, Format::Gif),
        (image::ImageFormat::WebP, Format::WebP),
        (image::ImageFormat::Bmp, Format::Bmp),
    ] {
        let bytes = encoded(&pixels, format);
        let info = probe_bytes(&bytes, &LIMITS).unwrap();
        assert_eq!((info.format, info.width, info.height), (name, 123, 45));
        assert_eq!((info.frames, info.bit_depth, info.orientation), (1, 8, 1));
        assert_eq!(info.bytes, bytes.len() as u64);
        assert!(!info.cmyk && !info.is_animated());
    }
}

#[test]
fn alpha_and_depth() {
    let pixels = image::DynamicImage::new_rgba8(3, 4);
    for format in [image::ImageFormat::Png, image::ImageFormat::WebP] {
        assert!(
            probe_bytes(&encoded(&pixels, format), &LIMITS)
                .unwrap()
                .has_alpha
        );
    }
    let pixels = image::DynamicImage::new_rgb16(3, 4);
    let info = probe_bytes(&encoded(&pixels, image::ImageFormat::Png), &LIMITS).unwrap();
    assert_eq!((info.bit_depth, info.has_alpha), (16, false));
}

#[test]
fn trailing_bytes_are_no_fault() {
    let pixels = image::DynamicImage::new_rgb8(30, 20);
    for format in [
        image::ImageFormat::Png,
        image::ImageFormat::Jpeg,
        image::ImageFormat::Gif,
    ] {
        let mut bytes = encoded(&pixels, format);
        bytes.extend(b"appended by something else");
        assert!(probe_bytes(&bytes, &LIMITS).is_ok(), "{format:?}");
    }
}

#[test]
fn a_size_of_zero_is_broken() {
    let mut png = encoded(
        &image::DynamicImage::new_rgb8(3, 4),
        image::ImageFormat::Png,
    );
    png[16..20].fill(0);
    let error = probe_bytes(&png, &LIMITS).unwrap_err();
    assert!(
        matches!(
            error,
            MediaErrorKind::Decode {
                format: Format::Png,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn every_cut_of_a_small_file_is_noticed() {
    let pixels = image::DynamicImage::ImageRgb8(image::RgbImage::from_fn(9, 7, |x, y| {
        image::Rgb([x as u8 * 20, y as u8 * 30, 5])
    }));
    for format in [
        image::ImageFormat::Png,
        image::ImageFormat::Jpeg,
        image::ImageFormat::WebP,
        image::ImageFormat::Bmp,
    ] {
        let whole = encoded(&pixels, format);
        for keep in 0..whole.len() {
            let result = probe_bytes(&whole[..keep], &LIMITS);
            assert!(
                result.is_err(),
                "{format:?} cut to {keep} of {}: {result:?}",
                whole.len()
            );
        }
    }
}

/// Found by fuzzing: sizes whose product leaves 64 bits.
#[test]
fn e04_a_bitmap_of_absurd_size_is_refused() {
    let mut bytes = encoded(
        &image::DynamicImage::new_rgb8(3, 4),
        image::ImageFormat::Bmp,
    );
    bytes[10..14].copy_from_slice(&u32::MAX.to_le_bytes());
    bytes[18..22].copy_from_slice(&u32::MAX.to_le_bytes());
    bytes[22..26].copy_from_slice(&i32::MIN.to_le_bytes());
    bytes[28..30].copy_from_slice(&u16::MAX.to_le_bytes());
    let limits = Limits {
        max_pixels: u64::MAX,
        ..LIMITS
    };
    assert!(probe_bytes(&bytes, &LIMITS).is_err());
    assert!(probe_bytes(&bytes, &limits).is_err());
}
