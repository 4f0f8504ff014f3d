//! Writes a network of convolutions as ONNX.

use std::cell::RefCell;

use rten_onnx::onnx::{
    AttributeProto, AttributeType, DataType, Dimension, GraphProto, ModelProto, NodeProto,
    OperatorSetIdProto, TensorProto, TensorShapeProto, TypeProto, TypeProtoTensor, ValueInfoProto,
};

/// Version of ONNX's operators; Clip takes its bounds as inputs since 11.
const OPERATORS: i64 = 13;
const IR: i64 = 8;

/// A convolution of square kernels with equal steps.
#[derive(Debug)]
pub(crate) struct Conv {
    /// Name of its input.
    pub(crate) from: String,
    /// Out, in (per group), height, width.
    pub(crate) shape: [usize; 4],
    pub(crate) weights: Vec<f32>,
    /// One for each output channel.
    pub(crate) bias: Vec<f32>,
    pub(crate) step: usize,
    /// Rows above and columns left that are added.
    pub(crate) before: usize,
    /// Rows below and columns right that are added.
    pub(crate) after: usize,
    pub(crate) groups: usize,
}

/// What is written in order.
#[derive(Debug)]
enum Step {
    Conv(Conv),
    Plain(NodeProto),
}

/// Collects the nodes of a network. Outputs are named by their number.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    steps: Vec<(Step, String)>,
    constants: Vec<TensorProto>,
}

impl Builder {
    fn push(&mut self, step: Step) -> String {
        let name = format!("t{}", self.steps.len());
        self.steps.push((step, name.clone()));
        name
    }

    fn plain(&mut self, op: &str, inputs: &[&str], attributes: Vec<AttributeProto>) -> String {
        self.push(Step::Plain(node(op, inputs, attributes)))
    }

    /// A convolution; what it returns can be given to [`Builder::scale`] and [`Builder::shift`].
    pub(crate) fn convolve(&mut self, conv: Conv) -> String {
        self.push(Step::Conv(conv))
    }

    /// Multiplies the channels of a convolution's output; false if `name` is no such output or the
    /// number of channels differs.
    pub(crate) fn scale(&mut self, name: &str, by: &[f32]) -> bool {
        let Some(conv) = self.conv(name, by.len()) else {
            return false;
        };
        let each = conv.weights.len() / by.len().max(1);
        for (weights, by) in conv.weights.chunks_mut(each.max(1)).zip(by) {
            weights.iter_mut().for_each(|w| *w *= by);
        }
        conv.bias.iter_mut().zip(by).for_each(|(b, by)| *b *= by);
        true
    }

    /// Adds to the channels of a convolution's output, like [`Builder::scale`].
    pub(crate) fn shift(&mut self, name: &str, by: &[f32]) -> bool {
        let Some(conv) = self.conv(name, by.len()) else {
            return false;
        };
        conv.bias.iter_mut().zip(by).for_each(|(b, by)| *b += by);
        true
    }

    fn conv(&mut self, name: &str, channels: usize) -> Option<&mut Conv> {
        let mut steps = self.steps.iter_mut().rev();
        match steps.find(|(_, n)| n == name)? {
            (Step::Conv(conv), _) if conv.shape[0] == channels => Some(conv),
            _ => None,
        }
    }

    /// Clips to 0..=6.
    pub(crate) fn clip(&mut self, from: &str) -> String {
        self.plain("Clip", &[from, "zero", "six"], vec![])
    }

    /// A sum of two maps.
    pub(crate) fn add(&mut self, a: &str, b: &str) -> String {
        self.plain("Add", &[a, b], vec![])
    }

    /// A map of n · `extent` channels as rows of `extent`, position by position.
    pub(crate) fn rows(&mut self, from: &str, extent: usize) -> String {
        let order = ints("perm", &[0, 2, 3, 1]);
        let last = self.plain("Transpose", &[from], vec![order]);
        let shape = format!("{last}-shape");
        self.constants.push(longs(&shape, &[1, -1, extent as i64]));
        self.plain("Reshape", &[&last, &shape], vec![])
    }

    /// Rows one after another, as an output of the network.
    pub(crate) fn join(&mut self, parts: &[String], name: &str) {
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        self.plain("Concat", &parts, vec![int("axis", 1)]);
        if let Some((_, output)) = self.steps.last_mut() {
            name.clone_into(output);
        }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// If it cannot be encoded.
    pub(crate) fn model(self, input: [usize; 4], outputs: [&str; 2]) -> Result<Vec<u8>, String> {
        let mut graph = GraphProto {
            input: vec![info("x", Some(&input))],
            output: outputs.iter().map(|o| info(o, None)).collect(),
            initializer: self.constants,
            ..GraphProto::default()
        };
        for (name, value) in [("zero", 0.0), ("six", 6.0)] {
            graph.initializer.push(floats(name, &[], &[value]));
        }
        for (step, output) in self.steps {
            let mut node = match step {
                Step::Plain(node) => node,
                Step::Conv(conv) => convolution(conv, &output, &mut graph.initializer),
            };
            node.output = vec![output];
            graph.node.push(node);
        }
        let model = ModelProto {
            ir_version: Some(IR),
            graph: Some(graph),
            opset_import: vec![OperatorSetIdProto {
                domain: Some(String::new()),
                version: Some(OPERATORS),
            }],
            producer_name: Some("verispec".to_owned()),
            ..ModelProto::default()
        };
        model.write_buf().map_err(|e| e.to_string())
    }
}

fn convolution(conv: Conv, name: &str, constants: &mut Vec<TensorProto>) -> NodeProto {
    let (weights, bias) = (format!("{name}-weights"), format!("{name}-bias"));
    constants.push(floats(&weights, &conv.shape, &conv.weights));
    constants.push(floats(&bias, &conv.shape[..1], &conv.bias));
    let [step, before, after] = [conv.step, conv.before, conv.after].map(|v| v as i64);
    let attributes = vec![
        ints("strides", &[step, step]),
        ints("pads", &[before, before, after, after]),
        ints(
            "kernel_shape",
            &conv.shape[2..]
                .iter()
                .map(|v| *v as i64)
                .collect::<Vec<_>>(),
        ),
        int("group", conv.groups as i64),
    ];
    node("Conv", &[&conv.from, &weights, &bias], attributes)
}

fn node(op: &str, inputs: &[&str], attribute: Vec<AttributeProto>) -> NodeProto {
    NodeProto {
        op_type: Some(op.to_owned()),
        input: inputs.iter().map(|i| (*i).to_owned()).collect(),
        attribute,
        ..NodeProto::default()
    }
}

fn int(name: &str, value: i64) -> AttributeProto {
    AttributeProto {
        name: Some(name.to_owned()),
        i: Some(value),
        r#type: Some(AttributeType::INT),
        ..AttributeProto::default()
    }
}

fn ints(name: &str, values: &[i64]) -> AttributeProto {
    AttributeProto {
        name: Some(name.to_owned()),
        ints: values.to_vec(),
        r#type: Some(AttributeType::INTS),
        ..AttributeProto::default()
    }
}

fn tensor(name: &str, kind: DataType, dims: Vec<i64>, bytes: Vec<u8>) -> TensorProto {
    TensorProto {
        name: Some(name.to_owned()),
        dims,
        data_type: Some(kind),
        raw_data: Some(RefCell::new(bytes)),
        ..TensorProto::default()
    }
}

fn floats(name: &str, shape: &[usize], values: &[f32]) -> TensorProto {
    let bytes = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    let dims = shape.iter().map(|d| *d as i64).collect();
    tensor(name, DataType::FLOAT, dims, bytes)
}

fn longs(name: &str, values: &[i64]) -> TensorProto {
    let bytes = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    tensor(name, DataType::INT64, vec![values.len() as i64], bytes)
}

fn info(name: &str, shape: Option<&[usize]>) -> ValueInfoProto {
    let dimension = |d: &usize| Dimension {
        dim_value: Some(*d as i64),
        ..Dimension::default()
    };
    ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: Some(TypeProto {
            tensor_type: Some(TypeProtoTensor {
                elem_type: Some(DataType::FLOAT),
                shape: shape.map(|s| TensorShapeProto {
                    dim: s.iter().map(dimension).collect(),
                }),
            }),
            ..TypeProto::default()
        }),
    }
}
