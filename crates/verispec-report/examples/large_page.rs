//! Writes a made-up report as large as SpecV's: `cargo run --release -p verispec-report --example
//! large_page -- FOLDER [MODELS] [TASKS] [--single]`. Says how long it took and how large it is.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program of its own"
)]

#[path = "../tests/common/large.rs"]
mod large;

use std::path::PathBuf;
use std::time::Instant;

use verispec_report::html::{HtmlOptions, write_report, write_single};

fn main() {
    let (flags, plain): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|a| a.starts_with("--"));
    let folder = PathBuf::from(plain.first().map_or("large-report", String::as_str));
    let number = |at: usize, or: usize| plain.get(at).map_or(or, |n| n.parse().unwrap());
    let made = large::Large::new(number(1, 19), number(2, 1200));
    let input = made.input(&large::nothing);
    let start = Instant::now();
    let files = if flags.iter().any(|f| f == "--single") {
        let file = folder.join("report.html");
        vec![write_single(&input, &file, &HtmlOptions::default()).unwrap()]
    } else {
        write_report(&input, &folder, &HtmlOptions::default()).unwrap()
    };
    let bytes: u64 = files.iter().map(|f| f.metadata().unwrap().len()).sum();
    println!(
        "{} files, {bytes} bytes, {:.2} s: {}",
        files.len(),
        start.elapsed().as_secs_f64(),
        files[0].display()
    );
}
