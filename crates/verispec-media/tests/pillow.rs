//! The published conversion, encoding and resizing against what Pillow makes of the same files
//! (`data/make_pillow.py`).

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{psnr, sha256, unbase64};
use image::RgbImage;
use serde::Deserialize;
use verispec_media::{Limits, encode_jpeg, resize_lanczos, rgb_as_pillow};

#[derive(Deserialize)]
struct Case {
    name: String,
    file: String,
    size: (u32, u32),
    rgb_png: Option<String>,
    rgb_sha256: String,
    #[cfg_attr(not(feature = "turbojpeg"), allow(dead_code))]
    jpeg95: Bytes,
    resized: Vec<Resized>,
}

#[derive(Deserialize)]
#[cfg_attr(not(feature = "turbojpeg"), allow(dead_code))]
struct Bytes {
    sha256: String,
    bytes: usize,
}

#[derive(Deserialize)]
struct Resized {
    size: (u32, u32),
    sha256: String,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("data/pillow.json")).unwrap()
}

fn rgb(case: &Case) -> RgbImage {
    rgb_as_pillow(&unbase64(&case.file), &Limits::default())
        .unwrap_or_else(|e| panic!("{}: {e}", case.name))
}

/// Lossy formats may be decoded a little differently, except JPEG by the encoder's own library.
fn may_differ(case: &Case) -> bool {
    case.rgb_png.is_some() && !(cfg!(feature = "turbojpeg") && case.name.starts_with("jpeg"))
}

#[test]
fn e03_pixels_equal_those_of_pillow_in_every_mode() {
    let mut wrong = vec![];
    for case in cases() {
        let rgb = rgb(&case);
        assert_eq!(rgb.dimensions(), case.size, "{}", case.name);
        if sha256(&rgb) == case.rgb_sha256 {
            continue;
        }
        let near = case.rgb_png.as_ref().map(|png| {
            let wanted = image::load_from_memory(&unbase64(png)).unwrap().into_rgb8();
            psnr(&rgb, &wanted)
        });
        if !may_differ(&case) || near.is_none_or(|db| db < 45.0) {
            wrong.push(format!("{} ({near:?} dB)", case.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn resized_pixels_equal_those_of_pillow() {
    for case in cases().iter().filter(|case| !may_differ(case)) {
        let rgb = rgb(case);
        for resized in &case.resized {
            let (width, height) = resized.size;
            let got = resize_lanczos(&rgb, width, height);
            assert_eq!(
                sha256(&got),
                resized.sha256,
                "{} to {width} x {height}",
                case.name
            );
        }
    }
}

#[cfg(feature = "turbojpeg")]
#[test]
fn jpeg_bytes_equal_those_of_pillow() {
    for case in cases().iter().filter(|case| !may_differ(case)) {
        let jpeg = encode_jpeg(&rgb(case), 95).unwrap();
        assert_eq!(jpeg.len(), case.jpeg95.bytes, "{}", case.name);
        assert_eq!(sha256(&jpeg), case.jpeg95.sha256, "{}", case.name);
    }
}

/// Noise is the worst that JPEG can meet, and its chroma is halved: only smooth images are held to
/// a figure.
#[test]
fn an_encoded_image_looks_like_its_source() {
    for case in cases().iter().filter(|case| case.name.ends_with("-rgb")) {
        let rgb = rgb(case);
        let jpeg = encode_jpeg(&rgb, 95).unwrap();
        let back = image::load_from_memory(&jpeg).unwrap();
        assert_eq!(back.color(), image::ColorType::Rgb8);
        let db = psnr(&back.into_rgb8(), &rgb);
        assert!(db > 20.0, "{}: {db} dB", case.name);
    }
}
