//! One module a command; each takes what was typed and gives an exit code.

mod batch;
mod bench;
mod bradley_terry;
mod bundle;
mod canary;
mod check;
mod check_price;
mod compare;
mod demo;
mod export;
mod export_realunify;
mod export_tools;
mod fetch;
mod gate;
mod generate;
mod import;
mod import_dsg;
mod import_foreign;
mod import_realunify;
mod inspect_realunify;
mod judge;
mod ledger;
mod ledger_generation;
mod models;
mod parquet;
mod published;
mod rank;
mod report;
mod review;
mod score;
mod shell;
mod show;
mod specs;
mod study;
mod suite;
mod xtc;

#[cfg(feature = "arrow")]
pub(crate) use rank::ranks;
pub(crate) use report::output_parts;

use crate::args::{Cli, Command};
use crate::exit::Exit;

/// Runs the command.
pub(crate) fn run(cli: &Cli) -> anyhow::Result<Exit> {
    match &cli.command {
        Command::Suite(command) => suite::run(cli, command),
        Command::Fetch(command) => fetch::run(cli, command),
        Command::Check(args) => check::run(cli, args),
        Command::Judge(args) => judge::run(cli, args),
        Command::Generate(args) => generate::run(cli, args),
        Command::Batch(command) => batch::run(cli, command),
        Command::Import(command) => import::run(cli, command),
        Command::Score(args) => score::run(cli, args),
        Command::Rank(args) => rank::run(cli, args),
        Command::Compare(args) => compare::run(cli, args),
        Command::Gate(args) => gate::run(cli, args),
        Command::Study(command) => study::run(cli, command),
        Command::Xtc(command) => xtc::run(cli, command),
        Command::Specs(command) => specs::run(cli, command),
        Command::Published(command) => published::run(cli, command),
        Command::Export(args) => export::run(cli, args),
        Command::Show(args) => show::run(cli, args),
        Command::Report(args) => report::run(cli, args),
        Command::Review(args) => review::run(cli, args),
        Command::Bundle(args) => bundle::run(cli, args),
        Command::Demo(args) => demo::run(cli, args),
        Command::Ledger(command) => ledger::run(cli, command),
        Command::Models(command) => models::run(cli, command),
        Command::Bench(command) => bench::run(cli, command),
        Command::Completions(args) => shell::completions(args),
        Command::Man(args) => shell::man(args),
    }
}
