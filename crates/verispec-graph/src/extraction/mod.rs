//! What a describing model is shown and asked about an object: plain data. Pixels and prompts are
//! the caller's.

mod schema;
mod views;

pub use schema::{Presence, attribute_schema, read_attributes};
pub use views::{ContextView, DetailCrop, DetailView, MAX_ASPECT, ViewError};

#[cfg(test)]
mod tests;
