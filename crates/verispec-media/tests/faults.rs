//! Files that are broken, hostile or not what they are called.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::path::Path;

use bytes::Bytes;
use common::make;
use image::ImageFormat;
use proptest::prelude::*;
use verispec_media::{
    Format, Limits, MediaErrorKind as K, Profile, encode, mime_by_extension, probe, probe_bytes,
    rgb_as_pillow, sniff, verify,
};

const FORMATS: [ImageFormat; 5] = [
    ImageFormat::Png,
    ImageFormat::Jpeg,
    ImageFormat::Gif,
    ImageFormat::WebP,
    ImageFormat::Bmp,
];

fn default_error(name: &str, bytes: &[u8]) -> K {
    let bytes = Bytes::copy_from_slice(bytes);
    encode(
        Profile::Original,
        Path::new(name),
        bytes,
        &Limits::default(),
    )
    .unwrap_err()
    .kind
}

fn published(id: &str, name: &str, bytes: &[u8]) -> Result<(String, Bytes), K> {
    let profile = Profile::parse(id, Path::new(name)).unwrap();
    encode(
        profile,
        Path::new(name),
        Bytes::copy_from_slice(bytes),
        &Limits::default(),
    )
    .map(|encoded| (encoded.mime, encoded.bytes))
    .map_err(|error| error.kind)
}

#[test]
fn d09_a_webp_named_png_is_sent_as_webp() {
    let webp = make::rgb(16, 12, ImageFormat::WebP);
    let path = Path::new("a.png");
    let encoded = encode(
        Profile::Original,
        path,
        webp.clone().into(),
        &Limits::default(),
    )
    .unwrap();
    assert_eq!(
        (encoded.mime.as_str(), encoded.encoder),
        ("image/webp", None)
    );
    assert_eq!(encoded.bytes, webp);
    assert_eq!(encoded.notes, ["named as image/png but holds WebP"]);
    // As released: by name.
    assert_eq!(mime_by_extension(path).as_str(), "image/png");
    assert_eq!(
        published("specv-raw@1", "a.png", &webp).unwrap().0,
        "image/png"
    );
    assert_eq!(
        published("specv-jpeg@1", "a.png", &webp).unwrap().0,
        "image/jpeg"
    );
}

#[test]
fn e04_bomb_is_refused_from_the_header() {
    let bomb = make::one_colour_png(20_000, 20_000);
    assert!(bomb.len() < 1_000_000, "small as a file: {}", bomb.len());
    let refused = K::TooManyPixels {
        width: 20_000,
        height: 20_000,
        limit: Limits::default().max_pixels,
    };
    assert_eq!(default_error("a.png", &bomb), refused);
    assert_eq!(
        published("specv-jpeg@1", "a.png", &bomb).unwrap_err(),
        refused
    );
    // The header alone decides: nothing behind it is needed or read.
    assert_eq!(
        probe_bytes(&bomb[..33], &Limits::default()).unwrap_err(),
        refused
    );
    // As released, small files go unseen.
    assert_eq!(published("specv-edit@1", "a.png", &bomb).unwrap().1, bomb);
}

#[test]
fn e04_sizes_in_the_headers_of_every_format_are_checked() {
    for format in FORMATS {
        let bytes = make::rgb(200, 100, format);
        let limits = Limits {
            max_pixels: 19_999,
            ..Limits::default()
        };
        let error = probe_bytes(&bytes, &limits).unwrap_err();
        let refused = K::TooManyPixels {
            width: 200,
            height: 100,
            limit: 19_999,
        };
        assert_eq!(error, refused, "{format:?}");
        assert!(
            probe_bytes(
                &bytes,
                &Limits {
                    max_pixels: 20_000,
                    ..limits
                }
            )
            .is_ok()
        );
    }
    // A GIF whose first frame is far larger than its screen.
    let mut gif = make::three_frame_gif();
    let frame = gif
        .windows(9)
        .position(|w| w == [0x2C, 0, 0, 0, 0, 20, 0, 10, 0])
        .unwrap();
    gif[frame + 5..frame + 9].fill(0xFF);
    let error = probe_bytes(&gif, &Limits::default()).unwrap_err();
    assert!(
        matches!(
            error,
            K::TooManyPixels {
                width: 65_535,
                height: 65_535,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn e04_a_second_frame_header_does_not_smuggle_another_size() {
    let mut jpeg = make::rgb(200, 100, ImageFormat::Jpeg);
    let at = jpeg.windows(2).position(|w| w == [0xFF, 0xC0]).unwrap();
    let mut second = jpeg[at..at + 19].to_vec();
    second[5..9].fill(0xF0);
    jpeg.splice(at + 19..at + 19, second);
    let error = default_error("a.jpg", &jpeg);
    assert!(
        matches!(
            error,
            K::Decode {
                format: Format::Jpeg,
                ..
            }
        ),
        "{error}"
    );
}

/// 64 MiB of nothing in a few kilobytes, beside an image that has to be re-encoded.
#[test]
fn e04_a_compressed_colour_profile_is_a_bomb_too() {
    let mut bytes = vec![];
    let mut info = png::Info::with_size(2, 2);
    info.color_type = png::ColorType::Rgb;
    info.bit_depth = png::BitDepth::Sixteen;
    let mut icc = vec![0; 64 << 20];
    icc[16..20].copy_from_slice(b"RGB ");
    info.icc_profile = Some(icc.into());
    let encoder = png::Encoder::with_info(&mut bytes, info).unwrap();
    encoder
        .write_header()
        .unwrap()
        .write_image_data(&[7; 24])
        .unwrap();
    assert!(bytes.len() < 1 << 20, "{}", bytes.len());
    let encoded = encode(
        Profile::Original,
        Path::new("a"),
        bytes.into(),
        &Limits::default(),
    )
    .unwrap();
    assert!(encoded.bytes.len() < 1000, "{}", encoded.bytes.len());
}

#[test]
fn e04_a_large_file_is_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.png");
    std::fs::write(&path, vec![0; 1000]).unwrap();
    let limits = Limits {
        max_file_bytes: 999,
        ..Limits::default()
    };
    let error = probe(&path, &limits).unwrap_err();
    assert_eq!(
        error.kind,
        K::TooManyBytes {
            bytes: 1000,
            limit: 999
        }
    );
    assert!(error.is_fault_of_file());
    assert!(error.to_string().contains("a.png"), "{error}");
}

#[test]
fn e06_zero_bytes() {
    assert_eq!(default_error("a.png", b""), K::Empty);
    assert_eq!(
        published("specv-jpeg@1", "a.png", b"").unwrap_err(),
        K::Empty
    );
    for id in ["specv-raw@1", "specv-edit@1"] {
        assert_eq!(
            published(id, "a.jpg", b"").unwrap(),
            ("image/jpeg".into(), Bytes::new())
        );
    }
}

#[test]
fn e06_half_written_files_of_every_format() {
    for format in FORMATS {
        let whole = make::rgb(200, 100, format);
        assert!(
            probe_bytes(&whole, &Limits::default()).is_ok(),
            "{format:?}"
        );
        for keep in [whole.len() / 2, whole.len() * 9 / 10] {
            let half = &whole[..keep];
            let error = default_error("a.png", half);
            assert!(
                matches!(error, K::Truncated { .. }),
                "{format:?} at {keep}: {error}"
            );
            let error = published("specv-jpeg@1", "a.png", half).unwrap_err();
            let broken = matches!(error, K::Truncated { .. } | K::Decode { .. });
            assert!(broken, "{format:?} at {keep}: {error}");
        }
    }
    let error = default_error("a.png", &make::rgb(9, 9, ImageFormat::Png)[..20]);
    assert!(error.to_string().starts_with("truncated PNG"), "{error}");
}

#[test]
fn e06_files_that_only_lack_their_end_marker() {
    for (format, end) in [(ImageFormat::Png, 12), (ImageFormat::Jpeg, 2)] {
        let whole = make::rgb(20, 10, format);
        let error = default_error("a", &whole[..whole.len() - end]);
        assert!(matches!(error, K::Truncated { .. }), "{format:?}: {error}");
    }
    // The last byte of a GIF says nothing about its first frame.
    let gif = make::rgb(20, 10, ImageFormat::Gif);
    assert!(probe_bytes(&gif[..gif.len() - 1], &Limits::default()).is_ok());
}

#[test]
fn broken_pixels_behind_sound_headers_are_found_by_decoding() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.png");
    let mut bytes = make::rgb(64, 64, ImageFormat::Png);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xFF;
    std::fs::write(&path, &bytes).unwrap();
    assert!(probe(&path, &Limits::default()).is_ok());
    let error = verify(&path, &Limits::default()).unwrap_err();
    assert!(
        matches!(
            error.kind,
            K::Decode {
                format: Format::Png,
                ..
            }
        ),
        "{error}"
    );
    assert!(error.is_fault_of_file());
}

#[test]
fn what_is_no_image_is_named() {
    let cases: [(&[u8], &str); 5] = [
        (b"{\"error\": \"refused\"}", "text"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
            "git lfs pull",
        ),
        (b"<!DOCTYPE html><html>", "HTML"),
        (b"\0\0\0\x1cftypavif\0\0\0\0", "AVIF"),
        (b"\0\0\0\0\0\0\0\0\0\0", "00 00 00 00"),
    ];
    for (bytes, word) in cases {
        let text = default_error("a.png", bytes).to_string();
        assert!(text.contains(word), "{text}");
        assert!(published("specv-jpeg@1", "a.png", bytes).is_err());
        assert_eq!(published("specv-raw@1", "a.png", bytes).unwrap().1, bytes);
    }
}

#[test]
fn missing_files_and_folders_are_not_images() {
    let dir = tempfile::tempdir().unwrap();
    let error = probe(&dir.path().join("no.png"), &Limits::default()).unwrap_err();
    assert_eq!(error.kind, K::Missing);
    assert!(error.is_fault_of_file());
    let error = probe(dir.path(), &Limits::default()).unwrap_err();
    assert!(matches!(error.kind, K::Io { .. }), "{error}");
    assert!(!error.is_fault_of_file());
}

#[test]
fn sides_that_jpeg_cannot_hold() {
    let wide = make::one_colour_png(70_000, 1);
    let error = published("specv-jpeg@1", "a.png", &wide).unwrap_err();
    assert_eq!(
        error,
        K::SideTooLong {
            width: 70_000,
            height: 1
        }
    );
    assert_eq!(published("specv-edit@1", "a.png", &wide).unwrap().1, wide);
    assert!(
        encode(
            Profile::Original,
            Path::new("a"),
            wide.into(),
            &Limits::default()
        )
        .is_ok()
    );
    let dot = make::rgb(1, 1, ImageFormat::Png);
    assert_eq!(
        published("specv-jpeg@1", "a.png", &dot).unwrap().0,
        "image/jpeg"
    );
}

/// Channels in scans of their own: this build reads them right or not at all.
#[test]
fn a_jpeg_in_separate_scans_never_becomes_another_picture() {
    let picture = make::picture(200, 120);
    let mut jpeg = vec![];
    let mut encoder = jpeg_encoder::Encoder::new(&mut jpeg, 95);
    encoder.set_sampling_factor(jpeg_encoder::SamplingFactor::F_2_2);
    encoder.set_optimized_huffman_tables(true);
    encoder
        .encode(&picture, 200, 120, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    match rgb_as_pillow(&jpeg, &Limits::default()) {
        Ok(rgb) => {
            let db = common::psnr(&rgb, &picture);
            assert!(db > 20.0, "{db} dB");
        }
        Err(error) => assert!(matches!(error, K::NotInThisBuild(_)), "{error}"),
    }
    // Sent as it is, no decoder is needed.
    assert!(
        encode(
            Profile::Original,
            Path::new("a"),
            jpeg.into(),
            &Limits::default()
        )
        .is_ok()
    );
}

fn samples() -> Vec<Vec<u8>> {
    let mut all: Vec<_> = FORMATS
        .iter()
        .map(|&format| make::rgb(24, 18, format))
        .collect();
    all.extend([
        make::three_frame_gif(),
        make::turned_jpeg(6),
        make::white_on_transparent(),
    ]);
    all
}

proptest! {
    /// Hostile bytes are an error or an image; never a panic.
    #[test]
    fn damaged_files_never_panic(
        which in 0_usize..8,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        keep in any::<prop::sample::Index>(),
        cut in any::<bool>(),
    ) {
        let mut bytes = samples()[which].clone();
        for (at, value) in edits {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if cut {
            bytes.truncate(keep.index(bytes.len()));
        }
        let limits = Limits { max_pixels: 1_000_000, ..Limits::default() };
        let _ = sniff(&bytes);
        let _ = rgb_as_pillow(&bytes, &limits);
        for profile in [Profile::Original, Profile::SpecvJpeg] {
            let _ = encode(profile, Path::new("a.png"), bytes.clone().into(), &limits);
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), format in 0_usize..6) {
        let heads: [&[u8]; 6] =
            [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"RIFF\0\0\0\0WEBPVP8X", b"BM"];
        let bytes = [heads[format], &bytes].concat();
        let limits = Limits { max_pixels: 1_000_000, ..Limits::default() };
        let _ = probe_bytes(&bytes, &limits);
        let _ = rgb_as_pillow(&bytes, &limits);
    }
}
