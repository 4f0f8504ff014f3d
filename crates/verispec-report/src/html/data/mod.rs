//! The data behind the list of instances: a small index, tasks, verdicts as letters, and the words
//! of instances in chunks that a page loads when they are looked at.

mod chunks;
mod codes;
mod script;
mod tasks;

pub(crate) use chunks::{Chunks, Words};
pub(crate) use codes::Verdicts;
pub(crate) use script::{Pack, safe_json};
pub(crate) use tasks::Tasks;
