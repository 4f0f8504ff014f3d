//! `verispec xtc …`

mod audit;
mod describe;
mod driver;
mod extract;
mod inputs;
mod lists;
mod look;
mod manifest;
mod page;
mod people;
mod pipeline;
mod recover;
mod run;
mod score;
mod vectors;

use crate::args::Cli;
use crate::args::xtc::XtcCommand;
use crate::exit::Exit;

pub(crate) use audit::{is_run, items};
pub(crate) use people::study;

pub(super) fn run(cli: &Cli, command: &XtcCommand) -> anyhow::Result<Exit> {
    match command {
        XtcCommand::Show(args) => lists::show(cli, args),
        XtcCommand::Questions(args) => lists::questions(args),
        XtcCommand::Prompts(args) => lists::prompts(args),
        XtcCommand::Describe(args) => describe::run(cli, args),
        XtcCommand::Extract(args) => extract::run(cli, args),
        XtcCommand::Recall(args) => extract::recall(cli, args),
        XtcCommand::Run(args) => run::run(cli, args),
        XtcCommand::Recover(args) => recover::run(cli, args),
        XtcCommand::Import(args) => score::import(cli, args),
        XtcCommand::Score(args) => score::score(cli, args),
        XtcCommand::Facts(args) => score::facts(cli, args),
        XtcCommand::Report(args) => page::run(cli, args),
        XtcCommand::Audit(args) => audit::run(cli, args),
    }
}
