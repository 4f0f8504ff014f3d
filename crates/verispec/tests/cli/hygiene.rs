//! The answer key never reaches a default prompt: nothing about it changes a body or a key.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Value, json};
use verispec_judge::protocol::{
    Case, ChunkedJob, HolisticJob, IndependentJob, Material, OutputPiece, Reask, WholeJob,
};
use verispec_judge::reader::ReadOptions;
use verispec_model::{
    Hash, ImagePart, ImageRole, Job as _, JudgeIdentity, Params, Part, Request, Structured, Suite,
    request_key,
};
use verispec_providers::{EncodedImage, dialect};
use verispec_suites::specv;
use verispec_testkit::data::test_data;

/// Copies a checkout with every expected answer, rating and category replaced.
fn with_other_answers(from: &Path, to: &Path) -> usize {
    let mut changed = 0;
    for (path, bytes) in crate::support::tree(&from.join("eval_checklist")) {
        let mut items: Value = serde_json::from_slice(&bytes).expect("checklist");
        for item in items.as_array_mut().expect("list") {
            let other = if item["expected_answer"] == "Yes" {
                "No"
            } else {
                "Yes"
            };
            item["expected_answer"] = json!(other);
            item["score"] = json!(1.5);
            item["category"] = json!("other");
            item["subcategory"] = json!("other");
            changed += 1;
        }
        let relative = path.strip_prefix(from).expect("below");
        crate::support::write(&to.join(relative), &items.to_string());
    }
    for (path, bytes) in crate::support::tree(&from.join("eval_data")) {
        let relative = path.strip_prefix(from).expect("below");
        crate::support::write(&to.join(relative), &crate::support::text(&bytes));
    }
    changed
}

/// Hash of all keys and bodies of a suite in one protocol and dialect.
fn fingerprint(suite: &Suite, protocol: &str, provider: &str) -> (usize, Hash) {
    let dialect = dialect(provider).expect("dialect");
    let judge = Arc::new(JudgeIdentity {
        provider: provider.into(),
        model: "m".into(),
        params: Params::new(),
        structured: Structured::None,
        revision: None,
    });
    let (mut n, mut all) = (0, vec![]);
    for instance in suite.instances() {
        let output = ImagePart {
            path: std::path::Path::new("out.png").into(),
            source: Hash::of(instance.id.as_bytes()),
            profile: "original@1".into(),
            role: ImageRole::Output,
        };
        let material = Material {
            references: [].into(),
            output: [OutputPiece::Image(output)].into(),
        };
        let case = Case {
            id: instance.id.clone(),
            instance: instance.clone(),
            material,
            judge: judge.clone(),
            repeat: 0,
        };
        for request in requests(case, protocol) {
            let body = dialect
                .encode(&request, &images(&request))
                .expect("encodes")
                .body_bytes();
            all.extend_from_slice(request_key(&request).as_bytes());
            all.extend_from_slice(Hash::of(&body).as_bytes());
            n += 1;
        }
    }
    (n, Hash::of(&all))
}

fn requests(case: Case, protocol: &str) -> Vec<Request> {
    let none = HashMap::new();
    match protocol {
        "whole" => {
            WholeJob::new(case, Reask::List, ReadOptions::default())
                .step(&none)
                .ask
        }
        "chunked" => {
            let five = NonZeroUsize::new(5).expect("not zero");
            ChunkedJob::new(case, five, Reask::List, ReadOptions::default())
                .step(&none)
                .ask
        }
        "holistic" => HolisticJob::new(case).step(&none).ask,
        _ => IndependentJob::new(case).step(&none).ask,
    }
}

fn images(request: &Request) -> Vec<EncodedImage> {
    let image = |_| EncodedImage {
        mime: "image/png".into(),
        bytes: Bytes::from_static(b"pixels"),
    };
    request
        .parts
        .iter()
        .filter(|p| matches!(p, Part::Image(_)))
        .map(image)
        .collect()
}

#[test]
fn answers_ratings_and_categories_change_no_body_and_no_key() {
    let Some(root) = test_data() else { return };
    let data = root.join("data/SpecV");
    let other = tempfile::tempdir().expect("folder");
    assert_eq!(with_other_answers(&data, other.path()), 17_604);
    let real = specv::load(&data).expect("suite").suite;
    let changed = specv::load(other.path()).expect("suite").suite;
    assert_ne!(real.revision, changed.revision, "the copy does differ");
    for (protocol, calls) in [
        ("whole", 1_200),
        ("independent", 17_604),
        ("chunked", 3_997),
        ("holistic", 1_200),
    ] {
        for provider in ["openai", "gemini"] {
            let (n, was) = fingerprint(&real, protocol, provider);
            let (_, is) = fingerprint(&changed, protocol, provider);
            assert_eq!(n, calls, "{protocol}");
            assert_eq!(was, is, "{protocol} {provider}");
        }
    }
}
