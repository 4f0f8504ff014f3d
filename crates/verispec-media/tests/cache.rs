//! The cache under load, over its bound, and with files that change.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::path::Path;
use std::sync::{Arc, Barrier};

use common::make;
use image::ImageFormat;
use verispec_media::{MediaCache, MediaCacheOptions, MediaErrorKind};
use verispec_model::{Hash, ImagePart, ImageRole};

fn part(path: &Path, profile: &str) -> ImagePart {
    let source = Hash::of(&std::fs::read(path).unwrap());
    ImagePart {
        path: path.into(),
        source,
        profile: profile.to_owned().into(),
        role: ImageRole::Output,
    }
}

fn write(dir: &Path, name: &str, width: u32) -> ImagePart {
    let path = dir.join(name);
    std::fs::write(&path, make::rgb(width, 64, ImageFormat::Png)).unwrap();
    part(&path, "specv-jpeg@1")
}

#[test]
fn requests_at_the_same_time_encode_once() {
    let dir = tempfile::tempdir().unwrap();
    let parts: Vec<_> = (0..4)
        .map(|i| write(dir.path(), &format!("{i}.png"), 300 + i))
        .collect();
    let cache = MediaCache::default();
    let barrier = Barrier::new(32);
    let all: Vec<_> = std::thread::scope(|scope| {
        let run = |i: usize| {
            let (cache, barrier, part) = (&cache, &barrier, &parts[i % 4]);
            scope.spawn(move || {
                barrier.wait();
                cache.get(part).unwrap()
            })
        };
        let threads: Vec<_> = (0..32).map(run).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let stats = cache.stats();
    assert_eq!((stats.encodes, stats.reads, stats.hits), (4, 4, 28));
    for (i, encoded) in all.iter().enumerate() {
        assert!(Arc::ptr_eq(encoded, &all[i % 4]));
        assert_eq!(encoded.hash, Hash::of(&encoded.bytes));
    }
}

#[test]
fn equal_files_under_two_names_are_one() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (
        write(dir.path(), "a.png", 50),
        write(dir.path(), "b.jpg", 50),
    );
    let cache = MediaCache::default();
    let (one, other) = (cache.get(&a).unwrap(), cache.get(&b).unwrap());
    assert!(Arc::ptr_eq(&one, &other));
    // Where the MIME type hangs on the name they are two.
    let raw = |part: &ImagePart| {
        cache
            .get(&ImagePart {
                profile: "specv-raw@1".into(),
                ..part.clone()
            })
            .unwrap()
    };
    assert_eq!(
        (raw(&a).mime.as_str(), raw(&b).mime.as_str()),
        ("image/png", "image/jpeg")
    );
    assert_eq!(raw(&a).bytes, raw(&b).bytes);
}

#[test]
fn memory_is_bounded_and_the_folder_saves_encodings() {
    let dir = tempfile::tempdir().unwrap();
    let parts: Vec<_> = (0..6)
        .map(|i| write(dir.path(), &format!("{i}.png"), 200 + i))
        .collect();
    let one = MediaCache::default().get(&parts[0]).unwrap().bytes.len();
    let options = |spill| MediaCacheOptions {
        max_bytes: 2 * one + one / 2,
        spill,
        ..Default::default()
    };
    let twice = |cache: &MediaCache| {
        let run = || {
            parts
                .iter()
                .map(|p| cache.get(p).unwrap())
                .collect::<Vec<_>>()
        };
        let (first, second) = (run(), run());
        assert_eq!(first, second);
        assert!(cache.stats().bytes <= 2 * one + one / 2);
        (cache.stats().encodes, cache.stats().from_spill)
    };
    assert_eq!(twice(&MediaCache::new(options(None))), (12, 0));
    let folder = dir.path().join("spill");
    assert_eq!(
        twice(&MediaCache::new(options(Some(folder.clone())))),
        (6, 6)
    );
    // A later run finds them all; damage is seen and costs an encoding.
    assert_eq!(
        twice(&MediaCache::new(options(Some(folder.clone())))),
        (0, 12)
    );
    let file = std::fs::read_dir(&folder)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let mut bytes = std::fs::read(&file).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    assert_eq!(twice(&MediaCache::new(options(Some(folder)))), (1, 11));
}

#[test]
fn a_file_that_changed_after_planning_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let planned = write(dir.path(), "a.png", 50);
    let changed = write(dir.path(), "a.png", 51);
    let cache = MediaCache::default();
    let error = cache.get(&planned).unwrap_err();
    let found = changed.source;
    assert_eq!(
        error.kind,
        MediaErrorKind::Changed {
            planned: planned.source,
            found
        }
    );
    assert!(!error.is_fault_of_file());
}

#[test]
fn e06_errors_are_not_remembered() {
    let dir = tempfile::tempdir().unwrap();
    let good = write(dir.path(), "a.png", 50);
    let whole = std::fs::read(&good.path).unwrap();
    std::fs::remove_file(&good.path).unwrap();
    let cache = MediaCache::default();
    assert_eq!(cache.get(&good).unwrap_err().kind, MediaErrorKind::Missing);
    std::fs::write(&good.path, &whole[..50]).unwrap();
    let half = part(&good.path, "original@1");
    let error = cache.get(&half).unwrap_err();
    assert!(
        matches!(error.kind, MediaErrorKind::Truncated { .. }),
        "{error}"
    );
    std::fs::write(&good.path, whole).unwrap();
    assert!(cache.get(&good).is_ok());
}

#[test]
fn unknown_profiles_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let part = ImagePart {
        profile: "original@9".into(),
        ..write(dir.path(), "a.png", 50)
    };
    let error = MediaCache::default().get(&part).unwrap_err();
    assert!(error.to_string().contains("original@9"), "{error}");
}

#[test]
fn a_file_that_goes_as_it_is_keeps_its_hash() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.png");
    std::fs::write(&path, make::rgb(40, 30, ImageFormat::Png)).unwrap();
    let cache = MediaCache::default();
    for profile in ["original@1", "specv-raw@1", "specv-edit@1"] {
        let part = part(&path, profile);
        let encoded = cache.get(&part).unwrap();
        assert_eq!(encoded.encoder, None, "{profile}");
        assert_eq!(encoded.hash, part.source, "{profile}");
        assert_eq!(encoded.hash, Hash::of(&encoded.bytes), "{profile}");
    }
}
