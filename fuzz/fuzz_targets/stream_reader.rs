//! A response body in every dialect, a line of a program, and event streams that arrive in pieces.
//!
//! First byte: dialect. Second byte: content type, status, size of the pieces.

#![no_main]

#[path = "../checks/stream_reader.rs"]
mod stream_reader;

libfuzzer_sys::fuzz_target!(|data: &[u8]| stream_reader::check(data));
