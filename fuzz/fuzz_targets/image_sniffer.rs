//! Bytes that call themselves an image: sniffed, probed, decoded and encoded by each profile.

#![no_main]

#[path = "../checks/image_sniffer.rs"]
mod image_sniffer;

libfuzzer_sys::fuzz_target!(|data: &[u8]| image_sniffer::check(data));
