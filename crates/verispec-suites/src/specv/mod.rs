//! SpecV-Bench: loading, inspection, scoring `board`, import, export, outputs and published
//! tables.
//!
//! Facts about the release (layout, formulas, roundings, order of dimensions) come from a close
//! reading of commit 2af3845 and of what its scripts write; nothing of its code, prompts or data
//! is in here.

mod anomalies;
mod board;
pub mod boards;
pub mod export;
mod flip;
pub mod import;
mod inspect;
mod layout;
mod load;
pub mod outputs;
mod overlay;
mod patch;
mod plan;
pub mod published;
mod python_json;
mod selected;
mod synthetic;
mod voters;

pub use anomalies::{KINDS as ANOMALY_KINDS, anomalies};
pub use board::{QuestionScore, board, decimal_mean, question_score};
pub use flip::{Flipped, flip_keys};
pub use inspect::{Baseline, Counts, DimensionInspection, Inspection, TrackInspection, inspect};
pub use layout::{IMAGE_EXTENSIONS, TRACKS, published_dimensions};
pub use load::{LoadError, Loaded, Position, Problem, TaskFacts, load};
pub use overlay::OverlayError;
pub use patch::{PATCH_FILE, patch};
pub use plan::{Kept, Plan, PlanInput, Protocol, Settled, SpecvJob};
pub use selected::selected;
pub use synthetic::{AnswerRule, always, answered_by};
