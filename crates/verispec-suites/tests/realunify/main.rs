//! RealUnify, on data of our own in the release's format.

#![expect(clippy::unwrap_used, reason = "tests")]

mod common;
mod loading;
mod models;
mod outputs;
mod polling;
mod readers;
mod readout;
mod scored;
mod scoring;
