//! SSD-MobileNetV2 as TensorFlow froze it, to ONNX.
//!
//! What stands before the first convolution (resizing) and after the heads (decoding, suppression)
//! is cut off: it is control flow that `rten` does not run, and is done in this crate. Constant
//! parts are computed, and each scale and shift (batch normalisation, bias) is folded into the
//! convolution before it.
//!
//! Input `x`: `[1, 3, 300, 300]`, RGB in -1..=1. Outputs: `boxes` `[1, 1917, 4]`, the offsets of
//! [`super::anchors`], and `logits` `[1, 1917, 91]`, class 0 being the background.

use std::collections::HashMap;

use crate::detect::graph::{self, Graph, Node, Tensor};
use crate::detect::onnx::{Builder, Conv};

/// Side of the network's input, in pixels.
pub(crate) const SIDE: usize = 300;
/// Classes of the network with the background.
pub(crate) const CLASSES: usize = 91;
/// The node whose output is the network's input: pixels in -1..=1.
const START: &str = "Preprocessor/sub";
/// The nodes that join the six heads, our name of the output, and its last extent.
const ENDS: [(&str, &str, usize); 2] = [("concat", "boxes", 4), ("concat_1", "logits", CLASSES)];
/// Deepest nesting that is followed; the network's is below 400.
const DEPTH: usize = 2000;

/// Why a graph is not the expected network.
type Fault = String;

/// Converts the bytes of a frozen graph to those of an ONNX file. The same input gives the same
/// output on every machine.
///
/// # Errors
/// If the graph is not this network; says which node.
pub(crate) fn to_onnx(bytes: &[u8]) -> Result<Vec<u8>, Fault> {
    let graph = graph::read(bytes).map_err(|e| format!("not a frozen graph: {e}"))?;
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for input in graph.values().flat_map(|n| &n.inputs) {
        *uses.entry(input).or_default() += 1;
    }
    let mut converter = Converter {
        graph: &graph,
        uses,
        out: Builder::default(),
        done: HashMap::new(),
    };
    for (end, name, extent) in ENDS {
        let node = find(&graph, end)?;
        // The last input is the axis.
        let (_, heads) = node.inputs.split_last().ok_or("a join of nothing")?;
        let mut parts = vec![];
        for head in heads {
            let inside = input(find(&graph, head)?, 0)?;
            let map = converter.emit(inside, 0)?;
            parts.push(converter.out.rows(&map.name, extent));
        }
        converter.out.join(&parts, name);
    }
    converter.out.model([1, 3, SIDE, SIDE], ENDS.map(|e| e.1))
}

fn find<'g>(graph: &'g Graph, name: &str) -> Result<&'g Node, Fault> {
    graph.get(name).ok_or_else(|| format!("no node {name}"))
}

fn input(node: &Node, at: usize) -> Result<&str, Fault> {
    let input = node.inputs.get(at).map(String::as_str);
    input.ok_or_else(|| format!("node {} has no input {at}", node.name))
}

/// A tensor in the new network: channels by `side` by `side`.
#[derive(Debug, Clone)]
struct Map {
    name: String,
    side: usize,
}

struct Converter<'g> {
    graph: &'g Graph,
    /// How often each node's output is taken.
    uses: HashMap<&'g str, usize>,
    out: Builder,
    done: HashMap<String, Map>,
}

impl Converter<'_> {
    /// Adds what computes a node's output.
    fn emit(&mut self, name: &str, depth: usize) -> Result<Map, Fault> {
        if let Some(map) = self.done.get(name) {
            return Ok(map.clone());
        }
        if depth > DEPTH {
            return Err(format!("node {name}: nested too deeply"));
        }
        let graph = self.graph;
        let node = find(graph, name)?;
        let map = if name == START {
            Map {
                name: "x".to_owned(),
                side: SIDE,
            }
        } else {
            self.operation(node, depth + 1)?
        };
        self.done.insert(name.to_owned(), map.clone());
        Ok(map)
    }

    fn operation(&mut self, node: &Node, depth: usize) -> Result<Map, Fault> {
        match node.op.as_str() {
            "Identity" => self.emit(input(node, 0)?, depth),
            "Conv2D" | "DepthwiseConv2dNative" => self.convolution(node, depth),
            "Relu6" => {
                let from = self.emit(input(node, 0)?, depth)?;
                let name = self.out.clip(&from.name);
                Ok(Map { name, ..from })
            }
            "Mul" | "Add" | "BiasAdd" => self.affine(node, depth),
            other => Err(format!("node {}: unexpected operation {other}", node.name)),
        }
    }

    fn convolution(&mut self, node: &Node, depth: usize) -> Result<Map, Fault> {
        let from = self.emit(input(node, 0)?, depth)?;
        let fault = || format!("node {}: unexpected form of a convolution", node.name);
        let weights = constant(self.graph, input(node, 1)?, 0).ok_or_else(fault)?;
        let [size, wide, channels, many] = weights.shape[..] else {
            return Err(fault());
        };
        let by_channel = node.op == "DepthwiseConv2dNative";
        if size != wide || node.stride == 0 || (by_channel && many != 1) {
            return Err(fault());
        }
        let step = node.stride;
        // TensorFlow pads the end by one more where the padding is odd.
        let padding = if node.same {
            ((from.side.div_ceil(step) - 1) * step + size).saturating_sub(from.side)
        } else {
            0
        };
        let room = (from.side + padding).checked_sub(size);
        let side = room.ok_or_else(fault)? / step + 1;
        // Height, width, in, out -> out, in, height, width; by channel: channel, 1, height, width.
        let (outs, ins) = if by_channel {
            (channels, 1)
        } else {
            (many, channels)
        };
        let at = |o: usize, i: usize, p: usize| {
            let channel = if by_channel { o } else { i };
            weights.values[(p * channels + channel) * many + if by_channel { 0 } else { o }]
        };
        let area = size * size;
        let values = (0..outs * ins * area).map(|k| at(k / area / ins, k / area % ins, k % area));
        let name = self.out.convolve(Conv {
            from: from.name,
            weights: values.collect(),
            shape: [outs, ins, size, size],
            bias: vec![0.0; outs],
            step,
            before: padding / 2,
            after: padding - padding / 2,
            groups: if by_channel { channels } else { 1 },
        });
        Ok(Map { name, side })
    }

    /// A scale or a shift by constants, folded into the convolution before; or a sum of two maps.
    fn affine(&mut self, node: &Node, depth: usize) -> Result<Map, Fault> {
        let (first, second) = (input(node, 0)?, input(node, 1)?);
        let constants = [first, second].map(|n| constant(self.graph, n, 0));
        let (from, by) = match constants {
            [None, Some(by)] => (first, by),
            [Some(by), None] => (second, by),
            [None, None] if node.op == "Add" => {
                let (a, b) = (self.emit(first, depth)?, self.emit(second, depth)?);
                let name = self.out.add(&a.name, &b.name);
                return Ok(Map { name, ..a });
            }
            _ => return Err(format!("node {}: unexpected inputs", node.name)),
        };
        let map = self.emit(from, depth)?;
        let alone = self.uses.get(from) == Some(&1);
        let folded = alone
            && match node.op.as_str() {
                "Mul" => self.out.scale(&map.name, &by.values),
                _ => self.out.shift(&map.name, &by.values),
            };
        if !folded {
            return Err(format!(
                "node {}: follows no convolution of its own",
                node.name
            ));
        }
        Ok(map)
    }
}

/// The value of a node that depends on constants alone.
fn constant(graph: &Graph, name: &str, depth: usize) -> Option<Tensor> {
    let node = graph.get(name).filter(|_| depth < DEPTH)?;
    let of = |at: usize| constant(graph, node.inputs.get(at)?, depth + 1);
    match node.op.as_str() {
        "Const" => node.value.clone(),
        "Identity" => of(0),
        "Rsqrt" => {
            let mut tensor = of(0)?;
            tensor.values.iter_mut().for_each(|v| *v = 1.0 / v.sqrt());
            Some(tensor)
        }
        "Mul" => both(of(0)?, of(1)?, |a, b| a * b),
        "Add" => both(of(0)?, of(1)?, |a, b| a + b),
        "Sub" => both(of(0)?, of(1)?, |a, b| a - b),
        _ => None,
    }
}

/// Value by value; the second may be one number for all.
fn both(mut a: Tensor, b: Tensor, with: impl Fn(f32, f32) -> f32) -> Option<Tensor> {
    let one = b.values.len() == 1;
    if !one && a.shape != b.shape {
        return None;
    }
    for (i, value) in a.values.iter_mut().enumerate() {
        *value = with(*value, b.values[if one { 0 } else { i }]);
    }
    Some(a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_graph_or_another_graph_is_a_clear_error() {
        assert!(to_onnx(b"").unwrap_err().contains("no node concat"));
        let truncated = [0x0a, 0x7f, 0x01];
        assert!(to_onnx(&truncated).is_err());
        let wire = to_onnx(&[0x0f, 0x00]).unwrap_err();
        assert!(wire.contains("not a frozen graph"), "{wire}");
    }

    #[test]
    fn constants_are_computed() {
        let tensor = |values: &[f32]| Tensor {
            shape: vec![values.len()],
            values: values.to_vec(),
        };
        let node = |op: &str, inputs: &[&str], value: Option<Tensor>| Node {
            op: op.to_owned(),
            inputs: inputs.iter().map(|i| (*i).to_owned()).collect(),
            value,
            ..Node::default()
        };
        let mut graph = Graph::new();
        let mut put = |name: &str, node: Node| graph.insert(name.to_owned(), node);
        put("a", node("Const", &[], Some(tensor(&[4.0, 16.0]))));
        put("b", node("Const", &[], Some(tensor(&[0.0]))));
        put("s", node("Add", &["a", "b"], None));
        put("r", node("Rsqrt", &["s"], None));
        put("x", node("Placeholder", &[], None));
        put("y", node("Mul", &["r", "x"], None));
        put("loop", node("Identity", &["loop"], None));
        assert_eq!(constant(&graph, "r", 0), Some(tensor(&[0.5, 0.25])));
        assert_eq!(constant(&graph, "y", 0), None);
        assert_eq!(constant(&graph, "loop", 0), None, "a circle ends");
    }
}
