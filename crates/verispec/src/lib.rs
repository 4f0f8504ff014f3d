//! The `verispec` program: arguments, configuration layers, wiring, exit codes. No logic of its
//! own; see `ARCHITECTURE.md` for where that lives.

mod account;
mod ahead;
mod args;
mod boards;
mod calls;
mod clock;
mod commands;
mod config;
mod connect;
mod data;
pub mod embed;
mod embedder;
mod exit;
mod folder;
mod human_file;
mod judge;
mod known;
mod levels;
mod money;
mod output;
mod policy;
mod progress;
mod purse;
mod reduce;
mod run;
mod selection;
mod side_by_side;
mod splits;
mod statistics;
mod system;
mod table;
mod target;
mod trouble;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;

pub use exit::Exit;

/// Parses the arguments of this process, runs the command, prints errors and gives the exit code.
#[must_use]
pub fn main() -> ExitCode {
    main_with(std::env::args_os()).into()
}

/// As [`main`], with the arguments of a command line; the first is the program's name.
pub fn main_with(args: impl IntoIterator<Item = OsString>) -> Exit {
    let cli = match args::Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(e) => {
            let usage = e.use_stderr();
            // A broken pipe while printing help is nobody's error.
            let _ = e.print();
            return if usage { Exit::Usage } else { Exit::Ok };
        }
    };
    init_log(cli.verbose);
    // Read before anything looks at the environment; a missing file is the usual case.
    let _ = dotenvy::dotenv();
    dispatch(&cli)
}

fn dispatch(cli: &args::Cli) -> Exit {
    match commands::run(cli) {
        Ok(exit) => exit,
        Err(e) => exit::report(&e),
    }
}

fn init_log(verbose: u8) {
    use tracing_subscriber::EnvFilter;
    let level = match verbose {
        0 => "warn",
        1 => "info",
        _ => "debug",
    };
    let filter = EnvFilter::try_from_env("VERISPEC_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let format = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    let _ = format.with_target(false).without_time().try_init();
}
