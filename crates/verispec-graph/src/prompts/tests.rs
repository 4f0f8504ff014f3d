use super::*;
use crate::scene::{Attributes, Edge, Node, SceneGraph, SegmentId, Shown};

/// Two persons, a group of three buses of which the second has no attributes, a tree.
fn scene() -> SceneGraph {
    let color = |v: &str| Attributes::of([("primary_color", vec![v.to_owned()])]);
    let node = |id, label, attributes| Node::new(SegmentId(id), label, attributes);
    let edge = |subject, object, predicate: &str| Edge {
        subject,
        object,
        predicate: predicate.into(),
        score: None,
    };
    SceneGraph {
        image_id: 7,
        nodes: vec![
            node(
                1,
                "person",
                Attributes::of([
                    ("upper_clothing_type", vec!["shirt".to_owned()]),
                    ("held_object_type", vec!["cup".to_owned()]),
                    (
                        "upper_clothing_color",
                        vec!["red".to_owned(), "white".into()],
                    ),
                ]),
            ),
            node(2, "bus", color("red")),
            node(3, "bus", Attributes::new()),
            node(4, "bus", color("blue")),
            node(5, "person", Attributes::new()),
            node(6, "tree-merged", Attributes::new()),
        ],
        groups: vec![
            Shown { nodes: vec![0] },
            Shown {
                nodes: vec![1, 2, 3],
            },
            Shown { nodes: vec![4] },
            Shown { nodes: vec![5] },
        ],
        edges: vec![
            edge(0, 2, "in front of"),
            edge(4, 0, "beside"),
            edge(0, 5, "looking at"),
        ],
    }
}

/// Section 4 of the specification of XTC-Bench.
#[test]
fn semantic_ids_and_relations() {
    let scene = scene();
    let ids = SemanticIds::new(&scene, IdStyle::Semantic);
    assert_eq!(
        ids.groups,
        ["Person_1", "BusGroup_1", "Person_2", "Tree-merged_1"]
    );
    assert_eq!(
        relation_texts(&scene, &ids),
        [
            "Person_1 in front of BusGroup_1_2",
            "Person_2 beside Person_1",
            "Person_1 looking at Tree-merged_1",
        ]
    );
    let rackets = vec![
        Node::new(SegmentId(1), "tennis racket", Attributes::new()),
        Node::new(SegmentId(2), "tennis racket", Attributes::new()),
    ];
    let ids = SemanticIds::new(&SceneGraph::of_nodes(1, rackets, vec![]), IdStyle::Semantic);
    assert_eq!(ids.nodes, ["Tennis_racket_1", "Tennis_racket_2"]);
}

#[test]
fn the_plain_linearisation() {
    let text = plain_prompt(&scene(), IdStyle::Semantic);
    assert_eq!(
        text,
        "A picture in which the following can be seen: person (Person_1) wearing shirt, in red and \
         white, with held object type: cup, 3 bus (BusGroup_1): 1) in red, 3) in blue, person \
         (Person_2), tree-merged (Tree-merged_1). How they stand to each other: Person_1 in front \
         of BusGroup_1_2; Person_2 beside Person_1; Person_1 looking at Tree-merged_1."
    );
}

#[test]
fn the_described_linearisation() {
    let said = [
        Some("a cook with a cup"),
        Some("an old bus"),
        None,
        None,
        None,
        Some("an oak"),
    ];
    let descriptions = said.map(|s| s.map(str::to_owned));
    let text = described_prompt(&scene(), &descriptions, IdStyle::Semantic);
    assert_eq!(
        text,
        "A picture in which the following can be seen: Person_1 (a cook with a cup), BusGroup_1 \
         (3 bus\n  1) bus (BusGroup_1_1) an old bus\n  2) bus (BusGroup_1_2) a bus\n  3) bus \
         (BusGroup_1_3) in blue), Person_2 (a person), and Tree-merged_1 (an oak), where Person_1 \
         in front of BusGroup_1_2, Person_2 beside Person_1, and Person_1 looking at Tree-merged_1."
    );
}

#[test]
fn lists_of_two_and_empty_scenes() {
    let mut scene = scene();
    scene.groups.truncate(2);
    scene.nodes.truncate(4);
    scene.edges.truncate(1);
    let text = described_prompt(&scene, &[], IdStyle::Label);
    assert_eq!(
        text,
        "A picture in which the following can be seen: a person and 3 bus\n  1) in red\n  2) a \
         bus\n  3) in blue, where person in front of bus."
    );
    scene.edges.clear();
    assert!(!plain_prompt(&scene, IdStyle::Semantic).contains("stand to each other"));
    let empty = SceneGraph::default();
    assert_eq!(plain_prompt(&empty, IdStyle::Semantic), EMPTY_SCENE);
    assert_eq!(
        described_prompt(&empty, &[], IdStyle::Semantic),
        EMPTY_SCENE
    );
}
