//! `verispec specs …`

mod asking;
mod export;
mod lint;
mod members;
pub(super) mod review;
mod set;
mod stages;

use crate::args::{Cli, SpecsCommand};
use crate::exit::Exit;

pub(super) fn run(cli: &Cli, command: &SpecsCommand) -> anyhow::Result<Exit> {
    match command {
        SpecsCommand::Lint(args) => lint::run(cli, args),
        SpecsCommand::Generate(args) => stages::generate(cli, args),
        SpecsCommand::Merge(args) => stages::merge(cli, args),
        SpecsCommand::Filter(args) => stages::filter(cli, args),
        SpecsCommand::Update(args) => stages::update(cli, args),
        SpecsCommand::Export(args) => export::run(cli, args),
    }
}
