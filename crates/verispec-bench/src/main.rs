//! Benchmarks of the program as its users run it.
//!
//! ```text
//! cargo run --release -p verispec-bench -- all --markdown docs/performance.md
//! cargo run --release -p verispec-bench -- judge --items 500 --rounds 1
//! ```
//!
//! Builds the release programs, makes its own data, starts the fake judge as a process of its own
//! and runs `verispec` as another one. Every figure is a median; what it is compared with is
//! measured in the same run, turn by turn.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a measuring program that talks to people"
)]

mod args;
mod child;
mod figure;
mod groups;
mod load;
mod machine;
mod page;
mod photo;
mod place;
mod server;
mod source;
mod synthetic;
mod table;
mod tools;

use anyhow::Context as _;
use clap::Parser as _;

use crate::args::{Cli, Command};
use crate::figure::Report;
use crate::tools::Tools;

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    let report = match &cli.command {
        Command::Load(load) => return load::run(load),
        Command::Page { files } => {
            let reports = files.iter().map(|f| Report::read(f));
            Report::join(reports.collect::<anyhow::Result<Vec<_>>>()?)?
        }
        _ => {
            let tools = Tools::ready(&cli)?;
            groups::run(&cli, &tools)?
        }
    };
    if let Some(path) = &cli.json {
        report.write(path)?;
    }
    if let Some(path) = &cli.markdown {
        std::fs::write(path, page::markdown(&report))
            .with_context(|| path.display().to_string())?;
    }
    print!("{}", table::text(&report));
    Ok(())
}
