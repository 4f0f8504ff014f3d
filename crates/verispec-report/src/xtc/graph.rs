//! A scene graph as a picture: nodes where their objects are, what is matched, missing, invented.

use std::collections::BTreeMap;

use verispec_graph::matching::Matched;
use verispec_graph::scene::{Bbox, SceneGraph, SegmentId};

use super::page::NodeMark;
use crate::html::svg::{Svg, shorten};

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 320.0;
/// Room around the nodes for their names.
const MARGIN: f64 = 46.0;
/// Least distance of two nodes, about the size of a name.
const APART: (f64, f64) = (78.0, 34.0);
/// Rounds in which nodes that cover each other are pushed apart.
const ROUNDS: usize = 60;

/// What each node of a side is: matched ones carry a number that both sides share.
pub(super) fn marks(nodes: usize, matched: Option<&Matched>, truth: bool) -> Vec<NodeMark> {
    let lone = if truth {
        NodeMark::Missing
    } else {
        NodeMark::Invented
    };
    let mut marks = vec![lone; nodes];
    for (number, pair) in matched.iter().flat_map(|m| &m.nodes).enumerate() {
        let at = if truth { pair.truth } else { pair.prediction };
        if let Some(mark) = marks.get_mut(at) {
            *mark = NodeMark::Matched(number + 1);
        }
    }
    marks
}

/// What each edge of a side is.
pub(super) fn edge_marks(edges: usize, matched: Option<&Matched>, truth: bool) -> Vec<NodeMark> {
    let lone = if truth {
        NodeMark::Missing
    } else {
        NodeMark::Invented
    };
    let mut marks = vec![lone; edges];
    for (number, pair) in matched.iter().flat_map(|m| &m.edges).enumerate() {
        let at = if truth { pair.truth } else { pair.prediction };
        if let Some(mark) = marks.get_mut(at) {
            *mark = NodeMark::Matched(number + 1);
        }
    }
    marks
}

impl NodeMark {
    const fn class(self) -> &'static str {
        match self {
            Self::Matched(_) => "matched",
            Self::Missing => "missing",
            Self::Invented => "invented",
        }
    }
}

/// Draws a graph. Edges between the same nodes share a line and list their predicates.
pub(super) fn picture(
    scene: &SceneGraph,
    boxes: &BTreeMap<SegmentId, Bbox>,
    (nodes, edges): (&[NodeMark], &[NodeMark]),
    label: &str,
) -> String {
    let places = places(scene, boxes);
    let mut svg = Svg::new(WIDTH, HEIGHT, "graph", label);
    let mut lines: BTreeMap<(usize, usize), Vec<(String, NodeMark)>> = BTreeMap::new();
    for (edge, mark) in scene.edges.iter().zip(edges) {
        let ends = (edge.subject, edge.object);
        lines
            .entry(ends)
            .or_default()
            .push((edge.predicate.clone(), *mark));
    }
    for ((from, to), texts) in &lines {
        let (Some(a), Some(b)) = (places.get(*from), places.get(*to)) else {
            continue;
        };
        let mark = texts.first().map_or(NodeMark::Missing, |(_, m)| *m);
        let both_ways = lines.contains_key(&(*to, *from));
        edge(&mut svg, (*a, *b), both_ways, mark);
        let words: Vec<&str> = texts.iter().map(|(t, _)| t.as_str()).collect();
        let at = middle(*a, *b, both_ways);
        let class = format!("predicate mid {}", mark.class());
        svg.label(&class, (at.0, at.1 - 3.0), &words.join(", "), 28);
    }
    for ((node, mark), at) in scene.nodes.iter().zip(nodes).zip(&places) {
        let class = format!("node {}", mark.class());
        svg.shade(&class, (at.0 - 13.0, at.1 - 11.0), (26.0, 22.0), 1.0);
        let sign = match mark {
            NodeMark::Matched(number) => number.to_string(),
            NodeMark::Missing => "–".to_owned(),
            NodeMark::Invented => "+".to_owned(),
        };
        svg.text("sign mid", (at.0, at.1 + 4.0), &sign);
        let name = verispec_graph::vocabulary::clean_label(&node.label);
        svg.label("name mid", (at.0, at.1 + 23.0), &name, 18);
    }
    svg.done()
}

/// Middle of an edge; a little to its left where another one runs the other way.
fn middle(a: (f64, f64), b: (f64, f64), aside: bool) -> (f64, f64) {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx.hypot(dy).max(1.0);
    let off = if aside { 9.0 } else { 0.0 };
    (
        f64::midpoint(a.0, b.0) - dy / length * off,
        f64::midpoint(a.1, b.1) + dx / length * off,
    )
}

fn edge(svg: &mut Svg, (a, b): ((f64, f64), (f64, f64)), aside: bool, mark: NodeMark) {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let off = if aside { 4.0 } else { 0.0 };
    let shift =
        |p: (f64, f64), along: f64| (p.0 + ux * along - uy * off, p.1 + uy * along + ux * off);
    let (start, end) = (shift(a, 16.0), shift(b, -17.0));
    let class = format!("edge {}", mark.class());
    svg.line(&class, start, end);
    // The head of the arrow: two strokes.
    for side in [-1.0, 1.0] {
        let back = (
            end.0 - ux * 7.0 - uy * 4.0 * side,
            end.1 - uy * 7.0 + ux * 4.0 * side,
        );
        svg.line(&class, back, end);
    }
}

/// Centres of boxes within the picture; around a circle where boxes are not known. Nodes that
/// would cover each other are pushed apart.
fn places(scene: &SceneGraph, boxes: &BTreeMap<SegmentId, Bbox>) -> Vec<(f64, f64)> {
    let n = scene.nodes.len();
    let known: Option<Vec<Bbox>> = scene
        .nodes
        .iter()
        .map(|node| boxes.get(&node.id).copied())
        .collect();
    let mut places: Vec<(f64, f64)> = match known {
        Some(known) if n > 0 => {
            let right = known.iter().map(|b| b.x2).fold(1.0, f64::max);
            let bottom = known.iter().map(|b| b.y2).fold(1.0, f64::max);
            let x = |b: &Bbox| MARGIN + f64::midpoint(b.x1, b.x2) / right * (WIDTH - 2.0 * MARGIN);
            let y = |b: &Bbox| {
                MARGIN / 2.0 + f64::midpoint(b.y1, b.y2) / bottom * (HEIGHT - 1.6 * MARGIN)
            };
            known.iter().map(|b| (x(b), y(b))).collect()
        }
        _ => (0..n)
            .map(|at| {
                let angle = at as f64 / n.max(1) as f64 * std::f64::consts::TAU;
                (
                    WIDTH / 2.0 + angle.sin() * (WIDTH / 2.0 - MARGIN),
                    HEIGHT / 2.0 - angle.cos() * (HEIGHT / 2.0 - MARGIN),
                )
            })
            .collect(),
    };
    for _ in 0..ROUNDS {
        push_apart(&mut places);
    }
    places
}

fn push_apart(places: &mut [(f64, f64)]) {
    for a in 0..places.len() {
        for b in a + 1..places.len() {
            let (dx, dy) = (places[b].0 - places[a].0, places[b].1 - places[a].1);
            let (over_x, over_y) = (APART.0 - dx.abs(), APART.1 - dy.abs());
            if over_x <= 0.0 || over_y <= 0.0 {
                continue;
            }
            // Along the way on which less is needed; equal places go down.
            let (mx, my) = if over_y <= over_x {
                (0.0, over_y / 4.0 * if dy < 0.0 { -1.0 } else { 1.0 })
            } else {
                (over_x / 4.0 * if dx < 0.0 { -1.0 } else { 1.0 }, 0.0)
            };
            places[a] = clamp((places[a].0 - mx, places[a].1 - my));
            places[b] = clamp((places[b].0 + mx, places[b].1 + my));
        }
    }
}

fn clamp((x, y): (f64, f64)) -> (f64, f64) {
    (
        x.clamp(MARGIN, WIDTH - MARGIN),
        y.clamp(14.0, HEIGHT - 28.0),
    )
}

/// A name of a model for a heading.
pub(super) fn heading(text: &str) -> String {
    shorten(text, 80)
}
