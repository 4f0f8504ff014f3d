use super::*;
use crate::facts::FactTarget;
use crate::scene::{Attributes, GtId, Node, PredId, SceneGraph, SegmentId};

#[test]
fn released_failures_are_no_answers() {
    let failed = |text: &str| UndAnswer::ModelError {
        message: text.into(),
    };
    assert_eq!(
        UndAnswer::of_released("ERROR: out of memory"),
        failed("out of memory")
    );
    assert_eq!(
        UndAnswer::of_released("ERROR: No answer found"),
        UndAnswer::NotAsked
    );
    assert_eq!(UndAnswer::of_released("  "), failed("empty answer"));
    assert_eq!(UndAnswer::of_released("red").text(), Some("red"));
}

#[test]
fn what_can_be_missing() {
    let nodes = vec![
        Node::new(SegmentId(1), "dog", Attributes::new()),
        Node::new(
            SegmentId(2),
            "cat",
            Attributes::of([("primary_color", vec!["red".to_owned(), "white".into()])]),
        ),
    ];
    let scene = SceneGraph::of_nodes(7, nodes, vec![]);
    let map: NodeMap = [
        (GtId::new(10), PredId::new(1)),
        (GtId::new(20), PredId::new(2)),
        (GtId::new(30), PredId::new(9)),
    ]
    .into();
    let attribute = |node, key: &str| FactTarget::Attribute {
        node: GtId::new(node),
        key: key.into(),
    };
    let relation = |subject, object| FactTarget::Relation {
        subject: GtId::new(subject),
        object: GtId::new(object),
    };
    let lost = GenAnswer::LostNode {
        node: PredId::new(9),
    };
    let unmatched = |ends| GenAnswer::Unmatched { ends };
    for (target, expected) in [
        (attribute(10, "primary_color"), GenAnswer::NoAttributes),
        (attribute(20, "body_position"), GenAnswer::NoAttributeKey),
        (
            attribute(20, "primary_color"),
            GenAnswer::Found {
                text: "red, white".into(),
            },
        ),
        (attribute(30, "primary_color"), lost.clone()),
        (attribute(40, "primary_color"), unmatched(Ends::Node)),
        (relation(10, 20), GenAnswer::NoEdge),
        (relation(10, 30), lost),
        (relation(40, 20), unmatched(Ends::Subject)),
        (relation(20, 40), unmatched(Ends::Object)),
        (relation(40, 50), unmatched(Ends::Both)),
    ] {
        assert_eq!(
            look_up(&target, &map, &scene, AnswerCleaning::Clean),
            expected,
            "{target:?}"
        );
    }
    assert_eq!(unmatched(Ends::Both).released_text(), "None.");
}
