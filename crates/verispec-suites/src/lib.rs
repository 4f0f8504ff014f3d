//! Suites, one folder each: load, find outputs, own protocols and scoring.

mod changes;
pub mod custom;
pub mod dsg;
pub mod foreign;
mod nearest;
pub mod published;
pub mod realunify;
mod records;
pub mod specv;
pub mod xtc;

pub use changes::{ListError, Patched};
pub use nearest::nearest_first;
pub use records::Problem;
