//! Specification sets: from several models' proposals to a reviewed, versioned set.

pub mod lint;
pub mod merge;
pub mod phrase;
pub mod ser;
pub mod set;
