//! What the judge looks at besides the task text.

use std::sync::Arc;

use verispec_model::{Hash, ImagePart, Part};

/// A piece of a model's output, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputPiece {
    /// Text that the model wrote.
    Text(Arc<str>),
    /// An image that the model made.
    Image(ImagePart),
}

/// Reference images and output of one instance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Material {
    /// Images that the model was given, in prompt order; prompts call them `[IMAGE1]`, …. All
    /// models were given the same.
    pub references: Arc<[ImagePart]>,
    /// What the model made.
    pub output: Box<[OutputPiece]>,
}

impl Material {
    /// The leading parts of every prompt: references, then output, each labelled. Text of the
    /// model is fenced by a mark that depends on it, so that it cannot close its own fence.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        let mut parts = vec![];
        for (i, image) in self.references.iter().enumerate() {
            let n = i + 1;
            parts.push(Part::Text(format!(
                "Input image {n} of the task ([IMAGE{n}]):"
            )));
            parts.push(Part::Image(image.clone()));
        }
        parts.push(Part::Text("Output of the model:".to_owned()));
        parts.extend(self.output.iter().map(|piece| match piece {
            OutputPiece::Text(text) => {
                let fence = fence(text);
                Part::Text(format!("{fence}\n{text}\n{fence}"))
            }
            OutputPiece::Image(image) => Part::Image(image.clone()),
        }));
        parts
    }
}

/// A line that marks where quoted material begins and ends. It is taken from the material's own
/// hash, so text cannot contain its own fence except by breaking the hash.
#[must_use]
pub fn fence(text: &str) -> String {
    format!("=== material {} ===", Hash::of(text.as_bytes()).short())
}
