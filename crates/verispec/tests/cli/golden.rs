//! Bodies and keys of our own protocols, pinned together.
//!
//! A key stands for a body: if a body changes while its key does not, replies to the old question
//! would be taken for replies to the new one. `VERISPEC_UPDATE_GOLDEN=1` rewrites the file, and
//! still refuses that case.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use verispec_judge::protocol::{
    Case, ChunkedJob, HolisticJob, IndependentJob, Material, OutputPiece, Reask, WholeJob,
};
use verispec_judge::reader::ReadOptions;
use verispec_model::{
    Finish, Hash, ImagePart, ImageRole, Instance, Job, JudgeIdentity, Params, Reply, Request,
    Settled, SpecResult, Specification, Structured, YesNo, request_key,
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
        rules: verispec_model::SpecRules::default(),
        record: Default::default(),
    };
    let image = |name: &str, role| ImagePart {
        path: std::path::Path::new(name).into(),
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
            specifications: [spec(1, "Does the sign read 'OPEN'?"), spec(2, "Is it 夜?")]
                .map(Arc::new)
                .into(),
            source_text: "[]".into(),
        }),
        material: Material {
            references: [image("ref.png", ImageRole::Reference)].into(),
            output: [
                OutputPiece::Text("first\n=== material ===".into()),
                OutputPiece::Image(image("out.png", ImageRole::Output)),
            ]
            .into(),
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
            for (protocol, job) in jobs(provider, structured) {
                let mut add = |step: &str, requests: &[Request]| {
                    for (i, request) in requests.iter().enumerate() {
                        let name = format!("{protocol} {provider} {structured:?}{step} {i}");
                        all.insert(name, pin(provider, request));
                    }
                };
                let first = ask(&*job, &[], None);
                // Only its last step differs from that of `whole`.
                let alone = protocol == MISSING_ALONE;
                if !alone {
                    add("", &first);
                }
                if structured == Structured::None {
                    let lacking = Reply::text("[]");
                    add(" after missing ids", &ask(&*job, &first, Some(&lacking)));
                }
                if structured == Structured::None && !alone {
                    let cut = Reply {
                        finish: Finish::Length,
                        ..Reply::text("[")
                    };
                    add(" after truncation", &ask(&*job, &first, Some(&cut)));
                }
            }
        }
    }
    all
}

const MISSING_ALONE: &str = "whole, missing alone";

type AnyJob = Box<dyn Job<Readings = Vec<SpecResult>>>;

/// Every protocol of ours on the same case.
fn jobs(provider: &str, structured: Structured) -> Vec<(&'static str, AnyJob)> {
    let case = || case(provider, structured);
    let read = ReadOptions::default();
    let one = NonZeroUsize::MIN;
    vec![
        ("whole", Box::new(WholeJob::new(case(), Reask::List, read))),
        ("independent", Box::new(IndependentJob::new(case()))),
        (
            "chunked:1",
            Box::new(ChunkedJob::new(case(), one, Reask::List, read)),
        ),
        (
            MISSING_ALONE,
            Box::new(WholeJob::new(case(), Reask::Single, read)),
        ),
        ("holistic", Box::new(HolisticJob::new(case()))),
    ]
}

/// What a job asks once all of `asked` got the same reply.
fn ask(
    job: &dyn Job<Readings = Vec<SpecResult>>,
    asked: &[Request],
    reply: Option<&Reply>,
) -> Vec<Request> {
    let settled = asked.iter().zip(reply.into_iter().cycle());
    let replies: HashMap<Hash, Settled> = settled
        .map(|(request, reply)| (request_key(request), Settled::Answered(reply.clone())))
        .collect();
    job.step(&replies).ask
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
    let names: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    let other: Vec<_> = names
        .iter()
        .filter(|n| was.get(**n) != is.get(**n))
        .collect();
    assert!(
        other.is_empty(),
        "{other:#?} are new or changed. Where a key changed, every stored reply becomes \
         unreachable; if that is meant, say so in the changelog and run with \
         VERISPEC_UPDATE_GOLDEN=1"
    );
}
