//! Scene graphs and cross-task consistency (XTC-Bench). Pure: values in, values out; no I/O, no
//! network, no clock.
//!
//! ```text
//! files ──import──> segmentations, relation scores, graphs, attributes, answers
//! scores ──clean──> verified relations ──merge──> groups ──scene──> SceneGraph
//! SceneGraph ──prompts──> prompt            ──facts──> questions
//! two SceneGraphs ──matching──> node map    ──answers──> what the generated image shows
//! grades of both answers ──metrics──> G, U, CCTA, AW-CCTA, quadrants, chance level, coverage
//! ```
//!
//! A fact is one question about the original image. Its *generation* answer is looked up in the
//! graph of the generated image, its *understanding* answer is what the model says. A judge grades
//! both 0..=5 against the same gold answer. Failures are statuses of their own everywhere.
//!
//! Defaults are what is right. What the release does otherwise is available by name (`Published`)
//! only for matched ids, the zeroing of unmatched facts, uncleaned answers and the overlap rule.

pub mod answers;
pub mod assign;
pub mod clean;
pub mod extraction;
pub mod facts;
pub mod import;
pub mod matching;
pub mod merge;
pub mod metrics;
pub mod prompts;
pub mod scene;
pub mod vocabulary;

pub use assign::{AssignError, Assigner, linear_sum_assignment};
