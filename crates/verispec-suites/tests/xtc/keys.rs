//! Keys that must not move: a change here makes every stored reply unreachable. Give the protocol
//! another version and say so in the changelog, or undo the change.

use std::collections::BTreeMap;

use verispec_graph::facts::FactKind;
use verispec_graph::scene::Attributes;
use verispec_model::{Structured, Unjudged, request_key};
use verispec_suites::xtc::{
    DescribeItem, DescribeJob, DrawJob, EmbedJob, ExactAnswers, ExtractPolicy, GradeItem, GradeJob,
    UnderstandJob,
};

use crate::common::{extract, judge, picture, play};

fn answer(protocol: &str, _: &str) -> Result<String, Unjudged> {
    Ok(match protocol {
        "xtc-objects@1" => {
            r#"{"objects": [{"label": "dog", "box": [0, 0, 500, 1000]}, {"label": "car", "box": [500, 0, 1000, 1000]}]}"#
        }
        "xtc-relations@1" => r#"{"relations": [{"subject": 1, "predicate": "beside", "object": 2}]}"#,
        _ => r#"{"answer": "Yes"}"#,
    }
    .to_owned())
}

#[test]
fn keys_are_pinned() {
    let mut keys: BTreeMap<String, String> = BTreeMap::new();
    let mut note = |requests: Vec<verispec_model::Request>| {
        for request in requests {
            let short = request_key(&request).short();
            keys.entry(request.protocol.clone()).or_insert(short);
        }
    };
    note(play(&extract(ExtractPolicy::default()), answer).0);
    let lenient = ExtractPolicy {
        verification: Some(verispec_graph::clean::Verification::Lenient),
        presence: verispec_graph::extraction::Presence::Forced,
        ..ExtractPolicy::default()
    };
    note(play(&extract(lenient), answer).0);
    let grade = GradeJob {
        id: String::new(),
        items: vec![GradeItem {
            question: "Q?".into(),
            gold: "red".into(),
            answer: "dark red".into(),
        }],
        judge: judge(Structured::JsonSchema),
        exact: ExactAnswers::Ask,
    };
    note(play(&grade, |_, _| Ok(r#"{"score": 5}"#.into())).0);
    let ask = UnderstandJob {
        id: String::new(),
        questions: vec![(FactKind::Relation, "Q?".into())],
        picture: Some(picture()),
        model: judge(Structured::None),
    };
    note(play(&ask, |_, _| Ok("on".into())).0);
    let draw = DrawJob {
        id: String::new(),
        prompt: "a dog".into(),
        seed: 49,
        model: judge(Structured::None),
    };
    note(play(&draw, |_, _| Ok(r#"{"image": "x.png"}"#.into())).0);
    let describe = DescribeJob {
        id: String::new(),
        picture: picture(),
        objects: vec![DescribeItem {
            label: "dog".into(),
            bbox: Some(verispec_graph::scene::Bbox::new(10.0, 20.0, 59.0, 69.0)),
            attributes: Attributes::of([("primary_color", vec!["brown".to_owned()])]),
        }],
        judge: judge(Structured::JsonSchema),
    };
    note(play(&describe, |_, _| Ok(r#"{"description": "a dog"}"#.into())).0);
    let embed = EmbedJob {
        id: String::new(),
        texts: vec!["red".into(), "blue".into()],
        model: judge(Structured::None),
    };
    note(play(&embed, |_, _| Ok("[[1],[2]]".into())).0);
    let lines: Vec<String> = keys.iter().map(|(p, k)| format!("{p} {k}")).collect();
    let golden = include_str!("keys.txt");
    assert_eq!(lines.join("\n"), golden.trim_end());
}
