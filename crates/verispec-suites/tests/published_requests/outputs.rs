//! Output files that bend or stop the released scripts.

use std::path::Path;

use verispec_model::OutputFailure;
use verispec_suites::specv::published::{OutputPart, PublishedError, PublishedTrack, read_output};

fn read(track: PublishedTrack, text: &str) -> Result<Vec<OutputPart>, PublishedError> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("response.json");
    std::fs::write(&path, text).unwrap();
    let strip = |part| match part {
        OutputPart::Image(p) => OutputPart::Image(p.strip_prefix(dir.path()).unwrap().into()),
        text => text,
    };
    Ok(read_output(track, &path)?.into_iter().map(strip).collect())
}

fn failure(track: PublishedTrack, text: &str) -> (OutputFailure, String) {
    match read(track, text) {
        Err(PublishedError::Output { failure, message }) => (failure, message),
        other => panic!("{text}: expected an output failure, got {other:?}"),
    }
}

#[test]
fn content_in_order_with_its_defaults() {
    let text = r#"{"content": [
        {"type": "text", "text": " "}, {"type": "image", "image": "sub/1.png", "text": "alt"},
        {"type": "text"}, {"type": "Text", "text": "kept"}, {"type": "Image", "image": "2.png"},
        {"text": "untyped"}, {"type": null}, {"type": "image", "image": "./3.png"}]}"#;
    let said = |text: &str| OutputPart::Text(text.into());
    let image = |name: &str| OutputPart::Image(Path::new(name).into());
    assert_eq!(
        read(PublishedTrack::Interleave, text).unwrap(),
        [
            said(" "),
            image("sub/1.png"),
            said(""),
            said("kept"),
            said("untyped"),
            image("3.png")
        ]
    );
}

#[test]
fn nothing_said_is_empty() {
    for text in [
        "{}",
        r#"{"content": null}"#,
        r#"{"content": []}"#,
        r#"{"content": ""}"#,
    ] {
        let (kind, message) = failure(PublishedTrack::ThinkWithImg, text);
        assert_eq!(kind, OutputFailure::Empty, "{text}");
        assert!(message.contains("response.json"), "{message}");
    }
    for text in ["{}", r#"{"response": null}"#, r#"{"response": ""}"#] {
        assert_eq!(
            failure(PublishedTrack::Understanding, text).0,
            OutputFailure::Empty,
            "{text}"
        );
    }
}

#[test]
fn what_stops_the_release_fails_one_output() {
    for (text, word) in [
        ("[]", "expected a JSON object, got a list"),
        ("", "not JSON"),
        (
            r#"{"content": "words"}"#,
            "field content: expected a list, got a string",
        ),
        (
            r#"{"content": {"type": "text"}}"#,
            "field content: expected a list, got an object",
        ),
        (
            r#"{"content": ["words"]}"#,
            "content[0]: expected an object, got a string",
        ),
        (
            r#"{"content": [{"type": "text", "text": null}]}"#,
            "content[0]: field text",
        ),
        (
            r#"{"content": [{"type": "text", "text": 7}]}"#,
            "got a number",
        ),
        (
            r#"{"content": [{}, {"type": "image", "image": null}]}"#,
            "content[1]: field image",
        ),
        (r#"{"content": [{"type": "image"}]}"#, "no file name"),
        (
            r#"{"content": [{"type": "image", "image": ""}]}"#,
            "no file name",
        ),
        (
            r#"{"content": [{"type": "image", "image": "."}]}"#,
            "names no file",
        ),
        (
            r#"{"content": [{"type": "image", "image": "../x.png"}]}"#,
            "../x.png",
        ),
        (
            r#"{"content": [{"type": "image", "image": "a/../../x.png"}]}"#,
            "x.png",
        ),
        (
            r#"{"content": [{"type": "image", "image": "/etc/passwd"}]}"#,
            "/etc/passwd",
        ),
    ] {
        let (kind, message) = failure(PublishedTrack::Interleave, text);
        assert_eq!(kind, OutputFailure::Unreadable, "{text}");
        assert!(message.contains(word), "{message}");
    }
    for text in [r#"{"response": ["B"]}"#, r#"{"response": 4}"#, "[]", "B"] {
        let (kind, _) = failure(PublishedTrack::Understanding, text);
        assert_eq!(kind, OutputFailure::Unreadable, "{text}");
    }
}

/// The release follows links anywhere.
#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("x_001");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(dir.path().join("secret.png"), b"s").unwrap();
    std::os::unix::fs::symlink("../secret.png", folder.join("1.png")).unwrap();
    let text = r#"{"content": [{"type": "image", "image": "1.png"}]}"#;
    std::fs::write(folder.join("response.json"), text).unwrap();
    let result = read_output(PublishedTrack::Interleave, &folder.join("response.json"));
    assert!(result.is_err_and(|e| e.to_string().contains("leads out of its folder")));
}

#[test]
fn white_space_is_an_answer() {
    let parts = read(PublishedTrack::Understanding, r#"{"response": " \n"}"#).unwrap();
    assert_eq!(parts, [OutputPart::Text(" \n".into())]);
}
