//! Bodies and keys of our own protocols, pinned together.
//!
//! A key stands for a body: if a body changes while its key does not, replies to the old question
//! would be taken for replies to the new one. `VERISPEC_UPDATE_GOLDEN=1` rewrites the file, and
//! still refuses that case.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use verispec_judge::protocol::{Case, IndependentJob, Material, OutputPiece, Reask, WholeJob};
use verispec_judge::reader::ReadOptions;
use verispec_model::{
    Hash, ImagePart, ImageRole, Instance, Job as _, JudgeIdentity, Params, Request, Specification,
    Structured, YesNo, request_key,
};
use verispec_providers::{EncodedImage, dialect};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Pinned {
    key: String,
    body: String,
}

fn case(provider: &str, structured: Structured) -> Case {
    let spec = |id: u32, question: &str| Specification {
        id,
        question: question.into(),
        category: "c".into(),
        subcategory: "s".into(),
        expected: YesNo::Yes,
        rating: Some(9.0),
        record: serde_json::Map::new(),
    };
    let image = |name: &str, role| ImagePart {
        path: name.into(),
        source: Hash::of(name.as_bytes()),
        profile: "original@1".into(),
        role,
    };
    Case {
        id: "edit/a/m".into(),
        instance: Arc::new(Instance {
            track: "edit".into(),
            dimension: "d".into(),
            id: "a".into(),
            prompt: "Make the café's sign [IMAGE1] read \"OPEN\" {{now}}.".into(),
            references: vec!["ref.png".into()],
            specifications: vec![spec(1, "Does the sign read 'OPEN'?"), spec(2, "Is it 夜?")],
            source_text: "[]".into(),
        }),
        material: Material {
            references: vec![image("ref.png", ImageRole::Reference)],
            output: vec![
                OutputPiece::Text("first\n=== material ===".into()),
                OutputPiece::Image(image("out.png", ImageRole::Output)),
            ],
        },
        judge: Arc::new(JudgeIdentity {
            provider: provider.into(),
            model: "m".into(),
            params: Params::from([("temperature".into(), serde_json::json!(0.1))]),
            structured,
            revision: None,
        }),
        repeat: 0,
    }
}

fn current() -> BTreeMap<String, Pinned> {
    let mut all = BTreeMap::new();
    for provider in ["openai", "gemini"] {
        for structured in [
            Structured::None,
            Structured::JsonObject,
            Structured::JsonSchema,
        ] {
            let whole = WholeJob::new(
                case(provider, structured),
                Reask::List,
                ReadOptions::default(),
            );
            let single = IndependentJob::new(case(provider, structured));
            let none = HashMap::new();
            let asked = [
                ("whole", whole.step(&none).ask),
                ("independent", single.step(&none).ask),
            ];
            for (protocol, requests) in asked {
                for (i, request) in requests.iter().enumerate() {
                    let name = format!("{protocol} {provider} {structured:?} {i}");
                    all.insert(name, pin(provider, request));
                }
            }
        }
    }
    all
}

fn pin(provider: &str, request: &Request) -> Pinned {
    let image = || EncodedImage {
        mime: "image/png".into(),
        bytes: Bytes::from_static(b"pixels"),
    };
    let dialect = dialect(provider).expect("dialect");
    let body = dialect
        .encode(request, &[image(), image()])
        .expect("encodes")
        .body_bytes();
    let body = String::from_utf8(body).expect("bodies are text");
    Pinned {
        key: request_key(request).to_string(),
        body,
    }
}

#[test]
fn a_changed_body_has_a_changed_key() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cli/golden_bodies.json");
    let is = current();
    let was: BTreeMap<String, Pinned> = std::fs::read_to_string(&path)
        .map(|text| serde_json::from_str(&text).expect("golden file"))
        .unwrap_or_default();
    for (name, was) in &was {
        let is = &is[name];
        let replaced = was.key == is.key && was.body != is.body;
        assert!(
            !replaced,
            "{name}: the body changed under its key; give the protocol a new version"
        );
    }
    if std::env::var_os("VERISPEC_UPDATE_GOLDEN").is_some() {
        let text = serde_json::to_string_pretty(&is).expect("json");
        std::fs::write(&path, text + "\n").expect("golden file");
        return;
    }
    assert_eq!(
        was, is,
        "every stored reply of these protocols becomes unreachable; if that is \
                         meant, say so in the changelog and run with VERISPEC_UPDATE_GOLDEN=1"
    );
}
