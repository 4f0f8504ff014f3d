//! Sentences as vectors: all-MiniLM-L6-v2 with 8-bit weights, on `rten`.

mod tokens;

use std::path::Path;

use rten::{Model, ModelOptions, NodeId};
use rten_tensor::prelude::*;
use rten_tensor::{NdTensor, NdTensorView};

use crate::error::VisionError;
use crate::install::{EMBEDDER, VOCABULARY};
use tokens::Vocabulary;

/// Texts that run through the network at a time.
const BATCH: usize = 32;

/// Name with version of the model, as manifests keep it.
pub const EMBEDDER_NAME: &str = "all-MiniLM-L6-v2-int8@1";

/// The network with its vocabulary.
pub struct Embedder {
    model: Model,
    vocabulary: Vocabulary,
}

impl Embedder {
    /// Loads the weights from a folder; about 0.3 s and 100 MB.
    ///
    /// # Errors
    /// If a file is absent or is no network of the expected kind.
    pub fn load(dir: &Path) -> Result<Self, VisionError> {
        let path = dir.join(VOCABULARY);
        let text = std::fs::read_to_string(&path).map_err(VisionError::io(&path))?;
        let vocabulary = Vocabulary::parse(&text).ok_or_else(|| VisionError::Model {
            file: VOCABULARY.to_owned(),
            message: "it lacks [UNK], [CLS] or [SEP]".to_owned(),
        })?;
        let model = ModelOptions::with_all_ops()
            .load_file(dir.join(EMBEDDER))
            .map_err(|e| fault(&e))?;
        Ok(Self { model, vocabulary })
    }

    /// One vector of length 1 per text: the mean over the text's tokens. Equal texts give equal
    /// vectors whatever stands beside them, up to rounding.
    ///
    /// # Errors
    /// If the network fails to run.
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, VisionError> {
        let tokens: Vec<Vec<i32>> = texts.iter().map(|t| self.vocabulary.encode(t)).collect();
        // Texts of like length together, so that little is padded.
        let mut order: Vec<usize> = (0..tokens.len()).collect();
        order.sort_by_key(|i| tokens[*i].len());
        let mut vectors = vec![vec![]; texts.len()];
        for batch in order.chunks(BATCH) {
            let rows: Vec<&[i32]> = batch.iter().map(|i| tokens[*i].as_slice()).collect();
            for (i, vector) in batch.iter().zip(self.run(&rows)?) {
                vectors[*i] = vector;
            }
        }
        Ok(vectors)
    }

    fn run(&self, rows: &[&[i32]]) -> Result<Vec<Vec<f32>>, VisionError> {
        let length = rows.iter().map(|r| r.len()).max().unwrap_or(0);
        let shape = [rows.len(), length];
        let filled = |value: &dyn Fn(Option<i32>) -> i32| {
            NdTensor::from_fn(shape, |[r, t]| value(rows[r].get(t).copied()))
        };
        let ids: NdTensor<i32, 2> = filled(&|t| t.unwrap_or(0));
        let mask: NdTensor<i32, 2> = filled(&|t| i32::from(t.is_some()));
        let types: NdTensor<i32, 2> = filled(&|_| 0);
        let inputs = [
            (self.node("input_ids")?, ids.view().into()),
            (self.node("attention_mask")?, mask.view().into()),
            (self.node("token_type_ids")?, types.view().into()),
        ];
        let output = *self
            .model
            .output_ids()
            .first()
            .ok_or_else(|| fault(&"no output"))?;
        let [states] = self
            .model
            .run_n(inputs.into(), [output], None)
            .map_err(|e| fault(&e))?;
        let states: NdTensor<f32, 3> = states
            .try_into()
            .map_err(|_| fault(&"unexpected output shape"))?;
        let lengths = rows.iter().map(|r| r.len());
        Ok(lengths
            .enumerate()
            .map(|(r, n)| mean(&states.slice(r), n))
            .collect())
    }

    fn node(&self, name: &str) -> Result<NodeId, VisionError> {
        self.model.node_id(name).map_err(|e| fault(&e))
    }
}

/// Mean of the first `n` rows, scaled to length 1.
fn mean(states: &NdTensorView<'_, f32, 2>, n: usize) -> Vec<f32> {
    let sum = |d: usize| (0..n).map(|t| states[[t, d]]).sum::<f32>() / n.max(1) as f32;
    let vector: Vec<f32> = (0..states.size(1)).map(sum).collect();
    let length = vector
        .iter()
        .map(|v| v * v)
        .sum::<f32>()
        .sqrt()
        .max(f32::EPSILON);
    vector.into_iter().map(|v| v / length).collect()
}

fn fault(error: &dyn std::fmt::Display) -> VisionError {
    VisionError::Model {
        file: EMBEDDER.to_owned(),
        message: error.to_string(),
    }
}
