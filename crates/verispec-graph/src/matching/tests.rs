use proptest::prelude::*;

use super::*;
use crate::scene::{Attributes, Edge, Node, SceneGraph, SegmentId};

fn scene(nodes: &[(usize, usize)], edges: &[(usize, usize, usize)]) -> SceneGraph {
    let labels = ["person", "dog", "cat"];
    let colors = ["red", "dark red", "blue"];
    let node = |(at, (label, color)): (usize, &(usize, usize))| {
        let color = vec![colors[*color].to_owned()];
        let attributes = Attributes::of([("primary_color", color)]);
        Node::new(SegmentId(at as u64 + 1), labels[*label], attributes)
    };
    let nodes: Vec<Node> = nodes.iter().enumerate().map(node).collect();
    let count = nodes.len();
    let edge = |(s, o, p): &(usize, usize, usize)| Edge {
        subject: s % count,
        object: o % count,
        predicate: ["on", "beside", "in front of"][*p].into(),
        score: None,
    };
    SceneGraph::of_nodes(1, nodes, edges.iter().map(edge).collect())
}

fn any_scene() -> impl Strategy<Value = SceneGraph> {
    let nodes = prop::collection::vec((0..3_usize, 0..3_usize), 1..7);
    let edges = prop::collection::vec((0..7_usize, 0..7_usize, 0..3_usize), 0..9);
    (nodes, edges).prop_map(|(n, e)| scene(&n, &e))
}

fn run(a: &SceneGraph, b: &SceneGraph) -> Matched {
    let table = EmbeddingTable::new(&BagOfWords, texts([a, b])).unwrap();
    match_scenes(a, b, &table, MatchPolicy::default()).unwrap()
}

proptest! {
    /// Labels are never crossed, every label gives the smaller number of pairs, and everything is in
    /// exactly one place.
    #[test]
    fn matching_is_complete_within_labels(a in any_scene(), b in any_scene()) {
        let found = run(&a, &b);
        let count = |s: &SceneGraph, label: &str| s.nodes.iter().filter(|n| n.label == label).count();
        let labels = ["person", "dog", "cat"];
        let expected: usize = labels.iter().map(|l| count(&a, l).min(count(&b, l))).sum();
        prop_assert_eq!(found.nodes.len(), expected);
        for pair in &found.nodes {
            prop_assert_eq!(&a.nodes[pair.truth].label, &b.nodes[pair.prediction].label);
        }
        prop_assert_eq!(found.nodes.len() + found.missing_nodes.len(), a.nodes.len());
        prop_assert_eq!(found.nodes.len() + found.invented_nodes.len(), b.nodes.len());
        prop_assert_eq!(found.edges.len() + found.missing_edges.len(), a.edges.len());
        prop_assert_eq!(found.edges.len() + found.invented_edges.len(), b.edges.len());
        let map = found.node_map(&a, &b);
        prop_assert_eq!(map.len(), found.nodes.len());
    }

    /// A scene matched with itself loses nothing: every node and every edge has a counterpart of
    /// total similarity no less than that of matching each with itself.
    #[test]
    fn a_scene_matches_itself(a in any_scene()) {
        let found = run(&a, &a);
        prop_assert!(found.missing_nodes.is_empty() && found.invented_nodes.is_empty());
        let total: f64 = found.nodes.iter().map(|p| p.similarity).sum();
        prop_assert!((total - a.nodes.len() as f64).abs() < 1e-5, "{total}");
    }
}

#[test]
fn malformed_scenes_are_refused() {
    let good = scene(&[(0, 0)], &[]);
    let table = EmbeddingTable::new(&BagOfWords, texts([&good])).unwrap();
    let policy = MatchPolicy::default();
    let refused = |a: &SceneGraph| {
        match_scenes(a, &good, &table, policy)
            .unwrap_err()
            .to_string()
    };
    let other = scene(&[(0, 2)], &[]);
    assert!(refused(&other).starts_with("no vector for the text \"blue\""));
    let mut twice = good.clone();
    twice.nodes.push(twice.nodes[0].clone());
    assert_eq!(refused(&twice), "image 1: two nodes have the number 1");
    let mut loose = good.clone();
    loose.edges.push(Edge {
        subject: 0,
        object: 5,
        predicate: "on".into(),
        score: None,
    });
    assert_eq!(
        refused(&loose),
        "image 1: edge 0 (from 0) names a node that is not there"
    );
    let weights = MatchPolicy {
        alpha: f64::NAN,
        ..policy
    };
    let error = match_scenes(&good, &good, &table, weights).unwrap_err();
    assert!(matches!(error, MatchError::Weights { .. }));
}

#[test]
fn vectors_that_are_no_vectors_are_refused() {
    let texts = || vec!["a".to_owned(), "b".to_owned()];
    let make = |vectors: &[Vec<f32>]| EmbeddingTable::from_vectors("e", texts(), vectors);
    assert!(matches!(
        make(&[vec![1.0]]),
        Err(EmbedError::Count { found: 1, .. })
    ));
    assert!(matches!(
        make(&[vec![1.0], vec![f32::NAN]]),
        Err(EmbedError::Vector { .. })
    ));
    assert!(matches!(
        make(&[vec![1.0], vec![1.0, 2.0]]),
        Err(EmbedError::Vector { .. })
    ));
    let table = make(&[vec![3.0, 4.0], vec![4.0, 3.0]]).unwrap();
    assert!((table.similarity("a", "b").unwrap() - 0.96).abs() < 1e-6);
    assert_eq!(table.similarity("a", "c"), None);
    let zero = make(&[vec![0.0], vec![1.0]]).unwrap();
    assert_eq!(zero.similarity("a", "b"), Some(0.0));
}

/// The formulas of the specification written down directly, without tables or shortcuts.
struct Direct<'a> {
    a: &'a SceneGraph,
    b: &'a SceneGraph,
    table: &'a EmbeddingTable,
}

impl Direct<'_> {
    fn attributes(&self, x: usize, y: usize) -> f64 {
        attribute_similarity(
            &self.a.nodes[x].attributes,
            &self.b.nodes[y].attributes,
            &BagOfWords,
        )
        .unwrap()
    }

    fn edge(&self, f: &Edge, h: &Edge) -> f64 {
        let texts = (edge_text(self.a, f), edge_text(self.b, h));
        let ends = self.attributes(f.subject, h.subject) + self.attributes(f.object, h.object);
        0.4 * self.table.similarity(&texts.0, &texts.1).unwrap() + 0.3 * ends
    }

    fn node(&self, x: usize, y: usize) -> f64 {
        let at = |s: &SceneGraph, n: usize| -> Vec<Edge> {
            s.edges
                .iter()
                .filter(|e| e.subject == n || e.object == n)
                .cloned()
                .collect()
        };
        let (of_x, of_y) = (at(self.a, x), at(self.b, y));
        let own = self.attributes(x, y);
        if of_x.is_empty() && of_y.is_empty() {
            return own;
        }
        if of_x.is_empty() || of_y.is_empty() {
            return 0.7 * own;
        }
        let all = of_x
            .iter()
            .flat_map(|f| of_y.iter().map(move |h| self.edge(f, h)));
        let values: Vec<f64> = all.collect();
        let costs: Vec<f64> = values.iter().map(|v| 1.0 - v).collect();
        let pairs = crate::linear_sum_assignment(&costs, of_x.len(), of_y.len()).unwrap();
        let sum: f64 = pairs.iter().map(|(r, c)| values[r * of_y.len() + c]).sum();
        0.7 * own + 0.3 * sum / pairs.len() as f64
    }
}

proptest! {
    #[test]
    fn node_similarities_are_those_of_the_formulas(a in any_scene(), b in any_scene()) {
        let table = EmbeddingTable::new(&BagOfWords, texts([&a, &b])).unwrap();
        let direct = Direct { a: &a, b: &b, table: &table };
        for label in node_similarities(&a, &b, &table, MatchPolicy::default()).unwrap() {
            let pairs = label.truth.iter().flat_map(|x| label.prediction.iter().map(move |y| (*x, *y)));
            for ((x, y), value) in pairs.zip(&label.values) {
                let expected = direct.node(x, y);
                prop_assert!((value - expected).abs() < 1e-6, "{x} {y}: {value} {expected}");
            }
        }
    }
}
