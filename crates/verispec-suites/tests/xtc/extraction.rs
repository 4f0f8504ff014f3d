//! Graphs by a vision-language model alone.

use serde_json::{Value, json};
use verispec_graph::clean::Verification;
use verispec_graph::scene::{Bbox, SceneGraph, ScenePolicy, SegmentId};
use verispec_model::{Part, Unjudged};
use verispec_suites::xtc::{ExtractPolicy, Extracted, Extraction, Stage};

use crate::common::{extract, play};

const OBJECTS: &str = r#"Sure:
```json
{"objects": [{"label": "Person", "box": [0, 0, 500, 1000]},
             {"label": "tree", "box": [500, 100, 1000, 900]},
             {"label": "unicorn", "box": [1, 1, 9, 9]},
             {"label": "skateboard", "box": [100, 800, 400, 1000]}]}
```"#;

const RELATIONS: &str = r#"{"relations": [
    {"subject": 1, "predicate": "riding", "object": 3},
    {"subject": 1, "predicate": "behind", "object": 2},
    {"subject": 2, "predicate": "juggling", "object": 1},
    {"subject": 1, "predicate": "riding", "object": 3}]}"#;

fn answer(protocol: &str, data: &str) -> Result<String, Unjudged> {
    Ok(match protocol {
        "xtc-objects@1" => OBJECTS.to_owned(),
        "xtc-relations@1" => RELATIONS.to_owned(),
        "xtc-attributes@1" if data.contains("tree") => "no idea".to_owned(),
        "xtc-attributes@1" => {
            let asked: Value = serde_json::from_str(data).unwrap();
            let key = asked["properties"][0].as_str().unwrap();
            json!({"visual_reasoning": "x", key: ["red"], "made_up": ["y"]}).to_string()
        }
        _ if data.contains("behind") => "hard to tell".to_owned(),
        _ => r#"{"answer": "yes"}"#.to_owned(),
    })
}

fn done(read: Extraction) -> Extracted {
    match read {
        Extraction::Done(done) => *done,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_graph_with_what_is_not_known_of_it() {
    let (asked, read) = play(&extract(ExtractPolicy::default()), answer);
    let found = done(read);
    let count = |protocol: &str| asked.iter().filter(|r| r.protocol == protocol).count();
    assert_eq!((count("xtc-objects@1"), count("xtc-relations@1")), (1, 1));
    assert_eq!(
        (count("xtc-attributes@1"), count("xtc-verify-strict@1")),
        (3, 2)
    );
    let scene = SceneGraph::build(&found.graph, ScenePolicy::default()).scene;
    let labels: Vec<&str> = scene.nodes.iter().map(|n| n.label.as_str()).collect();
    assert_eq!(labels, ["person", "tree-merged", "skateboard"]);
    assert_eq!(
        found.image.segments[0].bbox,
        Bbox::new(0.0, 0.0, 99.0, 99.0)
    );
    assert_eq!(
        found.image.segments[2].bbox,
        Bbox::new(20.0, 80.0, 79.0, 99.0)
    );
    assert_eq!(scene.edges.len(), 1);
    assert_eq!(scene.edges[0].predicate, "riding");
    // "hard to tell" is neither yes nor no.
    assert_eq!(
        found.unread.iter().copied().collect::<Vec<_>>(),
        [(SegmentId(1), SegmentId(2))]
    );
    assert_eq!(
        found.undescribed.iter().copied().collect::<Vec<_>>(),
        [SegmentId(2)]
    );
    assert_eq!((found.denied, found.outside), (0, 2));
    assert!(scene.nodes[0].attributes.get("made_up").is_none());
    assert_eq!(scene.nodes[0].attributes.len(), 1);
    // An undescribed node stays, without attributes.
    assert!(scene.nodes[1].attributes.is_empty());
}

#[test]
fn views_are_named_by_boxes_and_boxes_stay_in_the_picture() {
    let (asked, _) = play(&extract(ExtractPolicy::default()), answer);
    let profiles = |protocol: &str| -> Vec<String> {
        let of = asked
            .iter()
            .filter(|r| r.protocol == protocol)
            .flat_map(|r| &r.parts);
        let images = of.filter_map(|p| match p {
            Part::Image(image) => Some(image.profile.to_string()),
            Part::Text(_) => None,
        });
        images.collect()
    };
    assert_eq!(profiles("xtc-objects@1"), ["original@1"]);
    let pairs = profiles("xtc-verify-strict@1");
    assert_eq!(pairs[0], "pair@1;0,0,99,99;20,80,79,99");
    let views = profiles("xtc-attributes@1");
    assert_eq!(views[0], "context@1;0,0,99,99");
    for profile in pairs.iter().chain(&views) {
        let path = std::path::Path::new("7.png");
        let parsed = verispec_media::Profile::parse(profile, path).unwrap();
        assert_eq!(&parsed.to_string(), profile);
    }
}

#[test]
fn verification_is_strict_lenient_or_off() {
    let with = |verification| ExtractPolicy {
        verification,
        ..ExtractPolicy::default()
    };
    let (asked, _) = play(&extract(with(Some(Verification::Lenient))), answer);
    let verify = |r: &&verispec_model::Request| r.protocol.starts_with("xtc-verify");
    let ways: Vec<&str> = asked
        .iter()
        .filter(verify)
        .map(|r| r.protocol.as_str())
        .collect();
    // Riding is exclusive, so it is strict all the same.
    assert_eq!(ways, ["xtc-verify-strict@1", "xtc-verify-lenient@1"]);
    let (asked, read) = play(&extract(with(None)), answer);
    assert_eq!(asked.iter().filter(verify).count(), 0);
    assert_eq!(done(read).cleaned.relations.len(), 2);
}

#[test]
fn what_cannot_be_read_is_no_empty_graph() {
    for broken in [
        "nothing here",
        r#"{"objects": [{"label": "dog"}]}"#,
        r#"{"objects": [{"label": "dog", "box": [0, 0, 1200, 10]}]}"#,
        r#"{"objects": [{"label": "dog", "box": [10, 0, 5, 10]}]}"#,
    ] {
        let (_, read) = play(
            &extract(ExtractPolicy::default()),
            |protocol, data| match protocol {
                "xtc-objects@1" => Ok(broken.to_owned()),
                _ => answer(protocol, data),
            },
        );
        let failed = Extraction::Failed {
            stage: Stage::Objects,
            why: Unjudged::Unparsed,
        };
        assert_eq!(read, failed, "{broken}");
    }
    for relations in [
        "[]",
        r#"{"relations": [{"subject": 9, "predicate": "on", "object": 1}]}"#,
    ] {
        let (_, read) = play(
            &extract(ExtractPolicy::default()),
            |protocol, data| match protocol {
                "xtc-relations@1" => Ok(relations.to_owned()),
                _ => answer(protocol, data),
            },
        );
        assert!(
            matches!(
                read,
                Extraction::Failed {
                    stage: Stage::Relations,
                    ..
                }
            ),
            "{relations}"
        );
    }
    let (_, read) = play(&extract(ExtractPolicy::default()), |_, _| {
        Err(Unjudged::Refused)
    });
    assert_eq!(
        read,
        Extraction::Failed {
            stage: Stage::Objects,
            why: Unjudged::Refused
        }
    );
    let (asked, read) = play(&extract(ExtractPolicy::default()), |_, _| {
        Ok(r#"{"objects": []}"#.into())
    });
    assert_eq!(asked.len(), 1);
    assert!(done(read).graph.groups.is_empty());
}

#[test]
fn a_verdict_is_what_follows_the_reasoning() {
    let (_, read) = play(&extract(ExtractPolicy::default()), |protocol, data| {
        if protocol.starts_with("xtc-verify") {
            return Ok(
                "<think>Is it? {\"answer\": \"no\"} or not.</think>{\"answer\": \"yes\"}".into(),
            );
        }
        answer(protocol, data)
    });
    let found = done(read);
    assert_eq!((found.denied, found.unread.len()), (0, 0));
    assert_eq!(found.cleaned.relations.len(), 2);
}
