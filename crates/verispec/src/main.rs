//! Command line of verispec; everything is in the library so that tests can call it.

use std::process::ExitCode;

/// Faster than the system's on many small pieces from many threads, and gives memory back.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    verispec::main()
}
