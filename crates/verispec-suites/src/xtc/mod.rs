//! XTC-Bench: does a model say and draw the same facts?
//!
//! ```text
//! bundle ── facts ──┬── UnderstandJob (model under test) ──> what it says ──┐
//!                   └── DrawJob or a folder of pictures                     │
//!                         └── ExtractJob (VLM) ──> graph ── match ── what   ├─ GradeJob ─> FactScore
//!                                                  it draws of each fact ───┘    └─> tables
//! ```
//!
//! Everything that asks somebody is a [`Job`](verispec_model::Job); graphs, facts, matching and
//! metrics are those of `verispec-graph`. Prompts are our own words; the released ones are not in
//! here.

mod answers_file;
mod ask;
mod bundle;
mod describe;
mod draw;
mod embed;
mod error;
mod extract;
mod files;
mod grade;
mod recall;
mod released;
mod run_folder;
mod score;
mod sheet;
mod understand;
mod write;

pub use verispec_graph::scene::ImageId;

pub use answers_file::{Answers, read_answers};
pub use bundle::{Bundle, BundleImage, BundleOptions, Questions};
pub use describe::{DescribeItem, DescribeJob, Description};
pub use draw::{DrawJob, Drawing};
pub use embed::{BATCH as EMBED_BATCH, EmbedJob, Embedded, Gap, Known, PROTOCOL as EMBED_PROTOCOL};
pub use error::XtcError;
pub use extract::{ExtractJob, ExtractPolicy, Extracted, Extraction, Picture, Stage, Start};
pub use files::{merged_graphs, pictures};
pub use grade::{ExactAnswers, GradeItem, GradeJob, GradeReading};
pub use recall::Recall;
pub use released::{ReleasedModel, released_model, released_models};
pub use run_folder::{has_graphs, model_answers, model_graphs, model_pictures};
pub use score::{
    Cell, CellIntervals, CorrelationRow, DatasetRow, Ends, FamilyRow, ModelFacts, ModelScore,
    ScoreOptions, Tables, tables,
};
pub use sheet::{Drawn, Generated, GeneratedGraph, Row, Said, Sheet, SheetPolicy};
pub use understand::{UndReading, UnderstandJob, UnderstandingImage, asked};
pub use write::write_graph;
