//! Checks of this workspace's own rules: `cargo xtask layout`.

mod layout;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask layout    imports go downwards, no file is too long";

#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program's output"
)]
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if !matches!(args.as_slice(), [only] if only == "layout") {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    }
    match layout::run() {
        Ok(report) => {
            print!("{report}");
            ExitCode::from(u8::from(!report.errors.is_empty()))
        }
        Err(error) => {
            eprintln!("layout: {error:#}");
            ExitCode::FAILURE
        }
    }
}
