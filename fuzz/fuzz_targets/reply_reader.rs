//! What a judge wrote, read for four items, for one, as a grade, and by the `published` ladder.

#![no_main]

#[path = "../checks/reply_reader.rs"]
mod reply_reader;

libfuzzer_sys::fuzz_target!(|data: &[u8]| reply_reader::check(data));
