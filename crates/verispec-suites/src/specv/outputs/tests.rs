use std::sync::Arc;

use verispec_model::{Dimension, Instance, Track};

use super::*;

fn suite(track: &str, ids: &[&str]) -> Suite {
    let instance = |id: &&str| {
        Arc::new(Instance {
            track: track.into(),
            dimension: "d".into(),
            id: (*id).into(),
            prompt: "p".into(),
            references: vec![],
            specifications: vec![],
            source_text: "[]".into(),
        })
    };
    let dimension = Dimension {
        name: "d".into(),
        instances: ids.iter().map(instance).collect(),
    };
    Suite {
        name: "specv".into(),
        root: PathBuf::new(),
        revision: "r".into(),
        tracks: vec![Track {
            name: track.into(),
            dimensions: vec![dimension],
        }],
    }
}

/// A 1x1 PNG.
const PNG: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
    1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 0x0a, 0x49, 0x44, 0x41, 0x54,
    0x78, 0x9c, 0x63, 0x60, 0, 0, 0, 2, 0, 1, 0x48, 0xaf, 0xa4, 0x71, 0, 0, 0, 0, 0x49, 0x45, 0x4e,
    0x44, 0xae, 0x42, 0x60, 0x82,
];

fn outputs(track: &str, ids: &[&str], files: &[(&str, &[u8])]) -> TrackOutputs {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = dir
            .path()
            .join("model_outputs")
            .join(track)
            .join("m")
            .join(name);
        fs_write(&path, bytes);
    }
    let models = locate(dir.path()).unwrap();
    let indexed = index_model(&suite(track, ids), &models[0], &[]);
    indexed.tracks.get(track).cloned().unwrap_or_default()
}

fn fs_write(path: &Path, bytes: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

fn failure(outputs: &TrackOutputs, id: &str) -> OutputFailure {
    outputs.instances[id].clone().unwrap_err().failure
}

#[test]
fn e05_misnamed_files_are_listed_with_the_nearest_id() {
    let found = outputs(
        "t2i",
        &["attr_001", "attr_002", "attr_003"],
        &[
            ("attr_001.PNG", PNG),
            ("attr_002.jpeg", PNG),
            ("attr_003 (1).png", PNG),
        ],
    );
    assert_eq!(found.matched(), 1);
    let nearest: Vec<_> = found
        .unmatched
        .iter()
        .map(|u| u.nearest.as_deref().unwrap())
        .collect();
    assert_eq!(nearest, ["attr_001", "attr_003"]);
    assert!(found.unmatched[0].why.contains("write \"png\""));
}

#[test]
fn e06_empty_and_cut_files_are_unreadable() {
    let found = outputs(
        "t2i",
        &["a", "b", "c"],
        &[("a.png", b""), ("b.png", &PNG[..40]), ("c.png", b"hello")],
    );
    for id in ["a", "b", "c"] {
        assert_eq!(failure(&found, id), OutputFailure::Unreadable, "{id}");
    }
}

#[test]
fn e09_paths_that_leave_the_folder_are_refused() {
    let escape = br#"{"content":[{"type":"image","image":"../../secret.png"}]}"#;
    let absolute = br#"{"content":[{"type":"image","image":"/etc/hostname"}]}"#;
    let found = outputs(
        "interleave",
        &["a", "b"],
        &[
            ("a/response.json", escape),
            ("b/response.json", absolute),
            ("../secret.png", PNG),
        ],
    );
    assert_eq!(failure(&found, "a"), OutputFailure::Unreadable);
    assert_eq!(failure(&found, "b"), OutputFailure::Unreadable);
}

#[test]
fn e10_decomposed_names_are_found() {
    // é as one code point in the id, as two in the file's name.
    let found = outputs("t2i", &["caf\u{e9}"], &[("cafe\u{301}.png", PNG)]);
    assert_eq!(found.matched(), 1);
}

#[test]
fn b07_an_empty_answer_fails_alone() {
    let found = outputs(
        "understanding",
        &["a", "b", "c", "d"],
        &[
            ("a.json", br#"{"id":"a","response":""}"#),
            ("b.json", br#"{"id":"b","response":"42"}"#),
            ("c.json", br#"{"id":"c","response":["x"]}"#),
            ("d.json", br#"{"id":"d","answer":"x"}"#),
        ],
    );
    assert_eq!(failure(&found, "a"), OutputFailure::Empty);
    let wrong_field = found.instances["d"].clone().unwrap_err().message;
    assert!(
        wrong_field.contains("`response`") && wrong_field.contains("`answer`"),
        "{wrong_field}"
    );
    assert_eq!(
        found.instances["b"],
        Ok(vec![OutputPart::Text("42".into())].into())
    );
    assert_eq!(failure(&found, "c"), OutputFailure::Unreadable);
}

#[test]
fn interleaved_output_keeps_its_order() {
    let content =
        br#"{"content":[{"type":"text","text":"first"},{"type":"image","image":"1.png"}]}"#;
    let found = outputs(
        "interleave",
        &["a"],
        &[("a/response.json", content), ("a/1.png", PNG)],
    );
    let parts = found.instances["a"].clone().unwrap().parts();
    assert_eq!(parts[0], OutputPart::Text("first".into()));
    assert!(matches!(&parts[1], OutputPart::Image(p) if p.ends_with("1.png")));
}

#[test]
fn content_of_pieces_that_nobody_can_send_is_empty() {
    let content = br#"{"content":[{"type":"video","video":"1.mp4"}]}"#;
    let found = outputs("interleave", &["a"], &[("a/response.json", content)]);
    assert_eq!(failure(&found, "a"), OutputFailure::Empty);
}

#[test]
fn an_image_that_response_names_but_is_not_there_is_missing() {
    let content = br#"{"content":[{"type":"image","image":"1.png"}]}"#;
    let found = outputs("interleave", &["a"], &[("a/response.json", content)]);
    assert_eq!(failure(&found, "a"), OutputFailure::Missing);
}

#[test]
fn a_model_enters_tracks_it_declares_or_has_outputs_in() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("t2i/m")).unwrap();
    let folders = &locate(dir.path()).unwrap()[0];
    let suite = suite("t2i", &["a"]);
    assert!(index_model(&suite, folders, &[]).tracks.is_empty());
    let declared = index_model(&suite, folders, &["t2i".into()]);
    assert_eq!(
        failure(&declared.tracks["t2i"], "a"),
        OutputFailure::Missing
    );
}

#[test]
fn a_stray_file_enters_no_track_and_a_misnamed_one_does() {
    let entered = |file: &str| {
        let dir = tempfile::tempdir().unwrap();
        fs_write(&dir.path().join("t2i/m").join(file), PNG);
        let folders = &locate(dir.path()).unwrap()[0];
        let found = index_model(&suite("t2i", &["attr_001"]), folders, &[]);
        (found.tracks.contains_key("t2i"), found.strays.len())
    };
    assert_eq!(entered("readme.txt"), (false, 1));
    assert_eq!(entered("overview.png"), (false, 1));
    assert_eq!(entered("atr_001.png"), (true, 0));
    assert_eq!(entered("attr_001.PNG"), (true, 0));
    assert_eq!(entered("attr_001.png"), (true, 0));
}

#[test]
fn folders_that_are_no_root_of_outputs_are_recognised() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    fs_write(&root.join("model_outputs/t2i/m/other.png"), PNG);
    fs_write(&root.join("byModel/m/t2i/a.png"), PNG);
    let suite = suite("t2i", &["attr_001"]);
    for (folder, hint) in [
        ("model_outputs/t2i", "folder of the track t2i"),
        ("byModel", "m/t2i"),
        ("model_outputs/t2i/m", "<id>.png"),
    ] {
        let error = discover(&suite, &root.join(folder), None, &[]).unwrap_err();
        assert!(error.to_string().contains(hint), "{folder}: {error}");
    }
}

#[test]
fn a_folder_without_outputs_says_what_was_expected() {
    let dir = tempfile::tempdir().unwrap();
    let message = locate(dir.path()).unwrap_err().to_string();
    assert!(
        message.contains("model_outputs/<track>/<model>/"),
        "{message}"
    );
}
