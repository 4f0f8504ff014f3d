use std::fs;

use super::*;
use crate::review::samples::specification;

const LINE: &str = r#"{"kind": "specification", "id": "a", "track": "t2i", "instance": "1", "prompt": "A boat.", "question": "Is there a boat?", "expected": "Yes""#;

fn read(folder: &Path, text: &str) -> Result<ReviewSet, ReviewError> {
    let path = folder.join("set.jsonl");
    fs::write(&path, text).unwrap();
    ReviewSet::read(&path, &HashCache::in_memory())
}

#[test]
fn faults_name_file_line_and_field() {
    let folder = tempfile::tempdir().unwrap();
    let good = format!("{LINE}}}\n");
    assert_eq!(read(folder.path(), &good).unwrap().items().len(), 1);
    let cases = [
        (format!("{good}{good}"), 2, "twice"),
        (format!("{good}\n{LINE}, \"colour\": 1}}"), 3, "colour"),
        (good.replace("\"Yes\"", "\"maybe\""), 1, "maybe"),
        (good.replace("specification", "verdict"), 1, "model"),
        (good.replace(", \"expected\": \"Yes\"", ""), 1, "expected"),
        (good.replace("\"a\"", "\" \""), 1, "id is empty"),
        (format!("{LINE}, \"inclusion\": 0}}"), 1, "inclusion"),
        (
            format!("{LINE}, \"scale\": {{\"low\": 1, \"high\": 10}}}}"),
            1,
            "at most 9",
        ),
        (format!("{LINE}, \"output\": [{{}}]}}"), 1, "output"),
        (
            format!("{LINE}, \"references\": [\"../x.png\"]}}"),
            1,
            "outside",
        ),
        (
            format!("{LINE}, \"references\": [\"/etc/passwd\"]}}"),
            1,
            "outside",
        ),
    ];
    for (text, line, word) in cases {
        let error = read(folder.path(), &text).unwrap_err().to_string();
        assert!(
            error.contains(&format!("line {line}:")) && error.contains(word),
            "{error}"
        );
    }
    assert!(matches!(read(folder.path(), "\n"), Err(ReviewError::Empty)));
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_out() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("set");
    fs::create_dir(&inside).unwrap();
    fs::write(folder.path().join("secret.png"), b"\x89PNG\r\n\x1a\n").unwrap();
    std::os::unix::fs::symlink(folder.path().join("secret.png"), inside.join("a.png")).unwrap();
    let error = read(&inside, &format!("{LINE}, \"references\": [\"a.png\"]}}")).unwrap_err();
    assert!(error.to_string().contains("outside"), "{error}");
}

#[test]
fn only_images_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.png"), b"<svg onload='x'/>").unwrap();
    let line = format!("{LINE}, \"references\": [\"a.png\", \"b.png\", \"a.png\"]}}");
    let set = read(folder.path(), &line).unwrap();
    assert_eq!(set.items()[0].references, [0, 1, 0]);
    assert!(set.images().iter().all(|i| i.file.is_err()));
}

#[test]
fn the_version_is_of_what_a_person_sees() {
    let version = |change: &dyn Fn(&mut ItemRow)| {
        let mut row = specification("s");
        change(&mut row);
        ReviewSet::new("x", vec![row], &HashCache::in_memory())
            .unwrap()
            .items()[0]
            .version
            .clone()
    };
    let plain = version(&|_| ());
    assert_eq!(plain.len(), 16);
    assert_eq!(version(&|r| r.source.push("model".into())), plain);
    assert_eq!(version(&|r| r.id = "t".into()), plain);
    assert_ne!(version(&|r| r.prompt.push('!')), plain);
    assert_ne!(version(&|r| r.question.push('!')), plain);
    assert_ne!(
        version(&|r| r.expected = Some(verispec_model::YesNo::No)),
        plain
    );
}

/// The hash is that of the bytes, whether it was known already or not.
#[test]
fn a_changed_image_is_another_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    let hashes = HashCache::in_memory();
    let read = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let mut row = specification("s");
        row.references.push(path.clone());
        let set = ReviewSet::new("x", vec![row], &hashes).unwrap();
        let hash = blake3::hash(bytes).to_hex().to_string();
        assert_eq!(set.images()[0].hash, hash);
        set.items()[0].version.clone()
    };
    let first = read(b"\x89PNG\r\n\x1a\n1");
    assert_eq!(read(b"\x89PNG\r\n\x1a\n1"), first);
    assert_ne!(read(b"\x89PNG\r\n\x1a\nlonger"), first);
}
