//! Encodes files under a profile and says what came out and how long one took:
//!
//! ```text
//! cargo run -p verispec-media --example encode -- specv-jpeg@1 5 FILE...
//! ```
//!
//! The number is how often each file is encoded; the median time is printed. `--out DIR` in front
//! writes the results.
#![allow(clippy::print_stdout, reason = "a program")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use bytes::Bytes;
use verispec_media::{ENCODER, Limits, Profile, encode};

/// The program's, so that times are those of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut out = None;
    if args.first().is_some_and(|arg| arg == "--out") && args.len() > 1 {
        out = Some(PathBuf::from(args.remove(1)));
        args.remove(0);
    }
    let [id, times, files @ ..] = args.as_slice() else {
        return Err("usage: encode [--out DIR] PROFILE TIMES FILE...".into());
    };
    println!("encoder {ENCODER}");
    for file in files.iter().map(Path::new) {
        one(id, times.parse()?, file, out.as_deref())?;
    }
    Ok(())
}

fn one(
    id: &str,
    times: usize,
    file: &Path,
    out: Option<&Path>,
) -> Result<(), Box<dyn std::error::Error>> {
    let bytes = Bytes::from(std::fs::read(file)?);
    let profile = Profile::parse(id, file)?;
    let run = || {
        let start = Instant::now();
        encode(profile, file, bytes.clone(), &Limits::default()).map(|made| (start.elapsed(), made))
    };
    let mut runs = (0..times.max(1))
        .map(|_| run())
        .collect::<Result<Vec<_>, _>>()?;
    runs.sort_by_key(|(time, _)| *time);
    let (time, made) = &runs[runs.len() / 2];
    let notes = made.notes.join(", ");
    println!(
        "{}: {} B, {:.2?}, {notes}",
        file.display(),
        made.bytes.len(),
        time
    );
    if let (Some(out), Some(name)) = (out, file.file_name()) {
        std::fs::write(out.join(name), &made.bytes)?;
    }
    Ok(())
}
