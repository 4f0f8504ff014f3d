//! Reads a frozen TensorFlow graph (`GraphDef`), as far as a network of convolutions needs it.

use std::collections::HashMap;

use rten_onnx::protobuf::{
    DecodeMessage, Field, Fields, OwnedValues, ProtobufError, ReadValue, ValueReader,
};

/// `DT_FLOAT` of TensorFlow's `DataType`.
const FLOAT: i32 = 1;

/// Numbers with their shape, in C order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Tensor {
    pub(crate) shape: Vec<usize>,
    pub(crate) values: Vec<f32>,
}

/// One node of the graph, with the attributes that matter here.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) op: String,
    /// Names of the nodes whose outputs it takes; `:0` and the like are cut off.
    pub(crate) inputs: Vec<String>,
    /// Step of a convolution; 0 where the node has none.
    pub(crate) stride: usize,
    /// Whether a convolution pads so that its output covers its input.
    pub(crate) same: bool,
    /// The value of a constant, where it is of 32-bit floats.
    pub(crate) value: Option<Tensor>,
}

/// Nodes by name.
pub(crate) type Graph = HashMap<String, Node>;

/// Reads a graph.
///
/// # Errors
/// If the bytes are no `GraphDef`.
pub(crate) fn read(bytes: &[u8]) -> Result<Graph, ProtobufError> {
    let nodes = Nodes::decode(ValueReader::from_buf(bytes))?.0;
    Ok(nodes.into_iter().map(|n| (n.name.clone(), n)).collect())
}

struct Nodes(Vec<Node>);

impl DecodeMessage for Nodes {
    type Types = OwnedValues;

    fn decode_fields<R: ReadValue<Types = OwnedValues>>(
        mut fields: Fields<R>,
    ) -> Result<Self, ProtobufError> {
        let mut nodes = vec![];
        while let Some(mut field) = fields.next()? {
            match field.number() {
                1 => nodes.push(Node::decode_field(&mut field)?),
                _ => field.skip()?,
            }
        }
        Ok(Self(nodes))
    }
}

impl DecodeMessage for Node {
    type Types = OwnedValues;

    fn decode_fields<R: ReadValue<Types = OwnedValues>>(
        mut fields: Fields<R>,
    ) -> Result<Self, ProtobufError> {
        let mut node = Self::default();
        while let Some(mut field) = fields.next()? {
            match field.number() {
                1 => node.name = field.read_string()?,
                2 => node.op = field.read_string()?,
                3 => {
                    let input = field.read_string()?;
                    let name = input.split(':').next().unwrap_or_default();
                    node.inputs.push(name.to_owned());
                }
                5 => node.take(Entry::decode_field(&mut field)?),
                _ => field.skip()?,
            }
        }
        Ok(node)
    }
}

impl Node {
    fn take(&mut self, entry: Entry) {
        match entry.key.as_str() {
            // Of batch, height, width, channels; height and width have one step.
            "strides" => self.stride = entry.value.list.get(1).copied().unwrap_or(0),
            "padding" => self.same = entry.value.text == b"SAME",
            "value" => self.value = entry.value.tensor,
            _ => {}
        }
    }
}

/// One attribute of a node.
#[derive(Default)]
struct Entry {
    key: String,
    value: Value,
}

impl DecodeMessage for Entry {
    type Types = OwnedValues;

    fn decode_fields<R: ReadValue<Types = OwnedValues>>(
        mut fields: Fields<R>,
    ) -> Result<Self, ProtobufError> {
        let mut entry = Self::default();
        while let Some(mut field) = fields.next()? {
            match field.number() {
                1 => entry.key = field.read_string()?,
                2 => entry.value = Value::decode_field(&mut field)?,
                _ => field.skip()?,
            }
        }
        Ok(entry)
    }
}

/// `AttrValue`.
#[derive(Default)]
struct Value {
    list: Vec<usize>,
    text: Vec<u8>,
    tensor: Option<Tensor>,
}

impl DecodeMessage for Value {
    type Types = OwnedValues;

    fn decode_fields<R: ReadValue<Types = OwnedValues>>(
        mut fields: Fields<R>,
    ) -> Result<Self, ProtobufError> {
        let mut value = Self::default();
        while let Some(mut field) = fields.next()? {
            match field.number() {
                1 => value.list = sizes(&mut field, 3)?,
                2 => value.text = field.read_bytes()?,
                8 => value.tensor = Constant::decode_field(&mut field)?.tensor(),
                _ => field.skip()?,
            }
        }
        Ok(value)
    }
}

/// Whole numbers of a message's field; negative ones become 0, which no shape or step has.
fn sizes<R: ReadValue<Types = OwnedValues>>(
    field: &mut Field<R>,
    number: u64,
) -> Result<Vec<usize>, ProtobufError> {
    let mut fields = field.read_message(None)?;
    let mut sizes = vec![];
    while let Some(mut field) = fields.next()? {
        if field.number() != number {
            field.skip()?;
            continue;
        }
        for size in field.read_repeated_int64()? {
            sizes.push(usize::try_from(size?).unwrap_or(0));
        }
    }
    Ok(sizes)
}

/// `TensorProto`.
#[derive(Default)]
struct Constant {
    kind: i32,
    shape: Vec<usize>,
    content: Vec<u8>,
    floats: Vec<f32>,
}

impl DecodeMessage for Constant {
    type Types = OwnedValues;

    fn decode_fields<R: ReadValue<Types = OwnedValues>>(
        mut fields: Fields<R>,
    ) -> Result<Self, ProtobufError> {
        let mut constant = Self::default();
        while let Some(mut field) = fields.next()? {
            match field.number() {
                1 => constant.kind = field.get_enum()?,
                2 => constant.shape = shape(&mut field)?,
                4 => constant.content = field.read_bytes()?,
                5 => {
                    for value in field.read_repeated_float()? {
                        constant.floats.push(value?);
                    }
                }
                _ => field.skip()?,
            }
        }
        Ok(constant)
    }
}

/// `TensorShapeProto`: a message a dimension.
fn shape<R: ReadValue<Types = OwnedValues>>(
    field: &mut Field<R>,
) -> Result<Vec<usize>, ProtobufError> {
    let mut fields = field.read_message(None)?;
    let mut shape = vec![];
    while let Some(mut field) = fields.next()? {
        match field.number() {
            2 => shape.push(sizes(&mut field, 1)?.first().copied().unwrap_or(0)),
            _ => field.skip()?,
        }
    }
    Ok(shape)
}

impl Constant {
    /// The tensor, if it is one of floats and has as many as its shape says.
    fn tensor(self) -> Option<Tensor> {
        let Self {
            kind,
            shape,
            content,
            floats,
        } = self;
        let chunks = content.chunks_exact(4);
        let whole = chunks.remainder().is_empty();
        let values = if content.is_empty() {
            floats
        } else {
            let float = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
            chunks.map(float).collect()
        };
        let length = shape.iter().try_fold(1, |n: usize, d| n.checked_mul(*d));
        let fits = kind == FLOAT && whole && length == Some(values.len());
        fits.then_some(Tensor { shape, values })
    }
}
