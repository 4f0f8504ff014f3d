//! The judge as the engine's in-process transport uses it.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::cell::Cell;
use std::io::Cursor;
use std::sync::Arc;

use image::{ImageFormat, Rgb, RgbImage};
use verispec_model::{
    Hash, ImagePart, ImageRole, JudgeIdentity, Params, Part, Question, Request, Structured,
};
use verispec_vision::{Builtin, VisionError};

fn circle_png() -> Vec<u8> {
    let image = RgbImage::from_fn(200, 200, |x, y| {
        let inside = (x as f32 - 100.0).hypot(y as f32 - 100.0) <= 50.0;
        Rgb(if inside {
            [220, 30, 30]
        } else {
            [255, 255, 255]
        })
    });
    let mut out = Cursor::new(Vec::new());
    image.write_to(&mut out, ImageFormat::Png).unwrap();
    out.into_inner()
}

fn request(images: &[(ImageRole, &[u8])], questions: &[&str]) -> Request {
    let part = |(role, bytes): &(ImageRole, &[u8])| {
        Part::Image(ImagePart {
            path: std::path::Path::new("x.png").into(),
            source: Hash::of(bytes),
            profile: "original@1".into(),
            role: *role,
        })
    };
    let question = |(i, text): (usize, &&str)| Question {
        id: i as u32 + 1,
        text: (*text).into(),
    };
    Request {
        protocol: "whole@1".into(),
        template: Hash::of(b""),
        judge: Arc::new(JudgeIdentity {
            provider: "builtin".into(),
            model: "builtin".into(),
            params: Params::new(),
            structured: Structured::None,
            revision: None,
        }),
        parts: images.iter().map(part).collect(),
        questions: questions.iter().enumerate().map(question).collect(),
        schema: None,
        repeat: 0,
        parent: None,
        derivation: None,
    }
}

fn answers(text: &str) -> Vec<(u64, String)> {
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    let item = |v: &serde_json::Value| {
        assert!(!v["reason"].as_str().unwrap().is_empty());
        (
            v["id"].as_u64().unwrap(),
            v["answer"].as_str().unwrap().to_owned(),
        )
    };
    value.as_array().unwrap().iter().map(item).collect()
}

#[test]
fn a_list_in_the_order_of_the_questions() {
    let png = circle_png();
    let asked = [
        "Is there a red circle?",
        "Is there a blue circle?",
        "Is there a dog?",
        "Does the sign read \"OPEN\"?",
    ];
    let loads = Cell::new(0);
    let load = |_: &ImagePart| {
        loads.set(loads.get() + 1);
        Ok(png.clone())
    };
    let judge = Builtin::new(None).unwrap();
    let reference: (ImageRole, &[u8]) = (ImageRole::Reference, b"other");
    let reply = judge
        .reply(
            &request(&[reference, (ImageRole::Output, &png)], &asked),
            &load,
        )
        .unwrap();
    let want = ["Yes", "No", "Abstain", "Abstain"];
    let want: Vec<(u64, String)> = (1..).zip(want.map(str::to_owned)).collect();
    assert_eq!(answers(&reply.text), want);
    assert_eq!(loads.get(), 1, "an image is loaded and analysed once");
}

#[test]
fn no_output_or_several_are_abstained_from() {
    let png = circle_png();
    let judge = Builtin::new(None).unwrap();
    let load = |_: &ImagePart| Ok(png.clone());
    let output: (ImageRole, &[u8]) = (ImageRole::Output, &png);
    for images in [
        vec![],
        vec![(ImageRole::Reference, png.as_slice())],
        vec![output, output],
    ] {
        let reply = judge
            .reply(&request(&images, &["Is there a red circle?"]), &load)
            .unwrap();
        assert_eq!(answers(&reply.text), [(1, "Abstain".to_owned())]);
    }
}

#[test]
fn a_failure_is_an_error_and_no_answer() {
    let judge = Builtin::new(None).unwrap();
    let broken: (ImageRole, &[u8]) = (ImageRole::Output, b"broken");
    let asked = request(&[broken], &["Is there a red circle?"]);
    let gone = |_: &ImagePart| Err("no such file".to_owned());
    assert!(matches!(
        judge.reply(&asked, &gone),
        Err(VisionError::Load(_))
    ));
    let junk = |_: &ImagePart| Ok(b"broken".to_vec());
    assert!(matches!(
        judge.reply(&asked, &junk),
        Err(VisionError::Decode(_))
    ));
    // Whatever failed is tried again, not remembered.
    let png = circle_png();
    assert!(
        judge
            .reply(&asked, &|_: &ImagePart| Ok(png.clone()))
            .is_ok()
    );
}

#[test]
fn many_threads_share_one_judge() {
    let png = circle_png();
    let judge = Builtin::new(None).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for k in 0..60u32 {
                    let key = Hash::of(&k.to_le_bytes());
                    let answer = judge.answer(&png, key, "Is the circle red?").unwrap();
                    assert_eq!(answer.verdict.as_str(), "Yes");
                }
            });
        }
    });
}
