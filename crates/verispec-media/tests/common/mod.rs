//! Shared by the tests of this crate.
#![allow(dead_code, reason = "each test file uses a part")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

pub(crate) mod make;

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::RgbImage;
use sha2::{Digest, Sha256};

/// Root of the shared test data, or `None` with a line on stderr. With `VERISPEC_REQUIRE_DATA=1`
/// absence is a failure.
pub(crate) fn test_data() -> Option<PathBuf> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");
    let root = std::env::var_os("VERISPEC_TEST_DATA").map_or(default.into(), PathBuf::from);
    if root.join("fixtures").is_dir() {
        return Some(root);
    }
    let required = std::env::var("VERISPEC_REQUIRE_DATA").is_ok_and(|v| v == "1");
    assert!(
        !required,
        "no fixtures in {}: set VERISPEC_TEST_DATA",
        root.display()
    );
    eprintln!(
        "skipped: no fixtures in {}: set VERISPEC_TEST_DATA",
        root.display()
    );
    None
}

pub(crate) fn unbase64(text: &str) -> Vec<u8> {
    STANDARD.decode(text).unwrap()
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect()
}

/// Peak signal-to-noise ratio in dB over all channels; infinite for equal images.
pub(crate) fn psnr(one: &RgbImage, other: &RgbImage) -> f64 {
    assert_eq!(one.dimensions(), other.dimensions());
    let squares = one.as_raw().iter().zip(other.as_raw()).map(|(&a, &b)| {
        let d = f64::from(a) - f64::from(b);
        d * d
    });
    let mean = squares.sum::<f64>() / one.as_raw().len() as f64;
    10.0 * (255.0_f64 * 255.0 / mean).log10()
}
