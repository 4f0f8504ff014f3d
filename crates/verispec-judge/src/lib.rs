//! How an instance is put to a judge and how its reply is read.

pub mod protocol;
pub mod reader;
