use proptest::prelude::*;

use super::*;
use crate::scene::{Attributes, Edge, GtId, Node, SceneGraph, SegmentId};
use crate::vocabulary::{PREDICATES, clean_predicate};

fn node(id: u64, label: &str, attributes: &[(&str, &str)]) -> Node {
    let pairs = attributes.iter().map(|(k, v)| (*k, vec![(*v).to_owned()]));
    Node::new(SegmentId(id), label, Attributes::of(pairs))
}

#[test]
fn every_predicate_has_its_family() {
    let of = |wanted| {
        let cleaned = PREDICATES.iter().map(|p| clean_predicate(p));
        cleaned.filter(|p| family(p) == wanted).count()
    };
    let counts = [
        of(Family::Spatial),
        of(Family::Posture),
        of(Family::Locomotion),
        of(Family::Interaction),
        of(Family::Social),
        of(Family::Other),
    ];
    // 11 and "lying on", 3, 14, 18, 8, and "on back of".
    assert_eq!(counts, [12, 3, 14, 18, 8, 1]);
    assert_eq!(family("behind"), Family::Other);
}

#[test]
fn several_predicates_are_one_fact() {
    let nodes = vec![node(1, "person", &[]), node(2, "dog", &[])];
    let edge = |subject, object, predicate: &str| Edge {
        subject,
        object,
        predicate: predicate.into(),
        score: None,
    };
    let edges = vec![
        edge(0, 1, "on"),
        edge(0, 1, "lying on"),
        edge(0, 1, "looking at"),
        edge(0, 0, "touching"),
    ];
    let set = generate(
        "d",
        &SceneGraph::of_nodes(1, nodes, edges),
        FactPolicy::default(),
    );
    assert_eq!(set.facts.len(), 1);
    assert_eq!(set.facts[0].gold, "looking at and on");
    assert_eq!(
        set.facts[0].question,
        "In which way does the person engage with the dog?"
    );
    let reasons: Vec<SkipReason> = set.skipped.iter().map(|s| s.reason).collect();
    assert!(reasons.contains(&SkipReason::Reflexive));
}

#[test]
fn the_only_object_is_no_object_fact() {
    let scene = SceneGraph::of_nodes(1, vec![node(1, "dog", &[("primary_color", "red")])], vec![]);
    let set = generate("d", &scene, FactPolicy::default());
    assert_eq!(set.facts.len(), 1);
    assert_eq!(set.skipped[0].reason, SkipReason::OnlyObject);
}

#[test]
fn the_smallest_set_is_the_first_of_its_size() {
    let target = [("a", "one"), ("b", "two"), ("c", "three")];
    let scene = SceneGraph::of_nodes(
        1,
        vec![
            node(1, "dog", &target),
            node(2, "dog", &[("a", "one"), ("b", "other"), ("c", "other")]),
            node(3, "dog", &[("a", "other"), ("b", "two"), ("c", "three")]),
        ],
        vec![],
    );
    let set = generate("d", &scene, FactPolicy::default());
    let object = FactTarget::Object { node: GtId::new(1) };
    let fact = set.facts.iter().find(|f| f.key.target == object).unwrap();
    // No single key tells it apart from both; a and b come before a and c.
    assert_eq!(fact.described_by, ["a", "b"]);
    let b = FactTarget::Attribute {
        node: GtId::new(1),
        key: "b".into(),
    };
    let fact = set.facts.iter().find(|f| f.key.target == b).unwrap();
    assert_eq!(fact.described_by, ["a", "c"]);
}

#[test]
fn descriptions() {
    let bus = node(
        1,
        "bus",
        &[
            ("primary_color", "red"),
            ("text_number_visible", "42"),
            ("viewpoint_angle", "left"),
        ],
    );
    let keys = ["viewpoint_angle", "text_number_visible", "primary_color"].map(str::to_owned);
    assert_eq!(
        describe(&bus, &keys),
        "the red bus that says \"42\" seen from the left"
    );
    let house = node(
        1,
        "building-other-merged",
        &[
            ("window_count", "1"),
            ("drawer_count", "3"),
            ("marking_type", "stripes"),
        ],
    );
    let keys = ["window_count", "drawer_count", "marking_type"].map(str::to_owned);
    assert_eq!(
        describe(&house, &keys),
        "the building with 3 drawers with marking type stripes with 1 window"
    );
}

const WORDS: [&str; 6] = ["red", "dark red", "tan", "standing", "blue car", "cars"];

fn word() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(
        prop::sample::select(WORDS.to_vec()).prop_map(str::to_owned),
        0..3,
    )
}

proptest! {
    /// The default rule is symmetric and never overlaps where the published one does not.
    #[test]
    fn overlap_rules(a in word(), b in word()) {
        for rule in [Overlap::Tokens, Overlap::Published] {
            prop_assert_eq!(overlap(&a, &b, rule), overlap(&b, &a, rule));
            prop_assert!(overlap(&a, &a, rule));
        }
        prop_assert!(!overlap(&a, &b, Overlap::Tokens) || overlap(&a, &b, Overlap::Published));
    }

    /// Whatever a fact shows tells its object apart, and nothing less would do.
    #[test]
    fn sets_distinguish_and_are_minimal(values in prop::collection::vec((0..3_usize, 0..3_usize, 0..3_usize), 2..6)) {
        let names = ["red", "green", "blue"];
        let nodes: Vec<Node> = (1..)
            .zip(&values)
            .map(|(id, (a, b, c))| node(id, "dog", &[("a", names[*a]), ("b", names[*b]), ("c", names[*c])]))
            .collect();
        let scene = SceneGraph::of_nodes(1, nodes, vec![]);
        let set = generate("d", &scene, FactPolicy::default());
        let tells_apart = |target: &Node, keys: &[String]| {
            let others = scene.nodes.iter().filter(|n| n.id != target.id);
            let differs = |n: &Node| keys.iter().any(|k| n.attributes.get(k) != target.attributes.get(k));
            others.into_iter().all(differs)
        };
        for fact in &set.facts {
            let id = fact.key.target.nodes().next().map(|g| g.0);
            let target = scene.nodes.iter().find(|n| Some(n.id) == id).unwrap();
            prop_assert!(tells_apart(target, &fact.described_by));
            for drop in 0..fact.described_by.len() {
                let mut fewer = fact.described_by.clone();
                fewer.remove(drop);
                prop_assert!(!tells_apart(target, &fewer));
            }
        }
        let all = ["a", "b", "c"].map(str::to_owned);
        for skipped in &set.skipped {
            if let FactTarget::Object { node } = &skipped.target {
                let target = scene.nodes.iter().find(|n| n.id == node.0).unwrap();
                prop_assert!(!tells_apart(target, &all));
            }
        }
    }
}
