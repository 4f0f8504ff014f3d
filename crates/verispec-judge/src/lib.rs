//! How an instance is put to a judge and how its reply is read.

pub mod protocol;
mod quote;
pub mod reader;

pub use quote::quote_unjudged;
