//! The scene graph of a picture by a vision-language model alone, or by segments and relation
//! scores that another program made and the model verifies.
//!
//! ```text
//! picture ── objects ──┬── relations ── verification, one triple a question ──┐
//!                      └── attributes, one object a question ─────────────────┴─> merged graph
//! ```

mod attributes;
mod job;
mod objects;
mod relations;
mod verify;

pub(super) use attributes::detail_view;

pub use job::{ExtractJob, ExtractPolicy, Extracted, Extraction, Picture, Stage, Start};
