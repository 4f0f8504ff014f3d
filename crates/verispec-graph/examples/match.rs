//! Speed of matching and of making questions on synthetic scenes of the shapes that were timed on
//! the released code, on one core, with the embeddings ready.
//!
//! `cargo run --release -p verispec-graph --example match`
//!
//! Prints the median of three runs and its ratio to the time of the released code (Python 3.11,
//! one thread, embeddings cached; another machine, so the ratio is a hint and the bound is what
//! counts). Exits with 1 if a bound is missed.

#![allow(clippy::print_stdout, reason = "it prints its figures")]

use std::process::ExitCode;
use std::time::Instant;

use verispec_graph::facts::{FactPolicy, generate};
use verispec_graph::matching::{EmbeddingTable, MatchPolicy, match_scenes, texts};
use verispec_graph::scene::{Attributes, Edge, Node, SceneGraph, SegmentId};
use verispec_graph::vocabulary::{LABELS, PREDICATES, supercategory};
use verispec_stats::random::Stream;

/// Length of the vectors of all-MiniLM-L6-v2.
const LENGTH: usize = 384;

const VALUES: [&str; 16] = [
    "red",
    "dark blue",
    "green",
    "white",
    "black",
    "brown",
    "grey",
    "yellow",
    "wooden",
    "metal",
    "standing",
    "sitting",
    "open",
    "closed",
    "small",
    "large",
];

struct Shape {
    nodes: u32,
    edges: u32,
    labels: u32,
    images: u64,
    /// Seconds for all images on the released code.
    released: f64,
    /// Seconds allowed.
    bound: Option<f64>,
}

fn pick<'a>(from: &[&'a str], stream: &mut Stream) -> &'a str {
    from[stream.below(from.len() as u32) as usize]
}

fn scene(image: u64, side: u64, shape: &Shape) -> SceneGraph {
    let mut stream = Stream::new(side, image);
    // Both sides of an image speak of the same labels.
    let first = (image * 7) as usize;
    let nodes = (0..shape.nodes)
        .map(|at| {
            let label = LABELS[(first + stream.below(shape.labels) as usize) % LABELS.len()];
            let keys = supercategory(label).map_or(&[][..], |s| s.keys);
            let pairs = keys
                .iter()
                .map(|key| (*key, vec![pick(&VALUES, &mut stream).to_owned()]));
            let attributes = Attributes::of(pairs.collect::<Vec<_>>());
            Node::new(SegmentId(u64::from(at) + 1), label, attributes)
        })
        .collect();
    let edges = (0..shape.edges)
        .map(|_| {
            let subject = stream.below(shape.nodes);
            let object = (subject + 1 + stream.below(shape.nodes - 1)) % shape.nodes;
            Edge {
                subject: subject as usize,
                object: object as usize,
                predicate: pick(&PREDICATES, &mut stream).to_owned(),
                score: Some(0.9),
            }
        })
        .collect();
    SceneGraph::of_nodes(image, nodes, edges)
}

fn table(scenes: &[(SceneGraph, SceneGraph)]) -> EmbeddingTable {
    let all: Vec<String> = texts(scenes.iter().flat_map(|(a, b)| [a, b]))
        .into_iter()
        .collect();
    let vector = |at: usize| {
        let mut stream = Stream::new(3, at as u64);
        (0..LENGTH)
            .map(|_| stream.unit() as f32 - 0.4)
            .collect::<Vec<f32>>()
    };
    let vectors: Vec<Vec<f32>> = (0..all.len()).map(vector).collect();
    EmbeddingTable::from_vectors("random", all, &vectors).expect("the vectors are finite")
}

/// Median of three, seconds, and what the last run counted.
fn timed(run: impl Fn() -> usize) -> (f64, usize) {
    let mut counted = 0;
    let mut seconds: Vec<f64> = (0..3)
        .map(|_| {
            let start = Instant::now();
            counted = run();
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    (seconds[1], counted)
}

fn report(what: &str, seconds: f64, released: f64, bound: Option<f64>) -> bool {
    let verdict = match bound {
        None => String::new(),
        Some(bound) if seconds < bound => format!("  under {bound} s"),
        Some(bound) => format!("  MISSED {bound} s"),
    };
    let ratio = seconds / released;
    println!("{what:<56} {seconds:>9.4} s  {ratio:>8.5} of {released} s{verdict}");
    bound.is_none_or(|bound| seconds < bound)
}

fn matching(shape: &Shape) -> bool {
    let scenes: Vec<(SceneGraph, SceneGraph)> = (0..shape.images)
        .map(|i| (scene(i, 1, shape), scene(i, 2, shape)))
        .collect();
    let table = table(&scenes);
    let (seconds, pairs) = timed(|| {
        let one = |(a, b): &(SceneGraph, SceneGraph)| {
            match_scenes(a, b, &table, MatchPolicy::default())
                .expect("well-formed scenes")
                .nodes
                .len()
        };
        scenes.iter().map(one).sum()
    });
    let Shape {
        nodes,
        edges,
        labels,
        images,
        ..
    } = shape;
    let what =
        format!("match {images} x {nodes} nodes, {edges} edges, {labels} labels ({pairs} pairs)");
    report(&what, seconds, shape.released, shape.bound)
}

fn questions(shape: &Shape) -> bool {
    let scenes: Vec<SceneGraph> = (0..shape.images).map(|i| scene(i, 1, shape)).collect();
    let (seconds, facts) = timed(|| {
        scenes
            .iter()
            .map(|s| generate("bench", s, FactPolicy::default()).facts.len())
            .sum()
    });
    let what = format!("questions of {} images ({facts} facts)", shape.images);
    report(&what, seconds, 15.1, Some(1.0))
}

fn main() -> ExitCode {
    let shape = |nodes, edges, labels, images, released, bound| Shape {
        nodes,
        edges,
        labels,
        images,
        released,
        bound,
    };
    // Twenty images, so that one interruption does not decide.
    let per_image = |nodes, edges, labels, released: f64, bound: Option<f64>| {
        shape(
            nodes,
            edges,
            labels,
            20,
            released * 20.0,
            bound.map(|b| b * 20.0),
        )
    };
    let main = shape(20, 17, 10, 2000, 11.7, Some(0.5));
    let mut good = matching(&main);
    good &= questions(&main);
    for other in [
        per_image(20, 190, 3, 2.1, Some(0.010)),
        per_image(20, 17, 3, 0.0236, None),
        per_image(20, 60, 3, 0.225, None),
        per_image(40, 120, 3, 0.86, None),
        per_image(40, 400, 3, 9.3, None),
        per_image(80, 400, 3, 7.8, None),
        per_image(20, 0, 3, 0.0036, None),
    ] {
        good &= matching(&other);
    }
    if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
