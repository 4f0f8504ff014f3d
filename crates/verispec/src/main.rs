//! Command line of verispec; everything is in the library so that tests can call it.

use std::process::ExitCode;

fn main() -> ExitCode {
    verispec::main()
}
