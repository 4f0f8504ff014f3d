//! `verispec completions` and `verispec man`

use anyhow::Context as _;
use clap::CommandFactory as _;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::exit::Exit;
use crate::output;

/// Prints the completion script of a shell.
pub(super) fn completions(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut script = vec![];
    clap_complete::generate(args.shell, &mut Cli::command(), "verispec", &mut script);
    output::result(&String::from_utf8(script)?);
    Ok(Exit::Ok)
}

/// Prints the main page, or writes all pages.
pub(super) fn man(args: &ManArgs) -> anyhow::Result<Exit> {
    let Some(folder) = &args.out else {
        let mut page = vec![];
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        output::result(&String::from_utf8(page)?);
        return Ok(Exit::Ok);
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    clap_mangen::generate_to(Cli::command(), folder)
        .with_context(|| format!("cannot write pages into {}", folder.display()))?;
    output::result(&format!("manual pages in {}", folder.display()));
    Ok(Exit::Ok)
}
