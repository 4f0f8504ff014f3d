//! The jobs of XTC-Bench: what is asked, how replies are read, what a failure becomes.
#![allow(clippy::unwrap_used)]

mod common;
mod extraction;
mod grading;
mod keys;
