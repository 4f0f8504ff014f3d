//! Lines of batch result files, read by every format and then by its dialect.
//!
//! First byte: format.

#![no_main]

#[path = "../checks/batch_results.rs"]
mod batch_results;

libfuzzer_sys::fuzz_target!(|data: &[u8]| batch_results::check(data));
