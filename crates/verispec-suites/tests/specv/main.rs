//! SpecV-Bench: loader, inspection, scoring, import, export, outputs and published tables.
//!
//! Tests on the released data read it from the folder that `verispec_testkit::data` names and
//! skip, with a line on standard error, when it is absent.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;
mod fixture_trees;
mod import;
mod inspection;
mod loader;
mod scoring;
mod tables;
