//! A checkout of one track: a task file, a zero byte, and a checklist.

#![no_main]

#[path = "../checks/specv_loader.rs"]
mod specv_loader;

libfuzzer_sys::fuzz_target!(|data: &[u8]| specv_loader::check(data));
