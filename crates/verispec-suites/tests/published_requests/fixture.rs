//! Requests captured from the released `run_eval.py`, rebuilt from the same inputs.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use verispec_media::MediaCache;
use verispec_model::{Hash, ImageRole, Instance, JudgeIdentity, Part, Request, Structured};
use verispec_providers::EncodedImage;
use verispec_suites::specv::published::{
    PublishedJob, PublishedTrack, Templates, parts, published_params, read_output,
};
use verispec_suites::specv::{Loaded, load};
use verispec_testkit::data::{fixture, require_or_skip, test_data};

use crate::checkout::{by_name, image, said};

/// Images in all captured requests.
const ALL_IMAGES: usize = 61;

#[derive(Deserialize)]
struct Fixture {
    inputs: BTreeMap<String, String>,
    requests: Vec<Captured>,
}

#[derive(Deserialize)]
struct Captured {
    track: String,
    instance: String,
    body_without_contents: Value,
    parts: Vec<CapturedPart>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum CapturedPart {
    Text {
        sha256: String,
        chars: usize,
    },
    Image {
        mime_type: String,
        sha256: String,
        bytes: usize,
    },
}

/// The captured requests, the checkout they came from, and the synthetic inputs as files.
struct World {
    fixture: Fixture,
    released: Loaded,
    templates: Templates,
    inputs: TempDir,
}

fn world() -> Option<World> {
    let fixture: Fixture = serde_json::from_str(&fixture("specv_requests.json")?).unwrap();
    let root = test_data()?.join("data/SpecV");
    let root = require_or_skip(root.is_dir().then_some(root), "no data/SpecV")?;
    let inputs = tempfile::tempdir().unwrap();
    for (path, text) in &fixture.inputs {
        let path = inputs.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(text)
            .unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let templates = Templates::load(&root).unwrap();
    let released = load(&root).unwrap();
    Some(World {
        fixture,
        released,
        templates,
        inputs,
    })
}

impl World {
    /// The instance as the release has it, its references being the synthetic files.
    fn instance(&self, track: &str, id: &str) -> Instance {
        let suite = &self.released.suite;
        let mut instance = Instance::clone(suite.instance(track, id).unwrap());
        for path in &mut instance.references {
            *path = self
                .inputs
                .path()
                .join(path.strip_prefix(&suite.root).unwrap());
        }
        instance
    }

    fn request(&self, captured: &Captured) -> Request {
        let (track, id) = (captured.track.as_str(), captured.instance.as_str());
        let outputs = self
            .inputs
            .path()
            .join("model_outputs")
            .join(track)
            .join("m");
        let file = match track {
            "interleave" | "think_with_img" => outputs.join(id).join("response.json"),
            "understanding" => outputs.join(format!("{id}.json")),
            _ => outputs.join(format!("{id}.png")),
        };
        let output = read_output(PublishedTrack::from_name(track).unwrap(), &file).unwrap();
        let judge = JudgeIdentity {
            provider: "gemini-dashscope".to_owned(),
            model: "judge-model".to_owned(),
            params: published_params(),
            structured: Structured::None,
            revision: None,
        };
        let instance = Arc::new(self.instance(track, id));
        let name = format!("{track}/{id}/m");
        PublishedJob::new(
            name,
            &Arc::new(self.templates.clone()),
            judge.into(),
            instance,
            &output,
            &hash_file,
        )
        .unwrap()
        .request()
    }
}

fn hash_file(path: &Path) -> Result<Hash, String> {
    std::fs::read(path)
        .map(|bytes| Hash::of(&bytes))
        .map_err(|e| e.to_string())
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect()
}

#[test]
fn texts_and_order_of_all_captured_requests() {
    let Some(world) = world() else { return };
    assert_eq!(world.fixture.requests.len(), 24);
    for captured in &world.fixture.requests {
        let place = format!("{}/{}", captured.track, captured.instance);
        let request = world.request(captured);
        assert_eq!(request.parts.len(), captured.parts.len(), "{place}");
        for (i, (part, expected)) in request.parts.iter().zip(&captured.parts).enumerate() {
            match (part, expected) {
                (
                    Part::Text(text),
                    CapturedPart::Text {
                        sha256: hash,
                        chars,
                    },
                ) => {
                    assert_eq!(text.chars().count(), *chars, "{place} part {i}");
                    assert_eq!(&sha256(text.as_bytes()), hash, "{place} part {i}");
                }
                (Part::Image(_), CapturedPart::Image { .. }) => {}
                _ => panic!("{place} part {i}: text and image differ"),
            }
        }
    }
}

/// The release shows the judge every expected answer; so does this protocol.
#[test]
fn the_released_checklist_is_sent_with_its_answer_key() {
    let Some(world) = world() else { return };
    for captured in &world.fixture.requests {
        let instance = world.instance(&captured.track, &captured.instance);
        let request = world.request(captured);
        let texts = request.parts.iter().filter_map(|p| match p {
            Part::Text(text) => Some(text.as_str()),
            Part::Image(_) => None,
        });
        let keys: usize = texts
            .map(|t| t.matches("\"expected_answer\"").count())
            .sum();
        assert_eq!(keys, instance.specifications.len(), "{}", captured.instance);
    }
}

/// What goes on the wire: MIME types, base64 data, and everything around the parts.
#[test]
fn bodies_of_all_captured_requests() {
    let Some(world) = world() else { return };
    let cache = MediaCache::default();
    let dialect = verispec_providers::dialect("gemini-dashscope").unwrap();
    let mut images_compared = 0;
    for captured in &world.fixture.requests {
        let place = format!("{}/{}", captured.track, captured.instance);
        let request = world.request(captured);
        let images: Vec<EncodedImage> = request
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Image(image) => Some(cache.get(image).unwrap()),
                Part::Text(_) => None,
            })
            .map(|e| EncodedImage {
                mime: e.mime.clone(),
                bytes: e.bytes.clone(),
            })
            .collect();
        let message = dialect.encode(&request, &images).unwrap();
        let mut body: Value = serde_json::from_slice(&message.body_bytes()).unwrap();
        let contents = body.as_object_mut().unwrap().remove("contents").unwrap();
        assert_eq!(body, captured.body_without_contents, "{place}");
        let [content] = contents.as_array().unwrap().as_slice() else {
            panic!("{place}")
        };
        assert_eq!(content["role"], "user", "{place}");
        assert_eq!(content.as_object().unwrap().len(), 2, "{place}");
        let parts = content["parts"].as_array().unwrap();
        assert_eq!(parts.len(), captured.parts.len(), "{place}");
        for (i, (part, expected)) in parts.iter().zip(&captured.parts).enumerate() {
            images_compared += compare(part, expected, &captured.track, &format!("{place} {i}"));
        }
    }
    // 4 outputs of t2i, 4 sources and 4 outputs of edit; with Pillow's encoder all the others.
    assert_eq!(
        images_compared,
        if cfg!(feature = "turbojpeg") {
            ALL_IMAGES
        } else {
            12
        }
    );
}

/// Compares a part of a body; gives the number of images whose bytes were compared.
fn compare(part: &Value, expected: &CapturedPart, track: &str, place: &str) -> usize {
    assert_eq!(part.as_object().unwrap().len(), 1, "{place}");
    match expected {
        CapturedPart::Text {
            sha256: hash,
            chars,
        } => {
            let text = part["text"].as_str().unwrap();
            assert_eq!(text.chars().count(), *chars, "{place}");
            assert_eq!(&sha256(text.as_bytes()), hash, "{place}");
            0
        }
        CapturedPart::Image {
            mime_type,
            sha256: hash,
            bytes,
        } => {
            let inline = part["inline_data"].as_object().unwrap();
            assert_eq!(inline.len(), 2, "{place}");
            assert_eq!(&inline["mime_type"], mime_type, "{place}");
            let data = inline["data"].as_str().unwrap();
            let data = base64::engine::general_purpose::STANDARD
                .decode(data)
                .unwrap();
            let raw = matches!(track, "t2i" | "edit");
            if !raw && !cfg!(feature = "turbojpeg") {
                assert!(data.starts_with(&[0xff, 0xd8, 0xff]), "{place}: no JPEG");
                return 0;
            }
            assert_eq!(data.len(), *bytes, "{place}");
            assert_eq!(&sha256(&data), hash, "{place}");
            1
        }
    }
}

/// Every instance of the release can be put to the judge, with every expected answer in it.
#[test]
fn all_released_instances() {
    let Some(world) = world() else { return };
    let mut images = BTreeMap::<&str, usize>::new();
    let mut keys = 0;
    for instance in world.released.suite.instances() {
        let output = match instance.track.as_str() {
            "understanding" => said("B"),
            _ => image("out.png"),
        };
        let parts = parts(&world.templates, instance, &output, &by_name)
            .unwrap_or_else(|e| panic!("{}/{}: {e}", instance.track, instance.id));
        for part in &parts {
            match part {
                Part::Text(text) => keys += text.matches("\"expected_answer\"").count(),
                Part::Image(i) if i.role == ImageRole::Reference => {
                    *images.entry(instance.track.as_str()).or_default() += 1;
                }
                Part::Image(_) => {}
            }
        }
    }
    assert_eq!(keys, 17_604);
    // All 1,454 images of the release are sent; none is named twice and none is left out.
    let counts = [
        ("edit", 200),
        ("interleave", 81),
        ("many2one", 593),
        ("think_with_img", 377),
        ("understanding", 203),
    ];
    assert_eq!(images, BTreeMap::from(counts));
}
