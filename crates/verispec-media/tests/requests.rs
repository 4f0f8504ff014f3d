//! Image bytes of the requests that were captured from the released runner.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use common::{psnr, sha256, test_data, unbase64};
use serde::Deserialize;
use verispec_media::{Encoded, Limits, Profile, encode, rgb_as_pillow};

#[derive(Deserialize)]
struct Fixture {
    inputs: BTreeMap<PathBuf, String>,
    requests: Vec<Captured>,
}

#[derive(Deserialize)]
struct Captured {
    track: String,
    instance: String,
    parts: Vec<CapturedPart>,
}

#[derive(Deserialize)]
struct CapturedPart {
    #[serde(rename = "type")]
    kind: String,
    mime_type: Option<String>,
    sha256: String,
    bytes: Option<usize>,
}

impl Captured {
    /// Images of this instance, references in order and then outputs in order.
    fn images<'a>(&self, inputs: &'a BTreeMap<PathBuf, String>) -> Vec<(&'a Path, Bytes)> {
        let is_ours = |path: &Path| {
            let name = path.file_stem().unwrap().to_string_lossy();
            let folder = path.parent().unwrap();
            path.iter().any(|part| *part == *self.track)
                && path.extension().is_some_and(|e| e != "json")
                && (name == self.instance
                    || name.starts_with(&format!("{}_", self.instance))
                    || folder.ends_with(&self.instance))
        };
        let ours = inputs.iter().filter(|(path, _)| is_ours(path));
        ours.map(|(path, text)| (path.as_path(), Bytes::from(unbase64(text))))
            .collect()
    }

    fn profile(&self) -> &'static str {
        match self.track.as_str() {
            "t2i" => "specv-raw@1",
            "edit" => "specv-edit@1",
            _ => "specv-jpeg@1",
        }
    }

    fn encoded(&self, path: &Path, bytes: &Bytes) -> Encoded {
        let profile = Profile::parse(self.profile(), path).unwrap();
        encode(profile, path, bytes.clone(), &Limits::default())
            .unwrap_or_else(|e| panic!("{} {}: {e}", self.track, self.instance))
    }
}

fn fixture() -> Option<Fixture> {
    let text = std::fs::read(test_data()?.join("fixtures/specv_requests.json")).unwrap();
    Some(serde_json::from_slice(&text).unwrap())
}

/// Every image part is one of the instance's files under the track's profile, in order of layout.
#[test]
fn captured_images_are_reproduced_byte_by_byte() {
    let Some(fixture) = fixture() else { return };
    let mut checked = 0;
    for request in &fixture.requests {
        let is_raw = request.profile() != "specv-jpeg@1";
        if !is_raw && !cfg!(feature = "turbojpeg") {
            continue;
        }
        let images = request.images(&fixture.inputs);
        let made: Vec<Encoded> = images
            .iter()
            .map(|(path, bytes)| request.encoded(path, bytes))
            .collect();
        let mut order = vec![];
        for part in request.parts.iter().filter(|part| part.kind == "image") {
            let place = made.iter().position(|e| sha256(&e.bytes) == part.sha256);
            let place = place.unwrap_or_else(|| {
                panic!(
                    "{} {}: no file gives {}",
                    request.track, request.instance, part.sha256
                )
            });
            assert_eq!(Some(made[place].bytes.len()), part.bytes);
            assert_eq!(Some(&made[place].mime), part.mime_type.as_ref());
            assert_eq!(made[place].encoder.is_none(), is_raw);
            order.push(place);
            checked += 1;
        }
        assert!(
            order.is_sorted(),
            "{} {}: {order:?}",
            request.track,
            request.instance
        );
    }
    let expected = if cfg!(feature = "turbojpeg") { 61 } else { 12 };
    assert_eq!(checked, expected, "number of image parts in the fixture");
}

/// With any encoder: as many images as were captured can be made, each a JPEG of the same picture
/// size that looks like its source.
#[test]
fn reencoded_images_keep_size_and_type() {
    let Some(fixture) = fixture() else { return };
    for request in fixture
        .requests
        .iter()
        .filter(|r| r.profile() == "specv-jpeg@1")
    {
        let parts: Vec<_> = request
            .parts
            .iter()
            .filter(|part| part.kind == "image")
            .collect();
        assert!(
            parts
                .iter()
                .all(|part| part.mime_type.as_deref() == Some("image/jpeg"))
        );
        for (path, bytes) in request.images(&fixture.inputs) {
            let encoded = request.encoded(path, &bytes);
            let wanted = rgb_as_pillow(&bytes, &Limits::default()).unwrap();
            let back = image::load_from_memory(&encoded.bytes).unwrap();
            assert_eq!((back.width(), back.height()), wanted.dimensions());
            assert_eq!(encoded.mime, "image/jpeg");
            assert_eq!(encoded.notes, ["encoded as JPEG of quality 95"]);
            let db = psnr(&back.into_rgb8(), &wanted);
            assert!(db > 30.0, "{}: {db} dB", path.display());
        }
    }
}
