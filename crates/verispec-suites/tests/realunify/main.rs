//! RealUnify, on data of our own in the release's format.

mod common;
mod loading;
mod outputs;
mod polling;
mod readers;
mod readout;
mod scored;
mod scoring;
