//! From a scene to a prompt for an image model, in our words.

mod ids;
mod linear;

pub use ids::{IdStyle, SemanticIds};
pub use linear::{EMPTY_SCENE, described_prompt, plain_prompt, relation_texts};

#[cfg(test)]
mod tests;
