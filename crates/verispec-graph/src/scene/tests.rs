use super::*;

fn member(id: u64, attributes: Option<Attributes>) -> Member {
    Member {
        id: SegmentId(id),
        attributes,
    }
}

fn group(label: &str, members: Vec<Member>) -> Group {
    Group {
        id: members[0].id,
        category_id: None,
        label: label.into(),
        bbox: Bbox::new(0.0, 0.0, 1.0, 1.0),
        members,
    }
}

fn scored(predicate: &str, score: f64) -> ScoredPredicate {
    ScoredPredicate {
        predicate: predicate.into(),
        score,
    }
}

/// Two groups, of 3 buses and of 2 persons; one bus and one person were seen in a relation.
fn graph() -> MergedGraph {
    let color = |v: &str| Some(Attributes::of([("primary_color", vec![v.to_owned()])]));
    let pair = MemberRelation {
        subject: SegmentId(5),
        object: SegmentId(2),
        predicates: vec![scored("in front of", 0.9), scored("beside", 0.3)],
        no_relation: Some(0.35),
    };
    MergedGraph {
        image_id: 7,
        file_name: "7.jpg".into(),
        groups: vec![
            group(
                "bus",
                vec![
                    member(1, color("red")),
                    member(2, None),
                    member(3, color("unknown")),
                ],
            ),
            group("person", vec![member(4, None), member(5, None)]),
        ],
        relations: vec![GroupRelation {
            subject: 1,
            object: 0,
            predicates: pair.predicates.clone(),
            no_relation: pair.no_relation,
            pairs: vec![pair],
        }],
    }
}

#[test]
fn a_relation_of_two_members_is_one_edge() {
    let built = SceneGraph::build(&graph(), ScenePolicy::default());
    let edges: Vec<(usize, usize, &str)> = built
        .scene
        .edges
        .iter()
        .map(|e| (e.subject, e.object, e.predicate.as_str()))
        .collect();
    assert_eq!(edges, [(4, 1, "in front of")]);
    assert_eq!((built.implausible, built.undescribed), (1, 3));
    // Nobody is lost: members without a record are nodes.
    assert_eq!(built.scene.nodes.len(), 5);
    assert_eq!(built.scene.nodes[0].supercategory, Some("vehicle"));
}

#[test]
fn the_released_expansion_is_there_by_name() {
    let policy = ScenePolicy {
        group_relations: GroupRelations::All,
        unknown: UnknownValues::Drop,
    };
    let built = SceneGraph::build(&graph(), policy);
    assert_eq!(built.scene.edges.len(), 6);
    assert!(built.scene.nodes[2].attributes.is_empty());
}

#[test]
fn attributes_go_by_segment_alone() {
    let record = |image, segment, value: &str| AttributeRecord {
        image_id: image,
        segment: SegmentId(segment),
        category: None,
        supercategory: None,
        attributes: Attributes::of([("primary_color", vec![value.to_owned()])]),
        reasoning: None,
    };
    let index = AttributeIndex::new(&[record(8, 4, "wrong image"), record(7, 5, "blue")]);
    let mut graph = graph();
    let attached = index.attach(&mut graph);
    assert_eq!(
        attached,
        Attached {
            with: 3,
            without: 2
        }
    );
    assert_eq!(graph.groups[1].members[0].attributes, None);
    let five = graph.groups[1].members[1]
        .attributes
        .as_ref()
        .expect("a record");
    assert_eq!(five.get("primary_color"), Some(&["blue".to_owned()][..]));
}

#[test]
fn blank_values_and_reasoning_are_no_attributes() {
    let text = |s: &str| vec![s.to_owned()];
    let mut all = Attributes::of([
        ("b", text(" two ")),
        ("visual_reasoning", text("thinking")),
        ("a", text("one")),
        ("c", text("  ")),
    ]);
    assert_eq!(all.iter().map(|(k, _)| k).collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(all.sorted()[0].0, "a");
    assert_eq!(all.get("b"), Some(&["two".to_owned()][..]));
    all.insert("b", text("three"));
    assert_eq!(
        serde_json::to_string(&all).unwrap(),
        r#"{"b":["three"],"a":["one"]}"#
    );
}

#[test]
fn boxes_that_touch_do_not_overlap() {
    let a = Bbox::new(0.0, 0.0, 10.0, 10.0);
    assert!(!a.overlaps(Bbox::new(10.0, 0.0, 20.0, 10.0)));
    assert!(a.overlaps(Bbox::new(9.0, 9.0, 20.0, 20.0)));
    assert_eq!(
        a.union(Bbox::new(5.0, -1.0, 20.0, 3.0)),
        Bbox::new(0.0, -1.0, 20.0, 10.0)
    );
    assert_eq!((a.width(), a.height()), (11.0, 11.0));
}
