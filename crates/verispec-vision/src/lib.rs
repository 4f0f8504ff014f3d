//! The `builtin` judge: reads text, measures flat figures, and abstains on everything else.
//!
//! It is no vision-language model. A question is typed by a closed grammar; a question that is
//! not wholly understood, an image that cannot be measured, and a measurement too close to a
//! boundary all give an abstention. See [`Builtin`].

mod builtin;
mod colour;
mod decide;
mod decode;
mod error;
mod geometry;
mod ocr;
mod question;
mod tri;

pub use builtin::{Builtin, BuiltinAnswer, Verdict};
pub use error::VisionError;
