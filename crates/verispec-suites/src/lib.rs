//! Suites, one folder each: load, find outputs, own protocols and scoring.

pub mod dsg;
pub mod published;
pub mod specv;
