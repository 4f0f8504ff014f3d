//! Drives the model under test: what it is asked, in which steps, and where what it makes is put.
//!
//! ```text
//! suite ─ plan ─> Task { stages } ─ job ─> requests | Made
//!                                           Made + blobs ─ tree ─> files in the suite's own layout
//! ```
//!
//! A generation is a job like a judgement: `step(replies so far)`. A chain (RealUnify's stepwise
//! protocols) has several stages, and what one makes is part of what the next is asked. A refusal
//! or an output that is no use is a failure of the model; a call that failed is pending.

mod blobs;
mod chain;
mod job;
mod made;
mod manifest;
mod oracle;
mod plan;
mod status;
mod system;
mod tree;

pub use blobs::{AnyBlobs, BlobFault, BlobFolder, Blobs};
pub use chain::{Input, Role, Stage, Wants};
pub use job::GenerateJob;
pub use made::{Failure, FailureKind, Made, MadePart, StageMade, State};
pub use manifest::{GENERATION_FILE, GENERATION_FORMAT, Generation};
pub use oracle::{Oracle, OracleError};
pub use plan::{
    HashFile, Layout, Place, PlanError, PlanOptions, SuiteKind, Task, custom_tasks, dsg_tasks,
    realunify_tasks, specv_tasks, xtc_answer_tasks, xtc_image_tasks, xtc_questions,
};
pub use status::{STATUS_DIR, STATUS_FORMAT};
pub use system::{SeedRule, System};
pub use tree::{Tree, TreeError};
